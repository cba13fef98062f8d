/* Two forms of each sign; which one is decided once. */
#include "tui/glyphs.h"

#include <langinfo.h>
#include <string.h>

static const struct { const char *ascii, *utf8; } forms[N_GLYPHS] = {
	[GLYPH_UPWARD] = { "^", "▲" },
	[GLYPH_DOWNWARD] = { "v", "▼" },
	[GLYPH_BESIDE] = { "|", "│" },
	[GLYPH_ALONG] = { "-", "─" },
	[GLYPH_BACK] = { "<", "‹" },
	[GLYPH_FORWARD] = { ">", "›" },
	[GLYPH_THUMB] = { "#", "█" },
	[GLYPH_BAD] = { "!", "●" },
	[GLYPH_DAMAGED] = { "^", "▲" },
	[GLYPH_DIFFERS] = { "#", "≠" },
	[GLYPH_UNKNOWN] = { ".", "·" },
	[GLYPH_ORIGIN] = { "*", "◆" },
	[GLYPH_HARMLESS] = { "o", "○" },
};

static bool fine;

bool glyphs_utf8_locale(void)
{
	return !strcmp(nl_langinfo(CODESET), "UTF-8");
}

void glyphs_start(bool ascii)
{
	fine = !ascii && glyphs_utf8_locale();
}

bool glyphs_fine(void)
{
	return fine;
}

const char *glyph(enum glyph which)
{
	return fine ? forms[which].utf8 : forms[which].ascii;
}
