// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "module.h"

/* It says nothing of a module that it does not find */
static pid_t start_modinfo(const char *name, int out)
{
	pid_t pid = fork();
	int null;

	if (pid)
		return pid;
	null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (dup2(out, STDOUT_FILENO) >= 0 && dup2(null, STDERR_FILENO) >= 0)
		execlp("modinfo", "modinfo", "-F", "absent", name, NULL);
	_exit(127);
}

bool module_is_absent(const char *name, char *why, size_t room)
{
	int ends[2], status;
	pid_t pid;
	FILE *f;

	*why = '\0';
	if (*name == '-' || pipe2(ends, O_CLOEXEC))
		return false;
	pid = start_modinfo(name, ends[1]);
	close(ends[1]);
	f = fdopen(ends[0], "r");
	if (!f || !fgets(why, room, f))
		*why = '\0';
	why[strcspn(why, "\n")] = '\0';
	if (f)
		fclose(f);
	else
		close(ends[0]);
	if (pid > 0)
		waitpid(pid, &status, 0);
	return *why;
}
