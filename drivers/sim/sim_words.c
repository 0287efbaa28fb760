// SPDX-License-Identifier: GPL-2.0-only
/* Text into lines, words and numbers; no locale, no allocation. */
#include "sim_desc.h"

/**
 * sim_next_line - cut the next line off
 * @text: moves behind it; NULL at the end
 *
 * Return: the line without its end, or NULL.
 */
char *sim_next_line(char **text)
{
	char *line = *text, *p;

	if (!line)
		return NULL;
	for (p = line; *p && *p != '\n'; p++)
		;
	*text = *p ? p + 1 : NULL;
	*p = 0;
	return line;
}

/**
 * sim_split - cut a line into words
 * @line: changed in place
 * @word: filled in; "quoted text" is one word, '#' starts a comment
 *
 * Return: their number, or -EINVAL for too many or an open quote.
 */
int sim_split(char *line, char *word[SIM_WORDS_MAX])
{
	int n = 0;
	char *p = line;

	for (;;) {
		while (*p == ' ' || *p == '\t' || *p == '\r')
			p++;
		if (!*p || *p == '#')
			return n;
		if (n == SIM_WORDS_MAX)
			return -EINVAL;
		if (*p == '"') {
			word[n++] = ++p;
			while (*p && *p != '"')
				p++;
			if (!*p)
				return -EINVAL;
		} else {
			word[n++] = p;
			while (*p && *p != ' ' && *p != '\t' && *p != '\r')
				p++;
			if (!*p)
				return n;
		}
		*p++ = 0;
	}
}

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return 99;
}

/**
 * sim_number - decimal or 0x hexadecimal, with sign
 * @s: all of it must be the number
 * @v: result
 *
 * Return: 0, -EINVAL, -ERANGE.
 */
int sim_number(const char *s, s64 *v)
{
	bool neg = *s == '-';
	u64 n = 0;
	int base = 10;

	s += neg;
	if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
		base = 16;
		s += 2;
	}
	if (!*s)
		return -EINVAL;
	for (; *s; s++) {
		if (digit(*s) >= base)
			return -EINVAL;
		if (n >> 59)
			return -ERANGE;
		n = n * (u64)base + (u64)digit(*s);
	}
	*v = neg ? -(s64)n : (s64)n;
	return 0;
}

/**
 * sim_number_u32 - a number that fits 32 bits, unsigned
 * @s: text
 * @v: result
 *
 * Return: 0, -EINVAL, -ERANGE.
 */
int sim_number_u32(const char *s, u32 *v)
{
	s64 n;
	int ret = sim_number(s, &n);

	if (ret)
		return ret;
	if (n < 0 || n > 0xffffffffll)
		return -ERANGE;
	*v = (u32)n;
	return 0;
}
