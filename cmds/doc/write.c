#include "cmds/doc/write.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "dump/base/utf8.h"

/* The attribute words of a role, before and after its link. */
static const struct { const char *before, *after; } role_words[] = {
#define X(id, before, after) [ROLE_##id] = { before, after },
	ROLES(X)
#undef X
};

static const struct { const char *word; int sgr; } colours[] = {
	{ "bold", 1 }, { "underline", 4 }, { "blink", 5 }, { "red", 31 }, { "green", 32 },
	{ "yellow", 33 },
	{ "blue", 34 }, { "magenta", 35 }, { "cyan", 36 }, { "white", 37 }, { "gray", 90 },
};

static void put_safe(struct str *out, const char *text, size_t len)
{
	if (utf8_is_plain(text, len))
		str_put(out, text, len);
	else
		utf8_escape(out, text, len);
}

static void put_sgr(struct str *out, const char *word)
{
	for (size_t i = 0; i < sizeof colours / sizeof *colours; i++)
		if (!strcmp(word, colours[i].word))
			str_fmt(out, "\033[%dm", colours[i].sgr);
}

/*
 * A line on its way out. Tabs are escaped, as they could hide what follows; where they are part of
 * the answer they stay.
 */
struct writing {
	struct str *out;
	const char *text;
	size_t tabs_from;        /* offset in text; SIZE_MAX: they stay nowhere */
	size_t column;           /* columns written since there */
	bool terminal;           /* tabs become spaces, up to the next multiple of TAB_COLUMNS */
};

static size_t tabs_from(const struct line *line)
{
	for (size_t i = 0; i < line->segs.len; i++)
		if (line->segs.at[i].role == ROLE_TABBED)
			return line->segs.at[i].begin;
	return SIZE_MAX;
}

static void put_tab(struct writing *w)
{
	size_t columns = TAB_COLUMNS - w->column % TAB_COLUMNS;

	if (w->terminal)
		str_fill(w->out, ' ', columns);
	else
		str_putc(w->out, '\t');
	w->column += columns;
}

/* Text from begin to end. */
static void put_part(struct writing *w, size_t begin, size_t end)
{
	size_t before = w->tabs_from < begin ? begin : w->tabs_from < end ? w->tabs_from : end;

	put_safe(w->out, w->text + begin, before - begin);
	for (size_t at = before; at < end; ) {
		const char *tab = memchr(w->text + at, '\t', end - at);
		size_t len = tab ? (size_t)(tab - w->text) - at : end - at;

		put_safe(w->out, w->text + at, len);
		w->column += w->terminal ? utf8_columns(w->text + at, len) : 0;
		if (tab)
			put_tab(w);
		at += len + (tab != NULL);
	}
}

static void put_coloured(struct writing *w, const struct line *line)
{
	size_t at = 0;

	for (size_t i = 0; i < line->segs.len; i++) {
		const struct seg *seg = &line->segs.at[i];

		if (seg->begin < at)
			continue;
		put_part(w, at, seg->begin);
		put_sgr(w->out, role_words[seg->role].before);
		put_sgr(w->out, role_words[seg->role].after);
		put_part(w, seg->begin, seg->end);
		if (seg->role != ROLE_PLAIN && seg->role != ROLE_TABBED)
			str_puts(w->out, "\033[m");
		at = seg->end;
	}
	put_part(w, at, line->text.len);
}

/* "@ ROW BEGIN END ATTR|ATTR" */
static void put_segment(struct str *out, uint64_t row, const struct line *line,
                        const struct seg *seg)
{
	const char *words[] = { role_words[seg->role].before, seg_link(line, seg),
	                        role_words[seg->role].after };
	const char *between = " ";

	if (!*words[0] && !words[1] && !*words[2])
		return;
	str_fmt(out, "@ %" PRIu64 " %zu %zu", row, utf8_count(line->text.text, seg->begin),
	        utf8_count(line->text.text, seg->end));
	for (size_t i = 0; i < 3; i++) {
		if (!words[i] || !*words[i])
			continue;
		str_puts(out, between);
		if (i == 1)
			str_puts(out, "link:");
		put_safe(out, words[i], strlen(words[i]));
		between = "|";
	}
	str_putc(out, '\n');
}

