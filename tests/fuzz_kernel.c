/* Labels of records, and names of kernels: demangled, made short. */
#include "cmds/profile/kernel_short.h"

#include <stdlib.h>
#include <string.h>

#include "dump/profile/demangle.h"
#include "dump/profile/label.h"
#include "tests/input.h"

static void must_lie_in(const struct text *part, const char *text, size_t len)
{
	MUST(!part->len || (part->at >= text && part->at + part->len <= text + len));
}

static void read_labels(const char *text, size_t len)
{
	struct op_label op;
	struct gpu_label gpu;
	struct text input;
	char way[4];
	size_t n = 0;

	if (label_op(text, len, &op)) {
		must_lie_in(&op.op, text, len);
		must_lie_in(&op.inputs, text, len);
		for (; label_input(&op.inputs, &input); n++)
			must_lie_in(&input, text, len);
		MUST(n <= len + 1);
	}
	label_gpu(text, len, &gpu);
	must_lie_in(&gpu.activity, text, len);
	must_lie_in(&gpu.kernel, text, len);
	must_lie_in(&gpu.launch, text, len);
	MUST(label_copy_bytes(gpu.activity) >= 0);
	label_copy_way(gpu.activity, (struct text){ text, len }, way);
	MUST(memchr(way, '\0', sizeof way));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = input_text(data, size);
	struct str name = {0}, again = {0}, brief = {0};
	size_t len = strlen(text);

	read_labels(text, len);
	if (demangle(text, len, &name)) {
		MUST(name.len <= DEMANGLE_MAX || name.len == len);
		MUST(demangle(str_text(&name), name.len, &again));
		MUST(again.len == name.len && !memcmp(str_text(&again), str_text(&name), name.len));
	}
	put_kernel_short(&brief, str_text(&name), name.len);
	MUST(brief.len <= 4 * name.len + 16);    /* "..." may stand for one letter */
	str_release(&name);
	str_release(&again);
	str_release(&brief);
	free(text);
	return 0;
}
