#include <stdlib.h>
#include <string.h>

#include "cmds/doc/figure.h"
#include "cmds/profile/export/chrome.h"
#include "cmds/profile/kernels.h"
#include "cmds/profile/lanes.h"
#include "cmds/profile/lanes_view.h"
#include "cmds/session/nodes.h"
#include "cmds/session/steps.h"
#include "dump/base/mem.h"
#include "dump/base/writer.h"

#define LARGE_FILE (200u * 1024 * 1024)

enum { FILE_NAME, MEMORY, NO_FLOW, OP_TIME, COMPACT, STYLE, STEP };

static const struct opt options[] = {
	[FILE_NAME] = { OPT_WORD, "o", "output", "write it to this file as a Chrome trace" },
	[MEMORY] = { OPT_FLAG, NULL, "memory",
	             "in the file: add tensors and counters of the allocators" },
	[NO_FLOW] = { OPT_FLAG, NULL, "no-flow",
	              "in the file: no arrows from producers to consumers" },
	[OP_TIME] = { OPT_WORD, NULL, "op-time",
	              "in the file: ops of a GPU as recorded (schedule), with their kernels (gpu) "
	              "or both (all)" },
	[COMPACT] = { OPT_FLAG, NULL, "compact", "in the file: leave out blanks and newlines" },
	[STYLE] = { OPT_WORD, NULL, "style",
	            "in the file: as TensorFlow writes it (classic), or for Perfetto (modern)" },
	[STEP] = { OPT_WORD, NULL, "step",
	           "a step; for a file also a list (0,2-4), or all: then FILE_STEP each" },
};

/* The index of an option's word in words, 0 if it was not given. */
static bool choose(struct call *call, int option, const char *const *words, size_t n,
                   const char *all, size_t *out)
{
	const char *word = call->args.opt[option].word;

	for (*out = 0; word && *out < n && strcmp(word, words[*out]); )
		++*out;
	if (*out < n)
		return true;
	call_error(call, "ERROR: \"%s\" is not one of %s.", word, all);
	return false;
}

static bool read_style(struct call *call, struct chrome_style *style)
{
	static const char *const times[] = { "schedule", "gpu", "all" };
	static const char *const styles[] = { "classic", "modern" };
	const struct opt_value *opt = call->args.opt;
	size_t time, how;

	if (!choose(call, OP_TIME, times, 3, "schedule, gpu or all", &time) ||
	    !choose(call, STYLE, styles, 2, "classic or modern", &how))
		return false;
	*style = (struct chrome_style){ .op_time = (enum op_time)time, .memory = opt[MEMORY].given,
	                                .no_flow = opt[NO_FLOW].given,
	                                .compact = opt[COMPACT].given, .modern = how == 1 };
	return true;
}

static bool write_step(struct call *call, const struct chrome_style *style, size_t step_at,
                       const char *path, uint64_t *size)
{
	struct step *step = step_of(call, call->shell->profile, step_at);
	struct err damage = {0}, err = {0};
	struct writer *writer = step ? writer_open(path, WRITER_REPLACE, &err) : NULL;
	bool ok = writer;

	if (writer) {
		ok = (style->modern ? chrome_write_modern : chrome_write)(
			step, style, writer_stream(writer), call->progress, &damage, &call->err);
		if (damage.code && !step->damage.code)
			call_damage(call, step->file, &damage);
		ok = writer_close(writer, ok, size, &err);
	}
	if (err.code)
		call_error(call, "ERROR: %s", err.msg);
	return ok;
}

static void write_files(struct call *call, const struct step_choice *choice)
{
	const char *word = call->args.opt[FILE_NAME].word;
	struct chrome_style style;
	struct str path = {0};
	uint64_t size;
	bool ok = read_style(call, &style);

	for (size_t i = 0; ok && i < choice->at.len; i++) {
		str_reset(&path);
		str_puts(&path, word);
		if (choice->at.len > 1)
			str_fmt(&path, "_%s",
			        call->shell->profile->steps.at[choice->at.at[i]].label);
		ok = write_step(call, &style, choice->at.at[i], str_text(&path), &size);
		if (ok)
			doc_line_put(call->out, ROLE_PLAIN, "Timeline written to %s.", path.text);
		if (ok && size > LARGE_FILE)
			doc_line_put(call->out, ROLE_PLAIN, "note: The trace file is larger than "
			             "200 MiB; a browser may not be able to show it.");
		if (choice->at.len > 1)
			profile_forget(call->shell->profile);
	}
	str_release(&path);
}

