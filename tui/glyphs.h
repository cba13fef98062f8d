#ifndef TUI_GLYPHS_H
#define TUI_GLYPHS_H

#include <stdbool.h>

/*
 * Signs that have a form in ASCII and a finer one in UTF-8. The finer ones show only in a UTF-8
 * locale, and not when ASCII is asked for.
 */
enum glyph { GLYPH_UPWARD, GLYPH_DOWNWARD, GLYPH_BESIDE, GLYPH_ALONG,
             GLYPH_BACK, GLYPH_FORWARD, GLYPH_THUMB,
             GLYPH_BAD, GLYPH_DAMAGED, GLYPH_DIFFERS, GLYPH_UNKNOWN, GLYPH_ORIGIN, GLYPH_HARMLESS,
             N_GLYPHS };

void glyphs_start(bool ascii);   /* after setlocale; without it all are ASCII */
bool glyphs_fine(void);          /* the finer ones show */
const char *glyph(enum glyph which);     /* one column wide */
/* may other characters than ASCII be sent to the terminal at all? */
bool glyphs_utf8_locale(void);

#endif
