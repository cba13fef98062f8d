/*
 * Recorded names belong to the machine of the recording, so they are made normal as text; symbolic
 * links are not followed. Only the text of a file is looked for on this machine.
 */
#include "cmds/graph/source.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "cmds/lang/words.h"
#include "cmds/session/nodes.h"
#include "cmds/session/stacks.h"
#include "dump/base/mem.h"
#include "dump/base/path.h"
#include "dump/base/utf8.h"
#include "dump/format/file.h"

#define MAX_SOURCE_BYTES (64u << 20)

bool need_stacks(struct call *call, const char *what)
{
	if (!stacks_of_position(call->shell, call->progress, &call->err))
		return false;
	if (!call->shell->stacks && shell_has_arrays(call->shell))
		return no_graph_of_arrays(call);
	if (call->on_screen)
		call->advice = "The dump holds no creation stacks: --stacks FILE names them, "
		               "or lay stacks.json beside it.";
	return call->shell->stacks ||
	       err_at(&call->err, ERR_VALUE, "command", 0,
	              "Cannot %s due to a lack of set Python graph in the dump object", what);
}

/* Paths as text. */

static bool has_drive(const char *path)
{
	return isalpha((unsigned char)path[0]) && path[1] == ':' &&
	       (path[2] == '\\' || path[2] == '/');
}

static bool is_relative(const char *path)
{
	return *path && *path != '/' && !has_drive(path);
}

/* Appends the parts of a path to one that is normal already. */
static void add_parts(struct str *out, const char *path)
{
	while (*path) {
		size_t len = strcspn(path, "/");
		char *slash = out->len ? strrchr(out->text, '/') : NULL;

		if (len == 2 && !strncmp(path, "..", 2)) {
			if (slash)
				str_cut(out, (size_t)(slash - out->text));
		} else if (len && !(len == 1 && *path == '.')) {
			str_putc(out, '/');
			str_put(out, path, len);
		}
		path += len;
		path += strspn(path, "/");
	}
}

void path_normal(struct str *out, const char *cwd, const char *path)
{
	str_reset(out);
	if (has_drive(path) || (*path != '/' && has_drive(cwd))) {
		if (!has_drive(path))
			str_fmt(out, "%s\\", cwd);
		str_puts(out, path);
		return;
	}
	if (*path != '/')
		add_parts(out, cwd);
	add_parts(out, path);
	if (!out->len)
		str_putc(out, '/');
}

/* os.path.splitext: from the last dot of the last part on, unless only dots come before it. */
static const char *extension(const char *path)
{
	const char *name = path_name(path);
	const char *dot = strrchr(name, '.');

	return dot && name + strspn(name, ".") < dot ? dot : "";
}

/* tfdbg looks for the extension in the text ".py", so the first ones pass, too. */
static const char *const python_extensions[] = { "", ".", ".p", ".py", ".pyc", ".pyo" };
enum { N_UNCOMPILED = 4, N_PYTHON = 6 };

static bool has_extension(const char *path, int n)
{
	const char *own = extension(path);

	for (int i = 0; i < n; i++)
		if (!strcasecmp(own, python_extensions[i]))
			return true;
	return false;
}

bool path_has_link(const char *path)
{
	return has_extension(path, N_UNCOMPILED);
}

static bool path_is_under(const char *path, const char *dir)
{
	size_t len = strlen(dir);

	while (len && dir[len - 1] == '/')
		len--;
	return !strncmp(path, dir, len) && (path[len] == '/' || !path[len]);
}

bool path_is_library(const struct stacks *stacks, const char *path)
{
	struct str root = {0};
	bool under = false;

	if (!has_extension(path, N_PYTHON) || text_ends(path, "_test.py") ||
	    strstr(path, "tensorflow/python/debug/examples"))
		return false;
	for (size_t i = 0; i < stacks->library_roots.len && !under; i++) {
		path_normal(&root, stacks->cwd, stacks->library_roots.at[i]);
		under = path_is_under(path, root.text);
	}
	str_release(&root);
	return under;
}

/* Paths of what was recorded. */