/* The view. */

static bool put_rows(void *context, struct data *data, struct progress *progress, struct err *err)
{
	const struct body *body = context;

	(void)progress, (void)err;
	data_list(data);
	for (size_t i = 0; i < lanes_len(body); i++) {
		const struct lane_strip *strip = lanes_strip(body, i);

		data_object(data);
		key_str(data, "lane", strip->name);
		key_int(data, "records", (int64_t)strip->n_slices);
		key_us(data, "busy_us", busy_ns(&strip->busy));
		data_key(data, "spans");
		data_list(data);
		for (size_t k = 0; k < strip->busy.at.len; k++) {
			data_list(data);
			data_us(data, strip->busy.at.at[k].start_ns);
			data_us(data, strip->busy.at.at[k].end_ns);
			data_end(data);
		}
		data_end(data);
		data_end(data);
	}
	data_end(data);
	return true;
}

static bool put_beside(void *context, struct data *data, struct progress *progress, struct err *err)
{
	(void)progress, (void)err;
	key_us(data, "span_us", lanes_span_ns(context));
	return true;
}

static void release(void *acts)
{
	step_activities_release(acts);
	free(acts);
}

enum { ROWS_OF_NOTE = 2 };

static bool has_drawing_rows(const struct body *lanes)
{
	for (size_t i = 0; i < lanes_len(lanes); i++)
		if (lanes_strip(lanes, i)->rows > 1)
			return true;
	return false;
}

static void put_row_note(struct call *call, const struct body *lanes)
{
	if (!has_drawing_rows(lanes))
		return;
	doc_newline(call->out);
	doc_line_put(call->out, ROLE_PLAIN, "note: Lane numbers are drawing rows, not threads.");
}

static void show(struct call *call, const struct step_choice *choice)
{
	struct step_activities *acts = mem_alloc(sizeof *acts);
	struct str text = {0};
	struct lanes_look look;
	struct body *body;
	const char *step;
	bool ok = step_activities_of(call, choice, acts);

	doc_set_of_step(call->out);
	doc_keep(call->out, release, acts);
	if (!ok)
		return;
	body = lanes_body(acts->refs[0], call->cols);
	str_fmt(&text, "timeline: %zu lane%s, span ", lanes_len(body),
	        recorded_plural(lanes_len(body), call->on_screen));
	put_time(&text, lanes_span_ns(body), UNIT_AUTO);
	doc_line_put(call->out, ROLE_PLAIN, "%s", text.text);
	if (call->on_screen && lanes_len(body)) {
		step = arena_copy(doc_mem(call->out), acts->labels[0], strlen(acts->labels[0]));
		look = (struct lanes_look){
			.step = step, .named = call->args.opt[STEP].given,
			.pictures = call->canvas.modern, .fine = canvas_is_fine(&call->canvas),
			.rows = call->canvas.rows - (int)doc_rows(call->out) -
			        (has_drawing_rows(body) ? ROWS_OF_NOTE : 0),
		};
		if (look.pictures)
			doc_set_fitted(call->out);
		doc_body(call->out, lanes_view(body, &look));
		bring_no_node_key(call);
		doc_bring_keys(call->out, &lanes_view_keys, lanes_view_put_key,
		               doc_get_body(call->out));
		put_row_note(call, body);
	} else {
		doc_newline(call->out);
		str_reset(&text);
		lanes_put_heading(body, &text);
		doc_line_put(call->out, ROLE_PLAIN, "%s", text.text);
		doc_body(call->out, body);
	}
	str_release(&text);
	doc_typed(call->out, DATA_ROWS, put_rows, body);
	doc_typed_as(call->out, "timeline", put_beside);
}

static void timeline_exec(struct call *call)
{
	const struct opt_value *opt = call->args.opt;
	struct step_choice choice = {0};

	kernels_warn_of_trace(call);
	if (opt[FILE_NAME].given) {
		if (need_statistics(call, call->shell->profile)
		    && steps_choose(call, call->shell->profile, opt[STEP].word, &choice))
			write_files(call, &choice);
	} else if (need_records(call, call->shell->profile)
	           && steps_choose_one(call, call->shell->profile, opt[STEP].word, &choice)) {
		show(call, &choice);
	}
	step_choice_release(&choice);
}

const struct cmd cmd_timeline = {
	.name = "timeline",
	.summary = "What each device and stream did when; or the step as a Chrome trace in a file",
	OPTS(options), .runless = true, .whole_words = true, .exec = timeline_exec,
};
