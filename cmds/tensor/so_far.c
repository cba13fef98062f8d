#include "cmds/tensor/so_far.h"

#include <inttypes.h>
#include <string.h>

#include "cmds/doc/menu.h"
#include "cmds/lang/format.h"

/* Widths that suffice for most runs. Of arrays times and kinds may turn out to say nothing. */
static const struct { const char *heading; int width; } columns[] = {
	{ "t (ms)", 11 }, { "Size (B)", 9 }, { "Op type", 8 }, { "Tensor name", 0 },
};

static int64_t earliest(const struct run *run, size_t n)
{
	int64_t first = INT64_MAX;

	for (size_t i = 0; i < n; i++)
		if (run->tensors.at[i].time_us < first)
			first = run->tensors.at[i].time_us;
	return first;
}

static void put_row(struct doc *doc, const struct run *run, const struct tensor *t, int64_t t0_us)
{
	struct str time = {0}, size = {0}, name = {0};

	str_putc(&time, '[');
	put_rel_ms(&time, t->time_us, t0_us);
	str_putc(&time, ']');
	put_size(&size, t->size_bytes);
	run_put_name(run, t, &name);
	if (run->op_type)
		doc_line_put(doc, ROLE_PLAIN, "%-*s%s", columns[1].width, size.text, name.text);
	else
		doc_line_put(doc, ROLE_PLAIN, "%-*s%-*s%-*s%s", columns[0].width, time.text,
		             columns[1].width, size.text, columns[2].width, "?", name.text);
	str_release(&name);
	str_release(&time);
	str_release(&size);
}

struct doc *so_far_doc(const struct run *run)
{
	struct doc *doc = doc_new();
	size_t n = run_so_far(run), shown = n < RUN_FIRST ? n : RUN_FIRST;
	int64_t t0_us = earliest(run, shown);

	doc_line_put(doc, ROLE_PLAIN, run->from_cache ? "%zu dumped tensor(s): cached, checking"
	                                              : "%zu dumped tensor(s) so far...", n);
	doc_newline(doc);
	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
		if (!run->op_type || i % 2)
			doc_put(doc, ROLE_STRONG, "%-*s", columns[i].width, columns[i].heading);
	doc_newline(doc);
	for (size_t i = 0; i < shown; i++)
		put_row(doc, run, &run->tensors.at[i], t0_us);
	menu_put(doc, NULL, MENU_LIST_TENSORS);
	return doc;
}
