/* Colours and themes: how they are said, what takes the place of what, and that they can be read.
 */
#include "tui/looks.h"

#include <string.h>

#include "tests/program.h"
#include "tests/suite.h"
#include "tui/colour.h"

/* Colours. */

static const struct { const char *text; int colour; } good[] = {
	{ "default", COLOUR_DEFAULT }, { "black", 0 }, { "white", 7 }, { "bright-black", 8 },
	{ "bright-white", 15 }, { "0", 0 }, { "007", 7 }, { "255", 255 },
	{ "#000000", COLOUR_RGB }, { "#E69f00", COLOUR_RGB | 0xe69f00 },
};

START_TEST(colours_are_read)
{
	int colour;

	ck_assert(colour_parse(good[_i].text, strlen(good[_i].text), &colour));
	ck_assert_int_eq(colour, good[_i].colour);
}
END_TEST

static const char *const bad[] = {
	"", "256", "-1", "1000", "1a", "reddish", "re", "Red", "#", "#12345", "#1234567", "#12345g",
	"# 12345", "default ", "bright-", "9999999999999999999999",
};

START_TEST(other_words_are_no_colours)
{
	int colour;

	ck_assert(!colour_parse(bad[_i], strlen(bad[_i]), &colour));
}
END_TEST

START_TEST(nul_is_no_digit)
{
	int colour;

	ck_assert(!colour_parse("1\0", 2, &colour));
	ck_assert(!colour_parse("#12\00056", 7, &colour));
	ck_assert(!colour_parse("red\0", 4, &colour));
}
END_TEST

static const struct { int colour, of_256, of_16; } nearest[] = {
	{ COLOUR_DEFAULT, COLOUR_DEFAULT, COLOUR_DEFAULT }, { COLOUR_RGB | 0xff0000, 196, 9 },
	{ COLOUR_RGB | 0x000000, 16, 0 }, { COLOUR_RGB | 0xffffff, 231, 15 },
	{ COLOUR_RGB | 0x5fafd7, 74, 6 }, { COLOUR_RGB | 0x808080, 244, 8 },
	{ COLOUR_RGB | 0x8a8a8b, 245, 8 }, { COLOUR_RGB | 0x010000, 16, 0 }, { 255, 255, 7 },
	{ 160, 160, 1 }, { 34, 34, 2 }, { 228, 228, 11 },
};

START_TEST(nearest_colours)
{
	int colour = nearest[_i].colour;

	ck_assert_int_eq(colour_nearest(colour, 16, 240), nearest[_i].of_256);
	ck_assert_int_eq(colour_nearest(colour, 0, 16), nearest[_i].of_16);
}
END_TEST

/* The examples of WCAG 2: its two ends, and the darkest gray that passes on white. */
START_TEST(contrasts)
{
	ck_assert_double_eq_tol(colour_contrast(16, 231), 21, 1e-9);
	ck_assert_double_eq_tol(colour_contrast(231, 16), 21, 1e-9);
	ck_assert_double_eq_tol(colour_contrast(196, 196), 1, 1e-9);
	ck_assert_double_eq_tol(colour_contrast(COLOUR_RGB | 0x767676, 231), 4.54, 0.005);
	ck_assert_double_eq_tol(colour_contrast(COLOUR_RGB | 0x777777, 231), 4.48, 0.005);
}
END_TEST

/* Lines of a theme. */

static const struct { const char *line; struct paint paint; } lines[] = {
	{ "bad red", { { 1, 1 }, { GROUND_OF_TEXT, GROUND_OF_TEXT }, 0 } },
	{ "\t bad  9\t 231/white  bold reverse ",
	  { { 9, 9 }, { 231, 7 }, PAINT_BOLD | PAINT_REVERSE } },
	{ "bad default underline dim blink\r",
	  { { COLOUR_DEFAULT, COLOUR_DEFAULT }, { GROUND_OF_TEXT, GROUND_OF_TEXT },
	    PAINT_UNDERLINE | PAINT_DIM | PAINT_BLINK } },
	{ "bad #ff0000 default",
	  { { COLOUR_RGB | 0xff0000, 9 }, { COLOUR_DEFAULT, COLOUR_DEFAULT }, 0 } },
	/* the same where there are few, and readable all the same */
	{ "bad #00ff01 #00ff00",
	  { { COLOUR_RGB | 0x00ff01, 0 }, { COLOUR_RGB | 0x00ff00, 10 }, 0 } },
	{ "bad 232 16", { { 232, 7 }, { 16, 0 }, 0 } },
};

