// SPDX-License-Identifier: GPL-2.0-only
// sources: kmod/mbx.c kmod/coe.c
// sources: tests/host/unit/fake_slave.c tests/host/unit/fake_sdo.c tests/host/unit/rt.c
#include <linux/errno.h>
#include <linux/ktime.h>
#include <string.h>
#include "coe.h"
#include "fake_slave.h"
#include "rt.h"
#include "tap.h"

static struct fake fake, *f = &fake;

static void start(u16 out_size, u16 in_size)
{
	fake_init(f, out_size, in_size);
	CHECK_EQ(kecat_mbx_start(&f->s, FAKE_OUT, out_size, FAKE_IN, in_size), 0);
}

static int upload(u16 index, void *to, u32 room, u32 *len)
{
	u32 abort;

	return kecat_coe_upload(&f->s, index, 0, 0, to, room, len, &abort, 0);
}

/* reads one small object; the slave has 0x2000 + n = n * 3 */
static void check_read(u16 index)
{
	u32 value = 0, len;

	CHECK_EQ(upload(index, &value, sizeof(value), &len), 0);
	CHECK_EQ(len, 2);
	CHECK_EQ(value, (index & 0xff) * 3);
}

static void small_objects(void)
{
	u16 i, v;

	for (i = 0; i < 20; i++) {
		v = i * 3;
		fake_object(f, 0x2000 + i, 0, &v, 2, 2);
	}
}

static void begin(u16 out_size, u16 in_size)
{
	start(out_size, in_size);
	small_objects();
}

static void finish(void)
{
	fake_exit(f);
}

static void read_all(void)
{
	u16 i;

	for (i = 0; i < 20; i++)
		check_read(0x2000 + i);
}

static const u16 sizes[] = { 16, 17, 64, 128, 129, 256, 1024, 1470, 1486 };

TEST(plain, "requests are answered in mailboxes of any size")
{
	unsigned int i, k;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		for (k = 0; k < ARRAY_SIZE(sizes); k++) {
			begin(sizes[i], sizes[k]);
			read_all();
			CHECK_EQ(f->requests, 20);
			CHECK_EQ(f->s.mbx.requests, 20);
			CHECK_EQ(f->s.mbx.counter, (20 - 1) % 7 + 1);
			CHECK_EQ(f->s.mbx.repeats, 0);
			finish();
		}
	}
}

TEST(bytes, "a 1024-byte mailbox moves the bytes of its telegrams only")
{
	begin(1024, 1024);
	f->bytes = 0;
	check_read(0x2001);
	CHECK(f->bytes < 400);
	finish();
}

TEST(whole, "a device that takes and gives only whole mailboxes works")
{
	begin(256, 512);
	f->partial = false;
	read_all();
	CHECK(f->s.mbx.whole_out);
	CHECK(f->s.mbx.whole_in);
	finish();
}

TEST(bad_size, "a mailbox of impossible size is refused")
{
	fake_init(f, 128, 128);
	CHECK_EQ(kecat_mbx_start(&f->s, FAKE_OUT, 0, FAKE_IN, 128), -EINVAL);
	CHECK_EQ(kecat_mbx_start(&f->s, FAKE_OUT, 15, FAKE_IN, 128), -EINVAL);
	CHECK_EQ(kecat_mbx_start(&f->s, FAKE_OUT, 1487, FAKE_IN, 128), -EINVAL);
	CHECK_EQ(kecat_mbx_start(&f->s, FAKE_OUT, 128, 0xfff0, 128), -EINVAL);
	CHECK_EQ(kecat_mbx_start(&f->s, 0, 128, FAKE_IN, 128), -EINVAL);
	CHECK(!f->s.mbx.ready);
	finish();
}

TEST(not_ready, "without a mailbox nothing is sent")
{
	u32 v, len;

	fake_init(f, 128, 128);
	CHECK_EQ(upload(0x2000, &v, 4, &len), -EOPNOTSUPP);
	CHECK_EQ(kecat_coe_download(&f->s, 0x2000, 0, 0, &v, 4, &len, 0),
		 -EOPNOTSUPP);
	CHECK_EQ(f->xfers, 0);
	CHECK_EQ(kecat_mbx_poll(&f->s), 0);
	finish();
}

