/* Frames of Python and modules around ops: lines, stacks and scopes of what they launched. */
#include "tests/suite.h"

#include <stdio.h>
#include <string.h>

#include "cmds/profile/frame_text.h"
#include "cmds/profile/kernel_table.h"
#include "dump/profile/trace_chrome.h"
#include "tests/message.h"

#define SLICE(cat, name, tid, ts, dur, args) \
	"{'ph':'X','cat':'" cat "','name':'" name "','pid':1,'tid':" #tid ",'ts':" #ts \
	",'dur':" #dur ",'args':{" args "}}"
#define FRAME(name, ts, dur) SLICE("python_function", name, 1, ts, dur, "") ","
#define OP(name, tid, ts, dur) SLICE("cpu_op", name, tid, ts, dur, "") ","

/* In main() step() calls a model with a layer; below it is torch's own code. */
static const char slices[] =
	"["
	OP("outside", 1, 0, 5)
	FRAME("train.py(40): <module>", 10, 990)
	OP("top", 1, 20, 5)
	FRAME("train.py(12): step", 100, 500)
	FRAME("nn.Module: Net_0", 110, 300)
	FRAME("torch/nn/modules/module.py(1791): _call_impl", 111, 298)
	FRAME("nn.Module: Linear_0", 120, 100)
	FRAME("torch/nn/modules/linear.py(130): forward", 130, 80)
	FRAME("<built-in function linear>", 135, 70)
	OP("linear", 1, 140, 50)
	OP("after", 1, 300, 10)
	FRAME("/usr/lib/python3/x.py(1): f", 420, 100)
	FRAME("/opt/dist-packages/y.py(2): g", 430, 80)
	FRAME("/opt/site-packages/z.py(3): h", 440, 60)
	OP("late", 1, 450, 10)
	OP("other thread", 2, 150, 10)
	FRAME("no line at all", 700, 100)
	OP("odd", 1, 710, 10)
	SLICE("cuda_runtime", "cudaLaunchKernel", 1, 150, 5, "'correlation':1") ","
	SLICE("kernel", "k", 7, 800, 10, "'device':0,'stream':7,'correlation':1")
	"]";

static struct trace *load(void)
{
	struct str text = {0};
	struct err err = {0};
	struct trace *trace;

	str_puts(&text, slices);
	for (char *c = text.text; (c = strchr(c, '\'')); c++)
		*c = '"';
	trace = trace_load(file_of(text.text, text.len), &chrome_source, NULL, NULL, &err);
	ck_assert_msg(trace, "%s", err.msg);
	str_release(&text);
	return trace;
}

#define MAIN "train.py:40(<module>)"
#define CALL "torch/nn/modules/module.py:1791(_call_impl)"
static const struct { const char *op, *line, *stack, *modules; } around[] = {
	{ "outside", "", "", "" },
	{ "top", MAIN, MAIN, "" },
	{ "linear", "train.py:12(step)", MAIN " > train.py:12(step) > " CALL
	  " > torch/nn/modules/linear.py:130(forward)", "Net_0/Linear_0" },
	{ "k", "train.py:12(step)", MAIN " > train.py:12(step) > " CALL
	  " > torch/nn/modules/linear.py:130(forward)", "Net_0/Linear_0" },
	{ "after", "train.py:12(step)", MAIN " > train.py:12(step) > " CALL, "Net_0" },
	{ "late", "train.py:12(step)", MAIN " > train.py:12(step) > "
	  "/usr/lib/python3/x.py:1(f) > /opt/dist-packages/y.py:2(g) > "
	  "/opt/site-packages/z.py:3(h)", "" },
	{ "other thread", "", "", "" },
	{ "odd", "no line at all", MAIN " > no line at all", "" },
};

static uint32_t record_of(const struct trace *trace, const char *name)
{
	for (size_t i = 0; i < trace->all.at.len; i++)
		if (!strcmp(trace->all.names.key[trace->all.at.at[i].raw], name))
			return trace->all.at.at[i].record;
	ck_abort_msg("no record %s", name);
}

START_TEST(frames_are_around_ops)
{
	struct trace *trace = load();
	uint32_t frame = trace_frame_around(trace, record_of(trace, around[_i].op));
	struct str text = {0};

	put_frame_line(&text, trace, frame);
	ck_assert_str_eq(str_text(&text), around[_i].line);
	str_reset(&text);
	put_frame_stack(&text, trace, frame);
	ck_assert_str_eq(str_text(&text), around[_i].stack);
	str_reset(&text);
	put_frame_modules(&text, trace, frame);
	ck_assert_str_eq(str_text(&text), around[_i].modules);
	str_release(&text);
	trace_free(trace);
}
END_TEST

static const struct {
	enum kernel_group group;
	const char *name;
	int64_t total_us, self_us;
} rows[] = {
	{ GROUP_SOURCE, "train.py:12(step)", 70, 70 }, { GROUP_SOURCE, "(no source)", 15, 15 },
	{ GROUP_STACK, MAIN, 5, 5 }, { GROUP_STACK, "(no stack)", 15, 15 },
	{ GROUP_SCOPE, "Net_0", 60, 10 }, { GROUP_SCOPE, "Net_0/Linear_0", 50, 50 },
	{ GROUP_SCOPE, "(top)", 40, 40 },
};

START_TEST(ops_are_grouped_by_frames)
{
	struct trace *trace = load();
	const struct activities *all = &trace->all;
	const char *label = "all";
	struct kernel_query query = { .has_universe = true, .universe = UNIVERSE_HOST,
	                              .has_group = true, .group = rows[_i].group, .depth = 2 };
	struct kernel_table *table;
	struct err err = {0};
	bool found = false;

	ck_assert(kernel_table_of(&all, &label, 1, &query, NULL, &table, &err));
	for (size_t i = 0; i < table->rows.len; i++) {
		const struct kernel_row *row = &table->rows.at[i];

		if (strcmp(row->name, rows[_i].name) != 0)
			continue;
		found = true;
		ck_assert_int_eq(row->total_ns, rows[_i].total_us * 1000);
		ck_assert_int_eq(row->self_ns, rows[_i].self_us * 1000);
	}
	ck_assert_msg(found, "%s", rows[_i].name);
	kernel_table_free(table);
	trace_free(trace);
}
END_TEST

START_TEST(ways_are_kept_once)
{
	struct trace *trace = load();

	ck_assert_uint_eq(trace->frames.len, 10);
	trace_free(trace);
}
END_TEST

SUITE_MAIN("frames",
	tcase_add_loop_test(t, frames_are_around_ops, 0, ROWS(around));
	tcase_add_loop_test(t, ops_are_grouped_by_frames, 0, ROWS(rows));
	tcase_add_test(t, ways_are_kept_once);
)