static bool same_paint(const struct paint *a, const struct paint *b)
{
	return a->text.colour == b->text.colour && a->text.few == b->text.few &&
	       a->ground.colour == b->ground.colour && a->ground.few == b->ground.few &&
	       a->signs == b->signs;
}

START_TEST(lines_are_read)
{
	struct theme theme;
	struct str expected = {0};
	const char *line = lines[_i].line;

	ck_assert(theme_shipped("dark", &theme));
	ck_assert_msg(theme_read_line(&theme, line, strlen(line), &expected), "%s",
	              str_text(&expected));
	ck_assert(same_paint(&theme.look[ROLE_BAD], &lines[_i].paint));
}
END_TEST

#define COLOURS "expected a color (one of 16 names, 0 to 255, #rrggbb or default)"
#define SIGNS "expected bold, dim, underline, reverse or blink"
static const struct { const char *line, *expected; } wrong[] = {
	{ "nothing red", "expected a role, not \"nothing\"" }, { "bad", COLOURS },
	{ "bad reddish", COLOURS ", not \"reddish\"" }, { "bad bold", COLOURS ", not \"bold\"" },
	{ "bad red bright", SIGNS ", not \"bright\"" },
	{ "bad red bold blue", SIGNS ", not \"blue\"" }, { "bad red #12", SIGNS ", not \"#12\"" },
	{ "bad 208/214", COLOURS ", not \"208/214\"" }, { "bad 208/", COLOURS ", not \"208/\"" },
	{ "bad /red", COLOURS ", not \"/red\"" },
	{ "bad\033 red", "expected a role, not \"bad^[\"" },
	{ "0123456789012345678901234567890123456789X red",
	  "expected a role, not \"0123456789012345678901234567890123456789...\"" },
};

START_TEST(wrong_lines_change_nothing)
{
	struct theme theme, before;
	struct str expected = {0};
	const char *line = wrong[_i].line;

	ck_assert(theme_shipped("light", &theme));
	before = theme;
	ck_assert(!theme_read_line(&theme, line, strlen(line), &expected));
	ck_assert_str_eq(expected.text, wrong[_i].expected);
	for (int i = 0; i < N_LOOKS; i++)
		ck_assert(same_paint(&theme.look[i], &before.look[i]));
	str_release(&expected);
}
END_TEST

static const char *const empty[] = { "", "   \t", "# bad red", "  #", "\r" };

START_TEST(comments_are_passed_over)
{
	struct theme theme;
	struct str expected = {0};

	ck_assert(theme_shipped("dark", &theme));
	ck_assert(theme_read_line(&theme, empty[_i], strlen(empty[_i]), &expected));
	ck_assert_uint_eq(expected.len, 0);
}
END_TEST

/* What is shipped. */

START_TEST(names_of_looks_differ)
{
	for (int i = 0; i < N_LOOKS; i++)
		for (int k = 0; look_name(i) && k < i; k++)
			ck_assert_msg(!look_name(k) || strcmp(look_name(i), look_name(k)) != 0,
			              "%s", look_name(i));
}
END_TEST

/*
 * ground: what the theme is made for; COLOUR_DEFAULT: it has its own. few: of 16 colours, as xterm
 * has them, on that ground.
 */
static const struct { const char *name; int ground; double least, few; } shipped[] = {
	{ "dark", 16, 4.5, 3.5 }, { "light", 231, 4.5, 3.9 }, { "contrast", COLOUR_DEFAULT, 7, 0 },
};

/* Kinds of work fill bars and boxes. */
static bool is_fill(int look)
{
	return look >= ROLE_FAMILY_1 && look <= ROLE_FAMILY_8;
}

static int or_ground(int colour, const struct theme *theme, int ground)
{
	if (colour == GROUND_OF_TEXT)
		colour = theme->look[LOOK_TEXT].ground.colour;
	return colour < 0 ? ground : colour;
}

/* Text in the terminal's own colour, on its own ground, is the terminal's business. */
START_TEST(text_can_be_read)
{
	struct theme theme;

	ck_assert(theme_shipped(shipped[_i].name, &theme));
	for (int i = 0; i < N_LOOKS; i++) {
		const struct paint *p = &theme.look[i];
		int ground = or_ground(p->ground.colour, &theme, shipped[_i].ground);
		double is;

		if (!look_name(i))
			continue;
		if (p->text.colour == COLOUR_DEFAULT) {
			ck_assert_msg(p->ground.colour < 0, "%s", look_name(i));
			continue;
		}
		is = colour_contrast(p->text.colour, ground);
		ck_assert_msg(is >= shipped[_i].least, "%s of %s: %.2f", look_name(i),
		              shipped[_i].name, is);
		is = p->text.few < 0 || shipped[_i].ground < 0
		     ? 21 : colour_contrast(p->text.few, shipped[_i].ground);
		ck_assert_msg(p->ground.few >= 0 || is_fill(i) || is >= shipped[_i].few,
		              "%s of %s, 16 colours: %.2f", look_name(i), shipped[_i].name, is);
		if (p->ground.few < 0 || p->text.few < 0)
			continue;
		is = colour_contrast(p->text.few, p->ground.few);
		ck_assert_msg(is >= 4.5, "%s of %s, 16 colours: %.2f", look_name(i),
		              shipped[_i].name, is);
	}
}
END_TEST

