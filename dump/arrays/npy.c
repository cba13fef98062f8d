#include "dump/arrays/npy.h"

#include <inttypes.h>

#include "dump/arrays/npy_head.h"
#include "dump/base/path.h"

static bool is_named(const char *name)
{
	return text_ends(name, ".npy");
}

static bool is_kind(enum file_kind kind)
{
	return kind == FILE_NPY;
}

static bool list(const char *path, struct array_list *out, struct err *err)
{
	struct npy_head head;
	struct array *array;
	struct input input;
	uint64_t size, behind;
	bool ok;

	if (!input_of_whole(&input, path, err))
		return false;
	size = input.size;
	ok = npy_head_read(&input, &head, err);
	input_release(&input);
	if (!ok)
		return false;
	array = array_add(out, NULL);
	array->len = size;
	npy_head_put(&head, array, out->mem);
	behind = size - head.data - head.bytes;
	if (behind)
		array_warn(out, PROBLEM_STRANGER, NULL, head.data + head.bytes,
		           "%" PRIu64 " byte%s behind the elements are left alone", behind,
		           plural(behind));
	return true;
}

const struct array_format array_npy = {
	.op = "npy",
	.looks_for = "*.npy",
	.is_named = is_named,
	.is_kind = is_kind,
	.list = list,
	.bare_step = '_',
	.by_time = true,
};
