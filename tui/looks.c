/*
 * The one table of what things look like: a row for each role, a column for each theme that is
 * shipped, in the words of a line of a theme file.
 *
 * tfdbg's colours are those of the recorded screens: text is white, bars are black on white, what
 * has only a sign has the terminal's own colour; what tfdbg has not is told apart without red
 * against green. On a light background text has the terminal's own colour, bars are white on black,
 * and what would be pale is darker. Our own themes leave text to the terminal. Of them `contrast`
 * has a ground of its own, so that its contrasts hold on any terminal.
 *
 * Where there is no colour at all every theme looks like `mono`.
 */
#include "tui/looks.h"

#include <assert.h>
#include <string.h>

#include "cmds/session/themes.h"
#include "dump/base/utf8.h"
#include "tui/colour.h"

#define BLANKS " \t\r\v\f"

struct row {
	const char *name;
	const char *in[N_SHIPPED_THEMES];        /* in the order of SHIPPED_THEMES */
};

static const struct row rows[N_LOOKS] = {
	/* Of a document. */
	[ROLE_STRONG] = { "strong", {
		"default bold", "default bold", "231/bright-white bold", "default bold",
		"default bold", "default bold" } },
	[ROLE_ERROR] = { "error", {
		"203/red", "160/red", "217/bright-red", "default bold", "red", "red" } },
	[ROLE_SLOT] = { "slot", {
		"179/yellow", "94/magenta", "229/bright-yellow", "default", "yellow",
		"94/magenta" } },
	[ROLE_LINE_NUMBER] = { "line_number", {
		"179/yellow", "94/magenta", "229/bright-yellow", "default", "yellow",
		"94/magenta" } },
	[ROLE_OP] = { "op", {
		"75/bright-blue", "25/bright-blue", "153/bright-cyan", "default", "blue",
		"blue" } },
	[ROLE_OWN] = { "own", {
		"default", "default", "231/bright-white", "default", "white", "default" } },
	[ROLE_LIBRARY] = { "library", {
		"245/bright-black", "241/bright-black", "251/white", "default", "245/green",
		"241/green" } },
	[ROLE_ITEM] = { "item", {
		"default underline", "default underline", "231/bright-white underline",
		"default underline", "default underline", "default underline" } },
	[ROLE_CHANGED_ITEM] = { "item_changed", {
		"default bold underline", "default bold underline",
		"231/bright-white bold underline", "default bold underline",
		"default bold underline", "default bold underline" } },
	[ROLE_ALARM] = { "alarm", {
		"203/red bold underline", "160/red bold underline",
		"217/bright-red bold underline", "default blink", "default blink",
		"default blink" } },
	[ROLE_CUT] = { "cut", {
		"177/magenta", "91/magenta", "219/bright-magenta", "default bold", "magenta",
		"magenta" } },
	[ROLE_COST] = { "cost", {
		"80/cyan", "24/blue", "123/bright-cyan", "default", "cyan", "24/blue" } },
	[ROLE_COST_BAR] = { "cost_bar", {
		"80/cyan bold", "24/blue bold", "123/bright-cyan bold", "default bold", "cyan bold",
		"24/blue bold" } },
	[ROLE_DAMAGED] = { "damaged", {
		"221/yellow", "94/magenta bold", "228/bright-yellow", "default bold",
		"208/red bold", "130/red bold" } },
	[ROLE_BAD] = { "bad", {
		"203/red bold", "160/red bold", "217/bright-red bold reverse", "default reverse",
		"red bold", "red bold" } },
	[ROLE_DIFFERS] = { "differs", {
		"177/magenta", "91/magenta", "219/bright-magenta underline",
		"default bold underline", "208/yellow bold", "130/magenta bold" } },

	/* Kinds of work: the colours of Okabe and Ito, which a color-blind eye tells apart. */
	[ROLE_FAMILY_1] = { "family1", {
		"#e69f00/yellow", "#8f6000/yellow", "#e69f00/yellow", "default",
		"#e69f00/yellow", "#8f6000/yellow" } },
	[ROLE_FAMILY_2] = { "family2", {
		"#56b4e9/bright-cyan", "#17709c/cyan", "#56b4e9/bright-cyan", "default",
		"#56b4e9/bright-cyan", "#17709c/cyan" } },
	[ROLE_FAMILY_3] = { "family3", {
		"#f0e442/bright-yellow", "#756c00/bright-black", "#f0e442/bright-yellow", "default",
		"#f0e442/bright-yellow", "#756c00/bright-black" } },
	[ROLE_FAMILY_4] = { "family4", {
		"#009e73/green", "#007a58/green", "#20c090/bright-green", "default",
		"#009e73/green", "#007a58/green" } },
	[ROLE_FAMILY_5] = { "family5", {
		"#cc79a7/bright-magenta", "#a0527d/magenta", "#dd94bb/bright-magenta", "default",
		"#cc79a7/bright-magenta", "#a0527d/magenta" } },
	[ROLE_FAMILY_6] = { "family6", {
		"#d55e00/red", "#b84a00/red", "#ff8a3d/bright-red", "default",
		"#d55e00/red", "#b84a00/red" } },
	[ROLE_FAMILY_7] = { "family7", {
		"#2b8fd0/bright-blue", "#00508f/blue", "#6fa8ff/bright-blue", "default",
		"#2b8fd0/bright-blue", "#00508f/blue" } },
	[ROLE_FAMILY_8] = { "family8", {
		"#999999/white", "#666666/default", "#bbbbbb/white", "default",
		"#999999/white", "#666666/default" } },

	/* Of the screen. */
	[LOOK_TEXT] = { "text", {
		"default default", "default default", "231/bright-white 16/black",
		"default default", "white default", "default default" } },
	[LOOK_LINK] = { "link", {
		"80/cyan", "24/blue", "123/bright-cyan underline", "default underline",
		"default underline", "default underline" } },
	[LOOK_TITLE] = { "title", {
		"255/black 238/white", "16/white 252/black", "16/black 231/bright-white bold",
		"default reverse", "black white", "white black" } },
	[LOOK_TITLE_START] = { "title_start", {
		"117/blue 238/white", "18/bright-cyan 252/black", "18/blue 231/bright-white bold",
		"default reverse", "blue white", "white blue" } },
	[LOOK_TITLE_ALARM] = { "title_alarm", {
		"217/red 238/white bold", "124/bright-red 252/black bold",
		"88/red 231/bright-white bold", "default reverse", "red white", "white red" } },
	[LOOK_CURRENT] = { "command", {
		"default bold", "default bold", "231/bright-white bold", "default reverse",
		"black white", "white black" } },
	[LOOK_OLDER] = { "command_older", {
		"177/magenta", "91/magenta", "219/bright-magenta bold", "default reverse bold",
		"magenta white", "white magenta" } },
	[LOOK_BAR] = { "bar", {
		"252/black 240/white", "16/white 250/black", "16/black 231/bright-white",
		"default reverse", "black white", "white black" } },
	[LOOK_STATUS] = { "status", {
		"252/black 236/white", "16/white 254/black", "16/black 231/bright-white",
		"default reverse", "black white", "white black" } },
	[LOOK_BADGE] = { "badge", {
		"16/black 250/white", "255/white 240/black", "16/black 228/bright-yellow",
		"default reverse", "black white", "white black" } },
	[LOOK_RULE] = { "frame", {
		"245/bright-black", "241/bright-black", "251/white", "default", "245/white",
		"241/default" } },
	[LOOK_FOCUSED_RULE] = { "frame_focus", {
		"117/bright-cyan bold", "25/blue bold", "123/bright-cyan bold", "default bold",
		"75/cyan bold", "25/blue bold" } },
	[LOOK_NUMBER] = { "number", {
		"245/bright-black", "241/bright-black", "251/white", "default", "245/cyan",
		"241/blue" } },
	[LOOK_HINT] = { "hint", {
		"16/black 221/yellow bold", "16/black 221/yellow bold",
		"16/black 228/bright-yellow bold", "default reverse bold", "black yellow bold",
		"black yellow bold" } },
	[LOOK_CUT_MARK] = { "cut_mark", {
		"215/magenta bold", "130/magenta bold", "223/bright-magenta bold", "default bold",
		"208/magenta bold", "130/magenta bold" } },
	[LOOK_MATCH] = { "match", {
		"16/black 80/cyan", "16/black 116/cyan", "16/black 123/bright-cyan",
		"default reverse", "black white", "white black" } },
	[LOOK_PROMPT] = { "prompt", {
		"default bold", "default bold", "231/bright-white bold", "default bold",
		"default bold", "default bold" } },
	[LOOK_CANDIDATE] = { "candidate", {
		"179/yellow", "94/magenta", "229/bright-yellow", "default", "yellow",
		"94/magenta" } },
	[LOOK_CURSOR] = { "selection", {
		"default reverse", "default reverse", "231/bright-white reverse", "default reverse",
		"default reverse", "default reverse" } },
	[LOOK_RESTING_CURSOR] = { "selection_resting", {
		"252/white 237/default underline", "16/black 253/default underline",
		"231/bright-white underline", "default underline", "white underline",
		"default underline" } },
	[LOOK_CHOSEN] = { "chosen", {
		"default reverse bold", "default reverse bold",
		"16/black 228/bright-yellow bold underline", "default bold underline",
		"black yellow underline", "black yellow underline" } },
	[LOOK_ERROR_TOAST] = { "toast_error", {
		"231/white 160/red bold", "231/white 160/red bold", "231/white 88/red bold",
		"default reverse bold", "red white", "white red" } },
	[LOOK_INFO_TOAST] = { "toast_info", {
		"231/white 25/blue", "231/white 25/blue", "231/white 18/blue", "default reverse",
		"blue white", "white blue" } },
	[LOOK_BUSY_TOAST] = { "toast_busy", {
		"231/bright-white 90/magenta", "231/bright-white 90/magenta",
		"231/bright-white 53/magenta", "default reverse", "magenta white",
		"white magenta" } },
	[LOOK_HEADING] = { "heading", {
		"default bold", "default bold", "231/bright-white bold", "default bold",
		"default bold", "default bold" } },
	[LOOK_SCOPE] = { "scope", {
		"245/bright-black", "241/bright-black", "251/white", "default dim", "245/green",
		"241/green" } },
	[LOOK_DIM] = { "dim", {
		"245/bright-black", "241/bright-black", "251/white", "default dim", "245/green",
		"241/green" } },
	[LOOK_WARNING] = { "warning", {
		"215/yellow bold", "130/magenta bold", "223/bright-yellow bold", "default bold",
		"208/yellow bold", "130/magenta bold" } },
	[LOOK_KEY] = { "key", {
		"80/cyan bold", "24/blue bold", "123/bright-cyan bold", "default bold",
		"cyan bold", "24/blue bold" } },
	[LOOK_KEY_TEXT] = { "key_text", {
		"245/white", "241/default", "251/white", "default", "white", "default" } },
};

