// SPDX-License-Identifier: LGPL-2.1-or-later
/* Toggles all outputs each second and shows the inputs, until ^C. */
#include <kecat.h>
#include <stdio.h>
#include <string.h>

static int failed(struct kecat *k, const char *what, int err)
{
	fprintf(stderr, "%s: %s %s\n", what, kecat_strerror(err), k ? kecat_detail(k) : "");
	return 1;
}

int main(void)
{
	struct kecat_conf *conf;
	struct kecat *k;
	int err;

	err = kecat_open(0, KECAT_RDWR, &k);
	if (err)
		return failed(NULL, "/dev/kecat0", err);
	err = kecat_conf_from_scan(k, 1000000, 0, &conf);	/* 1 ms */
	if (err)
		return failed(k, "scan", err);
	err = kecat_configure(k, conf);
	if (!err)
		err = kecat_activate(k);
	while (!err) {
		int cycles = kecat_wait(k, 1000000000);
		uint64_t cycle;

		if (cycles < 0)
			return failed(k, "cycle", cycles);
		cycle = kecat_info(k)->cycle;
		memset(kecat_outputs(k), cycle / 1000 % 2 ? 0xff : 0, kecat_output_len(k));
		kecat_publish(k);
		if (cycle % 1000 == 0 && kecat_input_len(k))
			printf("%u in OP, first input byte 0x%02x\n",
			       kecat_slaves_op(k), kecat_inputs(k)[0]);
	}
	return failed(k, "start", err);
}
