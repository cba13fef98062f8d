#include "dump/arrays/safetensors.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dump/base/map.h"
#include "dump/base/path.h"
#include "dump/format/file.h"
#include "dump/format/json.h"

#define ENDING ".safetensors.index.json"

/* A tensor, and the file that is to hold it. */
struct mapped {
	const char *name, *file;
};
typedef VEC(struct mapped) weight_map;

static bool is_named(const char *name)
{
	return text_ends(name, ENDING);
}

static bool is_kind(enum file_kind kind)
{
	return kind == FILE_SAFETENSORS_INDEX;
}

/* A name in the index's own directory, not a path. */
static bool is_plain(const char *name)
{
	return *name && *name != '.' && !strchr(name, '/');
}

static const char *keep(struct array_list *out, const struct str *text)
{
	return arena_copy(out->mem, str_text(text), strlen(str_text(text)));
}

static bool read_map(struct json *json, struct array_list *out, weight_map *map)
{
	if (!json_object(json))
		return false;
	while (json_more(json)) {
		struct mapped one = { .name = keep(out, &json->key) };

		if (!json_string(json))
			return false;
		one.file = keep(out, &json->text);
		if (!is_plain(one.file))
			return json_refuse(json, "a path in place of a file's name: %.80s",
			                   one.file);
		vec_push(map, one);
	}
	return !json->failed;
}

static bool read_index(const char *path, struct array_list *out, weight_map *map, struct err *err)
{
	struct json json = {0};
	struct err why = {0};
	struct file file;
	bool ok;

	if (!file_open(&file, path, err))
		return false;
	json_start(&json, &file, &why);
	ok = json_object(&json);
	while (ok && json_more(&json))
		ok = strcmp(str_text(&json.key), "weight_map") ? json_skip(&json)
		                                               : read_map(&json, out, map);
	ok = ok && !json.failed && json_end(&json);
	json_release(&json);
	file_close(&file);
	return ok || array_refuse(err, path, why.off, "no index of safetensors: %s.", why.msg);
}

static int by_file(const void *a, const void *b)
{
	const struct mapped *x = a, *y = b;

	return strcmp(x->file, y->file);
}

static void add_missing(struct array_list *out, const struct mapped *at, size_t n,
                        const char *device)
{
	for (size_t i = 0; i < n; i++) {
		struct array *array = array_add(out, at[i].name);

		array->size_bytes = ARRAY_SIZE_UNKNOWN;
		array->device = device;
		array->not_stored = "not here";
	}
	array_warn(out, PROBLEM_CUT, at->file, 0, "not here: the index says that it has %zu "
	           "tensor%s", n, plural(n));
}

/* What the file holds of which the index says n tensors. False after a cancel. */
static bool list_file(const char *dir, const struct mapped *at, size_t n, bool several,
                      struct array_list *out, struct err *err)
{
	const char *device = several ? at->file : NULL;
	size_t before = out->at.len;
	struct str path = {0};
	struct err why = {0};
	const char *file;

	str_fmt(&path, "%s/%s", dir, at->file);
	file = arena_copy(out->mem, path.text, path.len);
	str_release(&path);
	if (!file_is_there(file)) {
		add_missing(out, at, n, device);
		return true;
	}
	if (!safetensors_list(file, device, out, &why)) {
		if (why.code == ERR_CANCELLED)
			*err = why;
		array_warn(out, problem_of_err(&why), at->file, 0, "%s", why.msg);
		vec_last(&out->problems)->nodes = "";
	}
	for (size_t i = before; i < out->at.len; i++)
		out->at.at[i]->file = file;
	return !err->code;
}

static bool list(const char *path, struct array_list *out, struct err *err)
{
	const char *dir = path_directory(out->mem, path);
	weight_map map = {0};
	bool ok = read_index(path, out, &map, err), several;

	if (map.len)
		qsort(map.at, map.len, sizeof *map.at, by_file);
	several = map.len && strcmp(map.at[0].file, vec_last(&map)->file) != 0;
	for (size_t i = 0, n; ok && i < map.len; i += n) {
		for (n = 1; i + n < map.len && !strcmp(map.at[i].file, map.at[i + n].file); n++)
			;
		ok = list_file(dir, &map.at[i], n, several, out, err)
		     && array_goes_on(out, path, i + n, map.len, err);
	}
	vec_release(&map);
	return ok;
}

/* model-00001-of-00003.safetensors belongs to model.safetensors.index.json. */
static bool owns(const char *path, const char *other)
{
	size_t stem = strlen(path) - strlen(ENDING), digits;
	const char *at = other + stem;

	if (!text_ends(path, ENDING) || strncmp(path, other, stem) != 0 || *at++ != '-')
		return false;
	digits = strspn(at, "0123456789");
	if (!digits || strncmp(at + digits, "-of-", 4) != 0)
		return false;
	at += digits + 4;
	digits = strspn(at, "0123456789");
	return digits && !strcmp(at + digits, ".safetensors");
}

const struct array_format array_safetensors_index = {
	.op = "safetensors",
	.looks_for = "*" ENDING,
	.is_named = is_named,
	.is_kind = is_kind,
	.list = list,
	.owns = owns,
};
