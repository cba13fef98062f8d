/*
 * A search goes once around the document, from the start spot to the start spot, a few rows at a
 * time so that keys are answered meanwhile. In the start row only what lies behind (backward:
 * before) the start counts, until the search comes around to that row again. Bad elements and
 * errors are looked for in the same way; of those a row counts as a whole.
 *
 * While nothing else is to do the matches are counted, by blocks of rows. A search passes over the
 * blocks without any, so that the next match among 10^6 rows is found at once wherever it is.
 */
#include "tui/pane_kind.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "tui/row_parts.h"
#include "tui/wrap.h"

/* The byte where a search from this spot begins; behind: after its piece. */
static size_t start_off(struct pane *pane, struct spot from, bool behind)
{
	const struct str *text = &pane->scratch.text;
	size_t begin;

	if (pane_is_grid(pane))
		return behind ? SIZE_MAX : 0;
	rows_line(&pane->shown, from.row, pane->cols, &pane->scratch);
	begin = wrap_begin(str_text(text), text->len, pane_wrap_cols(pane), from.piece);
	return behind ? wrap_end(str_text(text), text->len, begin, pane_wrap_cols(pane)) : begin;
}

static void start(struct pane *pane, enum seek what, bool backward, bool behind, uint64_t times)
{
	struct search *s = &pane->search;
	struct spot from = pane->focus ? pane->cursor : pane->top;

	s->state = SEARCH_IDLE;
	if (!pane_doc(pane) || !rows_count(&pane->shown) || (what == SEEK_MATCH && !s->pattern))
		return;
	s->state = SEARCH_WORKING;
	s->places = 0;
	s->seek = what;
	s->backward = backward;
	s->wrapped = false;
	s->times = times ? times : 1;
	s->row = from.row;
	s->off = start_off(pane, from, behind);
	if (what == SEEK_MATCH && pane->focus && s->found_row == from.row)
		s->off = backward ? s->found_off : s->found_end;  /* there may be more in the row */
	s->left = rows_count(&pane->shown) + 1;
}

bool pane_search(struct pane *pane, const char *regex, bool backward, uint64_t times,
                 struct err *err)
{
	struct search *s = &pane->search;

	if (regex) {
		struct pattern *pattern = regex_new(regex, pane->regex_case, err);

		if (!pattern)
			return false;
		pattern_free(s->pattern);
		s->pattern = pattern;
		s->found_row = NO_ROW;
		pane->count = (struct match_count){ .before = pane->count.before };
	}
	start(pane, SEEK_MATCH, backward, !regex && !backward, times);
	return true;
}

void pane_seek(struct pane *pane, enum seek what, bool backward, uint64_t times)
{
	if (what == SEEK_BAD && pane_kind(pane)->seek_bad) {
		pane_kind(pane)->seek_bad(pane, backward, times);
		return;
	}
	start(pane, what, backward, false, times);
	pane->search.off = backward ? 0 : SIZE_MAX;      /* not this row */
}

void pane_seek_row(struct pane *pane, pane_wants *wants, void *context, bool backward,
                   uint64_t times)
{
	pane->search.wants = wants;
	pane->search.context = context;
	pane_seek(pane, SEEK_ROW, backward, times);
}

void pane_search_stop(struct pane *pane)
{
	if (pane->search.state == SEARCH_WORKING)
		pane->search.state = SEARCH_IDLE;
}

/* Matches. */

/* The first match from `from` on. Empty matches are none: there would be nothing to see. */
static bool next_match(struct pattern *pattern, const struct line *line, size_t from,
                       struct span *out)
{
	const char *text = str_text(&line->text);

	while (from <= line->text.len &&
	       pattern_hits(pattern, text, line->text.len, from, &out->begin, &out->end)) {
		if (out->end > out->begin)
			return true;
		from = out->end + 1;
		while (from < line->text.len && ((unsigned char)text[from] & 0xc0) == 0x80)
			from++;
	}
	return false;
}

void pane_matches(struct pane *pane, const struct line *line, span_list *out)
{
	struct span match;

	out->len = 0;
	if (!pane->search.pattern)
		return;
	for (size_t from = 0; next_match(pane->search.pattern, line, from, &match);
	     from = match.end)
		vec_push(out, match);
}

