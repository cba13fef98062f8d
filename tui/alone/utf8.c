/*
 * The C library takes a locale from files only, below LOCPATH; once it has read them they may go.
 * They need a directory that can be written for that moment; without any the locale stays as it is.
 */
#include "tui/alone/utf8.h"

#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dump/base/str.h"
#include "dump/base/writer.h"

static bool write_ctype(const char *path)
{
	struct err err = {0};
	struct writer *writer = writer_open(path, WRITER_PRIVATE, &err);

	if (!writer)
		return false;
	fwrite(alone_ctype, 1, alone_ctype_bytes, writer_stream(writer));
	return writer_close(writer, true, NULL, &err);
}

/* Sets the locale by way of files below root; they are gone afterwards. */
static bool set_below(const char *root)
{
	struct str dir = {0}, locale = {0}, file = {0};
	bool ok = false;

	str_fmt(&dir, "%s/tensordbg-XXXXXX", root);
	if (mkdtemp(dir.text)) {
		str_fmt(&locale, "%s/C.UTF-8", dir.text);
		str_fmt(&file, "%s/LC_CTYPE", locale.text);
		if (mkdir(locale.text, 0700) == 0 && write_ctype(file.text) &&
		    setenv("LOCPATH", dir.text, 1) == 0) {
			ok = setlocale(LC_CTYPE, "C.UTF-8") != NULL;
			unsetenv("LOCPATH");
		}
		unlink(file.text);
		rmdir(locale.text);
		rmdir(dir.text);
	}
	str_release(&dir);
	str_release(&locale);
	str_release(&file);
	return ok;
}

void alone_utf8(void)
{
	const char *const roots[] = { getenv("TMPDIR"), "/tmp", "/dev/shm", "/var/tmp", "" };
	size_t n = sizeof roots / sizeof *roots;

	for (size_t i = 0; i < n; i++)
		if (roots[i] && set_below(roots[i]))
			return;
}
