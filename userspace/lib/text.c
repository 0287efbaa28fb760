// SPDX-License-Identifier: LGPL-2.1-or-later
/* What numbers mean: errors, AL states and codes, SDO aborts, phases. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "priv.h"

struct text {
	uint32_t code;
	const char *text;
};

/* tables are in order of the code */
static const struct text al_codes[] = {
	{ 0x0000, "no error" },
	{ 0x0001, "unspecified error" },
	{ 0x0002, "slave has no memory left" },
	{ 0x0003, "device set-up is not valid: modules or jumpers do not fit" },
	{ 0x0004, "revision of the configuration does not fit the device" },
	{ 0x0006, "SII does not fit the firmware: rewrite one of them" },
	{ 0x0007, "firmware update failed, the old firmware still runs" },
	{ 0x000e, "licence error in the device" },
	{ 0x0011, "this change of state is not allowed from the present state" },
	{ 0x0012, "requested state is unknown to the slave" },
	{ 0x0013, "BOOT is not supported" },
	{ 0x0014, "no valid firmware: load one in BOOT" },
	{ 0x0015, "mailbox settings do not fit BOOT" },
	{ 0x0016, "mailbox settings do not fit PREOP: SII and firmware disagree about offset or size" },
	{ 0x0017, "sync manager settings are not valid" },
	{ 0x0018, "no valid inputs available" },
	{ 0x0019, "no valid outputs received" },
	{ 0x001a, "synchronisation error: cycle too irregular for the slave" },
	{ 0x001b, "process data watchdog: no outputs came in time" },
	{ 0x001c, "types of the sync managers are not valid" },
	{ 0x001d, "output sync manager does not fit the slave's mapping (length, address or control byte)" },
	{ 0x001e, "input sync manager does not fit the slave's mapping (length, address or control byte)" },
	{ 0x001f, "watchdog settings are not valid" },
	{ 0x0020, "slave needs a power cycle" },
	{ 0x0021, "slave needs to go through INIT" },
	{ 0x0022, "slave needs to go through PREOP" },
	{ 0x0023, "slave needs to go through SAFEOP" },
	{ 0x0024, "input mapping is not valid" },
	{ 0x0025, "output mapping is not valid" },
	{ 0x0026, "settings contradict each other" },
	{ 0x0027, "free run is not supported: configure DC or SM synchronisation" },
	{ 0x0028, "requested synchronisation is not supported" },
	{ 0x0029, "free run needs three-buffer sync managers" },
	{ 0x002a, "background watchdog of the device" },
	{ 0x002b, "neither valid inputs nor outputs" },
	{ 0x002c, "fatal synchronisation error: SYNC and process data do not fit" },
	{ 0x002d, "no SYNC signal seen: check the DC settings" },
	{ 0x002e, "cycle time is too short for the slave" },
	{ 0x0030, "DC SYNC settings are not valid" },
	{ 0x0031, "DC latch settings are not valid" },
	{ 0x0032, "PLL error: slave cannot follow the DC time" },
	{ 0x0033, "DC input/output synchronisation error" },
	{ 0x0034, "DC time-out: SYNC events are missing" },
	{ 0x0035, "DC cycle time is not valid" },
	{ 0x0036, "SYNC0 cycle time does not fit the slave" },
	{ 0x0037, "SYNC1 cycle time does not fit the slave" },
	{ 0x0041, "AoE mailbox error" },
	{ 0x0042, "EoE mailbox error" },
	{ 0x0043, "CoE mailbox error" },
	{ 0x0044, "FoE mailbox error" },
	{ 0x0045, "SoE mailbox error" },
	{ 0x004f, "VoE mailbox error" },
	{ 0x0050, "slave has no access to its EEPROM" },
	{ 0x0051, "EEPROM error" },
	{ 0x0052, "external hardware is not ready" },
	{ 0x0060, "slave restarted by itself" },
	{ 0x0061, "device identification changed" },
	{ 0x0070, "modules found are not the configured ones" },
	{ 0x0080, "supply voltage too low" },
	{ 0x0081, "supply voltage too high" },
	{ 0x0082, "temperature too low" },
	{ 0x0083, "temperature too high" },
	{ 0x00f0, "application controller is available again" },
};

static const struct text aborts[] = {
	{ 0x05030000, "toggle bit did not change" },
	{ 0x05040000, "protocol time-out in the slave" },
	{ 0x05040001, "command specifier unknown" },
	{ 0x05040005, "slave is out of memory" },
	{ 0x06010000, "access to this object is not supported" },
	{ 0x06010001, "object is write only" },
	{ 0x06010002, "object is read only" },
	{ 0x06010003, "subindex 0 must be 0 before the others are written" },
	{ 0x06010004, "complete access is not supported for this object" },
	{ 0x06010005, "object is longer than the mailbox" },
	{ 0x06010006, "object is mapped in a PDO: download is blocked" },
	{ 0x06020000, "object does not exist" },
	{ 0x06040041, "object cannot be mapped in a PDO" },
	{ 0x06040042, "mapped objects are longer than the PDO" },
	{ 0x06040043, "parameters do not fit each other" },
	{ 0x06040047, "incompatibility inside the device" },
	{ 0x06060000, "access failed because of a hardware error" },
	{ 0x06070010, "length does not fit the type of the object" },
	{ 0x06070012, "data is too long for the object" },
	{ 0x06070013, "data is too short for the object" },
	{ 0x06090011, "subindex does not exist" },
	{ 0x06090030, "value is outside the range" },
	{ 0x06090031, "value is too high" },
	{ 0x06090032, "value is too low" },
	{ 0x06090036, "maximum is below the minimum" },
	{ 0x08000000, "general error" },
	{ 0x08000020, "data cannot be transferred or stored" },
	{ 0x08000021, "data cannot be transferred or stored: local control" },
	{ 0x08000022, "data cannot be transferred or stored in this state" },
	{ 0x08000023, "object dictionary is missing or could not be made" },
};

