#include "cmds/program/stack_text.h"

#include <inttypes.h>
#include <string.h>

#include "cmds/doc/figure.h"
#include "cmds/graph/traceback.h"
#include "cmds/program/source_files.h"

/* A frame in words; `traced` points into file and text. */
struct told {
	struct traced traced;
	struct str file, text;
};

static void told_release(struct told *told)
{
	str_release(&told->file);
	str_release(&told->text);
}

/* Trimmed, as in Python's tracebacks. */
static bool take_line(void *owner, uint32_t line, const char *text, size_t len)
{
	(void)line;
	while (len && strchr(" \t\r\f", *text))
		text++, len--;
	while (len && strchr(" \t\r\f", text[len - 1]))
		len--;
	str_put(owner, text, len);
	return false;
}

static void tell(struct program_reads *reads, const struct program_frame *frame, struct told *told,
                 struct err *first)
{
	const struct program *program = reads->program;
	const struct program_source *source =
		frame->source == PROGRAM_NONE ? NULL : &program->sources.at[frame->source];
	struct err err = {0};

	str_reset(&told->text);
	if (source && frame->line > 0 && frame->line <= source->n_lines &&
	    !program_source_lines(reads, frame->source, (uint32_t)frame->line - 1, take_line,
	                          &told->text, &err) && !first->code)
		*first = err;
	told->traced = (struct traced){
		.file = source ? source->path : NULL,
		.function = frame->function, .line = frame->line,
		.text = told->text.len ? told->text.text : NULL,
		.host = source ? source_host(program, frame->source) : NULL,
	};
}

static void put_frame(struct doc *doc, struct program_reads *reads, uint32_t depth,
                      const struct program_frame *frame, struct told *told,
                      struct err *first)
{
	tell(reads, frame, told, first);
	if (frame_is_elsewhere(reads->program, frame)) {
		str_reset(&told->file);
		put_unknown_file(&told->file, frame->file_index);
		told->traced.file = told->file.text;
	}
	traced_put(doc, depth, &told->traced);
}

static const struct program_frame *frame_at(const struct program *program, uint32_t stack,
                                            uint32_t i)
{
	size_t first = program->stacks.at[stack].first;

	return &program->frames.at[program->stack_frames.at[first + i]];
}

void stack_put(struct doc *doc, struct program_reads *reads, uint32_t stack, struct err *first)
{
	const struct program *program = reads->program;
	struct told told = {0};

	if (stack == PROGRAM_NONE || !program->stacks.at[stack].n_frames)
		doc_line_put(doc, ROLE_PLAIN, "(No stack was recorded)");
	for (uint32_t i = 0; stack != PROGRAM_NONE && i < program->stacks.at[stack].n_frames; i++) {
		const struct program_frame *frame = frame_at(program, stack, i);

		if (frame->recorded) {
			put_frame(doc, reads, i, frame, &told, first);
		} else {
			doc_line_put(doc, ROLE_PLAIN, "%" PRIu32 ": <unknown frame %s>", i,
			             frame->id);
			doc_newline(doc);
		}
	}
	told_release(&told);
}

static void put_frame_data(struct program_reads *reads, const struct program_frame *frame,
                           struct told *told, struct data *data, struct err *first)
{
	const char *host = NULL;

	if (frame->recorded) {
		tell(reads, frame, told, first);
		if (frame->source != PROGRAM_NONE)
			host = reads->program->sources.at[frame->source].host;
	}
	data_object(data);
	traced_put_keys(frame->recorded ? &told->traced : NULL, data);
	key_str(data, "host", host);
	key_str(data, "frame", frame->id);
	data_end(data);
}

void stack_put_data(struct program_reads *reads, uint32_t stack, struct data *data,
                    struct err *first)
{
	const struct program *program = reads->program;
	struct told told = {0};

	if (stack == PROGRAM_NONE) {
		data_null(data);
		return;
	}
	data_list(data);
	for (uint32_t i = 0; i < program->stacks.at[stack].n_frames; i++)
		put_frame_data(reads, frame_at(program, stack, i), &told, data, first);
	data_end(data);
	told_release(&told);
}
