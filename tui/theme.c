/*
 * One row per look: colours for a terminal that has them, attributes for both. tfdbg's colours:
 * text is white on the terminal's own background, bars are black on white; yellow is ANSI colour 3.
 * What tfdbg has not is told apart without red against green, by orange, blue and gray where there
 * are 256 colours, and never by colour alone. On a light background text has the terminal's own
 * colour, bars are white on black, and what would be pale is darker. A terminal with direct colours
 * takes numbers from 8 on as red, green and blue: there the 256 are said by what they look like.
 */
#include "tui/theme.h"

#include <curses.h>

enum { NO_COLOUR = -1, GRAY = 245, ORANGE = 208, SKY = 75 };

struct paint {
	short fg, bg;
	attr_t attr;             /* with colours */
	attr_t mono;             /* without */
};

static const struct paint paints[N_LOOKS] = {
	[ROLE_PLAIN] = { COLOR_WHITE, NO_COLOUR, 0, 0 },
	[ROLE_STRONG] = { NO_COLOUR, NO_COLOUR, A_BOLD, A_BOLD },
	[ROLE_ERROR] = { COLOR_RED, NO_COLOUR, 0, A_BOLD },
	[ROLE_SLOT] = { COLOR_YELLOW, NO_COLOUR, 0, 0 },
	[ROLE_LINE_NUMBER] = { COLOR_YELLOW, NO_COLOUR, 0, 0 },
	[ROLE_OP] = { COLOR_BLUE, NO_COLOUR, 0, 0 },
	[ROLE_OWN] = { COLOR_WHITE, NO_COLOUR, 0, 0 },
	[ROLE_LIBRARY] = { GRAY, NO_COLOUR, 0, 0 },
	[ROLE_ITEM] = { NO_COLOUR, NO_COLOUR, A_UNDERLINE, A_UNDERLINE },
	[ROLE_CHANGED_ITEM] = { NO_COLOUR, NO_COLOUR, A_UNDERLINE | A_BOLD, A_UNDERLINE | A_BOLD },
	[ROLE_ALARM] = { NO_COLOUR, NO_COLOUR, A_BLINK, A_BLINK },
	[ROLE_CUT] = { COLOR_MAGENTA, NO_COLOUR, 0, A_BOLD },
	[ROLE_COST] = { COLOR_CYAN, NO_COLOUR, 0, 0 },
	[ROLE_COST_BAR] = { COLOR_CYAN, NO_COLOUR, A_BOLD, A_BOLD },
	[ROLE_DAMAGED] = { COLOR_RED, NO_COLOUR, A_BOLD, A_BOLD },
	[ROLE_BAD] = { COLOR_RED, NO_COLOUR, A_BOLD, A_REVERSE },
	[ROLE_DIFFERS] = { COLOR_YELLOW, NO_COLOUR, A_BOLD, A_BOLD | A_UNDERLINE },
	[ROLE_SCALE] = { COLOR_WHITE, NO_COLOUR, 0, 0 },
	[ROLE_SIGNED_SCALE] = { COLOR_WHITE, NO_COLOUR, 0, 0 },
	[ROLE_GRAY_SCALE] = { COLOR_WHITE, NO_COLOUR, 0, 0 },
	[LOOK_TEXT] = { COLOR_WHITE, NO_COLOUR, 0, 0 },
	[LOOK_LINK] = { NO_COLOUR, NO_COLOUR, A_UNDERLINE, A_UNDERLINE },
	[LOOK_TITLE] = { COLOR_BLACK, COLOR_WHITE, 0, A_REVERSE },
	[LOOK_TITLE_START] = { COLOR_BLUE, COLOR_WHITE, 0, A_REVERSE },
	[LOOK_TITLE_ALARM] = { COLOR_RED, COLOR_WHITE, 0, A_REVERSE },
	[LOOK_CURRENT] = { COLOR_BLACK, COLOR_WHITE, 0, A_REVERSE },
	[LOOK_OLDER] = { COLOR_MAGENTA, COLOR_WHITE, 0, A_REVERSE | A_BOLD },
	[LOOK_BAR] = { COLOR_BLACK, COLOR_WHITE, 0, A_REVERSE },
	[LOOK_STATUS] = { COLOR_BLACK, COLOR_WHITE, 0, A_REVERSE },
	[LOOK_BADGE] = { COLOR_BLACK, COLOR_WHITE, 0, A_REVERSE },
	[LOOK_RULE] = { COLOR_WHITE, NO_COLOUR, 0, 0 },
	[LOOK_FOCUSED_RULE] = { COLOR_CYAN, NO_COLOUR, A_BOLD, A_BOLD },
	[LOOK_NUMBER] = { COLOR_CYAN, NO_COLOUR, 0, 0 },
	[LOOK_HINT] = { COLOR_BLACK, COLOR_YELLOW, A_BOLD, A_REVERSE | A_BOLD },
	[LOOK_CUT_MARK] = { COLOR_MAGENTA, NO_COLOUR, A_BOLD, A_BOLD },
	[LOOK_MATCH] = { COLOR_BLACK, COLOR_WHITE, 0, A_REVERSE },
	[LOOK_PROMPT] = { NO_COLOUR, NO_COLOUR, A_BOLD, A_BOLD },
	[LOOK_CANDIDATE] = { COLOR_YELLOW, NO_COLOUR, 0, 0 },
	[LOOK_CURSOR] = { NO_COLOUR, NO_COLOUR, A_REVERSE, A_REVERSE },
	[LOOK_CHOSEN] = { COLOR_BLACK, COLOR_YELLOW, A_UNDERLINE, A_BOLD | A_UNDERLINE },
	[LOOK_ERROR_TOAST] = { COLOR_RED, COLOR_WHITE, 0, A_REVERSE | A_BOLD },
	[LOOK_INFO_TOAST] = { COLOR_BLUE, COLOR_WHITE, 0, A_REVERSE },
	[LOOK_BUSY_TOAST] = { COLOR_MAGENTA, COLOR_WHITE, 0, A_REVERSE },
};