/* where our meaning says more than the C library's text */
static const struct text errors[] = {
	{ EPERM, "not permitted: run as root or with CAP_SYS_ADMIN" },
	{ ENOENT, "no such master, or no configuration: is the port attached (kecat attach) and a configuration applied?" },
	{ EINTR, "interrupted by a signal" },
	{ EAGAIN, "nothing new yet, or the cycle was too short for a consistent reading: try again" },
	{ ENOMEM, "out of memory" },
	{ EACCES, "no permission: open for writing, and allow this user to use /dev/kecat* (udev rule)" },
	{ EBUSY, "busy: another program has activated this master, or it is active: deactivate first" },
	{ ENODEV, "no such slave, or the port is gone: look at the list of slaves" },
	{ EINVAL, "argument or configuration refused" },
	{ ENOTTY, "this module does not know the call: module and program are of different versions" },
	{ ENOSPC, "answer is longer than the buffer" },
	{ EPROTO, "unexpected answer: a slave violates the protocol, or module and library are of different versions" },
	{ EMSGSIZE, "length does not fit: object of another type, or a slave's data longer than a frame" },
	{ EOPNOTSUPP, "not possible: the slave has no CoE, or is in a state without a mailbox (needs PREOP or higher); or another tick is configured, or the driver cannot be used in an interrupt (bus file: tick)" },
	{ ETIMEDOUT, "no answer in time: look at the cable, the state of the slave and the events" },
	{ ENOTCONN, "not active: the cycle does not run" },
	{ EREMOTEIO, "refused by the slave" },
	{ EDEADLK, "spinning for over half of the cycle needs an isolated CPU: bind the cyclic thread to one (module parameter cpu; kecat doctor), or lower spin_us" },
	{ ENOTUNIQ, "two elements of the configuration match one slave: give positions or aliases that differ" },
	{ ENOLINK, "no slave answers: look at cable, power and link" },
	{ EIO, "bus or port error: look at the events" },
	{ E2BIG, "too big: configuration, or a structure of a newer program" },
	{ ESHUTDOWN, "the port is being removed" },
};

static const char *const phases[] = {
	[KECAT_LAT_WAKE] = "wake",
	[KECAT_LAT_SEND] = "send",
	[KECAT_LAT_WAIT] = "wait",
	[KECAT_LAT_PUBLISH] = "publish",
	[KECAT_LAT_ACYCLIC] = "acyclic",
	[KECAT_LAT_TOTAL] = "total",
	[KECAT_LAT_PERIOD] = "period",
	[KECAT_LAT_JITTER] = "jitter",
	[KECAT_LAT_ROUNDTRIP] = "roundtrip",
	[KECAT_LAT_TO_APP] = "to-app",
	[KECAT_LAT_APP] = "app",
	[KECAT_LAT_ACCOUNT] = "account",
};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const char *find(const struct text *t, size_t n, uint32_t code)
{
	for (size_t i = 0; i < n; i++)
		if (t[i].code == code)
			return t[i].text;
	return NULL;
}

const char *kecat_strerror(int err)
{
	const char *text = find(errors, COUNT(errors), abs(err));

	return text ? text : strerrordesc_np(abs(err)) ?: "unknown error";
}

const char *kecat_al_name(uint32_t al_state)
{
	switch (al_state & 0x1f) {
	case KECAT_AL_INIT:
		return "INIT";
	case KECAT_AL_PREOP:
		return "PREOP";
	case KECAT_AL_BOOT:
		return "BOOT";
	case KECAT_AL_SAFEOP:
		return "SAFEOP";
	case KECAT_AL_OP:
		return "OP";
	case KECAT_AL_INIT | KECAT_AL_ERROR:
		return "INIT+ERROR";
	case KECAT_AL_PREOP | KECAT_AL_ERROR:
		return "PREOP+ERROR";
	case KECAT_AL_BOOT | KECAT_AL_ERROR:
		return "BOOT+ERROR";
	case KECAT_AL_SAFEOP | KECAT_AL_ERROR:
		return "SAFEOP+ERROR";
	case KECAT_AL_OP | KECAT_AL_ERROR:
		return "OP+ERROR";
	}
	return "unknown";
}

const char *kecat_al_code_text(uint32_t code)
{
	const char *text = find(al_codes, COUNT(al_codes), code);

	if (text)
		return text;
	return code >= 0x8000 ? "vendor specific: see the device's manual" :
	       "unknown AL status code";
}

const char *kecat_abort_text(uint32_t code)
{
	const char *text = find(aborts, COUNT(aborts), code);

	return text ? text : "unknown abort code: see the device's manual";
}

const char *kecat_phase_name(uint32_t phase)
{
	return phase < COUNT(phases) ? phases[phase] : "unknown";
}