const char *look_name(int look)
{
	return rows[look].name;
}

/* N_LOOKS: there is none of that name. */
static int find_look(const char *name, size_t len)
{
	int look = 0;

	while (look < N_LOOKS && (!rows[look].name || strlen(rows[look].name) != len ||
	                          memcmp(rows[look].name, name, len) != 0))
		look++;
	return look;
}

/* Reading a line. */

enum { QUOTED_BYTES = 40 };

struct words {
	const char *at, *end;    /* what is left */
	const char *word;
	size_t len;              /* of the word */
};

static bool is_blank(char c)
{
	return c && strchr(BLANKS, c);
}

/* False: there is none any more. */
static bool next_word(struct words *words)
{
	while (words->at < words->end && is_blank(*words->at))
		words->at++;
	words->word = words->at;
	while (words->at < words->end && !is_blank(*words->at))
		words->at++;
	words->len = (size_t)(words->at - words->word);
	return words->len > 0;
}

/* "expected WHAT, not "word"" */
static bool expect(const struct words *words, const char *what, struct str *out)
{
	bool long_word = words->len > QUOTED_BYTES;

	str_fmt(out, "expected %s", what);
	if (words->len) {
		str_puts(out, ", not \"");
		utf8_escape(out, words->word, long_word ? QUOTED_BYTES : words->len);
		str_puts(out, long_word ? "...\"" : "\"");
	}
	return false;
}

