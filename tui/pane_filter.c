/* Other rows show: filtered, sorted, folded. The view and the cursor stay among them. */
#include "tui/pane.h"

#include "tui/pane_kind.h"

/* What shows has become other rows: the view must be among them. */
static void settle(struct pane *pane)
{
	pane->top = spot_clamped(pane, pane->top);
	pane->cursor = spot_clamped(pane, pane->cursor);
	pane->link = NO_SEG;
	pane->search.found_row = NO_ROW;
	if (pane->focus)
		pane_follow_cursor(pane);
}

/* To the top of what the filter leaves. */
static void go_first(struct pane *pane)
{
	pane->wanted = NO_ROW;
	pane->wanted_on_top = false;
	pane->top = (struct spot){0};
	pane_cursor_on_top(pane);
	settle(pane);
}

/* Back to a document row, when it is known where it shows. */
static void go_wanted(struct pane *pane)
{
	if (pane->wanted == NO_ROW || rows_work(&pane->shown, 0))
		return;
	if (pane->wanted_on_top || !pane->focus)
		pane_go_row(pane, pane->wanted);
	else
		pane_cursor_row(pane, rows_at(&pane->shown, pane->wanted));
	pane->wanted = NO_ROW;
	pane->wanted_on_top = false;
}

void pane_choose_again(struct pane *pane, const struct row_choice *choice, struct place place)
{
	uint64_t version = pane->shown.version;

	rows_choose_again(&pane->shown, choice);
	if (pane->shown.version == version)
		return;
	go_first(pane);
	pane->wanted = place.row;
	pane->wanted_on_top = true;
	go_wanted(pane);
}

bool pane_filter_live(struct pane *pane, const char *text, struct err *err)
{
	bool had = pane->shown.live.pattern;
	struct place before = pane_place_of(pane, pane->focus ? pane->cursor : pane->top);

	if (!rows_filter_live(&pane->shown, text, pane->regex_case, err))
		return false;
	if (pane->shown.live.pattern) {
		if (!had)
			pane->unfiltered = before;
		go_first(pane);
	} else if (had) {
		go_first(pane);
		pane->wanted = pane->unfiltered.row;
		go_wanted(pane);
	}
	return true;
}

void pane_filter_keep(struct pane *pane)
{
	rows_filter_keep(&pane->shown);
}

bool pane_filter_drop(struct pane *pane)
{
	uint64_t row = rows_row(&pane->shown, pane->focus ? pane->cursor.row : pane->top.row);

	if (!rows_filter_drop(&pane->shown))
		return false;
	go_first(pane);
	pane->wanted = row;
	go_wanted(pane);
	return true;
}

/* Trees. */

enum { FOLD_AT_ONCE = 1 << 16 };         /* rows that are looked at before the next frame */

bool pane_is_tree(const struct pane *pane)
{
	return rows_is_tree(&pane->shown);
}

/* After a fold or unfold: the cursor at a document row, the view where it was if possible. */
static void settle_folds(struct pane *pane, uint64_t row, uint64_t top)
{
	rows_work(&pane->shown, FOLD_AT_ONCE);
	go_first(pane);
	if (!rows_work(&pane->shown, 0))
		pane_go_row(pane, top);
	pane->wanted = row;
	go_wanted(pane);
}

void pane_fold(struct pane *pane, bool fold)
{
	uint64_t row = pane_cursor_doc_row(pane), top = rows_row(&pane->shown, pane->top.row);

	if (fold) {
		uint64_t folded = rows_fold(&pane->shown, row);

		row = folded == NO_ROW ? row : folded;
	} else {
		rows_unfold(&pane->shown, row);
	}
	settle_folds(pane, row, top);
}

void pane_fold_all(struct pane *pane, bool fold)
{
	uint64_t row = pane_cursor_doc_row(pane), top = rows_row(&pane->shown, pane->top.row);

	row = rows_fold_all(&pane->shown, fold, row);
	settle_folds(pane, row, top);
}

bool pane_sort(struct pane *pane, bool reversed)
{
	return rows_sort(&pane->shown, reversed);
}

bool pane_work(struct pane *pane, uint64_t max_rows)
{
	uint64_t version = pane->shown.version;
	bool more;

	if (!pane_doc(pane))
		return false;
	more = rows_work(&pane->shown, max_rows);
	if (version != pane->shown.version)
		settle(pane);
	go_wanted(pane);
	return more || pane_count_work(pane, max_rows);
}
