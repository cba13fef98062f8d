/* Rows are kept sorted while they come; one that is worse than all that fit is dropped at once. */
#include "tui/palette.h"

#include <string.h>

#include "cmds/lang/fuzzy.h"

/* The history: which words were used, and when last. */

static void take_words(struct palette *p, const char *line, size_t number)
{
	while (*(line += strspn(line, " \t"))) {
		size_t len = strcspn(line, " \t"), name = strcspn(line, " \t[");
		uint32_t id = map_add(&p->words, &p->mem, line, name);

		while (p->last.len <= id)
			vec_push(&p->last, 0);
		p->last.at[id] = number;
		line += len;
	}
}

static size_t recent(const struct palette *p, const char *name)
{
	uint32_t id = name ? map_find(&p->words, name, strlen(name)) : MAP_NONE;

	return id == MAP_NONE ? 0 : p->last.at[id];
}

static void forget_words(struct palette *p)
{
	map_release(&p->words);
	p->words = (struct map){0};
	arena_release(&p->mem);
	p->last.len = 0;
}

/* Rows. */

static void release_row(struct palette_row *row)
{
	str_release(&row->name);
	str_release(&row->alias);
	str_release(&row->says);
}

static void forget_rows(struct palette *p)
{
	for (size_t i = 0; i < p->rows.len; i++)
		release_row(&p->rows.at[i]);
	p->rows.len = 0;
	p->n_fit = 0;
}