TEST(no_memory, "no memory is an error, not a crash")
{
	u32 v, len;

	fake_init(f, 128, 128);
	rt_fail_alloc(1);
	CHECK_EQ(kecat_mbx_start(&f->s, FAKE_OUT, 128, FAKE_IN, 128), -ENOMEM);
	CHECK_EQ(kecat_mbx_start(&f->s, FAKE_OUT, 128, FAKE_IN, 128), 0);
	rt_fail_alloc(1);
	CHECK_EQ(upload(0x2000, &v, 4, &len), -ENOMEM);
	finish();
}

/* ---- losses ---- */

TEST(lost_answer, "an answer lost on the wire is asked for again")
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		begin(128, sizes[i]);
		check_read(0x2001);
		f->in_after = (struct fake_loss){ 0, 1 };
		check_read(0x2002);
		CHECK_EQ(f->in_after.count, 0);
		CHECK_EQ(f->requests, 2);
		/* a telegram that was here before its end was lost is kept */
		CHECK_EQ(f->repeat_asked, sizes[i] > 128 ? 0 : 1);
		read_all();
		finish();
	}
}

TEST(lost_long_answer, "a long answer lost on the wire is asked for again")
{
	u8 data[300], back[300];
	u32 len;

	start(128, 512);
	memset(data, 0x5a, sizeof(data));
	fake_object(f, 0x3000, 0, data, sizeof(data), sizeof(data));
	f->in_after = (struct fake_loss){ 0, 1 };
	CHECK_EQ(upload(0x3000, back, sizeof(back), &len), 0);
	CHECK_EQ(len, sizeof(data));
	CHECK(!memcmp(back, data, sizeof(data)));
	CHECK_EQ(f->repeat_asked, 1);
	CHECK_EQ(f->requests, 1);
	finish();
}

TEST(lost_read, "a read that never reached the slave does no harm")
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		begin(128, sizes[i]);
		check_read(0x2001);
		f->in_before = (struct fake_loss){ 0, 1 };
		check_read(0x2002);
		CHECK_EQ(f->in_before.count, 0);
		CHECK_EQ(f->requests, 2);
		read_all();
		finish();
	}
}

TEST(first_lost, "the very first answer may be lost, and its repetition too")
{
	begin(128, 128);
	f->in_after = (struct fake_loss){ 0, 2 };
	check_read(0x2002);
	CHECK_EQ(f->repeat_asked, 2);
	CHECK_EQ(f->requests, 1);
	finish();
}

TEST(no_repeat, "a device without the repeat handshake costs one time-out")
{
	u32 v, len;

	begin(128, 128);
	f->repeats = false;
	f->in_after = (struct fake_loss){ 0, 1 };
	CHECK_EQ(upload(0x2001, &v, 4, &len), -ETIMEDOUT);
	CHECK_EQ(f->s.mbx.timeouts, 1);
	read_all();
	finish();
}

TEST(lost_request, "a request lost before the slave is sent again")
{
	begin(128, 128);
	f->out_before = (struct fake_loss){ 1, 2 };
	read_all();
	CHECK_EQ(f->out_before.count, 0);
	CHECK_EQ(f->requests, 20);
	CHECK_EQ(f->dropped, 0);
	finish();
}

TEST(lost_ack, "a request lost behind the slave is not carried out twice")
{
	int fast;

	for (fast = 0; fast < 3; fast++) {
		begin(128, 128);
		/* still in the mailbox; answered; taken but not answered */
		f->delay_ns = fast == 0 ? 200000000 : 1000;
		f->checks = fast != 1;
		f->out_after = (struct fake_loss){ 1, 1 };
		read_all();
		CHECK_EQ(f->out_after.count, 0);
		CHECK_EQ(f->requests, 20);
		finish();
	}
}

static void emergency_then_serve(struct fake *f, u8 type, const u8 *d, u16 len)
{
	static const u8 em[] = { 0, 0x10, 0x20, 0x43, 0x08, 1, 2, 3, 4, 5 };

	fake_say(f, EC_MBX_COE, em, sizeof(em));
	fake_sdo_server(f, type, d, len);
}

TEST(unsure, "an emergency is not taken for the sign that a request arrived")
{
	begin(128, 128);
	check_read(0x2001);
	/* something waits in the mailbox when the request is lost before it */
	fake_say(f, EC_MBX_COE, "\x00\x10\x01\x02\x03\x00\x00\x00\x00\x00", 10);
	f->out_before = (struct fake_loss){ 0, 1 };
	check_read(0x2002);
	CHECK_EQ(f->events, 1);
	CHECK_EQ(f->requests, 2);
	finish();
}

