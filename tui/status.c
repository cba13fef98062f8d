/*
 * Built from the left, piece by piece. tfdbg's filler is a column too long, so the line ends in "
 * Mouse: ON --".
 */
#include "tui/status.h"

#include <inttypes.h>
#include <string.h>

static void put_if_fits(struct str *out, const struct str *piece, int cols)
{
	if (out->len + piece->len <= (size_t)cols)
		str_put(out, str_text(piece), piece->len);
}

static void put_scroll(struct str *out, const struct whereabouts *where)
{
	const char *way = !where->above ? " (PgDn)" : !where->below ? " (PgUp)" : " (PgDn/PgUp)";
	double percent = where->below ? 100 * where->fraction : 100;

	str_fmt(out, "--- Scroll%s: %.2f%% ", way, percent < 100 ? percent : 100);
}

static void put_mouse(struct str *out, const struct status *status, int cols)
{
	const char *text = status->mouse ? "Mouse: ON" : "Mouse: OFF";
	size_t width = (size_t)cols, mouse = strlen(text);

	if (out->len + mouse + 5 < width) {
		str_fill(out, '-', width - out->len - mouse - 4);
		str_fmt(out, " %s ---", text);
		str_cut(out, width);
	} else if (out->len < width) {
		str_fill(out, '-', width - out->len);
	}
}

/* Where we are, as far as it fits. */
static void put_place(struct str *out, const struct status *status, int cols)
{
	struct str piece = {0};

	if (status->where.scrolls && !(status->cell && status->view))
		put_scroll(&piece, &status->where);
	else if (status->view || *status->news || *status->first || *status->last)
		str_puts(&piece, "--- ");
	put_if_fits(out, &piece, cols);
	if (*status->first || *status->last) {
		str_reset(&piece);
		str_fmt(&piece, "%s-%s ", status->first, status->last);
		put_if_fits(out, &piece, cols);
	}
	if (status->view && status->cell) {
		str_reset(&piece);
		str_fmt(&piece, "%s%s", status->cell, *status->cell ? " " : "");
		put_if_fits(out, &piece, cols);
	} else if (status->view && (status->rows || status->filtered)) {
		str_reset(&piece);
		if (status->row)
			str_fmt(&piece, "row %" PRIu64 "/%" PRIu64 " ", status->row, status->rows);
		else
			str_fmt(&piece, "row -/%" PRIu64 " ", status->rows);
		if (status->filtered)
			str_fmt(&piece, "of %" PRIu64 " ", status->all);
		put_if_fits(out, &piece, cols);
	}
	str_release(&piece);
}

/* The last of the hints, which stand two blanks apart, goes. */
static void drop_hint(struct str *hints)
{
	size_t len = hints->len - 1;

	while (len && strncmp(hints->text + len - 1, "  ", 2))
		len--;
	str_cut(hints, len);
}

void status_text(struct str *out, const struct status *status, int cols)
{
	struct str piece = {0};

	if (status->urgent)
		str_puts(out, cols < 4 ? "" : "--- ");
	else
		put_place(out, status, cols);
	if (status->urgent)
		str_fmt(&piece, "%s ", status->news);
	else if (*status->news)
		str_fmt(&piece, "%s%s ", status->view ? "- " : "", status->news);
	else if (status->view && status->hints)
		str_fmt(&piece, "- %s ", status->hints);
	if (status->cell && *status->news && !status->urgent &&
	    out->len + piece.len > (size_t)cols && strlen("--- ") + piece.len <= (size_t)cols) {
		str_reset(out);          /* what goes on is more than where we are */
		str_puts(out, "--- ");
	}
	if (status->urgent && out->len + piece.len > (size_t)cols)
		str_cut(&piece, (size_t)cols - out->len);
	while (!status->urgent && !*status->news && piece.len &&
	       out->len + piece.len > (size_t)cols)
		drop_hint(&piece);
	put_if_fits(out, &piece, cols);
	put_mouse(out, status, cols);
	str_release(&piece);
}

void put_index(struct str *out, const struct line *line)
{
	if (line->note != NOTE_INDEX)
		return;
	str_putc(out, '[');
	for (uint32_t i = 0; i < line->rank; i++)
		str_fmt(out, "%s%" PRId64, i ? "," : "", line->index[i]);
	str_putc(out, ']');
}
