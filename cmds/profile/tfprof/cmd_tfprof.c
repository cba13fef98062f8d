/*
 * tfprof's command line as one command: the words after it are what its shell takes. Reports go
 * into the answer, tfprof's standard error into the answer's complaint; an error there makes the
 * command fail, a note does not.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/profile/tfprof/tfprof_advise.h"
#include "cmds/profile/tfprof/tfprof_pprof.h"
#include "cmds/profile/tfprof/tfprof_session.h"
#include "cmds/profile/tfprof/tfprof_text.h"
#include "cmds/profile/tfprof/tfprof_timeline.h"
#include "cmds/session/session.h"
#include "dump/base/mem.h"
#include "dump/base/utf8.h"
#include "dump/base/writer.h"

/* Rows on demand. */
struct report {
	struct body body;
	struct tfprof_view *view;
	struct str row;
};

static uint64_t report_rows(struct body *body)
{
	return ((struct report *)body)->view->shown.len;
}

static bool report_line(struct body *body, uint64_t row, int width, struct line *line,
                        struct err *err)
{
	struct report *report = (struct report *)body;

	(void)width, (void)err;
	str_reset(&report->row);
	put_tfprof_row(report->view, (size_t)row, &report->row);
	line_put(line, ROLE_PLAIN, report->row.text, report->row.len - 1);
	return true;
}

static void report_free(struct body *body)
{
	struct report *report = (struct report *)body;

	tfprof_view_free(report->view);
	str_release(&report->row);
	free(report);
}

static const struct body_kind report_kind = {
	.name = "tfprof", .rows = report_rows, .line = report_line, .free = report_free,
};

/* Lines, each ended by a newline; tabs stay tabs. */
static void put_lines(struct doc *doc, const struct str *text)
{
	for (size_t at = 0; at < text->len; ) {
		const char *end = memchr(text->text + at, '\n', text->len - at);
		size_t len = end ? (size_t)(end - text->text) - at : text->len - at;

		doc_put_text(doc, ROLE_TABBED, text->text + at, len);
		doc_newline(doc);
		at += len + 1;
	}
}

static void fail(struct call *call)
{
	call->failed = true;
}

static bool put_view_data(void *context, struct data *data, struct progress *progress,
                          struct err *err)
{
	(void)progress, (void)err;
	put_tfprof_data(context, data);
	return true;
}

/* Gives the view to the answer. Its rows are made on demand. */
static void show_report(struct call *call, struct tfprof_view *view)
{
	struct report *report = mem_alloc(sizeof *report);
	struct str text = {0};

	put_tfprof_head(view, &text);
	if (view->kind == TFPROF_OP)
		for (size_t i = 0; i < view->shown.len; i++)
			put_tfprof_row(view, i, &text);
	put_lines(call->out, &text);
	str_release(&text);
	doc_typed(call->out, DATA_ROWS, put_view_data, view);
	report->body.kind = &report_kind;
	report->view = view;
	if (view->kind == TFPROF_OP)
		doc_keep(call->out, (void (*)(void *))report_free, report);
	else
		doc_body(call->out, &report->body);
}

/*
 * Text as in an answer: newlines and tabs are the report's; other controls come from names and are
 * escaped.
 */
static bool write_lines(const struct str *text, FILE *out)
{
	struct str safe = {0};
	bool ok;

	utf8_escape_lines(&safe, str_text(text), text->len);
	ok = fwrite(str_text(&safe), 1, safe.len, out) == safe.len;
	str_release(&safe);
	return ok;
}

static void write_report(struct call *call, const struct tfprof_view *view)
{
	struct err err = {0};
	struct writer *writer = writer_open(view->options.outfile, WRITER_REPLACE, &err);
	struct str text = {0};
	bool ok = writer;

	if (ok)
		put_tfprof_head(view, &text);
	for (size_t i = 0; ok && i <= view->shown.len; i++) {
		ok = write_lines(&text, writer_stream(writer));
		str_reset(&text);
		if (i < view->shown.len)
			put_tfprof_row(view, i, &text);
	}
	ok = writer && writer_close(writer, ok, NULL, &err);
	if (!ok) {
		str_fmt(call->complaint, "Failed to write output to %s\n", err.msg);
		fail(call);
	}
	str_release(&text);
}

