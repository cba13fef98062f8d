/*
 * A theme's looks as curses attributes. Colours are pairs, made when they are first needed. A
 * terminal with direct colours takes numbers from 8 on as red, green and blue; there all colours
 * but the first 8 are said by what they look like. One with only 8 has the other 8 of the 16 as
 * bold.
 */
#include "tui/theme.h"

#include <limits.h>
#include <string.h>

#include <curses.h>

#include "tui/colour.h"

enum { LEAST_COLOURS = 8, FEW_COLOURS = 16, ALL_COLOURS = 256 };

/*
 * Scales, dark to bright; with signs both ends are dark and the middle pale, blue against orange.
 * The luminance rises with the step, so that they read without hue as well.
 */
enum { N_SCALES = 3 };
static const short scales_256[N_SCALES][SCALE_STEPS] = {
	{ 53, 54, 55, 24, 25, 31, 36, 42, 78, 114, 150, 186, 221, 227, 230 },
	{ 17, 18, 25, 32, 74, 110, 153, 254, 223, 216, 215, 208, 166, 130, 88 },
	{ 232, 234, 235, 237, 239, 240, 242, 244, 245, 247, 248, 250, 252, 253, 255 },
};
static const short scales_8[N_SCALES][SCALE_STEPS] = {
	{ 0, 0, 0, 4, 4, 4, 5, 5, 5, 6, 6, 6, 3, 3, 7 },
	{ 4, 4, 4, 4, 6, 6, 7, 7, 7, 3, 3, 1, 1, 1, 1 },
	{ 0, 0, 0, 0, 0, 0, 0, 7, 7, 7, 7, 7, 7, 7, 7 },
};
/* What is readable on them, once: 1 black, else white. */
static const bool bright_8[8] = { [2] = true, [3] = true, [6] = true, [7] = true };

static attr_t attrs[N_LOOKS];
static bool is_on;                       /* there may be colours */
static bool has_hue;                     /* the theme names one */
static bool has_ground;                  /* it gives text one of its own */
static int colours;                      /* that may be used; 0: none */
static bool direct;                      /* a colour's number is its red, green and blue */
static struct { int fg, bg; } pairs[1024];
static int n_pairs;
static int scale_pairs[N_SCALES][SCALE_STEPS + 1][SCALE_STEPS + 1];      /* 0: not made yet */

/* As this terminal numbers it. */
static int number_of(int colour)
{
	if (colour == COLOUR_DEFAULT)
		return -1;
	if (direct)
		return colour < LEAST_COLOURS ? colour : colour_rgb(colour);
	return colour;
}

/* The pair of these colours, made on first use; 0: of the terminal's own, or it has no more. */
static int pair_of(int fg, int bg)
{
	if (fg == COLOUR_DEFAULT && bg == COLOUR_DEFAULT)
		return 0;
	for (int i = 0; i < n_pairs; i++)
		if (pairs[i].fg == fg && pairs[i].bg == bg)
			return i + 1;
	if (n_pairs == sizeof pairs / sizeof *pairs || n_pairs + 1 >= COLOR_PAIRS ||
	    init_extended_pair(n_pairs + 1, number_of(fg), number_of(bg)) == ERR)
		return 0;
	pairs[n_pairs].fg = fg;
	pairs[n_pairs].bg = bg;
	return ++n_pairs;
}

/* The colour of a tint that the terminal can show. */
static int shown(const struct tint *tint)
{
	if (colours < ALL_COLOURS)
		return tint->few;
	if (tint->colour < COLOUR_RGB || (direct && colours > ALL_COLOURS))
		return tint->colour;
	return colour_nearest(tint->colour, COLOUR_NAMES, ALL_COLOURS - COLOUR_NAMES);
}

/* Of 8 colours there are no bright ones: as text they are bold, or dim for a black one. */
static int without_brightness(int colour, bool is_text, attr_t *attr)
{
	if (colours >= FEW_COLOURS || colour < LEAST_COLOURS)
		return colour;
	if (is_text && colour == LEAST_COLOURS) {
		*attr |= A_DIM;
		return COLOUR_DEFAULT;
	}
	if (is_text)
		*attr |= A_BOLD;
	return colour - LEAST_COLOURS;
}

