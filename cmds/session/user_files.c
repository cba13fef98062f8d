#include "cmds/session/user_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

static bool is_null_device(const struct stat *st)
{
	struct stat null;

	return S_ISCHR(st->st_mode) && stat("/dev/null", &null) == 0 && st->st_rdev == null.st_rdev;
}

/* Not waiting matters for the open alone: reading a regular file never does. */
FILE *user_file_open(const char *path, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	FILE *file = NULL;
	struct stat st;

	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return NULL;
	if (fd < 0 || fstat(fd, &st) != 0)
		err_fill(err, ERR_IO, path, 0, "%s", strerror(errno));
	else if (S_ISREG(st.st_mode))
		file = fdopen(fd, "r");
	else if (!is_null_device(&st))
		err_fill(err, ERR_IO, path, 0, "not a regular file");
	if (!file && fd >= 0)
		close(fd);
	return file;
}