/* "! ROW i0 0,3" */
static void put_note(struct str *out, uint64_t row, const struct line *line)
{
	str_fmt(out, "! %" PRIu64 " %s ", row, line->note == NOTE_INDEX ? "i0" : "omitted");
	for (uint32_t i = 0; i < line->rank; i++)
		str_fmt(out, "%s%" PRId64, i ? "," : "", line->index[i]);
	str_putc(out, '\n');
}

static void put_tensor(struct str *out, const struct doc_tensor *tensor)
{
	str_puts(out, "! tensor_metadata ");
	for (uint32_t i = 0; i < tensor->rank; i++)
		str_fmt(out, "%s%" PRId64, i ? "x" : "", tensor->dim[i]);
	str_puts(out, tensor->rank ? " " : "scalar ");
	for (const char *c = tensor->dtype; *c; c++)
		if (*c != ' ')
			str_putc(out, *c);
	str_putc(out, '\n');
}

static void put_menu(struct str *out, const struct menu_item *items, size_t n)
{
	str_puts(out, "! mm");
	for (size_t i = 0; i < n; i++) {
		str_putc(out, ' ');
		put_safe(out, items[i].command, strlen(items[i].command));
		str_puts(out, items[i].on ? ":on" : ":off");
	}
	str_putc(out, '\n');
}

static void put_doc_wide(struct str *out, const struct doc *doc)
{
	size_t n;
	const struct menu_item *menu = doc_menu(doc, &n);

	if (doc_get_tensor(doc))
		put_tensor(out, doc_get_tensor(doc));
	if (doc_has_start_row(doc))
		str_fmt(out, "! init_scroll_pos %" PRIu64 "\n", doc_start_row(doc));
	if (n)
		put_menu(out, menu, n);
}

static void put_row(struct str *out, enum doc_format format, bool colour, bool terminal,
                    const struct line *line)
{
	struct writing w = { .out = out, .text = str_text(&line->text),
	                     .tabs_from = tabs_from(line), .terminal = terminal };

	if (format == DOC_DOC)
		str_puts(out, line->text.len ? "> " : ">");
	if (colour)
		put_coloured(&w, line);
	else
		put_part(&w, 0, line->text.len);
	str_putc(out, '\n');
}

static void put_marks(struct str *out, uint64_t row, const struct line *line)
{
	for (size_t i = 0; i < line->segs.len; i++)
		put_segment(out, row, line, &line->segs.at[i]);
	if (line->note != NOTE_NONE)
		put_note(out, row, line);
}

#define WRITE_CHUNK (64 * 1024)

bool doc_write(struct doc *doc, enum doc_format format, bool colour, struct progress *progress,
               FILE *out)
{
	struct str text = {0}, marks = {0};
	struct line line = { .text_only = format != DOC_DOC && !colour };
	bool ok = true, terminal = isatty(fileno(out));

	for (uint64_t row = 0; ok; row++) {
		doc_settle(doc, row, progress);
		if (row >= doc_rows(doc) || progress_cancelled(progress))
			break;
		doc_line(doc, row, 0, &line);
		put_row(&text, format, colour, terminal, &line);
		if (format == DOC_DOC)
			put_marks(&marks, row, &line);
		if (text.len >= WRITE_CHUNK) {
			ok = fwrite(text.text, 1, text.len, out) == text.len;
			str_reset(&text);
		}
	}
	if (format == DOC_DOC) {
		str_put(&text, str_text(&marks), marks.len);
		put_doc_wide(&text, doc);
	}
	ok = ok && fwrite(str_text(&text), 1, text.len, out) == text.len;
	line_release(&line);
	str_release(&text);
	str_release(&marks);
	return ok;
}
