#include "cmds/session/user_files.h"

#include <stdlib.h>

bool user_file_path(const char *name, struct str *path)
{
	const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");

	if (xdg && *xdg == '/')
		str_puts(path, xdg);
	else if (home && *home)
		str_fmt(path, "%s/.config", home);
	else
		return false;
	str_fmt(path, "/tensordbg/%s", name);
	return true;
}