static bool look_alike(const struct paint *a, const struct paint *b, bool few)
{
	return (few ? a->text.few == b->text.few && a->ground.few == b->ground.few
	            : a->text.colour == b->text.colour && a->ground.colour == b->ground.colour) &&
	       a->signs == b->signs;
}

static void check_distinct(const char *name, const int *looks, size_t n, bool few)
{
	struct theme theme;

	ck_assert(theme_shipped(name, &theme));
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < i; k++)
			ck_assert_msg(!look_alike(&theme.look[looks[i]], &theme.look[looks[k]],
			                          few),
			              "%s: %s is %s%s", name, look_name(looks[i]),
			              look_name(looks[k]), few ? " where there are few" : "");
}

START_TEST(meanings_differ)
{
	static const int looks[] = { LOOK_TEXT, ROLE_BAD, ROLE_DAMAGED, ROLE_DIFFERS, LOOK_LINK,
	                             ROLE_OP, LOOK_DIM, ROLE_STRONG, LOOK_CURSOR, LOOK_CHOSEN,
	                             LOOK_MATCH, LOOK_HINT };

	static const int families[] = {
		ROLE_FAMILY_1, ROLE_FAMILY_2, ROLE_FAMILY_3, ROLE_FAMILY_4,
		ROLE_FAMILY_5, ROLE_FAMILY_6, ROLE_FAMILY_7, ROLE_FAMILY_8,
	};

	for (int few = 0; few < 2; few++) {
		check_distinct(shipped[_i].name, looks, ROWS(looks), few);
		check_distinct(shipped[_i].name, families, ROWS(families), few);
	}
}
END_TEST

/* Without colour signs are left, which are few. */
START_TEST(signs_differ)
{
	static const int looks[] = { LOOK_TEXT, ROLE_BAD, ROLE_DAMAGED, ROLE_DIFFERS, LOOK_LINK,
	                             LOOK_DIM };

	check_distinct("mono", looks, ROWS(looks), false);
}
END_TEST

START_TEST(mono_has_no_colour)
{
	struct theme theme;

	ck_assert(theme_shipped("mono", &theme));
	for (int i = 0; i < N_LOOKS; i++) {
		ck_assert(!look_name(i) || theme.look[i].text.colour == COLOUR_DEFAULT);
		ck_assert_int_le(theme.look[i].ground.colour, look_name(i) ? COLOUR_DEFAULT : 0);
	}
}
END_TEST

/* The man page, for whoever writes a theme. */
START_TEST(the_page_names_each)
{
	struct str page = {0}, role = {0};

	ck_assert(read_whole("tui/tensordbg.1", &page));
	for (int i = 0; i < N_LOOKS; i++) {
		if (!look_name(i))
			continue;
		str_reset(&role);
		str_fmt(&role, "\n.Li %s ", look_name(i));
		ck_assert_msg(strstr(page.text, role.text) != NULL, "%s", look_name(i));
	}
	str_release(&page);
	str_release(&role);
}
END_TEST

SUITE_MAIN("looks",
	tcase_add_loop_test(t, colours_are_read, 0, ROWS(good));
	tcase_add_loop_test(t, other_words_are_no_colours, 0, ROWS(bad));
	tcase_add_test(t, nul_is_no_digit);
	tcase_add_loop_test(t, nearest_colours, 0, ROWS(nearest));
	tcase_add_test(t, contrasts);
	tcase_add_loop_test(t, lines_are_read, 0, ROWS(lines));
	tcase_add_loop_test(t, wrong_lines_change_nothing, 0, ROWS(wrong));
	tcase_add_loop_test(t, comments_are_passed_over, 0, ROWS(empty));
	tcase_add_test(t, names_of_looks_differ);
	tcase_add_test(t, the_page_names_each);
	tcase_add_loop_test(t, text_can_be_read, 0, ROWS(shipped));
	tcase_add_loop_test(t, meanings_differ, 0, ROWS(shipped));
	tcase_add_test(t, signs_differ);
	tcase_add_test(t, mono_has_no_colour);
)
