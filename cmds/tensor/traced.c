#include "cmds/tensor/traced.h"

#include <inttypes.h>
#include <string.h>

#include "cmds/array/array.h"
#include "cmds/doc/again.h"
#include "cmds/program/graph_names.h"
#include "cmds/program/occurrences.h"
#include "cmds/program/tensor_rows.h"
#include "cmds/tensor/magnitude.h"

enum { STRIP_SIGNS = 24, LEAST_SIGNS = 4 };

/* Going from one occurrence to another. */

static const struct doc_key to_occurrences[] = {
	{ DOC_KEY_PAIR(']', 'i'), .help = "the next occurrence in the step",
	  .hint_keys = "]i", .hint = "occurrence", .way = KEY_REWRITES, .n = 1 },
	{ DOC_KEY_PAIR('[', 'i'), .help = "the previous one", .way = KEY_REWRITES, .n = -1 },
};
const struct doc_keys traced_keys = { "In values of tensors that occur again and again",
                                      DOC_KEYS(to_occurrences) };

struct typed_line {
	const struct cmd *cmd;
	struct args args;
	const uint32_t *traces;
	size_t n, at;
};

static struct opt_value *option(const struct cmd *cmd, struct args *args, const char *name)
{
	for (size_t i = 0; i < cmd->n_opts; i++)
		if (!strcmp(cmd->opts[i].name, name))
			return &args->opt[i];
	return NULL;
}

static void leave_out(const struct cmd *cmd, struct args *args, const char *name)
{
	struct opt_value *opt = option(cmd, args, name);

	if (opt)
		*opt = (struct opt_value){0};
}

static bool put_other(void *context, const struct doc_at *at, struct str *out)
{
	const struct typed_line *line = context;
	int64_t to = (int64_t)line->at + at->n;
	struct args args = line->args;

	if (to < 0 || to >= (int64_t)line->n) {
		str_fmt(out, "No more: it occurs %zu times in this step", line->n);
		return false;
	}
	*option(line->cmd, &args, "trace") = (struct opt_value){ .given = true,
	                                                         .number = line->traces[to] };
	leave_out(line->cmd, &args, "number");
	leave_out(line->cmd, &args, "write_path");
	again_put(line->cmd, &args, out);
	return true;
}

/* Signs that there is room for behind a text, with the brackets around one of them. */
static size_t signs_behind(const struct call *call, const struct str *text)
{
	size_t taken = text->len + strlen("[]"), cols = call->cols > 0 ? (size_t)call->cols : 0;

	if (!cols || cols >= taken + STRIP_SIGNS)
		return STRIP_SIGNS;
	return cols > taken + LEAST_SIGNS ? cols - taken : LEAST_SIGNS;
}

/* "Occurrence 3 of 8 in step #0: ..[.]...!!" */
static void put_occurrence(struct call *call, const struct typed_line *line, uint32_t step)
{
	struct str text = {0};

	str_fmt(&text, "Occurrence %zu of %zu in step #%" PRIu32 ": ", line->at + 1, line->n, step);
	put_strip(&text, call->shell->program, line->traces, line->n, line->at,
	          signs_behind(call, &text));
	doc_line_put(call->out, ROLE_PLAIN, "%s", text.text);
	str_release(&text);
}

/* "Largest element: .[=]#  9 to 27" */
static void put_magnitudes(struct call *call, const struct typed_line *line)
{
	struct magnitudes magnitudes;
	struct str text = {0};

	if (!magnitudes_read(&magnitudes, call->shell->program, line->traces, line->n,
	                     call->progress))
		return;
	str_puts(&text, "Largest element: ");
	magnitudes_put(&magnitudes, line->at, signs_behind(call, &text), call->canvas.blocks,
	               &text);
	doc_line_put(call->out, ROLE_PLAIN, "%s  %.4g to %.4g", text.text, magnitudes.least,
	             magnitudes.most);
	magnitudes_release(&magnitudes);
	str_release(&text);
}

