/* ncurses takes the description itself from TERMINFO where others have a directory there. */
#include "tui/terminfo.h"

#include <stdlib.h>
#include <string.h>

static bool has_name(const char *names, const char *name)
{
	size_t len = strlen(name);

	while (strncmp(names, name, len) != 0 || (names[len] && names[len] != '|')) {
		names = strchr(names, '|');
		if (!names)
			return false;
		names++;
	}
	return true;
}

bool terminfo_lend(const char *name)
{
	for (int i = 0; i < terminfo_n_entries; i++)
		if (has_name(terminfo_entries[i].names, name))
			return setenv("TERMINFO", terminfo_entries[i].compiled, 1) == 0;
	return false;
}
