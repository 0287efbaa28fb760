// SPDX-License-Identifier: GPL-2.0-only
/*
 * Starts another kernel at once, without a reset of the machine; what is
 * running is not asked.  Static, for the lab's guest, whose busybox has none.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/reboot.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int opened(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		fprintf(stderr, "kexec: %s: %s\n", path, strerror(errno));
	return fd;
}

int main(int argc, char **argv)
{
	int kernel, initrd;

	if (argc != 4) {
		fputs("usage: kexec IMAGE INITRD COMMAND-LINE\n", stderr);
		return 2;
	}
	kernel = opened(argv[1]);
	initrd = opened(argv[2]);
	if (kernel < 0 || initrd < 0)
		return 1;
	if (syscall(SYS_kexec_file_load, kernel, initrd, strlen(argv[3]) + 1,
		    argv[3], 0UL)) {
		perror("kexec_file_load");
		return 1;
	}
	sync();
	syscall(SYS_reboot, LINUX_REBOOT_MAGIC1, LINUX_REBOOT_MAGIC2,
		LINUX_REBOOT_CMD_KEXEC, NULL);
	perror("reboot");
	return 1;
}