static void tell_occurrence(struct call *call, const struct occurrences *occurrences,
                            const struct program_tensor *tensor)
{
	struct arena *mem = doc_mem(call->out);
	struct typed_line *line = arena_alloc(mem, sizeof *line);
	const uint32_t *traces = occurrences_of(occurrences, tensor->trace, &line->n);
	uint32_t *kept = arena_alloc(mem, line->n * sizeof *kept);

	if (line->n < 2 || !option(call->cmd, &call->args, "trace"))
		return;
	line->cmd = call->cmd;
	line->args = again_keep(call, mem);
	line->traces = memcpy(kept, traces, line->n * sizeof *kept);
	while (traces[line->at] != tensor->trace)
		line->at++;
	put_occurrence(call, line, tensor->step);
	put_magnitudes(call, line);
	doc_bring_keys(call->out, &traced_keys, put_other, line);
}

/* The occurrences in the tensor's step; NULL: not on a screen, or not traced in a step. */
static struct occurrences *occurrences_near(struct call *call, const struct program_tensor *tensor)
{
	if (!call->on_screen || tensor->trace == PROGRAM_NONE || tensor->step == PROGRAM_NONE)
		return NULL;
	return occurrences_new(call->shell->program, tensor->step);
}

bool traced_find(struct call *call, const char *tensor, const struct tensor_words *words,
                 struct request *req)
{
	struct tensor_words bare = *words;
	struct occurrences *occurrences;

	bare.word = tensor;
	if (!choose_tensor(call, &bare, &req->traced, &req->chosen))
		return false;
	if (req->chosen)
		req->number = call->shell->program->traces.at[req->traced.trace].dump;
	occurrences = occurrences_near(call, &req->traced);
	if (occurrences)
		tell_occurrence(call, occurrences, &req->traced);
	occurrences_free(occurrences);
	return true;
}

struct value *traced_value(struct call *call, const struct request *req, struct err *err)
{
	struct program_reads reads = { .program = call->shell->program };
	struct value *value = program_value(&reads, &req->traced, err);
	struct str why = {0};

	if (!value && err->code == ERR_MISSING) {
		put_not_stored(&why, reads.program, &req->traced);
		*err = (struct err){0};
		err_fill(err, ERR_MISSING, "command", 0, "%s", why.text);
		str_release(&why);
	}
	program_reads_release(&reads);
	return value;
}

const char *traced_origin(struct call *call, const struct request *req)
{
	static const char *const belongs[] = {
		[PROGRAM_SURE] = "step #", [PROGRAM_PROBABLE] = "probably step #",
		[PROGRAM_BACKGROUND] = "in the background of step #",
		[PROGRAM_UNATTRIBUTED] = "of no step, pass ",
	};
	const struct program *program = call->shell->program;
	const struct program_trace *trace;
	struct str text = {0};
	const char *out;

	if (req->traced.trace == PROGRAM_NONE) {
		if (program_slot(program, &req->traced) >= 0)
			return NULL;
		return "(which output it is, is not known)";
	}
	trace = &program->traces.at[req->traced.trace];
	str_fmt(&text, "(%s%" PRIu32 ", graph ", belongs[trace->attribution], trace->owner);
	put_graph_path(&text, program, tensor_graph(program, &req->traced));
	str_putc(&text, ')');
	out = arena_copy(call->mem, text.text, text.len);
	str_release(&text);
	return out;
}

/* ---- typed */

/* A tensor of a program, for answers that outlive the call. */
struct traced_row {
	const struct program *program;
	struct program_tensor tensor;
	const char *reason;      /* why its value was not stored */
};

static bool put_row(const void *row, struct data *data, struct err *err)
{
	const struct traced_row *traced = row;
	struct program_reads reads = { .program = traced->program };

	tensor_put_keys(&reads, &traced->tensor, data, err);
	program_reads_release(&reads);
	return !err->code;
}

static struct traced_row *row_new(struct call *call, const struct request *req)
{
	struct traced_row *row = arena_alloc(doc_mem(call->out), sizeof *row);

	*row = (struct traced_row){ call->shell->program, req->traced, NULL };
	return row;
}

void traced_type(struct call *call, const struct request *req, struct value_data *out)
{
	out->row = row_new(call, req);
	out->put_row = put_row;
}

static bool put_known_data(void *context, struct data *data, struct progress *progress,
                           struct err *err)
{
	const struct traced_row *row = context;

