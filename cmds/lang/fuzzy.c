/*
 * One row for each letter: the best score with this letter at each place of the name. The next row
 * comes from the place before it, or over a gap from the best place further left.
 */
#include "cmds/lang/fuzzy.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"

enum {
	MATCH = 16, BESIDE = 8, WORD_BEGINS = 8, NAME_BEGINS = 10, WORD_ENDS = 4, GAP = 3,
	LONGER_GAP = 1,
	NOWHERE = INT_MIN / 2,
};

static bool is_small(char c)
{
	return c >= 'a' && c <= 'z';
}

static bool is_capital(char c)
{
	return c >= 'A' && c <= 'Z';
}

static bool fits(char letter, char c)
{
	return letter == c || (is_small(letter) && is_capital(c) && letter - 'a' == c - 'A');
}

static bool fits_anywhere(const char *letters, size_t len, const char *name, size_t name_len)
{
	size_t found = 0;

	for (size_t i = 0; i < name_len && found < len; i++)
		found += fits(letters[found], name[i]);
	return found == len;
}

static bool separates(char c)
{
	return c && strchr("/_.:- ", c) != NULL;
}

static int begins(const char *name, size_t at)
{
	if (!at)
		return NAME_BEGINS;
	if (separates(name[at - 1]) || (is_capital(name[at]) && is_small(name[at - 1])))
		return WORD_BEGINS;
	return 0;
}

static int larger(int a, int b)
{
	return a > b ? a : b;
}

/* The row of a letter from that of the letter before it. */
static void next_row(const int *before, char letter, const char *name, size_t name_len, int *row)
{
	int over_gap = NOWHERE, beside;

	for (size_t i = 0; i < name_len; i++) {
		over_gap = larger(over_gap - LONGER_GAP, i > 1 ? before[i - 2] - GAP : NOWHERE);
		beside = i ? before[i - 1] : NOWHERE;
		row[i] = NOWHERE;
		if (fits(letter, name[i]))
			row[i] = MATCH + larger(over_gap + begins(name, i),
			                        beside + larger(BESIDE, begins(name, i)));
	}
}

/* What it is worth that the name ends, or a word of it, behind the last letter. */
static int ends(const char *name, size_t name_len, size_t at)
{
	return at + 1 == name_len || separates(name[at + 1]) ? WORD_ENDS : 0;
}

/* The place of the last letter; name_len: they don't fit. */
static size_t best_place(const int *row, const char *name, size_t name_len, int *score)
{
	size_t place = name_len;

	*score = FUZZY_NONE;
	for (size_t i = 0; i < name_len; i++) {
		int here = larger(row[i], 0) + ends(name, name_len, i);

		if (row[i] <= NOWHERE / 2 || here <= *score)
			continue;
		*score = here;
		place = i;
	}
	return place;
}

static void first_row(char letter, const char *name, size_t name_len, int *row)
{
	for (size_t i = 0; i < name_len; i++)
		row[i] = fits(letter, name[i]) ? MATCH + begins(name, i) : NOWHERE;
}

int fuzzy_score(const char *letters, size_t len, const char *name, size_t name_len)
{
	int rows[2][FUZZY_MOST], score;

	if (name_len > FUZZY_MOST)
		name_len = FUZZY_MOST;
	if (!len)
		return 0;
	if (!fits_anywhere(letters, len, name, name_len))
		return FUZZY_NONE;
	first_row(letters[0], name, name_len, rows[0]);
	for (size_t i = 1; i < len; i++)
		next_row(rows[(i - 1) % 2], letters[i], name, name_len, rows[i % 2]);
	best_place(rows[(len - 1) % 2], name, name_len, &score);
	return score;
}

/* Where the letter before stood, if this one, at `at`, is worth so much. */
static size_t place_before(const int *before, const char *name, size_t at, int worth)
{
	int left = worth - MATCH;

	if (at && before[at - 1] + larger(BESIDE, begins(name, at)) == left)
		return at - 1;
	left -= begins(name, at);
	for (size_t i = at - 1; i-- > 0;)
		if (before[i] - GAP - LONGER_GAP * (int)(at - 2 - i) == left)
			return i;
	return at - 1;
}

void fuzzy_mark(const char *letters, size_t len, const char *name, size_t name_len, bool *marked)
{
	int (*rows)[FUZZY_MOST], score;
	size_t at;

	if (name_len > FUZZY_MOST)
		name_len = FUZZY_MOST;
	memset(marked, 0, name_len * sizeof *marked);
	if (!len || len > FUZZY_MARKED || !fits_anywhere(letters, len, name, name_len))
		return;
	rows = mem_alloc(len * sizeof *rows);
	first_row(letters[0], name, name_len, rows[0]);
	for (size_t i = 1; i < len; i++)
		next_row(rows[i - 1], letters[i], name, name_len, rows[i]);
	at = best_place(rows[len - 1], name, name_len, &score);
	for (size_t i = len; i-- > 0;) {
		marked[at] = true;
		if (i)
			at = place_before(rows[i - 1], name, at, rows[i][at]);
	}
	free(rows);
}
