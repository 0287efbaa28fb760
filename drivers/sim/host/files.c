// SPDX-License-Identifier: GPL-2.0-only
/* Descriptions and EEPROM images from files. */
#include <dirent.h>

#include "sim_host.h"

/* A whole file; *size without the zero byte that is added. */
static char *slurp(const char *path, size_t max, size_t *size)
{
	FILE *f = fopen(path, "rbe");
	char *p = f ? malloc(max + 1) : NULL;

	if (p) {
		*size = fread(p, 1, max, f);
		p[*size] = 0;
		if (ferror(f) || !feof(f)) {
			free(p);
			p = NULL;
			errno = EFBIG;
		}
	}
	if (f)
		fclose(f);
	return p;
}

char *file_text(const char *path)
{
	size_t n;

	return slurp(path, SIM_TEXT_MAX, &n);
}

/**
 * devices_add_file - one more kind of device, named like its file
 * @d:    list
 * @path: ".../NAME.dev"
 *
 * Return: 0 or -errno.
 */
int devices_add_file(struct devices *d, const char *path)
{
	const char *base = strrchr(path, '/');
	struct sim_devtext *dev;
	char *text = file_text(path), *name, *dot;

	if (!text)
		return -errno;
	name = strdup(base ? base + 1 : path);
	dev = realloc(d->dev, (d->n + 1) * sizeof(*dev));
	if (!name || !dev) {
		free(text);
		free(name);
		return -ENOMEM;
	}
	dot = strrchr(name, '.');
	if (dot)
		*dot = 0;
	d->dev = dev;
	d->dev[d->n++] = (struct sim_devtext){ name, text };
	return 0;
}

/**
 * devices_add_dir - all descriptions of a directory
 * @d:   list
 * @dir: directory; EEPROM images that they name are looked up in it too
 *
 * Return: 0 or -errno.
 */
int devices_add_dir(struct devices *d, const char *dir)
{
	DIR *h = opendir(dir);
	struct dirent *e;
	char path[4096];
	int ret = 0;

	if (!h)
		return -errno;
	d->dir = dir;
	while (!ret && (e = readdir(h))) {
		size_t n = strlen(e->d_name);

		if (n < 5 || strcmp(e->d_name + n - 4, ".dev"))
			continue;
		snprintf(path, sizeof(path), "%s/%s", dir, e->d_name);
		ret = devices_add_file(d, path);
	}
	closedir(h);
	return ret;
}

void devices_free(struct devices *d)
{
	unsigned int i;

	for (i = 0; i < d->n; i++) {
		free((void *)(uintptr_t)d->dev[i].name);
		free((void *)(uintptr_t)d->dev[i].text);
	}
	free(d->dev);
}

/**
 * devices_load_sii - for struct sim_files
 * @ctx:  struct devices
 * @name: path, relative to the directory of the descriptions if there is one
 * @data: the image
 * @size: its length
 *
 * Return: 0 or -errno.
 */
int devices_load_sii(void *ctx, const char *name, u8 **data, u32 *size)
{
	const struct devices *d = ctx;
	char path[4096];
	size_t n;

	if (d->dir && *name != '/')
		snprintf(path, sizeof(path), "%s/%s", d->dir, name);
	else
		snprintf(path, sizeof(path), "%s", name);
	*data = (u8 *)slurp(path, 256 * 1024, &n);
	if (!*data)
		return -errno;
	*size = (u32)n;
	return 0;
}
