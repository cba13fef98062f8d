#include "cmds/doc/layout_texts.h"

#include <string.h>

#define ROW(name, text, beside) { name, text, beside },
const struct layout_text layout_texts[N_LAYOUT_TEXTS] = { LAYOUT_TEXTS(ROW) };

bool layout_is_built_in(const char *name)
{
	for (int i = 0; i < N_LAYOUT_TEXTS; i++)
		if (!strcmp(layout_texts[i].name, name))
			return true;
	return false;
}

const char *layout_line_text(const char *rest, size_t *len)
{
	*len = strcspn(rest, " \t");
	return rest + *len + strspn(rest + *len, " \t");
}
