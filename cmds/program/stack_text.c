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

static bool is_of_library(const struct program *program, const struct program_frame *frame)
{
	return frame->source != PROGRAM_NONE && !frame_is_elsewhere(program, frame) &&
	       is_library_file(program->sources.at[frame->source].path);
}

/* How many frames from this one on are of libraries, one after the other. */
static uint32_t library_frames(const struct program *program, uint32_t stack, uint32_t i)
{
	uint32_t n = program->stacks.at[stack].n_frames, begin = i;

	while (i < n && is_of_library(program, frame_at(program, stack, i)))
		i++;
	return i - begin;
}

/* "3-14: 12 library frames" */
static void put_folded(struct doc *doc, uint32_t first, uint32_t n, const char *unfold)
{
	struct str text = {0};

	str_fmt(&text, "%" PRIu32 " library frames", n);
	doc_put(doc, ROLE_PLAIN, "%" PRIu32 "-%" PRIu32 ": ", first, first + n - 1);
	doc_link(doc, ROLE_PLAIN, text.text, "%s", unfold);
	doc_newline(doc);
	doc_newline(doc);
	str_release(&text);
}

void stack_put(struct doc *doc, struct program_reads *reads, uint32_t stack, const char *unfold,
               struct err *first)
{
	const struct program *program = reads->program;
	uint32_t n = stack == PROGRAM_NONE ? 0 : program->stacks.at[stack].n_frames, folded;
	struct told told = {0};

	if (!n)
		doc_line_put(doc, ROLE_PLAIN, "(No stack was recorded)");
	for (uint32_t i = 0; i < n; i++) {
		const struct program_frame *frame = frame_at(program, stack, i);

		folded = unfold ? library_frames(program, stack, i) : 0;
		if (folded > 1) {
			put_folded(doc, i, folded, unfold);
			i += folded - 1;
		} else if (frame->recorded) {
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