static void write_pprof(struct call *call, const struct tfprof_view *view)
{
	struct str said = {0};

	if (!tfprof_pprof(view, view->options.outfile, &call->err))
		return;
	str_fmt(&said, "\nRun pprof -png --nodecount=100 --sample_index=1 <%s>\n",
	        view->options.outfile);
	put_lines(call->out, &said);
	str_release(&said);
}

static bool has_step(struct call *call, const struct tfprof *tfprof, int64_t step)
{
	if (step < 0 || tfprof_has_step(tfprof, step))
		return true;
	str_fmt(call->complaint,
	        "Options -step=%lld not found.\nAvailable steps: ", (long long)step);
	for (size_t i = 0; i < tfprof->steps.len; i++)
		str_fmt(call->complaint, "%lld ", (long long)tfprof->steps.at[i]);
	str_putc(call->complaint, '\n');
	return false;
}

/* Can this view go where the options say? */
static bool output_allowed(struct call *call, enum tfprof_kind kind,
                           const struct tfprof_options *options)
{
	if (options->output == TFPROF_PPROF && kind != TFPROF_CODE) {
		str_puts(call->complaint, "Only 'code' view supports pprof output now.\n");
		return false;
	}
	if (options->output == TFPROF_TIMELINE && kind == TFPROF_OP) {
		str_puts(call->complaint,
		         "op view doesn't support timeline yet. Consider graph/scope/code view.\n");
		return false;
	}
	return options->output != TFPROF_PPROF || tfprof_pprof_allowed(options, call->complaint);
}

static void put_notes(struct call *call, const struct tfprof_view *view)
{
	for (uint64_t i = 0; i < view->n_incomplete; i++)
		str_puts(call->complaint, "Incomplete shape.\n");
	if (view->tree && view->tree->n_orphans)
		str_fmt(call->complaint, "%llu gradient nodes not accounted\n",
		        (unsigned long long)view->tree->n_orphans);
	if (view->kind == TFPROF_CODE && view->options.displayed_only)
		str_puts(call->complaint, "Note: code view ignores account_displayed_op_only\n");
}

/* Makes one view and sends it where its options say. */
static bool run_view(struct call *call, struct tfprof *tfprof, enum tfprof_kind kind,
                     const struct tfprof_options *options)
{
	struct tfprof_view *view = tfprof_view_new(tfprof, kind, options, call->progress,
	                                           &call->err);
	struct str said = {0};

	if (!view)
		return false;
	put_notes(call, view);
	switch (options->output) {
	case TFPROF_STDOUT:
		show_report(call, view);
		return true;
	case TFPROF_FILE:
		write_report(call, view);
		break;
	case TFPROF_PPROF:
		write_pprof(call, view);
		break;
	case TFPROF_TIMELINE:
		if (!tfprof_timeline(view, call->progress, &said, call->complaint, &call->err))
			fail(call);
		put_lines(call->out, &said);
		str_release(&said);
		break;
	case TFPROF_NOTHING:
		break;
	}
	tfprof_view_free(view);
	return !call->failed && !call->err.code;
}

static void exec_view(struct call *call, enum tfprof_kind kind, struct tfprof_options *options)
{
	struct tfprof *tfprof = tfprof_session_open(call);

	if (!tfprof)
		return;
	if (!has_step(call, tfprof, options->number[TFPROF_STEP])) {
		fail(call);
		return;
	}
	if (kind == TFPROF_CODE && !tfprof->has_traces) {
		str_puts(call->complaint, "No code trace information\n");
		fail(call);
		return;
	}
	if (!output_allowed(call, kind, options)) {
		fail(call);
		return;
	}
	if (kind != TFPROF_GRAPH || options->output != TFPROF_TIMELINE ||
	    options->number[TFPROF_STEP] >= 0) {
		run_view(call, tfprof, kind, options);
		return;
	}
	for (size_t i = 0; i < tfprof->steps.len; i++) {
		options->number[TFPROF_STEP] = tfprof->steps.at[i];
		if (!run_view(call, tfprof, kind, options))
			return;
	}
}

