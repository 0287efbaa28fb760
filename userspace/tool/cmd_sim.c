// SPDX-License-Identifier: GPL-2.0-only
/* kecat sim: the simulated segment, kecat_sim.ko */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd.h"
#include "out.h"
#include "sysfs.h"

#define MODULE		"kecat_sim"
#define FAULT_PARAM	"module/" MODULE "/parameters/fault"

const struct opt sim_opts[] = {
	{ "slaves", 's', "LIST", "load: the devices, as in coupler,do8*2,di8*2,drive" },
	{ "segments", 0, "N", "load: so many segments, each a master (1)" },
	{ NULL, 0, NULL, NULL }
};

/* @args: behind "modprobe", ends with NULL */
static int modprobe(char *const args[])
{
	int status;
	pid_t pid;

	pid = fork();
	if (pid < 0)
		return -errno;
	if (!pid) {
		execvp(args[0], args);
		_exit(127);
	}
	if (waitpid(pid, &status, 0) < 0)
		return -errno;
	return WIFEXITED(status) && !WEXITSTATUS(status) ? 0 : -EIO;
}

static int load(struct ctx *c)
{
	char slaves[4096], segments[32], *args[5] = { "modprobe", MODULE };
	const char *list = opt_str(c, "slaves");
	uint64_t count = 1;
	int n = 2;

	if (sysfs_exists("module/" MODULE)) {
		error("the simulator is loaded already: 'kecat sim unload' first");
		return EXIT_FAIL;
	}
	if (opt_uint(c, "segments", KECAT_MAX_MASTERS, &count))
		return EXIT_USAGE;
	if (list) {
		if (snprintf(slaves, sizeof(slaves), "slaves=%s", list) >= (int)sizeof(slaves))
			return usage_error(c, "the list of slaves is too long");
		args[n++] = slaves;
	}
	if (opt_has(c, "segments")) {
		snprintf(segments, sizeof(segments), "segments=%u", (unsigned int)count);
		args[n++] = segments;
	}
	if (modprobe(args)) {
		error("modprobe " MODULE " failed: is it installed (make modules_install), are you root? The kernel log says more");
		return EXIT_FAIL;
	}
	return EXIT_OK;
}

static int unload(void)
{
	static char *const args[] = { "modprobe", "-r", MODULE, NULL };

	if (!sysfs_exists("module/" MODULE)) {
		error("the simulator is not loaded");
		return EXIT_NODEV;
	}
	if (modprobe(args)) {
		error("modprobe -r " MODULE " failed: is a program still using its master?");
		return EXIT_FAIL;
	}
	return EXIT_OK;
}

static int fault(struct ctx *c, int argc, char **argv)
{
	char text[512] = "";
	size_t n = 0;
	int ret;

	for (int i = 0; i < argc && n < sizeof(text); i++)
		n += snprintf(text + n, sizeof(text) - n, "%s%s", i ? " " : "", argv[i]);
	if (n >= sizeof(text))
		return usage_error(c, "the fault is too long");
	if (!argc) {
		ret = sysfs_read(text, sizeof(text), FAULT_PARAM);
		if (!ret)
			printf("%s\n", out_clean(text));
	} else {
		ret = sysfs_write(text, FAULT_PARAM);
	}
	if (ret == -ENOENT) {
		error("the simulator is not loaded: kecat sim load");
		return EXIT_NODEV;
	}
	if (ret == -EINVAL) {
		error("the simulator does not know the fault '%s': drivers/sim/README.md lists them",
		      text);
		return EXIT_USAGE;
	}
	return ret ? fail(c, ret, "fault") : EXIT_OK;
}

int cmd_sim(struct ctx *c, int argc, char **argv)
{
	if (argc == 1 && !strcmp(argv[0], "load"))
		return load(c);
	if (argc == 1 && !strcmp(argv[0], "unload"))
		return unload();
	if (argc >= 1 && !strcmp(argv[0], "fault"))
		return fault(c, argc - 1, argv + 1);
	return usage_error(c, "load, unload or fault?");
}