TEST(random_loss, "every transfer is right or an error, whatever is lost")
{
	u8 data[600], back[600];
	u32 len, abort, i, n, good = 0;
	int ret;

	for (i = 0; i < 40; i++) {
		fake_init(f, 16 + i * 7, i & 1 ? 64 + i * 9 : 16 + i);
		f->seed = i + 1;
		CHECK_EQ(kecat_mbx_start(&f->s, FAKE_OUT, f->out_size, FAKE_IN,
					 f->in_size), 0);
		fake_object(f, 0x3000, 0, NULL, 0, sizeof(data));
		f->random_loss = i % 8 * 5;
		f->delay_ns = 1 + fake_rnd(f, 3000000);
		for (n = 0; n < 50; n++) {
			u32 size = fake_rnd(f, 100) < 60 ? 1 + fake_rnd(f, 8) :
							   fake_rnd(f, 600);

			for (len = 0; len < size; len++)
				data[len] = fake_rnd(f, 256);
			ret = kecat_coe_download(&f->s, 0x3000, 0, 0, data,
						 size, &abort, 5000);
			if (ret) {
				CHECK_EQ(ret, -ETIMEDOUT);
				continue;
			}
			CHECK_EQ(fake_find(f, 0x3000, 0, false)->len, size);
			CHECK(!memcmp(fake_find(f, 0x3000, 0, false)->data,
				      data, size));
			ret = kecat_coe_upload(&f->s, 0x3000, 0, 0, back,
					       sizeof(back), &len, &abort, 5000);
			if (ret) {
				CHECK_EQ(ret, -ETIMEDOUT);
				continue;
			}
			CHECK_EQ(len, size);
			CHECK(!memcmp(back, data, size));
			good++;
		}
		finish();
	}
	tap_note("%u of 2000 went through", good);
	CHECK(good > 1900);
}

/* ---- what else lies in the mailbox ---- */

TEST(duplicate, "an answer that comes twice counts once")
{
	begin(128, 128);
	check_read(0x2001);
	/* the same bytes, counter included, in front of the next answer */
	fake_say_raw(f, f->last.b, f->last.len);
	check_read(0x2002);
	read_all();
	CHECK_EQ(f->s.mbx.counter_errors, 1);
	finish();
}

TEST(no_counter, "devices that do not count, or badly, are understood")
{
	int counts;

	for (counts = 0; counts <= 2; counts += 2) {
		begin(128, 128);
		f->counts = counts;
		read_all();
		read_all();
		CHECK_EQ(f->s.mbx.timeouts, 0);
		finish();
	}
}

TEST(emergency, "an emergency in front of the answer goes its own way")
{
	begin(128, 128);
	f->app = emergency_then_serve;
	read_all();
	CHECK_EQ(f->events, 20);
	CHECK_EQ(f->s.emergencies, 20);
	CHECK_EQ(f->event[0], 0x4320 | 8 << 16);
	CHECK_EQ(f->event[1], 0x04030201);
	CHECK_EQ(f->event[2], 5);
	CHECK_EQ(f->event[3], 0);
	finish();
}

TEST(short_emergency, "an emergency of any length is counted")
{
	u8 em[10] = { 0, 0x10, 1, 2, 3, 4, 5, 6, 7, 8 };
	u16 len;

	begin(128, 128);
	for (len = 2; len <= 10; len++) {
		fake_say(f, EC_MBX_COE, em, len);
		CHECK_EQ(kecat_mbx_poll(&f->s), 1);
	}
	CHECK_EQ(f->events, 9);
	CHECK_EQ(kecat_mbx_poll(&f->s), 0);
	finish();
}

static void eoe_then_serve(struct fake *f, u8 type, const u8 *d, u16 len)
{
	u8 frame[90] = { 0 };
	int i;

	for (i = 0; i < 3; i++)
		fake_say(f, EC_MBX_EOE, frame, 10 + i * 30);
	fake_say(f, EC_MBX_AOE, frame, 32);
	fake_sdo_server(f, type, d, len);
}

TEST(foreign, "other protocols' telegrams do not disturb an SDO")
{
	unsigned int i;

	for (i = 3; i < ARRAY_SIZE(sizes); i++) {
		begin(128, sizes[i]);
		f->app = eoe_then_serve;
		read_all();
		CHECK_EQ(f->s.mbx.discarded, 80);
		finish();
	}
}

static void to_another_slave(struct fake *f, u8 type, const u8 *d, u16 len)
{
	u8 b[16] = { 10, 0, 0x34, 0x12, 0, EC_MBX_COE | 0x30, 0, 0x30, 0x43 };

	b[9] = d[3];
	b[10] = d[4];
	fake_say_raw(f, b, sizeof(b));
	fake_sdo_server(f, type, d, len);
}

