#include "dump/format/cells.h"

#include <string.h>

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

struct text text_trimmed(struct text text)
{
	while (text.len && is_blank(*text.at)) {
		text.at++;
		text.len--;
	}
	while (text.len && is_blank(text.at[text.len - 1]))
		text.len--;
	return text;
}

/* Copies the line, which is never longer than its copy. */
static char *start(struct cells *cells, struct text line)
{
	cells->n = 0;
	cells->open_quote = false;
	str_reset(&cells->line);
	str_put(&cells->line, line.at, line.len);
	return cells->line.text;
}

static void add(struct cells *cells, const char *at, size_t len)
{
	if (cells->n < CELLS_MOST)
		cells->at[cells->n] = (struct text){ at, len };
	cells->n++;
}

/* Commas. */

/*
 * From behind its first quote; the cell is written over itself. Returns where its end is. *open: it
 * has no second one.
 */
static char *unquote(char **at, const char *end, bool *open)
{
	char *out = *at, *from = *at;

	*open = true;
	while (from < end) {
		if (*from != '"')
			*out++ = *from++;
		else if (from + 1 < end && from[1] == '"') {
			*out++ = '"';
			from += 2;
		} else {
			from++;
			*open = false;
			break;
		}
	}
	while (from < end && *from != ',')
		*out++ = *from++;
	*at = from;
	return out;
}

void cells_at_commas(struct cells *cells, struct text line)
{
	char *at = start(cells, line), *end = at + line.len;

	if (!line.len)
		return;
	for (;; at++) {
		char *begin = at;

		if (at < end && *at == '"') {
			begin = ++at;
			add(cells, begin,
			    (size_t)(unquote(&at, end, &cells->open_quote) - begin));
		} else {
			while (at < end && *at != ',')
				at++;
			add(cells, begin, (size_t)(at - begin));
		}
		if (at == end)
			return;
	}
}

/* Blanks. */

void cells_at_blanks(struct cells *cells, struct text line, size_t most)
{
	struct text text = text_trimmed(line);
	const char *at = start(cells, text), *end = at + text.len;

	while (at < end) {
		const char *begin = at, *gap = end;

		if (cells->n + 1 < most)
			gap = memmem(at, (size_t)(end - at), "  ", 2);
		if (!gap)
			gap = end;
		add(cells, begin, (size_t)(gap - begin));
		for (at = gap; at < end && *at == ' '; at++)
			;
	}
}

/* A rule. */

bool cells_read_rule(struct cell_rule *rule, struct text line)
{
	rule->n = 0;
	for (size_t i = 0; i < line.len; ) {
		size_t from = i;

		while (i < line.len && line.at[i] == '-')
			i++;
		if (i > from && rule->n < CELLS_MOST) {
			rule->at[rule->n].from = from;
			rule->at[rule->n++].to = i;
		}
		if (i < line.len && !is_blank(line.at[i++]))
			return false;
	}
	return rule->n > 1;
}

void cells_at_rule(struct cells *cells, struct text line, const struct cell_rule *rule)
{
	const char *at = start(cells, line);

	for (size_t i = 0; i < rule->n; i++) {
		size_t to = i + 1 < rule->n ? rule->at[i].to : line.len, from = rule->at[i].from;
		struct text cell;

		to = to < line.len ? to : line.len;
		from = from < to ? from : to;
		cell = text_trimmed((struct text){ at + from, to - from });
		add(cells, cell.at, cell.len);
	}
}

void cells_release(struct cells *cells)
{
	str_release(&cells->line);
}
