/*
 * Only names that are too long are kept. A map from cut texts to names finds those that look the
 * same; the ways to cut are tried in turn, best looking first, on the names that still do.
 */
#include "cmds/doc/cut_names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/doc/cut.h"
#include "dump/base/arena.h"
#include "dump/base/map.h"
#include "dump/base/mem.h"
#include "dump/base/utf8.h"
#include "dump/base/vec.h"

static const char dots[] = "...";

struct cut_names {
	size_t columns;
	enum cut_first first;
	bool done;
	const char *mark;                /* where something was cut */
	size_t mark_columns;
	struct arena mem;
	struct map names;                /* the long ones */
	VEC(const char *) shown;         /* what shows of each */
};

struct cut_names *cut_names_new(size_t columns, enum cut_first first, bool fine)
{
	struct cut_names *c = mem_alloc(sizeof *c);

	c->columns = columns < CUT_LEAST ? CUT_LEAST : columns;
	c->first = first;
	c->mark = fine ? "\u2026" : dots;
	c->mark_columns = fine ? 1 : strlen(dots);
	return c;
}

void cut_names_free(struct cut_names *c)
{
	if (!c)
		return;
	map_release(&c->names);
	vec_release(&c->shown);
	arena_release(&c->mem);
	free(c);
}

void cut_names_add(struct cut_names *c, const char *name)
{
	size_t len = strlen(name);

	if (utf8_columns(name, len) > c->columns)
		map_add(&c->names, &c->mem, name, len);
}

/* So many columns of its start, then of its end. */
static void put_middle(const struct cut_names *c, const char *name, size_t head, size_t tail,
                       struct str *out)
{
	put_cut(out, name, strlen(name), head, false);
	str_puts(out, c->mark);
	put_cut(out, name, strlen(name), tail, true);
}

/* Length of the prefix of all names of a sorted list: that of the first and the last. */
static size_t common_bytes(const char *a, const char *b)
{
	size_t n = 0;

	while (a[n] && a[n] == b[n])
		n++;
	while (n && ((unsigned char)a[n] & 0xc0) == 0x80)
		n--;
	return n;
}

/*
 * The ways to cut, best first: leave out some of the middle; then show a window, wider each time,
 * at the place where the names begin to differ.
 */
enum { WAYS = 8, FIRST_WINDOW = 3 };
static void put_way(const struct cut_names *c, int way, const char *name, size_t differs_at,
                    struct str *out)
{
	size_t room = c->columns - c->mark_columns, third = room / 3, sides = 0;
	bool start = c->first != CUT_END;

	if (way >= FIRST_WINDOW)
		sides = (room - c->mark_columns) / (size_t)(4 + 2 * (way - FIRST_WINDOW));
	switch (way) {
	case 0: put_middle(c, name, start ? third : room - third, start ? room - third : third,
	                   out); break;
	case 1: put_middle(c, name, room / 2, room - room / 2, out); break;
	case 2: put_middle(c, name, start ? room - third : third, start ? third : room - third,
	                   out); break;
	default:
		put_cut(out, name, strlen(name), sides, false);
		str_puts(out, c->mark);
		put_cut(out, name + differs_at, strlen(name + differs_at),
		        room - c->mark_columns - 2 * sides, false);
		str_puts(out, c->mark);
		put_cut(out, name, strlen(name), sides, true);
		break;
	}
}

/* Names that look the same, sorted, next to each other. */
struct alike {
	const char *shown, *name;
	uint32_t id;
};
typedef VEC(struct alike) alike_list;

static int by_look(const void *a, const void *b)
{
	const struct alike *x = a, *y = b;
	int order = strcmp(x->shown, y->shown);

	return order ? order : strcmp(x->name, y->name);
}

static void find_alike(const struct cut_names *c, alike_list *out)
{
	size_t kept = 0;

	out->len = 0;
	for (uint32_t i = 0; i < c->names.len; i++)
		vec_push(out, ((struct alike){ c->shown.at[i], c->names.key[i], i }));
	if (out->len)
		qsort(out->at, out->len, sizeof *out->at, by_look);
	for (size_t begin = 0, end; begin < out->len; begin = end) {
		end = begin + 1;
		while (end < out->len && !strcmp(out->at[end].shown, out->at[begin].shown))
			end++;
		for (size_t i = begin; i < end && end - begin > 1; i++)
			out->at[kept++] = out->at[i];
	}
	out->len = kept;
}

static void show(struct cut_names *c, uint32_t id, const struct str *text)
{
	c->shown.at[id] = arena_copy(&c->mem, str_text(text), text->len);
}

/* Cuts each group of names that look the same in another way. */
static void cut_alike(struct cut_names *c, const alike_list *alike, int way)
{
	struct str text = {0};

	for (size_t begin = 0, end; begin < alike->len; begin = end) {
		size_t differs_at;

		end = begin + 1;
		while (end < alike->len && !strcmp(alike->at[end].shown, alike->at[begin].shown))
			end++;
		differs_at = common_bytes(alike->at[begin].name, alike->at[end - 1].name);
		for (size_t i = begin; i < end; i++) {
			str_reset(&text);
			put_way(c, way, alike->at[i].name, differs_at, &text);
			show(c, alike->at[i].id, &text);
		}
	}
	str_release(&text);
}

/* Names that no way of cutting tells apart are numbered. */
static void number_alike(struct cut_names *c, const alike_list *alike)
{
	struct str text = {0}, number = {0};

	for (size_t i = 0; i < alike->len; i++) {
		str_reset(&number);
		str_fmt(&number, "%s#%" PRIu32, c->mark, alike->at[i].id + 1);
		str_reset(&text);
		put_cut(&text, alike->at[i].name, strlen(alike->at[i].name),
		        c->columns - utf8_columns(number.text, number.len), false);
		str_put(&text, number.text, number.len);
		show(c, alike->at[i].id, &text);
	}
	str_release(&text);
	str_release(&number);
}

/* The way that looks best. */
static void put_first(const struct cut_names *c, const char *name, struct str *out)
{
	size_t room = c->columns - c->mark_columns, head = strcspn(name, "/") + 1;

	if (c->first == CUT_MIDDLE) {
		head = head > room / 3 ? room / 3 : head;
		put_middle(c, name, head, room - head, out);
	} else {
		put_shortened(out, name, c->columns, c->first == CUT_START);
	}
}

static void cut_all(struct cut_names *c)
{
	alike_list alike = {0};
	struct str text = {0};

	for (uint32_t i = 0; i < c->names.len; i++) {
		str_reset(&text);
		put_first(c, c->names.key[i], &text);
		vec_push(&c->shown, NULL);
		show(c, i, &text);
	}
	find_alike(c, &alike);
	for (int way = 0; way < WAYS && alike.len; way++) {
		cut_alike(c, &alike, way);
		find_alike(c, &alike);
	}
	number_alike(c, &alike);
	vec_release(&alike);
	str_release(&text);
	c->done = true;
}

void cut_names_put(struct cut_names *c, const char *name, struct str *out)
{
	uint32_t id;

	if (!c->done)
		cut_all(c);
	id = map_find(&c->names, name, strlen(name));
	str_puts(out, id == MAP_NONE ? name : c->shown.at[id]);
}
