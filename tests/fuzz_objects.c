/* The graph of objects of a checkpoint, from the length of its text on, in a shard. */
#include "dump/arrays/checkpoint_names.h"

#include <string.h>

#include "tests/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const names[] = { "a", "net/b", "net/layers/0/w" };
	struct checkpoint checkpoint = { .n_shards = 1, .has_objects = true,
	                                 .objects = { .size_bytes = size } };
	struct str prefix = {0};
	struct err err = {0};
	bool ok;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		vec_push(&checkpoint.tensors, ((struct checkpoint_tensor){ .name = names[i] }));
	str_fmt(&prefix, "%s/m", input_dir());
	input_put("m.data-00000-of-00001", data, size);
	ok = checkpoint_read_names(prefix.text, &checkpoint, NULL, &err);
	MUST(ok == (err.code == ERR_NONE));
	for (size_t i = 0; i < checkpoint.tensors.len; i++) {
		const char *full = checkpoint.tensors.at[i].full_name;

		MUST(!full || (*full && strcmp(full, names[i]) != 0));
	}
	checkpoint_release(&checkpoint);
	str_release(&prefix);
	return 0;
}