static attr_t signs_of(const struct paint *paint)
{
	return (paint->signs & PAINT_BOLD ? A_BOLD : 0) | (paint->signs & PAINT_DIM ? A_DIM : 0) |
	       (paint->signs & PAINT_UNDERLINE ? A_UNDERLINE : 0) |
	       (paint->signs & PAINT_REVERSE ? A_REVERSE : 0) |
	       (paint->signs & PAINT_BLINK ? A_BLINK : 0);
}

static int ground_of(const struct tint *tint, const struct theme *theme)
{
	const struct tint *of_text = &theme->look[LOOK_TEXT].ground;

	if (tint->colour == GROUND_OF_TEXT)
		return of_text->colour == GROUND_OF_TEXT ? COLOUR_DEFAULT : shown(of_text);
	return shown(tint);
}

static attr_t attributes_of(const struct paint *paint, const struct theme *theme)
{
	attr_t attr = signs_of(paint);
	int text, behind;

	if (!colours)
		return attr;
	text = without_brightness(shown(&paint->text), true, &attr);
	behind = without_brightness(ground_of(&paint->ground, theme), false, &attr);
	if (text == behind && text >= 0 && text < LEAST_COLOURS)
		text = bright_8[text] ? COLOUR_BLACK : COLOUR_WHITE;
	return attr | (attr_t)COLOR_PAIR(pair_of(text, behind));
}

/* What has no name looks like text. */
static const struct paint *paint_of(const struct theme *theme, int look)
{
	return &theme->look[look_name(look) ? look : LOOK_TEXT];
}

static bool names_hue(const struct theme *theme)
{
	for (int i = 0; i < N_LOOKS; i++)
		if (paint_of(theme, i)->text.colour >= 0 || paint_of(theme, i)->ground.colour >= 0)
			return true;
	return false;
}

void theme_show(const struct theme *theme, int most_colours)
{
	struct theme mono;

	colours = !is_on ? 0 : COLORS < most_colours ? COLORS : most_colours;
	if (colours < LEAST_COLOURS) {
		colours = 0;
		theme_shipped("mono", &mono);
		theme = &mono;
	}
	has_hue = names_hue(theme);
	has_ground = theme->look[LOOK_TEXT].ground.colour >= 0;
	n_pairs = 0;             /* those of looks first: their numbers have to fit attributes */
	memset(scale_pairs, 0, sizeof scale_pairs);
	for (int i = 0; i < N_LOOKS; i++)
		attrs[i] = attributes_of(paint_of(theme, i), theme);
}

void theme_start(bool colour)
{
	struct theme tfdbg;

	is_on = colour && has_colors() && start_color() == OK && use_default_colors() == OK;
	direct = is_on && COLORS > ALL_COLOURS;
	theme_shipped("tfdbg", &tfdbg);
	theme_show(&tfdbg, INT_MAX);
}

unsigned theme(int look)
{
	return attrs[look];
}

unsigned theme_ground(void)
{
	return has_ground ? attrs[LOOK_TEXT] & A_COLOR : A_NORMAL;
}

/* Scales. */

bool theme_has_scales(void)
{
	return colours && has_hue;
}

static bool is_bright(int number)
{
	int rgb;

	if (number < FEW_COLOURS)
		return bright_8[number & 7];
	rgb = colour_rgb(number);
	return 30 * (rgb >> 16) + 59 * (rgb >> 8 & 0xff) + 11 * (rgb & 0xff) > 100 * 110;
}

static int make_scale_pair(int scale, int ink, int ground)
{
	const short *step = colours >= ALL_COLOURS ? scales_256[scale] : scales_8[scale];
	int black = colours >= ALL_COLOURS ? 16 : COLOUR_BLACK;
	int white = colours >= ALL_COLOURS ? 231 : COLOUR_WHITE;
	int bg = ground ? step[ground - 1] : COLOUR_DEFAULT;
	int fg = ink ? step[ink - 1] : is_bright(bg) ? black : white;

	return pair_of(fg, bg);
}

int theme_scale(enum role role, int ink, int ground)
{
	int scale = role == ROLE_SIGNED_SCALE ? 1 : role == ROLE_GRAY_SCALE ? 2 : 0;
	int *pair = &scale_pairs[scale][ink][ground];

	if (!theme_has_scales() || !(ink || ground))
		return 0;
	if (!*pair)
		*pair = make_scale_pair(scale, ink, ground);
	return *pair;
}
