// SPDX-License-Identifier: GPL-2.0-only
/*
 * Damaged configuration files and EEPROM images against their readers, under
 * ASan and UBSan: any result is good that touches no foreign memory and comes
 * to an end.  Linked with the tool, whose main() is renamed.
 *
 * usage: mangle FILE.yaml ROUNDS [IMAGE...]
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../userspace/tool/busfile.h"
#include "../../userspace/tool/out.h"
#include "../../userspace/tool/sii_show.h"

#define MAX_FILE (256 * 1024)

static uint32_t seed = 1;

static uint32_t next(uint32_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return seed % below;
}

static size_t slurp(const char *path, uint8_t *buf)
{
	FILE *f = fopen(path, "re");
	size_t n;

	if (!f)
		abort();
	n = fread(buf, 1, MAX_FILE, f);
	fclose(f);
	return n;
}

/* One to four changes: a byte, a cut, a piece doubled, a piece moved */
static size_t mangle(uint8_t *b, size_t n)
{
	static const char marks[] = "-:{}[],\"'&*!|>#%@` \n\t0x9";

	for (uint32_t changes = 1 + next(4); changes && n > 8; changes--) {
		uint32_t at = next(n), len = 1 + next(n - at < 40 ? n - at : 40);

		switch (next(4)) {
		case 0:
			b[at] = next(3) ? marks[next(sizeof(marks) - 1)] : (char)next(256);
			break;
		case 1:
			memmove(b + at, b + at + len, n - at - len);
			n -= len;
			break;
		case 2:
			if (n + len > MAX_FILE)
				break;
			memmove(b + at + len, b + at, n - at);
			n += len;
			break;
		case 3:
			memmove(b + next(n - len + 1), b + at, len);
		}
	}
	return n;
}

static int read_config(const uint8_t *b, size_t n)
{
	int fd = memfd_create("config", MFD_CLOEXEC);
	struct busfile f;
	char path[64];
	int ret;

	if (fd < 0 || write(fd, b, n) != (ssize_t)n)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	ret = busfile_load(path, &f);
	if (!ret) {
		busfile_save(stdout, f.conf);
		busfile_free(&f);
	}
	close(fd);
	return ret;
}

static void show_image(const uint8_t *b, size_t n)
{
	/* its end is the end of its memory */
	uint8_t *exact = malloc(n ? n : 1);

	memcpy(exact, b, n);
	out_begin(next(2));
	sii_show(exact, n);
	out_end();
	free(exact);
}

int main(int argc, char **argv)
{
	static uint8_t sound[MAX_FILE], b[MAX_FILE];
	uint32_t rounds = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
	uint32_t refused = 0;
	size_t n;

	if (argc < 3 || !freopen("/dev/null", "we", stdout))
		return 2;
	n = slurp(argv[1], sound);
	for (uint32_t i = 0; i < rounds; i++) {
		memcpy(b, sound, n);
		refused += read_config(b, mangle(b, n)) != 0;
	}
	for (int a = 3; a < argc; a++) {
		n = slurp(argv[a], sound);
		for (uint32_t i = 0; i < rounds / 10; i++) {
			memcpy(b, sound, n);
			show_image(b, next(3) ? mangle(b, n) : next(n + 1));
		}
	}
	/* both kinds have to occur, else nothing was mangled or nothing read */
	return refused > rounds / 10 && refused < rounds ? 0 : 1;
}