/* "208", "208/red" */
static bool read_tint(const struct words *words, struct tint *tint)
{
	const char *slash = words->len ? memchr(words->word, '/', words->len) : NULL;
	size_t len = slash ? (size_t)(slash - words->word) : words->len;

	if (!colour_parse(words->word, len, &tint->colour))
		return false;
	if (!slash) {
		tint->few = colour_nearest(tint->colour, 0, COLOUR_NAMES);
		return true;
	}
	return colour_parse(slash + 1, words->len - len - 1, &tint->few) &&
	       tint->few < COLOUR_NAMES;
}

static bool read_sign(const struct words *words, unsigned *signs)
{
	static const struct { const char *name; unsigned sign; } names[] = {
		{ "bold", PAINT_BOLD }, { "dim", PAINT_DIM }, { "underline", PAINT_UNDERLINE },
		{ "reverse", PAINT_REVERSE }, { "blink", PAINT_BLINK },
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strlen(names[i].name) == words->len &&
		    !memcmp(names[i].name, words->word, words->len)) {
			*signs |= names[i].sign;
			return true;
		}
	return false;
}

/* Two that were apart may be the same where there are few: then the text is black or white. */
static void keep_readable(struct paint *paint)
{
	if (paint->ground.few >= 0 && paint->ground.few == paint->text.few)
		paint->text.few = colour_luminance(paint->ground.few) > 0.18 ? COLOUR_BLACK
		                                                             : COLOUR_WHITE;
}