TEST(slave_to_slave, "a telegram addressed to another slave is no answer")
{
	begin(128, 128);
	f->app = to_another_slave;
	read_all();
	CHECK_EQ(f->s.mbx.discarded, 20);
	finish();
}

static void stale_then_serve(struct fake *f, u8 type, const u8 *d, u16 len)
{
	fake_say_sdo(f, 0x4b, 0x1018, 1, 0xbad);
	fake_say_sdo(f, 0x60, 0x1c12, 0, 0);
	fake_say_sdo(f, 0x80, 0x1c12, 1, 0x08000000);
	fake_say_sdo(f, 0x00, 0, 0, 0);
	fake_sdo_server(f, type, d, len);
}

TEST(stale, "late answers of earlier requests are passed over")
{
	begin(128, 128);
	f->app = stale_then_serve;
	read_all();
	finish();
}

TEST(full_at_start, "what lies in the send mailbox at the start is thrown away")
{
	int i;

	fake_init(f, 128, 128);
	for (i = 0; i < 5; i++)
		fake_say_sdo(f, 0x4b, 0x2001, 0, 0xbad);
	CHECK_EQ(kecat_mbx_start(&f->s, FAKE_OUT, 128, FAKE_IN, 128), 0);
	CHECK_EQ(f->queued, 0);
	CHECK(!f->in_full);
	small_objects();
	read_all();
	finish();
}

TEST(blocked, "a slave that takes nothing before it is heard is heard")
{
	begin(128, 128);
	f->stubborn = true;
	/* a request nobody waits for, and a telegram that holds it up */
	fake_say(f, EC_MBX_COE, "\x00\x10\x01\x02\x03\x00\x00\x00\x00\x00", 10);
	fake_settle(f);
	memcpy(f->out_mem, "\x0a\x00\x00\x00\x00\x73\x00\x20\x40\x01\x20", 11);
	f->out_full = true;
	check_read(0x2002);
	CHECK_EQ(f->events, 1);
	CHECK_EQ(f->requests, 2);
	finish();
}

static void refuse_protocol(struct fake *f, u8 type, const u8 *d, u16 len)
{
	fake_say(f, EC_MBX_ERR, "\x01\x00\x02\x00", 4);
}

static void size_too_short(struct fake *f, u8 type, const u8 *d, u16 len)
{
	fake_say(f, EC_MBX_ERR, "\x01\x00\x06\x00", 4);
}

TEST(error_telegram, "a mailbox error telegram ends the request, its detail is kept")
{
	u32 v, len;

	begin(128, 128);
	f->app = refuse_protocol;
	CHECK_EQ(upload(0x2000, &v, 4, &len), -EOPNOTSUPP);
	CHECK_EQ(f->s.mbx.error, 2);
	f->app = size_too_short;
	CHECK_EQ(upload(0x2000, &v, 4, &len), -EIO);
	CHECK_EQ(f->s.mbx.error, 6);
	f->app = fake_sdo_server;
	read_all();
	finish();
}

static void too_long(struct fake *f, u8 type, const u8 *d, u16 len)
{
	u8 b[128] = { 123, 0, 0, 0, 0, EC_MBX_COE | 0x10 };

	fake_say_raw(f, b, f->in_size);
}

static void far_too_long(struct fake *f, u8 type, const u8 *d, u16 len)
{
	u8 b[128] = { 0xff, 0xff, 0, 0, 0, EC_MBX_COE | 0x10 };

	fake_say_raw(f, b, 10);
}

TEST(malformed, "a telegram longer than the mailbox is refused, the next is fine")
{
	u32 v, len;

	begin(128, 128);
	f->app = too_long;
	CHECK_EQ(upload(0x2000, &v, 4, &len), -EPROTO);
	f->app = far_too_long;
	CHECK_EQ(upload(0x2000, &v, 4, &len), -EPROTO);
	CHECK_EQ(f->s.mbx.malformed, 2);
	f->app = fake_sdo_server;
	read_all();
	finish();
	begin(128, 1024);
	f->app = far_too_long;
	CHECK_EQ(upload(0x2000, &v, 4, &len), -EPROTO);
	f->app = fake_sdo_server;
	read_all();
	finish();
}

static void say_nothing(struct fake *f, u8 type, const u8 *d, u16 len)
{
}

