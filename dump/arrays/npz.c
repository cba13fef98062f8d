#include "dump/arrays/npz.h"

#include <string.h>

#include "dump/arrays/npy_head.h"
#include "dump/base/path.h"
#include "dump/format/zip.h"

#define ENDING ".npy"

static bool is_named(const char *name)
{
	return text_ends(name, ".npz");
}

static bool is_kind(enum file_kind kind)
{
	return kind == FILE_NPZ;
}

/* The array of a member; where it can't be read, the reason. */
static void put_member(const struct zip *zip, const struct zip_member *member,
                       struct array *array, struct array_list *out)
{
	struct npy_head head;
	struct input input;
	struct err err = {0};
	struct span span;
	bool ok = zip_place(zip, member, &span, &err);

	array->size_bytes = ARRAY_SIZE_UNKNOWN;
	if (ok) {
		array->off = span.off;
		array->len = span.len;
		array->unpacked = zip_is_stored(member) ? 0 : member->size;
		array->file = zip->file->path;
		ok = array_input(array, &input, &err);
		array->file = NULL;
	}
	if (ok) {
		ok = npy_head_read(&input, &head, &err);
		input_release(&input);
	}
	if (!ok) {
		array_unread(out, array, "", &err);
		return;
	}
	npy_head_put(&head, array, out->mem);
	array->has_crc = member->has_crc;
	array->crc = member->crc32;
}

static bool list_members(const struct zip *zip, struct array_list *out, struct err *err)
{
	size_t others = 0;

	for (size_t i = 0; i < zip->members.len; i++) {
		const struct zip_member *member = &zip->members.at[i];
		size_t len = strlen(member->name);

		if (!array_goes_on(out, zip->file->path, i, zip->members.len, err))
			return false;
		if (!text_ends(member->name, ENDING)) {
			others++;
			continue;
		}
		put_member(zip, member,
		           array_add(out, arena_copy(out->mem, member->name,
		                                     len - strlen(ENDING))), out);
	}
	if (others)
		array_warn(out, PROBLEM_STRANGER, NULL, 0,
		           "%zu member%s that do%s not end in .npy %s left out", others,
		           plural(others), others == 1 ? "es" : "", others == 1 ? "is" : "are");
	if (zip->repeated)
		array_warn(out, PROBLEM_STRANGER, NULL, 0,
		           "several members are called \"%s\": the last counts", zip->repeated);
	return true;
}

static bool list(const char *path, struct array_list *out, struct err *err)
{
	struct file file;
	struct zip zip = {0};
	struct err why = {0};
	bool ok;

	if (!file_open(&file, path, err))
		return false;
	ok = zip_open(&zip, &file, out->progress, &why)
	     || (why.code == ERR_FORMAT ? array_refuse(err, path, why.off, "%s.", why.msg)
	                                : (*err = why, false));
	ok = ok && list_members(&zip, out, err);
	zip_release(&zip);
	file_close(&file);
	return ok;
}

const struct array_format array_npz = {
	.op = "npz",
	.looks_for = "*.npz",
	.is_named = is_named,
	.is_kind = is_kind,
	.list = list,
	.bare_step = '_',
};