/* FOREGROUND [BACKGROUND] [SIGN]... */
static bool read_paint(struct words *words, struct paint *paint, struct str *expected)
{
	static const char colours[] =
		"a color (one of 16 names, 0 to 255, #rrggbb or default)";
	static const char signs[] = "bold, dim, underline, reverse or blink";
	bool more;

	*paint = (struct paint){ .ground = { GROUND_OF_TEXT, GROUND_OF_TEXT } };
	next_word(words);
	if (!read_tint(words, &paint->text))
		return expect(words, colours, expected);
	more = next_word(words);
	if (more && read_tint(words, &paint->ground))
		more = next_word(words);
	for (; more; more = next_word(words))
		if (!read_sign(words, &paint->signs))
			return expect(words, signs, expected);
	keep_readable(paint);
	return true;
}

bool theme_read_line(struct theme *theme, const char *line, size_t len, struct str *expected)
{
	struct words words = { .at = line, .end = line + len };
	struct paint paint;
	int look;

	if (!next_word(&words) || *words.word == '#')
		return true;
	look = find_look(words.word, words.len);
	if (look == N_LOOKS)
		return expect(&words, "a role", expected);
	if (!read_paint(&words, &paint, expected))
		return false;
	theme->look[look] = paint;
	return true;
}

/* Ours, which are right. */
static void read_row(const char *line, struct paint *paint)
{
	struct words words = { .at = line, .end = line + strlen(line) };
	struct str unexpected = {0};
	bool ok = read_paint(&words, paint, &unexpected);

	assert(ok);
	(void)ok;
	str_release(&unexpected);
}

bool theme_shipped(const char *name, struct theme *out)
{
	size_t column = 0;

	while (column < N_SHIPPED_THEMES && strcmp(name, shipped_themes[column].name) != 0)
		column++;
	if (column == N_SHIPPED_THEMES)
		return false;
	*out = (struct theme){0};
	for (int i = 0; i < N_LOOKS; i++)
		if (rows[i].name)
			read_row(rows[i].in[column], &out->look[i]);
	return true;
}
