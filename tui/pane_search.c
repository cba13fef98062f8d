/*
 * A search goes once around the document, from the start spot to the start spot, a few rows at a time so that keys are
 * answered meanwhile. In the start row only what lies behind (backward: before) the start counts, until the
 * search comes around to that row again.
 */
#include "tui/pane.h"

#include <string.h>

#include "dump/base/str.h"
#include "tui/wrap.h"

/* Letters of the regex itself: \S or \W say nothing about the text. */
static bool has_capital(const char *regex)
{
	for (size_t i = 0; regex[i]; i++) {
		if (regex[i] == '\\' && regex[i + 1])
			i++;
		else if (regex[i] >= 'A' && regex[i] <= 'Z')
			return true;
	}
	return false;
}

/* Takes \c (ignore case) and \C (heed it) out; without them a capital letter decides. */
static bool take_case(const char *regex, struct str *out)
{
	bool ignore = !has_capital(regex);

	for (size_t i = 0; regex[i]; i++) {
		if (regex[i] == '\\' && (regex[i + 1] == 'c' || regex[i + 1] == 'C')) {
			ignore = regex[++i] == 'c';
			continue;
		}
		str_putc(out, regex[i]);
		if (regex[i] == '\\' && regex[i + 1])
			str_putc(out, regex[++i]);
	}
	return ignore;
}

static bool new_pattern(struct pane *pane, const char *regex, struct err *err)
{
	struct str text = {0};
	bool ignore_case = take_case(regex, &text);
	struct pattern *pattern = pattern_new(str_text(&text), PATTERN_SEARCH, ignore_case, err);

	str_release(&text);
	if (!pattern)
		return false;
	pattern_free(pane->search.pattern);
	pane->search.pattern = pattern;
	return true;
}

/* The byte where a search from this spot begins; behind: after its piece. */
static size_t start_off(struct pane *pane, struct spot from, bool behind)
{
	const struct str *text;

	doc_line(pane->doc, from.row, pane->cols, &pane->scratch);
	text = &pane->scratch.text;
	if (!behind)
		return wrap_begin(str_text(text), text->len, pane->cols, from.piece);
	return wrap_end(str_text(text), text->len,
	                wrap_begin(str_text(text), text->len, pane->cols, from.piece), pane->cols);
}

bool pane_search(struct pane *pane, const char *regex, bool backward, struct err *err)
{
	struct search *s = &pane->search;
	struct spot from = pane->focus ? pane->cursor : pane->top;
	bool behind = !regex && !backward;

	if (regex && !new_pattern(pane, regex, err))
		return false;
	s->state = SEARCH_IDLE;
	if (!s->pattern || !pane->doc || !doc_rows(pane->doc))
		return true;
	s->state = SEARCH_WORKING;
	s->backward = backward;
	s->wrapped = false;
	s->row = from.row;
	s->off = start_off(pane, from, behind);
	s->left = doc_rows(pane->doc) + 1;
	return true;
}

void pane_search_stop(struct pane *pane)
{
	if (pane->search.state == SEARCH_WORKING)
		pane->search.state = SEARCH_IDLE;
}

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
	for (size_t from = 0; next_match(pane->search.pattern, line, from, &match); from = match.end)
		vec_push(out, match);
}

/* A match of the row that counts: the first from off on, or the last that begins before off. */
static bool match_in_row(struct pane *pane, struct span *out)
{
	struct search *s = &pane->search;
	struct span match;
	bool found = false;

	doc_line(pane->doc, s->row, pane->cols, &pane->scratch);
	if (!s->backward)
		return next_match(s->pattern, &pane->scratch, s->off, out);
	for (size_t from = 0; next_match(s->pattern, &pane->scratch, from, &match); from = match.end) {
		if (match.begin >= s->off)
			break;
		*out = match;
		found = true;
	}
	return found;
}

static void found_at(struct pane *pane, size_t off)
{
	struct spot spot = { pane->search.row, 0 };
	const struct str *text = &pane->scratch.text;

	spot.piece = wrap_piece_at(str_text(text), text->len, pane->cols, off);
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

enum search_state pane_search_work(struct pane *pane, uint64_t max_rows)
{
	struct search *s = &pane->search;
	uint64_t rows = pane->doc ? doc_rows(pane->doc) : 0;
	struct span match;

	for (; s->state == SEARCH_WORKING && max_rows; max_rows--) {
		if (match_in_row(pane, &match)) {
			found_at(pane, match.begin);
			s->state = s->wrapped ? SEARCH_WRAPPED : SEARCH_FOUND;
		} else if (pattern_gave_up(s->pattern)) {
			s->state = SEARCH_GAVE_UP;
		} else {
			step(s, rows);
			if (!s->left)
				s->state = SEARCH_NOWHERE;
		}
	}
	return s->state;
}