void source_paths_init(struct source_paths *paths, const char *cwd, const char *const *files,
                       size_t n, struct arena *mem)
{
	struct str path = {0};

	*paths = (struct source_paths){ .of_file = mem_alloc((n + 1) * sizeof *paths->of_file) };
	for (size_t i = 0; i < n; i++) {
		paths->of_file[i] = MAP_NONE;
		if (!files[i])
			continue;
		path_normal(&path, cwd, files[i]);
		paths->of_file[i] = map_add(&paths->paths, mem, path.text, path.len);
	}
	str_release(&path);
}

void source_paths_release(struct source_paths *paths)
{
	map_release(&paths->paths);
	free(paths->of_file);
	paths->of_file = NULL;
}

struct source_place *source_paths_places(const struct source_paths *paths,
                                         const struct stacks *stacks)
{
	struct source_place *places = mem_alloc((stacks->frames.len + 1) * sizeof *places);

	for (size_t i = 0; i < stacks->frames.len; i++)
		places[i] = (struct source_place){ paths->of_file[stacks->frames.at[i].file],
		                            stacks->frames.at[i].line };
	return places;
}

const char *source_paths_recorded(const struct source_paths *paths, const struct stacks *stacks,
                                  uint32_t id)
{
	const char *recorded = NULL;

	for (size_t i = 0; i < stacks->files.len; i++)
		if (paths->of_file[i] == id && (!recorded || is_relative(stacks->files.at[i])))
			recorded = stacks->files.at[i];
	return recorded;
}

size_t source_paths_find(const struct source_paths *paths, const char *cwd, const char *typed,
                         struct arena *mem, uint32_t *id, const char **path)
{
	struct str normal = {0};
	size_t fits = 0;

	path_normal(&normal, cwd, typed);
	*id = map_find(&paths->paths, normal.text, normal.len);
	*path = arena_copy(mem, normal.text, normal.len);
	if (*id != MAP_NONE) {
		fits = 1;
	} else if (*typed != '/' && !has_drive(typed)) {
		path_normal(&normal, "", typed);
		for (uint32_t i = 0; i < paths->paths.len; i++)
			if (text_ends(paths->paths.key[i], normal.text) && !fits++)
				*id = i;
		if (fits)
			*path = paths->paths.key[*id];
	}
	str_release(&normal);
	return fits;
}

/* Their text. */

static bool recorded_text(const struct stacks *stacks, const char *path, const char **text,
                          size_t *len)
{
	struct str normal = {0};
	bool found = false;

	for (size_t i = 0; stacks && i < stacks->sources.len && !found; i++) {
		const struct source *source = &stacks->sources.at[i];

		path_normal(&normal, stacks->cwd, source->file);
		found = !strcmp(normal.text, path);
		*text = source->text;
		*len = source->len;
	}
	str_release(&normal);
	return found;
}

static bool file_text(const char *path, struct arena *mem, const char **text, size_t *len)
{
	struct file file;
	char *bytes = NULL;
	bool ok = false;

	if (!file_open(&file, path, NULL))
		return false;
	if (file.size <= MAX_SOURCE_BYTES)
		bytes = arena_try(mem, (size_t)file.size);
	if (bytes && file_read(&file, 0, (size_t)file.size, bytes, NULL)) {
		*text = bytes;
		*len = (size_t)file.size;
		ok = true;
	}
	file_close(&file);
	return ok;
}

/* A source map of "." is for relative names recorded without a directory. */
bool source_mapped(const struct shell *shell, const char *path, struct arena *mem,
                   const char **text, size_t *len)
{
	struct str from = {0}, to = {0};
	bool found = false;

	for (size_t i = 0; i < shell->source_maps.len && !found; i++) {
		const struct source_map *map = &shell->source_maps.at[i];

		path_normal(&from, shell->stacks ? shell->stacks->cwd : "", map->from);
		if (from.len == 1)
			str_reset(&from);
		if (!path_is_under(path, str_text(&from)))
			continue;
		str_reset(&to);
		str_fmt(&to, "%s%s", map->to, path + from.len);
		found = file_text(to.text, mem, text, len);
	}
	str_release(&from);
	str_release(&to);
	return found;
}

