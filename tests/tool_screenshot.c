/*
 * A picture of the program's screen: starts it in a terminal, plays the script read from standard
 * input, waits until the screen is quiet and writes its cells as SVG. What is written depends on
 * the cells alone.
 *
 *   tool_screenshot [--light] COLSxROWS TITLE FILE.svg PROGRAM [ARGUMENT]... <SCRIPT
 *
 * --light: the terminal has a light ground.
 *
 * Lines of a script:
 *   wait TEXT    until a row shows it          gone TEXT    until no row does
 *   type TEXT                                  enter TEXT   with Enter after it
 *   press NAME   a key: tab, page-down, f1     frame MS     what shows now, for so long
 *
 * With frames the picture moves: they follow one another and begin again; where nothing moves the
 * last one shows.
 *
 * A run is neighbouring cells of one look, ended by two blanks too. Each has its own place and
 * length, so columns stand below one another whatever the reader's font is. Colours 0 to 15 are
 * xterm's.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/str.h"
#include "dump/base/vec.h"
#include "tests/terminal.h"

enum { CELL_WIDTH = 8, CELL_HEIGHT = 17, BASELINE = 13, MARGIN = 12, CORNER = 8 };
#define FONT_SIZE "13.3"         /* 8 wide in DejaVu and Menlo, 0.602 of their size */
enum { QUIET_LOOKS = 20 };

/* The terminal's own colours, and the frame around it. */
struct ground {
	uint32_t ink, paper, frame;
};
static const struct ground grounds[] = {
	{ 0xd8dce4, 0x15181e, 0x3a404c }, { 0x24292f, 0xfafafa, 0xc8ccd2 },
};
static const struct ground *ground = &grounds[0];

static const uint32_t xterm[16] = {
	0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
	0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
};

static const struct { const char *name; enum terminal_key key; } key_names[] = {
	{ "enter", TKEY_ENTER }, { "tab", TKEY_TAB }, { "escape", TKEY_ESCAPE }, { "up", TKEY_UP },
	{ "down", TKEY_DOWN }, { "left", TKEY_LEFT }, { "right", TKEY_RIGHT },
	{ "home", TKEY_HOME }, { "end", TKEY_END }, { "page-up", TKEY_PAGE_UP },
	{ "page-down", TKEY_PAGE_DOWN }, { "f1", TKEY_F0 + 1 },
};

/* How cells look; those of one run look alike. */
struct look {
	uint32_t fg, bg;
	bool bold, underline;
};

struct frame {
	struct str cells;
	long ms;
};
struct movie {
	VEC(struct frame) frames;
};

static bool press(struct terminal *t, const char *name)
{
	for (size_t i = 0; i < sizeof key_names / sizeof *key_names; i++)
		if (!strcmp(name, key_names[i].name)) {
			terminal_press(t, key_names[i].key);
			return true;
		}
	return false;
}

struct silence {
	size_t seen, looks;
};

/* Holds when some looks in a row, each with a wait for output, brought none. */
static bool is_quiet(struct terminal *t, const void *ctx)
{
	struct silence *s = *(struct silence *const *)ctx;
	size_t len;

	terminal_bytes(t, &len);
	s->looks = len == s->seen ? s->looks + 1 : 0;
	s->seen = len;
	return s->looks >= QUIET_LOOKS;
}

static uint32_t colour_of(int number, uint32_t fallback, const uint8_t rgb[3])
{
	if (number == -1)
		return fallback;
	if (number >= 0 && number < 16)
		return xterm[number];
	return (uint32_t)rgb[0] << 16 | (uint32_t)rgb[1] << 8 | rgb[2];
}

static struct look look_at(struct terminal *t, int row, int col)
{
	struct terminal_cell cell = terminal_cell(t, row, col);
	struct look look = { .bold = cell.bold, .underline = cell.underline };
	uint8_t fg[3], bg[3];
	int at_row, at_col;

	terminal_cell_rgb(t, row, col, fg, bg);
	look.fg = colour_of(cell.fg, ground->ink, fg);
	look.bg = colour_of(cell.bg, ground->paper, bg);
	terminal_cursor(t, &at_row, &at_col);
	if (cell.reverse != (terminal_cursor_shown(t) && at_row == row && at_col == col)) {
		uint32_t swap = look.fg;

		look.fg = look.bg;
		look.bg = swap;
	}
	return look;
}

static bool same_look(const struct look *a, const struct look *b)
{
	return a->fg == b->fg && a->bg == b->bg && a->bold == b->bold &&
	       a->underline == b->underline;
}

static bool is_blank(struct terminal *t, int row, int col)
{
	const char *text = terminal_cell(t, row, col).text;

	return !text[0] || !strcmp(text, " ");
}