static int order(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* Below 0: a stands before b. */
static int row_order(const struct palette_row *a, const struct palette_row *b)
{
	bool first = a->kind == OFFER_COMMAND, second = b->kind == OFFER_COMMAND;

	if (first != second)
		return first ? -1 : 1;
	if (a->score != b->score)
		return b->score - a->score;
	if (a->recent != b->recent)
		return order(b->recent, a->recent);
	return a->score ? order(a->name.len, b->name.len) : 0;
}

static bool is_full(const struct palette *p, enum offer_kind kind)
{
	size_t commands = 0;

	while (commands < p->rows.len && p->rows.at[commands].kind == OFFER_COMMAND)
		commands++;
	if (kind == OFFER_COMMAND && p->offers.parts.len > 1)
		return commands >= PALETTE_COMMANDS;
	return p->rows.len >= PALETTE_ROWS;
}

/* The place where the row belongs: behind all that are as good. */
static size_t place_of(const struct palette *p, const struct palette_row *row)
{
	size_t at = p->rows.len;

	while (at && row_order(row, &p->rows.at[at - 1]) < 0)
		at--;
	return at;
}

/* False: those that are there are better. The row is taken over in any case. */
static bool insert(struct palette *p, struct palette_row *row)
{
	size_t at = place_of(p, row);

	if (is_full(p, row->kind)) {
		if (at == p->rows.len) {
			release_row(row);
			return false;
		}
		release_row(&p->rows.at[--p->rows.len]);
	}
	vec_push(&p->rows, *row);
	memmove(&p->rows.at[at + 1], &p->rows.at[at],
	        (p->rows.len - 1 - at) * sizeof *p->rows.at);
	p->rows.at[at] = *row;
	return true;
}

/* Looking. */

/* By its name or, if that is as good, its alias, which is then the name. */
static int score_of(const struct palette *p, const char **name, const char **alias)
{
	const char *word = str_text(&p->typed) + p->begin, *full = *name;
	size_t len = p->cursor - p->begin;
	int score = fuzzy_score(word, len, *name, strlen(*name)), other = FUZZY_NONE;

	if (*alias)
		other = fuzzy_score(word, len, *alias, strlen(*alias));
	if (other == FUZZY_NONE || other < score)
		return score;
	*name = *alias;
	*alias = full;
	return other;
}

static void look_at(struct palette *p, size_t part, uint64_t i)
{
	struct palette_row row = { .kind = p->offers.parts.at[part].kind };
	const char *name, *alias;
	size_t used;

	if (!offers_name(&p->offers, part, i, &p->name, &alias))
		return;
	name = str_text(&p->name);
	row.score = score_of(p, &name, &alias);
	if (row.score == FUZZY_NONE)
		return;
	p->n_fit++;
	row.recent = recent(p, name);
	used = recent(p, alias);
	if (used > row.recent)
		row.recent = used;
	row.name.len = strlen(name);
	if (is_full(p, row.kind) && place_of(p, &row) == p->rows.len)
		return;
	row.name = (struct str){0};
	str_puts(&row.name, name);
	if (alias)
		str_puts(&row.alias, alias);
	offers_tell(&p->offers, part, i, &row.says);
	row.before = offers_before(&p->offers, part);
	row.wants_more = offers_wants_more(&p->offers, part, i);
	insert(p, &row);
}

static void begin(struct palette *p, struct shell *shell)
{
	forget_rows(p);
	offers_at(shell, str_text(&p->typed), p->cursor, &p->offers);
	p->begin = p->offers.word_begin;
	p->part = 0;
	p->at = 0;
	p->begun = true;
}

void palette_look(struct palette *p, const char *line, size_t cursor,
                  const struct history *history)
{
	if (!p->open) {
		forget_rows(p);
		forget_words(p);
		for (size_t i = 0; i < history->at.len; i++)
			take_words(p, history->at.at[i], i + 1);
	}
	str_reset(&p->typed);
	str_puts(&p->typed, line);
	p->cursor = cursor;
	p->chosen = NO_CHOICE;
	p->wanted = 0;
	p->open = true;
	p->begun = p->done = false;
}

void palette_close(struct palette *p)
{
	p->open = false;
	p->wanted = 0;
	p->chosen = NO_CHOICE;
}

void palette_release(struct palette *p)
{
	forget_rows(p);
	forget_words(p);
	vec_release(&p->rows);
	vec_release(&p->last);
	offers_release(&p->offers);
	str_release(&p->typed);
	str_release(&p->name);
}

/* The place behind the last row is that of what was typed. */
static void go(struct palette *p, int steps)
{
	int n = (int)p->rows.len + 1, at = p->chosen == NO_CHOICE ? n - 1 : (int)p->chosen;

	p->wanted = 0;
	at = ((at + steps) % n + n) % n;
	p->chosen = at == n - 1 ? NO_CHOICE : (size_t)at;
}

bool palette_work(struct palette *p, struct shell *shell, bool idle, uint64_t most)
{
	if (!p->open || p->done || p->chosen != NO_CHOICE)
		return false;
	if (!idle) {
		p->begun = false;        /* what is offered may be something else afterwards */
		forget_rows(p);
		return false;
	}
	if (!p->begun)
		begin(p, shell);
	for (; most && p->part < p->offers.parts.len; most--) {
		if (p->at == p->offers.parts.at[p->part].n) {
			p->part++;
			p->at = 0;
			continue;
		}
		look_at(p, p->part, p->at++);
	}
	p->done = p->part == p->offers.parts.len;
	if (p->done)
		go(p, p->wanted);
	return !p->done;
}

void palette_choose(struct palette *p, int step)
{
	if (p->done)
		go(p, step);
	else
		p->wanted += step;
}

const struct palette_row *palette_chosen(const struct palette *p)
{
	return p->open && p->chosen < p->rows.len ? &p->rows.at[p->chosen] : NULL;
}

void palette_put_line(const struct palette *p, struct str *out)
{
	const struct palette_row *row = palette_chosen(p);

	if (!row) {
		str_puts(out, str_text(&p->typed));
		return;
	}
	str_put(out, str_text(&p->typed), p->begin);
	str_fmt(out, "%s%s", row->before, str_text(&row->name));
	str_puts(out, str_text(&p->typed) + p->cursor);
}
