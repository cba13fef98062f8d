#include "cmds/graph/traceback.h"

#include <inttypes.h>

#include "cmds/lang/words.h"
#include "cmds/session/session.h"

static void put_frame(struct doc *doc, uint32_t depth, const char *file,
                      const struct stack_frame *frame)
{
	bool has_text = frame->text && *frame->text;

	doc_line_put(doc, ROLE_PLAIN, "%" PRIu32 ": %s", depth, file);
	doc_put(doc, ROLE_PLAIN, "  ");
	if (has_text) {
		struct str line = {0}, word = {0};

		str_fmt(&line, "Line:     %" PRIu32, frame->line);
		words_put(&word, file);
		doc_link(doc, ROLE_PLAIN, line.text, "ps %s -b %" PRIu32, word.text, frame->line);
		str_release(&line);
		str_release(&word);
	} else {
		doc_put(doc, ROLE_PLAIN, "Line:     %" PRIu32, frame->line);
	}
	doc_newline(doc);
	doc_line_put(doc, ROLE_PLAIN, "  Function: %s", frame->function);
	doc_line_put(doc, ROLE_PLAIN, has_text ? "  Text:     \"%s\"" : "  Text:     None",
	             frame->text);
	doc_newline(doc);
}

void traceback_put(struct call *call, const char *name)
{
	const struct stacks *stacks = call->shell->stacks;
	const struct stack_node *node = stacks ? stacks_find(stacks, name) : NULL;
	struct doc *doc = call->out;

	doc_newline(doc);
	doc_newline(doc);
	doc_line_put(doc, ROLE_STRONG, "Traceback of node construction:");
	if (!stacks)
		doc_line_put(doc, ROLE_PLAIN,
		             "(Unavailable because no Python graph has been loaded)");
	else if (!node)
		doc_line_put(doc, ROLE_PLAIN, "(Node unavailable in the loaded Python graph)");
	for (uint32_t i = 0; node && i < node->n_frames; i++) {
		const struct stack_frame *frame = stacks_frame(stacks, node, i);

		put_frame(doc, i, stacks->files.at[frame->file], frame);
	}
}

void traceback_put_data(const struct stacks *stacks, const char *name, struct data *data)
{
	const struct stack_node *node = stacks ? stacks_find(stacks, name) : NULL;

	if (!node) {
		data_null(data);
		return;
	}
	data_list(data);
	for (uint32_t i = 0; i < node->n_frames; i++) {
		const struct stack_frame *frame = stacks_frame(stacks, node, i);

		data_object(data);
		data_key(data, "file");
		data_str(data, stacks->files.at[frame->file]);
		data_key(data, "line");
		data_uint(data, frame->line);
		data_key(data, "function");
		data_str(data, frame->function);
		data_key(data, "text");
		data_str(data, frame->text);
		data_end(data);
	}
	data_end(data);
}