static void exec_advise(struct call *call)
{
	struct tfprof *tfprof = tfprof_session_open(call);
	struct str out = {0};

	if (!tfprof)
		return;
	if (tfprof_advise(tfprof, call->words + 1, call->n_words - 1, call->progress, &out,
	                  call->complaint, &call->err))
		put_lines(call->out, &out);
	str_release(&out);
}

static void show_options(struct call *call, const struct tfprof_options *options)
{
	struct str text = {0};

	tfprof_options_text(options, &text);
	put_lines(call->out, &text);
	str_release(&text);
}

static void show_help(struct call *call)
{
	static const char *const lines[] = {
		"tfprof scope   rows by the parts of node names",
		"tfprof graph   rows by inputs: below a node is what it takes",
		"tfprof op      one row for each op type",
		("tfprof code    rows by the lines of the program that made the nodes; needs "
		 "tracebacks"),
		"tfprof advise  what looks slow; checkers by name, else all",
		"tfprof set     keeps options for the commands that follow",
		"tfprof         the options as they are",
		"",
		"Options, with one dash and their values in the next word; lists have commas:",
	};
	struct tfprof_options options;

	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		doc_line_put(call->out, ROLE_PLAIN, "%s", lines[i]);
	tfprof_options_default(&options, call->mem);
	show_options(call, &options);
}

static void run_line(struct call *call)
{
	static const struct {
		const char *name;
		enum tfprof_kind kind;
	} views[] = {
		{ "scope", TFPROF_SCOPE },
		{ "graph", TFPROF_GRAPH },
		{ "code", TFPROF_CODE },
		{ "op", TFPROF_OP },
	};
	struct tfprof_options options;
	const char *word = call->n_words ? call->words[0] : NULL;

	tfprof_session_options(call, &options, call->mem);
	if (!word) {
		show_options(call, &options);
		return;
	}
	if (!strcmp(word, "help") || !strcmp(word, "advise")) {
		*word == 'h' ? show_help(call) : exec_advise(call);
		return;
	}
	for (size_t i = 0; i < 4; i++) {
		if (strcmp(word, views[i].name))
			continue;
		if (tfprof_options_parse(&options, call->words + 1, call->n_words - 1, call->mem,
		                         call->complaint))
			exec_view(call, views[i].kind, &options);
		else
			fail(call);
		return;
	}
	if (strcmp(word, "set")) {
		str_puts(call->complaint,
		         "E: Invalid argument: First string must be a valid command.\n");
		fail(call);
	} else if (tfprof_options_parse(&options, call->words + 1, call->n_words - 1, call->mem,
	                                call->complaint)) {
		tfprof_session_keep(call, &options);
	} else {
		fail(call);
	}
}

/* Lines of a complaint end with a newline but for the last, which gets its own. */
static void tfprof_exec(struct call *call)
{
	run_line(call);
	if (call->complaint->len && call->complaint->text[call->complaint->len - 1] == '\n')
		str_cut(call->complaint, call->complaint->len - 1);
}

static const struct pos positionals[] = {
	{ "view", "scope, graph, op, code, advise, set or help; without it the options are shown",
	  true },
	{ "options", "tfprof's own, such as -max_depth 4 -select micros,bytes -order_by micros",
	  true },
};

const struct cmd cmd_tfprof = {
	.name = "tfprof",
	.summary = "Reports of TensorFlow's profiler: scope, graph, op, code, advise",
	POSITIONALS(positionals), .raw = true, .whole_words = true, .runless = true,
	.exec = tfprof_exec,
};
