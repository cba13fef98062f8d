/* An OpLogProto: entries and the frames of each. */
#include "dump/profile/op_log.h"

#include "tests/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err err = {0};
	struct op_log *log = op_log_open(input_file(data, size), NULL, &err);

	MUST(log || err.code);
	for (size_t i = 0; log && i < log->entries.len; i++) {
		const struct op_entry *entry = &log->entries.at[i];
		struct arena mem = {0};
		struct code_frame *frames;
		size_t n;

		MUST(entry->first_type + entry->n_types <= log->types.len);
		MUST(!*entry->name || op_log_find(log, entry->name));
		op_log_code(log, entry, &mem, &frames, &n, NULL);
		for (size_t k = 0; k < n; k++)
			MUST(frames[k].file && frames[k].function && frames[k].line);
		arena_release(&mem);
	}
	op_log_close(log);
	return 0;
}
