/*
 * A name comes along over ssh to systems that have no such locale, and a small container has none
 * at all. What counts is which characters the terminal shows.
 */
#include "tui/locale.h"

#include <locale.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tui/alone/utf8.h"
#include "tui/glyphs.h"

/* The name that is asked for: the first of these that is set. */
static const char *asked(void)
{
	static const char *const variables[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	for (int i = 0; i < 3; i++) {
		const char *name = getenv(variables[i]);

		if (name && *name)
			return name;
	}
	return "";
}

/* "de_DE.UTF-8", "sr_RS.utf8@latin" */
static bool is_utf8(const char *name)
{
	const char *set = strchr(name, '.');

	return set && (!strncasecmp(set, ".UTF-8", 6) || !strncasecmp(set, ".utf8", 5));
}

void locale_take(void)
{
	if (!setlocale(LC_ALL, "") && is_utf8(asked()))
		setlocale(LC_CTYPE, "C.UTF-8");
#ifdef STATIC
	if (is_utf8(asked()) && !glyphs_utf8_locale())
		alone_utf8();
	/* For other sets of characters the C library would load the system's code. */
	if (!glyphs_utf8_locale())
		setlocale(LC_ALL, "C");
#endif
	setlocale(LC_NUMERIC, "C");
}
