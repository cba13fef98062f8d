/* What a trace comes to while it is read: sums by raw name, before anything is attributed. */
#include "cmds/profile/kernels.h"

#include <stdlib.h>

#include "cmds/profile/kernel_short.h"
#include "dump/base/mem.h"
#include "dump/profile/trace.h"

enum { ROWS = 40 };

struct sum {
	int64_t ns;
	uint64_t calls;
	const char *name;
};

static int by_sum(const void *a, const void *b)
{
	const struct sum *p = a, *q = b;

	if (p->ns != q->ns)
		return p->ns < q->ns ? 1 : -1;
	return strcmp(p->name, q->name);
}

static enum activity_kind kind_to_show(const struct activities *acts)
{
	for (size_t i = 0; i < acts->at.len; i++)
		if (acts->at.at[i].kind == ACTIVITY_KERNEL)
			return ACTIVITY_KERNEL;
	return ACTIVITY_HOST;
}

/* Sums of those that have a name, the largest first. Returns how many. */
static size_t sum_up(const struct activities *acts, enum activity_kind kind, struct sum *sums)
{
	size_t n = 0;

	for (size_t i = 0; i < acts->at.len; i++) {
		const struct activity *a = &acts->at.at[i];
		struct sum *sum = &sums[a->raw];

		if ((enum activity_kind)a->kind != kind
		    || __builtin_add_overflow(sum->ns, a->len_ns, &sum->ns))
			continue;
		sum->calls++;
		sum->name = acts->names.key[a->raw];
	}
	for (size_t i = 0; i < acts->names.len; i++)
		if (sums[i].calls)
			sums[n++] = sums[i];
	qsort(sums, n, sizeof *sums, by_sum);
	return n;
}

struct doc *kernels_so_far(const struct shell *shell)
{
	const struct trace *trace = profile_trace_so_far(shell->profile);
	struct str line = {0};
	enum activity_kind kind;
	struct sum *sums;
	struct doc *doc;
	size_t n;

	if (!trace)
		return NULL;
	doc = doc_new();
	kind = kind_to_show(&trace->all);
	sums = mem_alloc((trace->all.names.len + 1) * sizeof *sums);
	n = sum_up(&trace->all, kind, sums);
	doc_line_put(doc, ROLE_PLAIN, "%zu record(s) so far...", trace->all.at.len);
	doc_newline(doc);
	doc_line_put(doc, ROLE_PLAIN, "%8s  %8s  Name", kind == ACTIVITY_KERNEL ? "Kernel" : "Host",
	             "Calls");
	for (size_t i = 0; i < n && i < ROWS; i++) {
		str_reset(&line);
		put_time(&line, sums[i].ns, UNIT_AUTO);
		str_fill(&line, ' ', 8 - (line.len < 8 ? line.len : 8));
		str_fmt(&line, "  %8llu  ", (unsigned long long)sums[i].calls);
		put_kernel_short(&line, sums[i].name, strlen(sums[i].name));
		doc_line_put(doc, ROLE_PLAIN, "%s", line.text);
	}
	free(sums);
	str_release(&line);
	return doc;
}