static void chatter(struct fake *f, u8 type, const u8 *d, u16 len)
{
	int i;

	for (i = 0; i < FAKE_QUEUE; i++)
		fake_say(f, EC_MBX_EOE, "\x00\x00\x00\x00", 4);
}

TEST(timeouts, "a silent or babbling slave costs its time-out and no more")
{
	u32 v, len, abort;
	u64 t;

	begin(128, 128);
	f->app = say_nothing;
	t = rt_now();
	CHECK_EQ(upload(0x2000, &v, 4, &len), -ETIMEDOUT);
	CHECK(rt_now() - t >= 1000000000);
	CHECK(rt_now() - t < 1200000000);
	CHECK_EQ(f->s.mbx.timeouts, 1);
	f->app = chatter;
	CHECK_EQ(kecat_coe_upload(&f->s, 0x2000, 0, 0, &v, 4, &len, &abort, 2),
		 -ETIMEDOUT);
	f->queued = 0;
	f->app = fake_sdo_server;
	read_all();
	finish();
}

TEST(late_answer, "an answer behind its time-out is not taken for the next one's")
{
	u32 v, len, abort;

	begin(128, 128);
	f->delay_ns = 30000000;
	CHECK_EQ(kecat_coe_upload(&f->s, 0x2001, 0, 0, &v, 4, &len, &abort, 10),
		 -ETIMEDOUT);
	fake_settle(f);
	/* the same object has another value now */
	fake_find(f, 0x2001, 0, false)->data[0] = 99;
	CHECK_EQ(upload(0x2001, &v, 4, &len), 0);
	CHECK_EQ(v & 0xffff, 99);
	fake_find(f, 0x2001, 0, false)->data[0] = 3;
	read_all();
	finish();
}

TEST(gone, "a slave that does not answer at all is found out early")
{
	u32 v, len;
	u64 t;

	begin(128, 128);
	check_read(0x2001);
	f->gone = true;
	CHECK_EQ(upload(0x2000, &v, 4, &len), -ENXIO);
	f->gone = false;
	check_read(0x2001);
	t = rt_now();
	f->enabled = false;
	CHECK_EQ(upload(0x2000, &v, 4, &len), -EOPNOTSUPP);
	CHECK(rt_now() - t < 500000000);
	finish();
}

TEST(killed, "a killed caller comes back, and the next request starts clean")
{
	u32 v, len;

	begin(128, 128);
	f->delay_ns = 50000000;
	rt_kill_at(rt_now() + 5000000);
	CHECK_EQ(upload(0x2001, &v, 4, &len), -EINTR);
	rt_kill_at(0);
	rt_advance(100000000);
	f->delay_ns = 1000;
	read_all();
	finish();
}

static void stop_meanwhile(struct fake *f, u8 type, const u8 *d, u16 len)
{
	/* what kecat_mbx_stop() does before it waits for the lock */
	WRITE_ONCE(f->s.mbx.ready, false);
}

TEST(stopped, "a request ends when the mailbox is stopped")
{
	u32 v, len;
	u64 t;

	begin(128, 128);
	f->app = stop_meanwhile;
	t = rt_now();
	CHECK_EQ(upload(0x2001, &v, 4, &len), -EOPNOTSUPP);
	CHECK(rt_now() - t < 100000000);
	finish();
}

TEST(poll, "a look when nobody waits takes one telegram, and not the lock")
{
	begin(128, 128);
	CHECK_EQ(kecat_mbx_poll(&f->s), 0);
	fake_say(f, EC_MBX_COE, "\x00\x10\x01\x02\x03\x00\x00\x00\x00\x00", 10);
	CHECK_EQ(kecat_mbx_poll(&f->s), 1);
	CHECK_EQ(f->events, 1);
	mutex_lock(&f->s.mbx.lock);
	CHECK_EQ(kecat_mbx_poll(&f->s), -EBUSY);
	mutex_unlock(&f->s.mbx.lock);
	f->gone = true;
	CHECK_EQ(kecat_mbx_poll(&f->s), -ENXIO);
	finish();
}

TEST(poll_lost, "a telegram lost while nobody waits is asked for again")
{
	begin(128, 128);
	fake_say(f, EC_MBX_COE, "\x00\x10\x01\x02\x03\x00\x00\x00\x00\x00", 10);
	f->in_after = (struct fake_loss){ 0, 1 };
	kecat_mbx_poll(&f->s);
	CHECK_EQ(f->events, 0);
	CHECK_EQ(kecat_mbx_poll(&f->s), 1);
	CHECK_EQ(f->events, 1);
	finish();
}
