// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "busfile.h"
#include "cmd.h"
#include "out.h"
#include "types.h"

struct loader {
	const char *path;
	yaml_document_t doc;
	struct busfile *to;
};

typedef int (*item_fn)(struct loader *l, yaml_node_t *node);

static int complain(struct loader *l, const yaml_node_t *n, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static int complain(struct loader *l, const yaml_node_t *n, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	error("%s:%zu: %s", l->path, n->start_mark.line + 1, text);
	return -EINVAL;
}

/* An element that the library refused: what it says is about this place */
static int added(struct loader *l, const yaml_node_t *n, int ret)
{
	return ret >= 0 ? 0 : complain(l, n, "%s", ret == -E2BIG ?
				       "the configuration is too big" :
				       ret == -EINVAL ? "a value is out of range" :
				       kecat_strerror(ret));
}

/* A scalar as C text; one with a NUL inside ends there and then fits nothing */
static const char *text_of(const yaml_node_t *n)
{
	return n->type == YAML_SCALAR_NODE ? (const char *)n->data.scalar.value : NULL;
}

static yaml_node_t *child(struct loader *l, const yaml_node_t *map, const char *key)
{
	const yaml_node_pair_t *p;

	for (p = map->data.mapping.pairs.start; p < map->data.mapping.pairs.top; p++) {
		const char *name = text_of(yaml_document_get_node(&l->doc, p->key));

		if (name && !strcmp(name, key))
			return yaml_document_get_node(&l->doc, p->value);
	}
	return NULL;
}

static int set_enum(struct loader *l, const struct field *f, yaml_node_t *n,
		    void *base)
{
	const char *text = text_of(n);

	for (int i = 0; f->names[i]; i++) {
		if (strcmp(f->names[i], text))
			continue;
		field_set(base, f->offset, f->size, i);
		return 0;
	}
	return complain(l, n, "%s: '%s' is none of '%s', '%s'%s%s", f->key,
			out_clean(text), f->names[0], f->names[1],
			f->names[2] ? ", " : "", f->names[2] ? f->names[2] : "");
}

static int set_flag(struct loader *l, const struct fields *fs,
		    const struct field *f, yaml_node_t *n, void *base)
{
	uint64_t now = field_get(base, fs->flags_offset, fs->flags_size);
	const char *text = text_of(n);
	bool on = !strcmp(text, "true") || !strcmp(text, "yes");

	if (!on && strcmp(text, "false") && strcmp(text, "no"))
		return complain(l, n, "%s: '%s' is neither true nor false", f->key,
				out_clean(text));
	field_set(base, fs->flags_offset, fs->flags_size,
		  on ? now | f->flag : now & ~(uint64_t)f->flag);
	return 0;
}

static int set_number(struct loader *l, const struct field *f, yaml_node_t *n,
		      void *base)
{
	const char *text = text_of(n);
	bool minus = f->kind == F_INT && *text == '-';
	uint64_t v;

	if (f->kind == F_US) {
		if (!parse_us(text, &v) || (f->size == 4 && v > UINT32_MAX))
			return complain(l, n, "%s: '%s' is not a time in microseconds",
					f->key, out_clean(text));
	} else if (!parse_uint(text + minus, f->max, &v)) {
		return complain(l, n, "%s: '%s' is not a number of %s0 to %" PRIu64,
				f->key, out_clean(text),
				f->kind == F_INT ? "+/-" : "", f->max);
	}
	field_set(base, f->offset, f->size, minus ? -v : v);
	return 0;
}

static int set_field(struct loader *l, const struct fields *fs,
		     const struct field *f, yaml_node_t *n, void *base)
{
	int ret;

	if (f->kind == F_LIST)
		return 0;	/* read after the element itself is added */
	if (!text_of(n))
		return complain(l, n, "%s: a single value is expected", f->key);
	if (f->kind == F_FLAG)
		return set_flag(l, fs, f, n, base);
	if (f->kind == F_ENUM)
		return set_enum(l, f, n, base);
	if (f->kind == F_TEXT) {
		snprintf((char *)base + f->offset, f->size, "%s", text_of(n));
		return 0;
	}
	ret = set_number(l, f, n, base);
	if (!ret && f->flag)
		field_set(base, fs->flags_offset, fs->flags_size, f->flag |
			  field_get(base, fs->flags_offset, fs->flags_size));
	return ret;
}

/* All plain keys of a mapping into a struct; unknown keys are refused */
static int fill(struct loader *l, yaml_node_t *map, const struct fields *fs,
		void *base)
{
	const yaml_node_pair_t *p;

	if (map->type != YAML_MAPPING_NODE)
		return complain(l, map, "'key: value' lines are expected here");
	for (p = map->data.mapping.pairs.start; p < map->data.mapping.pairs.top; p++) {
		yaml_node_t *key = yaml_document_get_node(&l->doc, p->key);
		const char *name = text_of(key);
		const struct field *f = fs->field;
		int ret;

		while (f->key && (!name || strcmp(f->key, name)))
			f++;
		if (!f->key)
			return complain(l, key, "unknown key '%s'",
					name ? out_clean(name) : "(not a word)");
		ret = set_field(l, fs, f, yaml_document_get_node(&l->doc, p->value), base);
		if (ret)
			return ret;
	}
	return 0;
}

/* Each item of the list under @key, if there is one */
static int each(struct loader *l, yaml_node_t *map, const char *key, item_fn fn)
{
	yaml_node_t *list = child(l, map, key);
	const yaml_node_item_t *i;

	if (!list || (text_of(list) && !*text_of(list)))
		return 0;
	if (list->type != YAML_SEQUENCE_NODE)
		return complain(l, list, "%s: a list ('- ...') is expected", key);
	for (i = list->data.sequence.items.start; i < list->data.sequence.items.top; i++) {
		int ret = fn(l, yaml_document_get_node(&l->doc, *i));

		if (ret)
			return ret;
	}
	return 0;
}

static int load_entry(struct loader *l, yaml_node_t *n)
{
	struct kecat_cfg_entry e = { 0 };
	int ret = fill(l, n, &entry_fields, &e);

	if (ret)
		return ret;
	if (!e.bits)
		return complain(l, n, "an entry needs 'bits: 1' to 255");
	return added(l, n, kecat_conf_add_entry(l->to->conf, e.index, e.subindex,
						e.bits));
}

static int load_pdo(struct loader *l, yaml_node_t *n)
{
	struct kecat_cfg_pdo p = { 0 };
	int ret = fill(l, n, &pdo_fields, &p);

	if (!ret)
		ret = added(l, n, kecat_conf_add_pdo(l->to->conf, p.index));
	return ret ? ret : each(l, n, "entries", load_entry);
}

static int load_sm(struct loader *l, yaml_node_t *n)
{
	struct kecat_cfg_sm sm = { 0 };
	int ret = fill(l, n, &sm_fields, &sm);

	if (ret)
		return ret;
	if (!child(l, n, "sm") || !child(l, n, "dir"))
		return complain(l, n, "a sync manager needs 'sm:' and 'dir:'");
	ret = added(l, n, kecat_conf_add_sm(l->to->conf, &sm));
	return ret ? ret : each(l, n, "pdos", load_pdo);
}

/* "data: 01 00", or "type: uint16" with "value: 1" */
static ssize_t sdo_data(struct loader *l, yaml_node_t *n, uint8_t *buf, size_t room)
{
	yaml_node_t *data = child(l, n, "data"), *value = child(l, n, "value");
	yaml_node_t *type = child(l, n, "type");
	const char *tname = type ? text_of(type) : "raw";
	yaml_node_t *v = data ? data : value;
	ssize_t len;

	if (!v || !text_of(v) || (data && value) || (value && !type))
		return complain(l, n, "an SDO needs 'data:', or 'type:' and 'value:'");
	if (!tname || !type_known(tname))
		return complain(l, type, "type is none of: %s", type_names);
	len = type_parse(data ? "raw" : tname, text_of(v), buf, room);
	if (len < 0)
		return complain(l, v, "'%s' does not fit the type %s",
				out_clean(text_of(v)), data ? "raw" : tname);
	return len;
}

static int load_sdo(struct loader *l, yaml_node_t *n)
{
	static uint8_t buf[KECAT_MAX_SDO];
	struct kecat_cfg_sdo sdo = { 0 };
	ssize_t len;
	int ret = fill(l, n, &sdo_fields, &sdo);

	if (ret)
		return ret;
	len = sdo_data(l, n, buf, sizeof(buf));
	if (len < 0)
		return len;
	return added(l, n, kecat_conf_add_sdo(l->to->conf, &sdo, buf, len));
}

static int load_slave(struct loader *l, yaml_node_t *n)
{
	struct kecat_cfg_slave s = { 0 };
	int ret = fill(l, n, &slave_fields, &s);

	if (ret)
		return ret;
	if (!child(l, n, "position") && !child(l, n, "alias"))
		return complain(l, n, "a slave needs 'position:' or 'alias:'");
	ret = added(l, n, kecat_conf_add_slave(l->to->conf, &s));
	if (!ret)
		ret = each(l, n, "sms", load_sm);
	return ret ? ret : each(l, n, "sdos", load_sdo);
}

static int load_loop(struct loader *l, yaml_node_t *n)
{
	struct busfile *f = l->to;
	struct loop_pair pair = { 0 };
	int ret = fill(l, n, &loop_fields, &pair);

	if (ret)
		return ret;
	if (f->loops >= MAX_LOOPS)
		return complain(l, n, "more than %d loops", MAX_LOOPS);
	f->loop[f->loops++] = pair;
	return 0;
}

static int load_bus(struct loader *l)
{
	yaml_node_t *root = yaml_document_get_root_node(&l->doc);
	int ret;

	if (!root) {
		error("%s: the file is empty", l->path);
		return -EINVAL;
	}
	ret = fill(l, root, &bus_fields, kecat_conf_bus(l->to->conf));
	if (ret)
		return ret;
	if (!child(l, root, "cycle_us"))
		return complain(l, root, "'cycle_us:' is missing");
	ret = each(l, root, "slaves", load_slave);
	return ret ? ret : each(l, root, "loop", load_loop);
}

static int parse(struct loader *l, FILE *file)
{
	yaml_parser_t parser;
	int ret = -EINVAL;

	if (!yaml_parser_initialize(&parser))
		return -ENOMEM;
	yaml_parser_set_input_file(&parser, file);
	if (!yaml_parser_load(&parser, &l->doc)) {
		error("%s:%zu: %s", l->path, parser.problem_mark.line + 1,
		      parser.problem ? parser.problem : "not readable");
	} else {
		ret = load_bus(l);
		yaml_document_delete(&l->doc);
	}
	yaml_parser_delete(&parser);
	return ret;
}

int busfile_load(const char *path, struct busfile *f)
{
	bool std = !strcmp(path, "-");
	struct loader l = { .path = std ? "standard input" : path, .to = f };
	FILE *file = std ? stdin : fopen(path, "re");
	int ret;

	memset(f, 0, sizeof(*f));
	if (!file) {
		error("%s: %s", path, strerror(errno));
		return EXIT_USAGE;
	}
	f->conf = kecat_conf_new(0);
	ret = f->conf ? parse(&l, file) : -ENOMEM;
	if (!std)
		fclose(file);
	if (ret == -ENOMEM)
		error("%s: out of memory", path);
	if (ret)
		busfile_free(f);
	return ret ? EXIT_USAGE : 0;
}

void busfile_free(struct busfile *f)
{
	kecat_conf_free(f->conf);
	f->conf = NULL;
}
