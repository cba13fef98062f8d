/*
 * One row per look: colours for a terminal that has them, attributes for both. tfdbg's colours:
 * text is white on the terminal's own background, bars are black on white; yellow is ANSI colour 3.
 * What tfdbg has not is told apart without red against green, by orange, blue and gray where there
 * are 256 colours, and never by colour alone. On a light background text has the terminal's own colour,
 * bars are white on black, and what would be pale is darker. A terminal with direct colours takes numbers
 * from 8 on as red, green and blue: there the 256 are said by what they look like.
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
	[LOOK_TEXT] = { COLOR_WHITE, NO_COLOUR, 0, 0 },
	[LOOK_LINK] = { NO_COLOUR, NO_COLOUR, A_UNDERLINE, A_UNDERLINE },
	[LOOK_TITLE] = { COLOR_BLACK, COLOR_WHITE, 0, A_REVERSE },
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
	[ROLE_DAMAGED] = ORANGE, [ROLE_DIFFERS] = ORANGE, [LOOK_RULE] = GRAY, [LOOK_FOCUSED_RULE] = SKY, [LOOK_NUMBER] = GRAY,
	[LOOK_CUT_MARK] = ORANGE,
};

static attr_t attrs[N_LOOKS];

/* What these colours become on a light background. */
static void lighten(short *fg, short *bg, int colours)
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

/* One of the 256 as red, green and blue: a cube of 6 steps for each, then grays. */
static int rgb_of(short colour)
{
	static const int steps[] = { 0, 95, 135, 175, 215, 255 };
	int at = colour - 16;

	if (colour >= 232)
		return (8 + 10 * (colour - 232)) * 0x10101;
	return steps[at / 36] << 16 | steps[at / 6 % 6] << 8 | steps[at % 6];
}

static int as_terminal_has(short colour)
{
	return colour >= 16 && COLORS > 256 ? rgb_of(colour) : colour;
}

/* GRAY is tfdbg's; where there is no such colour it takes green. */
static short foreground(int look, int colours)
{
	if (colours >= 256)
		return fine[look] ? fine[look] : paints[look].fg;
	return paints[look].fg == GRAY ? COLOR_GREEN : paints[look].fg;
}

/* The pair of these colours, made on first use; 0 when the terminal has no more. */
static short pair_of(short fg, short bg)
{
	static struct { short fg, bg; } pairs[32];
	static short n_pairs;

	for (short i = 0; i < n_pairs; i++)
		if (pairs[i].fg == fg && pairs[i].bg == bg)
			return (short)(i + 1);
	if (n_pairs == sizeof pairs / sizeof *pairs || n_pairs + 1 >= COLOR_PAIRS ||
	    init_extended_pair(n_pairs + 1, as_terminal_has(fg), as_terminal_has(bg)) == ERR)
		return 0;
	pairs[n_pairs].fg = fg;
	pairs[n_pairs].bg = bg;
	return ++n_pairs;
}

void theme_start(bool colour, int most_colours, bool light)
{
	bool use = colour && has_colors() && start_color() == OK && use_default_colors() == OK;
	int colours = COLORS < most_colours ? COLORS : most_colours;

	for (int i = 0; i < N_LOOKS; i++) {
		const struct paint *p = &paints[i];
		short fg = foreground(i, colours), bg = p->bg;

		if (light)
			lighten(&fg, &bg, colours);
		attrs[i] = use ? p->attr : p->mono;
		if (use && (fg != NO_COLOUR || bg != NO_COLOUR))
			attrs[i] |= COLOR_PAIR(pair_of(fg, bg));
	}
}

unsigned theme(int look)
{
	return attrs[look];
}
