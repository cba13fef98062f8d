/* A file of stack traces. */
#include "dump/model/stacks.h"

#include "dump/base/utf8.h"
#include "tests/input.h"

static void examine(const struct stacks *stacks)
{
	for (size_t i = 0; i < stacks->nodes.len; i++) {
		const struct stack_node *node = &stacks->nodes.at[i];

		MUST(stacks_find(stacks, node->name) == node);
		for (uint32_t k = 0; k < node->n_frames; k++) {
			const struct stack_frame *frame = stacks_frame(stacks, node, k);

			MUST(frame->file < stacks->files.len && frame->function);
		}
	}
	for (size_t i = 0; i < stacks->sources.len; i++)
		MUST(utf8_count(stacks->sources.at[i].text, stacks->sources.at[i].len) <=
		     stacks->sources.at[i].len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err err = {0};
	struct stacks *stacks = stacks_open(input_file(data, size), NULL, &err);

	MUST(stacks || err.code);
	if (stacks)
		examine(stacks);
	stacks_close(stacks);
	return 0;
}