static int width_at(struct terminal *t, int row, int col)
{
	int width = terminal_cell(t, row, col).width;

	return width > 1 ? width : 1;
}

static void put_escaped(struct str *out, const char *text)
{
	for (; *text; text++)
		if (*text == '&')
			str_puts(out, "&amp;");
		else if (*text == '<')
			str_puts(out, "&lt;");
		else if (*text == '>')
			str_puts(out, "&gt;");
		else
			str_putc(out, *text);
}

/* The first column after col where another look begins. */
static int end_of_look(struct terminal *t, int row, int col, int cols)
{
	struct look look = look_at(t, row, col);

	for (col += width_at(t, row, col); col < cols; col += width_at(t, row, col)) {
		struct look next = look_at(t, row, col);

		if (!same_look(&look, &next))
			break;
	}
	return col;
}

static void put_backgrounds(struct str *out, struct terminal *t, int row, int cols)
{
	for (int col = 0, end; col < cols; col = end) {
		struct look look = look_at(t, row, col);

		end = end_of_look(t, row, col, cols);
		if (look.bg != ground->paper)
			str_fmt(out,
			        "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" "
			        "fill=\"#%06x\"/>\n", MARGIN + col * CELL_WIDTH,
			        MARGIN + row * CELL_HEIGHT, (end - col) * CELL_WIDTH, CELL_HEIGHT,
			        look.bg);
	}
}

/* Cells from col on that look alike: where they end, at two blanks or a wide character too. */
static int end_of_text(struct terminal *t, int row, int col, int end)
{
	if (width_at(t, row, col) > 1)
		return col + width_at(t, row, col);
	for (; col < end && width_at(t, row, col) == 1; col++)
		if (is_blank(t, row, col) && (col + 1 >= end || is_blank(t, row, col + 1)))
			break;
	return col;
}

static void put_text(struct str *out, struct terminal *t, int row, int col, int end)
{
	struct look look = look_at(t, row, col);

	str_fmt(out, "<text x=\"%d\" y=\"%d\" textLength=\"%d\"", MARGIN + col * CELL_WIDTH,
	        MARGIN + row * CELL_HEIGHT + BASELINE, (end - col) * CELL_WIDTH);
	if (look.fg != ground->ink)
		str_fmt(out, " fill=\"#%06x\"", look.fg);
	if (look.bold)
		str_puts(out, " font-weight=\"bold\"");
	if (look.underline)
		str_puts(out, " text-decoration=\"underline\"");
	str_putc(out, '>');
	for (; col < end; col += width_at(t, row, col))
		put_escaped(out, is_blank(t, row, col) ? " " : terminal_cell(t, row, col).text);
	str_puts(out, "</text>\n");
}

static void put_texts(struct str *out, struct terminal *t, int row, int cols)
{
	for (int col = 0, end; col < cols; col = end) {
		end = end_of_look(t, row, col, cols);
		while (col < end) {
			int stop;

			while (col < end && is_blank(t, row, col))
				col++;
			if (col == end)
				break;
			stop = end_of_text(t, row, col, end);
			put_text(out, t, row, col, stop);
			col = stop;
		}
	}
}

/* All that shows. */
static void put_cells(struct str *out, struct terminal *t)
{
	int rows, cols;

	terminal_size(t, &rows, &cols);
	str_puts(out, "<g shape-rendering=\"crispEdges\">\n");
	for (int row = 0; row < rows; row++)
		put_backgrounds(out, t, row, cols);
	str_fmt(out,
	        "</g>\n<g font-family=\"'DejaVu Sans Mono', Menlo, Consolas, 'Liberation Mono', "
	        "monospace\" font-size=\"" FONT_SIZE "\" fill=\"#%06x\" xml:space=\"preserve\">\n",
	        ground->ink);
	for (int row = 0; row < rows; row++)
		put_texts(out, t, row, cols);
	str_puts(out, "</g>\n");
}

/* Frame k shows from the end of those before it until its own. */
static void put_movie(struct str *out, const struct movie *movie)
{
	long all = 0, at = 0;

	for (size_t k = 0; k < movie->frames.len; k++)
		all += movie->frames.at[k].ms;
	for (size_t k = 0; k < movie->frames.len; k++) {
		const struct frame *frame = &movie->frames.at[k];
		bool last = k + 1 == movie->frames.len;

		str_fmt(out, "<g display=\"%s\">\n<animate attributeName=\"display\" dur=\"%ldms\" "
		        "repeatCount=\"indefinite\" calcMode=\"discrete\" ",
		        last ? "inline" : "none", all);
		if (!k)
			str_fmt(out, "values=\"inline;none\" keyTimes=\"0;%.4f\"/>\n",
			        (double)frame->ms / all);
		else if (last)
			str_fmt(out, "values=\"none;inline\" keyTimes=\"0;%.4f\"/>\n",
			        (double)at / all);
		else
			str_fmt(out, "values=\"none;inline;none\" keyTimes=\"0;%.4f;%.4f\"/>\n",
			        (double)at / all, (double)(at + frame->ms) / all);
		str_put(out, str_text(&frame->cells), frame->cells.len);
		str_puts(out, "</g>\n");
		at += frame->ms;
	}
}

