/* What an op log says about nodes: types, float operations and tracebacks. */
#include <string.h>

#include "dump/tfprof/tfprof_parts.h"

#define STEP_ENTRIES 4096        /* between two looks at progress */

static uint32_t text_id(struct tfprof_builder *b, const char *text)
{
	return map_add(&b->tfprof->texts, &b->tfprof->mem, text, strlen(text));
}

/* Many nodes share frames: each is kept once. */
static uint32_t add_frame(struct tfprof_builder *b, const struct code_frame *code)
{
	struct tfprof *t = b->tfprof;
	struct tfprof_frame frame = {
		text_id(b, code->file), text_id(b, code->function), code->lineno,
		code->func_start_line,
	};
	uint32_t id;

	str_reset(&b->key);
	str_fmt(&b->key, "%u %u %d %d", frame.file, frame.function, (int)frame.line,
	        (int)frame.function_line);
	id = map_add(&b->frame_keys, &t->mem, b->key.text, b->key.len);
	if (id == t->frames.len)
		vec_push(&t->frames, frame);
	return id;
}

void tfprof_add_stack(struct tfprof_builder *b, uint32_t node, const struct code_frame *frames,
                      size_t n)
{
	struct tfprof *t = b->tfprof;

	t->nodes.at[node].first_frame = (uint32_t)t->stacks.len;
	t->nodes.at[node].n_frames = (uint32_t)n;
	for (size_t i = 0; i < n; i++)
		vec_push(&t->stacks, add_frame(b, &frames[i]));
}

void tfprof_add_type(struct tfprof_builder *b, uint32_t node, const char *type)
{
	vec_push(&b->extra_types, ((struct extra_type){ node, text_id(b, type) }));
}

static void add_entry(struct tfprof_builder *b, struct op_log *log, const struct op_entry *entry)
{
	struct tfprof *t = b->tfprof;
	uint32_t node = map_find(&t->names, entry->name, strlen(entry->name));
	struct arena scratch = {0};
	struct code_frame *frames;
	size_t n;

	if (node == MAP_NONE)
		return;
	if (entry->float_ops)
		t->nodes.at[node].float_ops = entry->float_ops;
	for (size_t i = 0; i < entry->n_types; i++)
		tfprof_add_type(b, node, log->types.at[entry->first_type + i]);
	if (!entry->code.len)
		return;
	t->has_traces = true;
	if (op_log_code(log, entry, &scratch, &frames, &n, &b->found))
		tfprof_add_stack(b, node, frames, n);
	tfprof_note_damage(b);
	arena_release(&scratch);
}

bool tfprof_read_op_log(struct tfprof_builder *b, struct op_log *log)
{
	for (size_t i = 0; i < log->entries.len; i++) {
		if (i % STEP_ENTRIES == 0 && !progress_step(b->progress, i, log->entries.len))
			return err_at(&b->found, ERR_CANCELLED, log->path, 0, "cancelled");
		add_entry(b, log, &log->entries.at[i]);
	}
	return true;
}