	(void)progress;
	data_object(data);
	if (!put_row(row, data, err))
		return false;
	data_key(data, "slice");
	data_null(data);
	data_key(data, "state");
	data_str(data, "not_stored");
	data_key(data, "data");
	data_null(data);
	data_key(data, "reason");
	data_str(data, row->reason);
	data_end(data);
	return true;
}

/* ---- what is known without the value */

static void put_form(struct doc *doc, const struct health *health)
{
	const struct dtype_info *type = dtype_on_wire(health->dtype);
	struct str text = {0};

	if (health->known & HEALTH_DTYPE) {
		if (type)
			doc_line_put(doc, ROLE_PLAIN, "  dtype: %s", type->prints);
		else
			doc_line_put(doc, ROLE_PLAIN, "  dtype: %" PRIu32, health->dtype);
	}
	if (health->known & HEALTH_SHAPE) {
		put_shape(&text, &health->shape);
		doc_line_put(doc, ROLE_PLAIN, "  shape: %s", text.text);
	} else if (health->known & HEALTH_RANK) {
		doc_line_put(doc, ROLE_PLAIN, "  rank: %" PRIu64, health->rank);
	}
	if (health->known & HEALTH_SIZE)
		doc_line_put(doc, ROLE_PLAIN, "  size: %" PRIu64, health->size);
	str_release(&text);
}

static void put_count(struct doc *doc, const char *what, uint64_t n, bool bad)
{
	doc_put(doc, ROLE_PLAIN, "  ");
	doc_put(doc, bad && n ? ROLE_BAD : ROLE_PLAIN, "%s: %" PRIu64, what, n);
}

static void put_counts(struct doc *doc, const struct health *health)
{
	if (health->known & HEALTH_COUNTS) {
		put_count(doc, "nan", health->nan, true);
		put_count(doc, "-inf", health->neg_inf, true);
		put_count(doc, "+inf", health->pos_inf, true);
	} else if (health->known & HEALTH_BAD) {
		doc_put(doc, ROLE_PLAIN, "  ");
		doc_put(doc, health->bad ? ROLE_BAD : ROLE_PLAIN, "%s",
		        health->bad ? "has NaN or Inf" : "no NaN, no Inf");
	}
	if (health->known & HEALTH_SIGNS) {
		put_count(doc, "negative", health->negative, false);
		put_count(doc, "zero", health->zero, false);
		put_count(doc, "positive", health->positive, false);
	}
	if (health->known & (HEALTH_BAD | HEALTH_COUNTS | HEALTH_SIGNS))
		doc_newline(doc);
}

static void put_when_and_where(struct doc *doc, const struct program *program,
                               const struct program_tensor *tensor)
{
	const char *device = tensor_device(program, tensor);
	int64_t us;

	if (program_time_us(program, program_tensor_time(program, tensor), &us))
		doc_line_put(doc, ROLE_PLAIN, "  time: %.3f ms", (double)us / 1000);
	if (device)
		doc_line_put(doc, ROLE_PLAIN, "  device: %s", device);
}

static void put_known(struct call *call, const struct request *req)
{
	struct program_reads reads = { .program = call->shell->program };
	struct health health = {0};
	struct err err = {0};

	put_when_and_where(call->out, reads.program, &req->traced);
	if (program_health(&reads, &req->traced, &health, call->progress, &err)) {
		put_form(call->out, &health);
		put_counts(call->out, &health);
	} else {
		put_file_error(call->out, &err);
	}
	program_reads_release(&reads);
}

void traced_show_known(struct call *call, const struct request *req, const char *why)
{
	const char *origin = request_origin(call, req);
	struct traced_row *row;
	struct str label = {0};

	if (req->slice) {
		call_error(call, "ERROR: %s", why);
		return;
	}
	request_label(call, req, &label);
	doc_put(call->out, ROLE_PLAIN, "Tensor \"");
	doc_put(call->out, ROLE_STRONG, "%s", label.text);
	doc_line_put(call->out, ROLE_PLAIN, "\"%s%s:", origin ? " " : "", origin ? origin : "");
	put_known(call, req);
	doc_newline(call->out);
	doc_line_put(call->out, ROLE_PLAIN, "%s", why);
	row = row_new(call, req);
	row->reason = arena_copy(doc_mem(call->out), why, strlen(why));
	doc_typed(call->out, DATA_VALUE, put_known_data, row);
	str_release(&label);
}