/* Text colours where there are 256; 0: the one above. */
static const short fine[N_LOOKS] = {
	[ROLE_DAMAGED] = ORANGE, [ROLE_DIFFERS] = ORANGE, [LOOK_RULE] = GRAY,
	[LOOK_FOCUSED_RULE] = SKY, [LOOK_NUMBER] = GRAY, [LOOK_CUT_MARK] = ORANGE,
};

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
static int colours;                      /* that may be used; 0: none */
static bool direct;                      /* a colour's number is its red, green and blue */
static int scale_pairs[N_SCALES][SCALE_STEPS + 1][SCALE_STEPS + 1];      /* 0: not made yet */

/* Red, green and blue of one of the 256 colours, from 16 on. */
static int rgb_of(int number)
{
	static const int level[] = { 0, 95, 135, 175, 215, 255 };
	int gray = 8 + 10 * (number - 232);

	if (number >= 232)
		return gray << 16 | gray << 8 | gray;
	number -= 16;
	return level[number / 36] << 16 | level[number / 6 % 6] << 8 | level[number % 6];
}

/* As this terminal numbers it. */
static int colour_of(int number)
{
	return direct && number >= 16 ? rgb_of(number) : number;
}

/* What these colours become on a light background. */
static void lighten(short *fg, short *bg)
{
	static const struct { short dark, light, light_of_8; } darker[] = {
		{ COLOR_WHITE, NO_COLOUR, NO_COLOUR }, { COLOR_YELLOW, 94, COLOR_MAGENTA },
		{ COLOR_CYAN, 24, COLOR_BLUE }, { GRAY, 241, COLOR_GREEN },
		{ ORANGE, 130, COLOR_RED }, { SKY, 25, COLOR_BLUE },
	};

	if (*bg == COLOR_WHITE) {
		*bg = *fg;
		*fg = COLOR_WHITE;
		return;
	}
	for (size_t i = 0; *bg == NO_COLOUR && i < sizeof darker / sizeof *darker; i++)
		if (*fg == darker[i].dark) {
			*fg = colours >= 256 ? darker[i].light : darker[i].light_of_8;
			return;
		}
}

/* GRAY is tfdbg's; where there is no such colour it takes green. */
static short foreground(int look)
{
	if (colours >= 256)
		return fine[look] ? fine[look] : paints[look].fg;
	return paints[look].fg == GRAY ? COLOR_GREEN : paints[look].fg;
}

/* The pair of these colours, made on first use; 0 when the terminal has no more. */
static int pair_of(int fg, int bg)
{
	static struct { int fg, bg; } pairs[1024];
	static int n_pairs;

	for (int i = 0; i < n_pairs; i++)
		if (pairs[i].fg == fg && pairs[i].bg == bg)
			return i + 1;
	if (n_pairs == sizeof pairs / sizeof *pairs || n_pairs + 1 >= COLOR_PAIRS ||
	    init_extended_pair(n_pairs + 1, colour_of(fg), colour_of(bg)) == ERR)
		return 0;
	pairs[n_pairs].fg = fg;
	pairs[n_pairs].bg = bg;
	return ++n_pairs;
}

void theme_start(bool colour, int most_colours, bool light)
{
	bool use = colour && has_colors() && start_color() == OK && use_default_colors() == OK;

	colours = !use ? 0 : COLORS < most_colours ? COLORS : most_colours;
	direct = use && COLORS > 256;
	for (int i = 0; i < N_LOOKS; i++) {
		const struct paint *p = &paints[i];
		short fg = foreground(i), bg = p->bg;

		if (light)
			lighten(&fg, &bg);
		attrs[i] = use ? p->attr : p->mono;
		if (use && (fg != NO_COLOUR || bg != NO_COLOUR))
			attrs[i] |= COLOR_PAIR(pair_of(fg, bg));
	}
}

unsigned theme(int look)
{
	return attrs[look];
}

/* Scales. */

bool theme_has_scales(void)
{
	return colours >= 8;
}

static bool is_bright(int number)
{
	int rgb;

	if (number < 16)
		return bright_8[number & 7];
	rgb = rgb_of(number);
	return 30 * (rgb >> 16) + 59 * (rgb >> 8 & 0xff) + 11 * (rgb & 0xff) > 100 * 110;
}

static int make_scale_pair(int scale, int ink, int ground)
{
	const short *step = colours >= 256 ? scales_256[scale] : scales_8[scale];
	int black = colours >= 256 ? 16 : COLOR_BLACK, white = colours >= 256 ? 231 : COLOR_WHITE;
	int bg = ground ? step[ground - 1] : NO_COLOUR;
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