/* Is told of each match until it says false. */
typedef bool match_visit(void *context, const struct span *match);

/*
 * The matches of a row from byte `from` on, one after the other; of a grid all its cells are looked
 * at, and bytes are those of the whole row.
 */
static void each_match(struct pane *pane, uint64_t row, size_t from, match_visit *visit,
                       void *context)
{
	struct doc *doc = pane_doc(pane);
	uint64_t parts = row_parts(doc), part = pane_is_grid(pane) ? row_part_at(doc, from) : 0;
	struct span match;

	for (; part < parts; part++) {
		size_t at, skip = 0, before = 0;

		if (pane_is_grid(pane))
			row_part(doc, rows_row(&pane->shown, row), part, &pane->scratch, &skip,
			         &before);
		else
			rows_line(&pane->shown, row, pane->cols, &pane->scratch);
		at = from > before + skip ? from - before : skip;
		for (; next_match(pane->search.pattern, &pane->scratch, at, &match);
		     at = match.end) {
			struct span whole = { match.begin + before, match.end + before };

			if (!visit(context, &whole))
				return;
		}
	}
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Does "nan" or "inf" stand in the text as a number does? */
static bool shows_bad(const char *text)
{
	for (size_t i = 0; text[i]; i++) {
		if (strncmp(text + i, "nan", 3) && strncmp(text + i, "inf", 3))
			continue;
		if (!is_word(text[i + 3]) && (!i || !is_word(text[i - 1])))
			return true;
	}
	return false;
}

static bool shows_error(const struct line *line)
{
	for (size_t i = 0; i < line->segs.len; i++)
		if (line->segs.at[i].role == ROLE_ERROR || line->segs.at[i].role == ROLE_DAMAGED)
			return true;
	return !strncmp(str_text(&line->text), "ERROR", 5);
}

/* Only rows of the body: what the head and the foot tell of them is no place to go to. */
static bool is_body_row(const struct pane *pane, uint64_t row)
{
	struct body *body = doc_get_body(pane_doc(pane));
	uint64_t before = doc_body_row(pane_doc(pane));

	return body && row >= before && row - before < body->kind->rows(body);
}

/* The first piece that differs; behind a row's label if there is one. */
static bool find_difference(const struct line *line, struct span *out)
{
	bool found = false;

	for (size_t i = 0; i < line->segs.len; i++) {
		const struct seg *seg = &line->segs.at[i];

		if (seg->role != ROLE_DIFFERS || (found && out->begin > 0))
			continue;
		*out = (struct span){ seg->begin, seg->end };
		found = true;
	}
	return found;
}

/* Rows without an index are none of the array. */
static bool row_counts(const struct pane *pane, enum seek what, const struct line *line)
{
	const struct search *s = &pane->search;

	if (what == SEEK_ERROR)
		return shows_error(line);
	if (what == SEEK_ROW)
		return s->wants(s->context, pane_doc(pane), rows_row(&pane->shown, s->row), line);
	return rows_row(&pane->shown, pane->search.row) >= doc_body_row(pane_doc(pane)) &&
	       shows_bad(str_text(&line->text));
}

struct wanted_match {
	struct span match;
	size_t off;              /* backward: it begins before this byte */
	bool backward, found;
};

static bool take_match(void *context, const struct span *match)
{
	struct wanted_match *wanted = context;

	if (wanted->backward && match->begin >= wanted->off)
		return false;
	wanted->match = *match;
	wanted->found = true;
	return wanted->backward;
}

/* The first from off on, or the last that begins before off. */
static bool pattern_in_row(struct pane *pane, struct span *out)
{
	const struct search *s = &pane->search;
	struct wanted_match wanted = { .off = s->off, .backward = s->backward };

	each_match(pane, s->row, s->backward ? 0 : s->off, take_match, &wanted);
	*out = wanted.match;
	return wanted.found;
}

/* What is looked for, in the row, as far as it counts. */
static bool match_in_row(struct pane *pane, struct span *out)
{
	struct search *s = &pane->search;

	if (s->seek == SEEK_MATCH)
		return pattern_in_row(pane, out);
	rows_line(&pane->shown, s->row, pane->cols, &pane->scratch);
	if (s->seek == SEEK_DIFFERENCE)
		return (s->backward ? s->off > 0 : s->off == 0) &&
		       is_body_row(pane, rows_row(&pane->shown, s->row)) &&
		       find_difference(&pane->scratch, out);
	*out = (struct span){ 0, pane->scratch.text.len };
	return (s->backward ? s->off > 0 : s->off == 0) &&
	       row_counts(pane, s->seek, &pane->scratch);
}

static void found_at(struct pane *pane, const struct span *match)
{
	struct search *s = &pane->search;
	size_t off = match->begin;
	struct spot spot = { s->row, 0 };
	const struct str *text = &pane->scratch.text;

	if (pane_is_grid(pane) && s->seek == SEEK_MATCH) {
		pane_cell_reveal(pane, off);
	} else {
		pane_reveal(pane, text, off);
		spot.piece = wrap_piece_at(str_text(text), text->len, pane_wrap_cols(pane), off);
	}
	if (s->seek == SEEK_MATCH) {
		s->found_row = s->row;
		s->found_off = off;
		s->found_end = match->end;
	}
	if (pane->focus) {
		pane_cursor_row(pane, spot.row);
		pane_cursor_move(pane, spot.piece);
	} else {
		pane->top = spot;
	}
}

static void step(struct search *s, uint64_t rows)
{
	if (s->backward) {
		s->wrapped |= s->row == 0;
		s->row = s->row ? s->row - 1 : rows - 1;
		s->off = SIZE_MAX;
	} else {
		s->row++;
		if (s->row >= rows) {
			s->row = 0;
			s->wrapped = true;
		}
		s->off = 0;
	}
	s->left--;
}

/* One of several was found: the search goes on behind (backward: before) it. */
static void pass_over(struct search *s, const struct span *match, uint64_t rows)
{
	s->times--;
	s->left = rows + 1;
	s->off = s->backward ? match->begin : match->end;
}

/* Matches before a block of rows. */
static uint64_t before_block(const struct match_count *count, size_t block)
{
	return block < count->before.len ? count->before.at[block] : count->total;
}

/* The end of the blocks from `block` on that hold no match; of `blocks` it is known. */
static size_t end_of_empty(const struct match_count *count, size_t block, size_t blocks)
{
	size_t low = block, high = blocks + 1;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (before_block(count, middle) == before_block(count, block))
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* The begin of those before `end`. */
static size_t begin_of_empty(const struct match_count *count, size_t end)
{
	size_t low = 0, high = end;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (before_block(count, middle) == before_block(count, end))
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/*
 * Where matches were counted, blocks without any are passed over, but for the last row, so that the
 * search steps out of it as out of any.
 */
static void pass_empty(struct pane *pane)
{
	struct search *s = &pane->search;
	const struct match_count *count = &pane->count;
	uint64_t rows = rows_count(&pane->shown), to, steps;
	size_t block = (size_t)(s->row / MATCH_BLOCK), blocks = count->before.len, edge;

	blocks -= blocks && count->rows < rows;          /* the last one isn't done */
	if (s->seek != SEEK_MATCH || count->version != pane->shown.version || block >= blocks ||
	    s->off != (s->backward ? SIZE_MAX : 0))
		return;
	if (s->backward) {
		edge = begin_of_empty(count, block + 1);
		to = edge > block ? s->row : (uint64_t)edge * MATCH_BLOCK;
	} else {
		edge = end_of_empty(count, block, blocks);
		to = (uint64_t)edge * MATCH_BLOCK < rows ? (uint64_t)edge * MATCH_BLOCK : rows;
		to = edge == block ? s->row : to - 1;
	}
	steps = s->backward ? s->row - to : to - s->row;
	if (steps > s->left - 1)
		steps = s->left - 1;
	s->row = s->backward ? s->row - steps : s->row + steps;
	s->left -= steps;
}

/* Long rows of grids take longer. */
static uint64_t rows_at_once(const struct pane *pane, uint64_t rows)
{
	uint64_t parts = pane_doc(pane) ? row_parts(pane_doc(pane)) : 1;

	return rows > parts ? rows / parts : rows ? 1 : 0;
}

enum search_state pane_search_work(struct pane *pane, uint64_t max_rows)
{
	struct search *s = &pane->search;
	uint64_t rows = rows_count(&pane->shown);
	struct span match = {0};

	if (s->state == SEARCH_WORKING && s->places) {
		pane_kind(pane)->search(pane);
		return s->state;
	}
	if (s->state == SEARCH_WORKING && s->row >= rows)
		s->state = SEARCH_NOWHERE;
	max_rows = rows_at_once(pane, max_rows);
	for (; s->state == SEARCH_WORKING && max_rows; max_rows--) {
		pass_empty(pane);
		if (match_in_row(pane, &match)) {
			if (s->times > 1) {
				pass_over(s, &match, rows);
				continue;
			}
			found_at(pane, &match);
			s->state = s->wrapped ? SEARCH_WRAPPED : SEARCH_FOUND;
		} else if (s->seek == SEEK_MATCH && pattern_gave_up(s->pattern)) {
			s->state = SEARCH_GAVE_UP;
		} else {
			step(s, rows);
			if (!s->left)
				s->state = SEARCH_NOWHERE;
		}
	}
	return s->state;
}

/* How many there are. */

struct counted_matches {
	uint64_t n;
	size_t before;           /* those that begin before this byte */
};

static bool count_match(void *context, const struct span *match)
{
	struct counted_matches *counted = context;

	if (match->begin >= counted->before)
		return false;
	counted->n++;
	return true;
}

/* Matches in a row that begin before off. */
static uint64_t count_row(struct pane *pane, uint64_t row, size_t off)
{
	struct counted_matches counted = { 0, off };

	each_match(pane, row, 0, count_match, &counted);
	return counted.n;
}

static bool is_counted(const struct pane *pane)
{
	return pane->count.rows >= rows_count(&pane->shown);
}

bool pane_count_work(struct pane *pane, uint64_t max_rows)
{
	struct match_count *count = &pane->count;
	uint64_t rows = rows_count(&pane->shown);

	if (!pane->search.pattern || pattern_gave_up(pane->search.pattern))
		return false;
	if (count->version != pane->shown.version || !count->rows) {
		*count = (struct match_count){ .before = count->before,
		                               .version = pane->shown.version };
		count->before.len = 0;
	}
	max_rows = rows_at_once(pane, max_rows);
	for (; max_rows && count->rows < rows && count->rows < MATCH_ROWS_MAX; max_rows--) {
		if (count->rows % MATCH_BLOCK == 0)
			vec_push(&count->before, count->total);
		count->total += count_row(pane, count->rows++, SIZE_MAX);
	}
	return count->rows < rows && count->rows < MATCH_ROWS_MAX;
}

/* The number of the match that was found, from 1; 0: not counted that far. */
static uint64_t found_number(struct pane *pane)
{
	struct match_count *count = &pane->count;
	uint64_t row = pane->search.found_row, block = row / MATCH_BLOCK;

	if (row >= count->rows)
		return 0;
	if (count->number && count->row == row && count->off == pane->search.found_off)
		return count->number;
	count->number = 1 + count->before.at[block];
	for (uint64_t i = block * MATCH_BLOCK; i <= row; i++)
		count->number += count_row(pane, i, i < row ? SIZE_MAX : pane->search.found_off);
	count->row = row;
	count->off = pane->search.found_off;
	return count->number;
}

void pane_put_match(struct pane *pane, struct str *out)
{
	uint64_t number;

	if (pane->search.found_row == NO_ROW || pane->cursor.row != pane->search.found_row ||
	    pane->count.version != pane->shown.version)
		return;
	number = found_number(pane);
	if (number)
		str_fmt(out, "match %" PRIu64 " of %" PRIu64 "%s", number, pane->count.total,
		        is_counted(pane) ? "" : "+");
}
