#include "cmds/graph/traceback.h"

#include <inttypes.h>

#include "cmds/lang/words.h"
#include "cmds/session/session.h"

void traced_put(struct doc *doc, uint32_t depth, const struct traced *frame)
{
	bool has_text = frame->text && *frame->text;

	doc_line_put(doc, ROLE_PLAIN, "%" PRIu32 ": %s", depth, frame->file);
	doc_put(doc, ROLE_PLAIN, "  ");
	if (has_text) {
		struct str line = {0}, command = {0};

		str_fmt(&line, "Line:     %" PRId64, frame->line);
		words_put_with(&command, "ps", frame->file);
		if (frame->host)
			words_put_with(&command, " --host", frame->host);
		doc_link(doc, ROLE_PLAIN, line.text, "%s -b %" PRId64, command.text, frame->line);
		str_release(&line);
		str_release(&command);
	} else {
		doc_put(doc, ROLE_PLAIN, "Line:     %" PRId64, frame->line);
	}
	doc_newline(doc);
	doc_line_put(doc, ROLE_PLAIN, "  Function: %s", frame->function);
	doc_line_put(doc, ROLE_PLAIN, has_text ? "  Text:     \"%s\"" : "  Text:     None",
	             frame->text);
	doc_newline(doc);
}

void traced_put_keys(const struct traced *frame, struct data *data)
{
	data_key(data, "file");
	data_str(data, frame ? frame->file : NULL);
	data_key(data, "line");
	if (frame)
		data_int(data, frame->line);
	else
		data_null(data);
	data_key(data, "function");
	data_str(data, frame ? frame->function : NULL);
	data_key(data, "text");
	data_str(data, frame ? frame->text : NULL);
}

static struct traced frame_of(const struct stacks *stacks, const struct stack_node *node,
                              uint32_t i)
{
	const struct stack_frame *frame = stacks_frame(stacks, node, i);

	return (struct traced){ stacks->files.at[frame->file], frame->function, frame->line,
	                        frame->text, NULL };
}

void traceback_put(struct call *call, const char *name)
{
	const struct stacks *stacks = call->shell->stacks;
	const struct stack_node *node = stacks ? stacks_find(stacks, name) : NULL;
	struct doc *doc = call->out;

	doc_newline(doc);
	doc_newline(doc);
	doc_line_put(doc, ROLE_STRONG, TRACEBACK_HEADING);
	if (!stacks)
		doc_line_put(doc, ROLE_PLAIN,
		             "(Unavailable because no Python graph has been loaded)");
	else if (!node)
		doc_line_put(doc, ROLE_PLAIN, "(Node unavailable in the loaded Python graph)");
	for (uint32_t i = 0; node && i < node->n_frames; i++) {
		struct traced frame = frame_of(stacks, node, i);

		traced_put(doc, i, &frame);
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
		struct traced frame = frame_of(stacks, node, i);

		data_object(data);
		traced_put_keys(&frame, data);
		data_end(data);
	}
	data_end(data);
}