static bool text_in(const char *dir, size_t dir_len, const char *name, struct arena *mem,
                    const char **text, size_t *len)
{
	static const char *const below[] = { "", "src/" };
	struct str path = {0};
	bool found = false;

	for (size_t i = 0; i < sizeof below / sizeof *below && !found; i++) {
		str_reset(&path);
		str_put(&path, dir, dir_len);
		str_fmt(&path, "/%s%s", below[i], name);
		found = file_text(path.text, mem, text, len);
	}
	str_release(&path);
	return found;
}

/* In a directory and all above it. */
static bool text_around(const char *dir, const char *name, struct arena *mem, const char **text,
                        size_t *len)
{
	char *real = realpath(dir, NULL);
	size_t n = real && real[1] ? strlen(real) : 0;   /* the root: 0 */
	bool found = false;

	for (bool more = real; more && !found; ) {
		found = text_in(real, n, name, mem, text, len);
		more = n > 0;
		while (n && real[--n] != '/')
			;
	}
	free(real);
	return found;
}

static bool relative_text(const struct shell *shell, const char *name, struct arena *mem,
                          const char **text, size_t *len)
{
	const char *beside = shell->profile ? shell->profile->dir : NULL;
	const char *run = shell->has_dump && shell->run ? shell->run->path : NULL;

	return file_text(name, mem, text, len)
	       || (beside && text_around(beside, name, mem, text, len))
	       || (run && text_around(run, name, mem, text, len));
}

/* True if nothing says which directory the name is relative to: then its normal path is made up. */
static bool is_adrift(const char *path, const char *recorded)
{
	struct str normal = {0};
	bool adrift;

	path_normal(&normal, "", recorded);
	adrift = !strcmp(normal.text, path);
	str_release(&normal);
	return adrift;
}

bool source_text(const struct shell *shell, const char *path, const char *recorded,
                 struct arena *mem, const char **text, size_t *len)
{
	bool relative = recorded && is_relative(recorded);
	bool adrift = relative && is_adrift(path, recorded);

	return recorded_text(shell->stacks, path, text, len)
	       || (!adrift && file_text(path, mem, text, len))
	       || source_mapped(shell, path, mem, text, len)
	       || (relative && relative_text(shell, recorded, mem, text, len));
}

void source_put_command(const struct shell *shell, const char *file, int64_t line,
                        struct str *out)
{
	words_put_with(out, "ps", file);
	str_fmt(out, " %s %" PRId64, session_kind(shell) == OF_PROFILE ? "--init_line" : "-b",
	        line);
}

void source_put_advice(const char *path, const char *recorded, struct str *out)
{
	const char *shown = recorded && is_adrift(path, recorded) ? recorded : path;
	const char *slash = strrchr(shown, '/'), *quote;
	struct str dir = {0};

	str_put(&dir, slash ? shown : ".", slash ? (size_t)(slash - shown) + (slash == shown) : 1);
	quote = strpbrk(dir.text, " \t\"$&();<>|*?`\\") ? "'" : "";
	str_fmt(out, "--source-map %s%s=DIR%s, where DIR holds %s now", quote, dir.text, quote,
	        slash ? slash + 1 : shown);
	str_release(&dir);
}

/* Showing it. */

void source_put_text(struct call *call, const char *text, size_t len)
{
	size_t column = 0;

	len -= len && text[len - 1] == '\r';
	if (!call->on_screen)
		doc_put_text(call->out, ROLE_TABBED, text, len);
	while (call->on_screen && len) {
		const char *tab = memchr(text, '\t', len);
		size_t n = tab ? (size_t)(tab - text) : len;

		doc_put_text(call->out, ROLE_PLAIN, text, n);
		column += utf8_columns(text, n);
		if (tab) {
			size_t blanks = TAB_COLUMNS - column % TAB_COLUMNS;

			doc_put(call->out, ROLE_PLAIN, "%*s", (int)blanks, "");
			column += blanks;
			n++;
		}
		text += n;
		len -= n;
	}
}

int source_number_width(size_t n)
{
	int width = 3;

	for (size_t power = 1; power < n; power *= 10)
		width++;
	return width;
}

size_t source_count_lines(const char *text, size_t len)
{
	size_t n = 1;

	for (const char *end = text + len; (text = memchr(text, '\n', (size_t)(end - text)));
	     text++)
		n++;
	return n;
}
