#include "cmds/session/themes.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmds/session/user_files.h"
#include "dump/format/file.h"

enum { MAX_BYTES = 64 * 1024, MAX_FILES = 1000 };

const struct theme_name shipped_themes[N_SHIPPED_THEMES] = {
#define X(id, name, summary) { name, summary },
	SHIPPED_THEMES(X)
#undef X
};

bool theme_name_ok(const char *name)
{
	static const char may[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	                          "0123456789_-.";
	size_t len = strspn(name, may);

	return len && !name[len] && *name != '.' && len < THEME_NAME_MAX;
}

bool theme_file_path(const char *name, struct str *path)
{
	struct str file = {0};
	bool ok;

	str_fmt(&file, "themes/%s", name);
	ok = user_file_path(file.text, path);
	str_release(&file);
	return ok;
}

bool theme_exists(const char *name)
{
	struct str path = {0};
	bool found = !strcmp(name, THEME_AUTO);

	for (int i = 0; !found && i < N_SHIPPED_THEMES; i++)
		found = !strcmp(name, shipped_themes[i].name);
	if (!found && theme_name_ok(name))
		found = theme_file_path(name, &path) && access(path.text, F_OK) == 0;
	str_release(&path);
	return found;
}

void theme_files_list(struct theme_files *files)
{
	struct str path = {0};
	DIR *dir = theme_file_path("", &path) ? opendir(path.text) : NULL;
	struct dirent *entry;

	*files = (struct theme_files){0};
	while (dir && files->names.len < MAX_FILES && (entry = readdir(dir)))
		if (theme_name_ok(entry->d_name) && strcmp(entry->d_name, THEME_AUTO) != 0)
			vec_push(&files->names, mem_copy(entry->d_name, strlen(entry->d_name)));
	if (dir)
		closedir(dir);
	if (files->names.len)
		qsort(files->names.at, files->names.len, sizeof *files->names.at, texts_order);
	str_release(&path);
}

void theme_files_release(struct theme_files *files)
{
	for (size_t i = 0; i < files->names.len; i++)
		free(files->names.at[i]);
	vec_release(&files->names);
}

bool theme_file_read(const char *name, struct str *path, struct str *text, struct err *err)
{
	struct file file;
	const void *bytes;
	bool ok = false;

	if (!theme_name_ok(name) || !theme_file_path(name, path) || access(path->text, F_OK) != 0 ||
	    !file_open(&file, path->text, err))
		return false;
	if (file.size > MAX_BYTES) {
		err_fill(err, ERR_LIMIT, path->text, 0, "larger than %d KiB", MAX_BYTES / 1024);
	} else {
		bytes = file.size ? file_bytes(&file, 0, (size_t)file.size, err) : "";
		ok = bytes;
		if (ok)
			str_put(text, bytes, (size_t)file.size);
	}
	file_close(&file);
	return ok;
}