static void put_picture(struct str *out, struct terminal *t, const char *title,
                        const struct movie *movie)
{
	int rows, cols, width, height;

	terminal_size(t, &rows, &cols);
	width = cols * CELL_WIDTH + 2 * MARGIN;
	height = rows * CELL_HEIGHT + 2 * MARGIN;
	str_fmt(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
	        "viewBox=\"0 0 %d %d\" role=\"img\">\n<title>", width, height, width, height);
	put_escaped(out, title);
	str_fmt(out, "</title>\n<rect x=\"0.5\" y=\"0.5\" width=\"%d\" height=\"%d\" rx=\"%d\" "
	        "fill=\"#%06x\" stroke=\"#%06x\"/>\n",
	        width - 1, height - 1, CORNER, ground->paper, ground->frame);
	if (movie->frames.len)
		put_movie(out, movie);
	else
		put_cells(out, t);
	str_puts(out, "</svg>\n");
}

/* Playing. */

static bool wait_until_quiet(struct terminal *t)
{
	struct silence silence = {0}, *ctx = &silence;

	return terminal_wait(t, is_quiet, &ctx);
}

static bool take_frame(struct terminal *t, const char *ms, struct movie *movie)
{
	struct frame *frame;

	if (!wait_until_quiet(t))
		return false;
	frame = vec_add(&movie->frames);
	frame->ms = strtol(ms, NULL, 10);
	put_cells(&frame->cells, t);
	return frame->ms > 0;
}

static bool play_line(struct terminal *t, const char *line, struct movie *movie)
{
	const char *blank = strchr(line, ' ');
	size_t len = blank ? (size_t)(blank - line) : strlen(line);
	const char *rest = blank ? blank + 1 : "";

	if (len == 4 && !strncmp(line, "wait", len))
		return terminal_wait_text(t, rest);
	if (len == 4 && !strncmp(line, "gone", len))
		return terminal_wait_gone(t, rest);
	if (len == 5 && !strncmp(line, "frame", len))
		return take_frame(t, rest, movie);
	if (len == 5 && !strncmp(line, "press", len))
		return press(t, rest);
	if (len == 4 && !strncmp(line, "type", len))
		terminal_type(t, rest);
	else if (len == 5 && !strncmp(line, "enter", len))
		terminal_enter(t, rest);
	else
		return false;
	return true;
}

static bool play(struct terminal *t, FILE *script, struct movie *movie)
{
	char line[512];

	while (fgets(line, sizeof line, script)) {
		line[strcspn(line, "\n")] = '\0';
		if (line[0] && !play_line(t, line, movie)) {
			fprintf(stderr, "tool_screenshot: %s\n", line);
			return false;
		}
	}
	return true;
}

static bool write_file(const char *path, const struct str *text)
{
	FILE *file = fopen(path, "w");
	bool ok = file && fwrite(text->text, 1, text->len, file) == text->len;

	if (file && fclose(file) != 0)
		ok = false;
	if (!ok)
		perror(path);
	return ok;
}

int main(int argc, char **argv)
{
	struct movie movie = {0};
	struct terminal *t;
	struct str out = {0};
	char *rest;
	bool light = argc > 1 && !strcmp(argv[1], "--light");
	long cols, rows;
	bool ok;

	ground = &grounds[light];
	argv += light;
	argc -= light;
	cols = argc > 4 ? strtol(argv[1], &rest, 10) : 0;
	rows = cols > 0 && *rest == 'x' ? strtol(rest + 1, NULL, 10) : 0;
	if (cols < 1 || cols > 1000 || rows < 1 || rows > 1000) {
		fprintf(stderr,
		        "usage: tool_screenshot [--light] COLSxROWS TITLE FILE.svg PROGRAM "
		        "[ARGUMENT]...\n");
		return 2;
	}
	t = terminal_start((const char *const *)argv + 4, NULL, NULL, (int)rows, (int)cols);
	ok = t && play(t, stdin, &movie) && wait_until_quiet(t);
	if (ok) {
		put_picture(&out, t, argv[2], &movie);
		ok = write_file(argv[3], &out);
	}
	terminal_free(t);
	for (size_t k = 0; k < movie.frames.len; k++)
		str_release(&movie.frames.at[k].cells);
	vec_release(&movie.frames);
	str_release(&out);
	return ok ? 0 : 1;
}
