#include "cmds/origins/verdict.h"

#include <inttypes.h>

#include "cmds/doc/figure.h"
#include "cmds/lang/format.h"
#include "cmds/origins/origins_answer.h"
#include "cmds/origins/origins_store.h"
#include "cmds/session/session.h"
#include "cmds/session/shell.h"
#include "dump/base/utf8.h"

static void put_first(const struct origins_report *report, struct str *out)
{
	const struct origin_row *first = &report->rows.at[0];

	if (first->step_text)
		str_fmt(out, ", first in %s", first->step_text);
	else if (report->runs.len > 1) {
		str_puts(out, ", first in ");
		origins_put_run(report, first->run, out);
	} else if (report->of_workers)
		str_puts(out, ", first");
	if (report->of_workers)
		str_fmt(out, " of %s", first->worker);
}

static void put_origins(const struct origins_report *report, struct verdict *out)
{
	const struct origin_row *first = &report->rows.at[0];
	struct str name = {0};

	origin_put_name(&name, first->node, first->slot);
	for (int i = 0; i < VERDICT_FORMS; i++) {
		struct str *form = &out->form[i];

		str_fmt(form, "%zu origin%s", report->n_origins, plural(report->n_origins));
		if (i < 2)
			put_first(report, form);
		if (!i)
			str_fmt(form, ": %s %s", name.text, origin_reason_names[first->reason]);
		str_puts(form, " (go)");
	}
	out->bad = true;
	str_release(&name);
}

static void put_all(struct verdict *out, const char *text)
{
	for (int i = 0; i < VERDICT_FORMS; i++)
		str_puts(&out->form[i], text);
}

static void put_too_much(uint64_t bytes, struct verdict *out)
{
	struct str text = {0};

	origins_put_too_much(&text, bytes);
	str_puts(&text, " (go)");
	put_all(out, text.text);
	str_reset(&out->form[VERDICT_FORMS - 1]);
	str_puts(&out->form[VERDICT_FORMS - 1], "not searched (go)");
	str_release(&text);
}

static void put_damaged(size_t n, struct verdict *out)
{
	struct str text = {0};

	str_fmt(&text, "%zu damaged (W)", n);
	put_all(out, text.text);
	str_release(&text);
}

void verdict_of(struct shell *shell, struct verdict *out)
{
	int64_t way = shell->config.value[SETTING_VERDICT];
	struct origins_found found = origins_found_in(shell);
	const struct origins_report *report = found.report;
	const char *lacks = shell_lacks(shell);

	for (int i = 0; i < VERDICT_FORMS; i++)
		str_reset(&out->form[i]);
	out->bad = false;
	out->wants = NULL;
	if (way == VERDICT_OFF)
		return;
	if (lacks) {
		put_all(out, lacks);
		return;
	}
	if (!report && (shell->runs || shell->program))
		out->wants = way == VERDICT_ALWAYS  ? ORIGINS_LINE
		             : found.too_much_bytes ? NULL
		                                    : ORIGINS_LINE_SPARING;
	if (report && !report->refused && report->n_origins)
		put_origins(report, out);
	else if (report && !report->refused)
		put_all(out, "no NaN or Inf");
	else if (shell_warnings(shell))
		put_damaged(shell_warnings(shell), out);
	else if (found.too_much_bytes)
		put_too_much(found.too_much_bytes, out);
}

void verdict_release(struct verdict *verdict)
{
	for (int i = 0; i < VERDICT_FORMS; i++)
		str_release(&verdict->form[i]);
}

const char *verdict_that_fits(const struct verdict *verdict, int cols)
{
	for (int i = 0; i < VERDICT_FORMS; i++) {
		const struct str *form = &verdict->form[i];

		if (form->len && (int)utf8_columns(form->text, form->len) <= cols)
			return form->text;
	}
	return NULL;
}
