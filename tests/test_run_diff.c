/* Two runs in a few words each (tests/word_dump.h), and in as few what differs. */
#include "dump/model/divergence.h"
#include "dump/readers.h"

#include <inttypes.h>
#include <string.h>

#include "tests/program.h"
#include "tests/suite.h"
#include "tests/word_dump.h"

static char *dirs[2];

static void setup(void)
{
	dirs[0] = scratch_new();
	dirs[1] = scratch_new();
}

static void teardown(void)
{
	scratch_remove(dirs[0]);
	scratch_remove(dirs[1]);
}

static struct run *make_run(const char *dir, const char *graph, const char *dumps)
{
	struct err err = {0};
	struct run *run;

	word_dump_make(dir, graph, dumps);
	run = run_open(dir, &err);
	ck_assert_msg(run && run_load(run, NULL, &err), "%s", err.msg);
	return run;
}

/* Telling. */

static void put_tensor(struct str *out, const struct run *run, uint32_t at)
{
	const struct tensor *t = &run->tensors.at[at];

	str_fmt(out, "%s:%" PRIu32, t->node, t->slot);
	if (t->number)
		str_fmt(out, "#%" PRIu32, t->number);
}

static void put_pair(struct str *out, const struct run_diff *diff, const struct diff_pair *pair)
{
	if (pair->now != DIFF_NONE)
		put_tensor(out, diff->now, pair->now);
	else
		put_tensor(out, diff->before, pair->before);
}

static void put_statuses(struct str *out, const struct run_diff *diff)
{
	for (size_t i = 0; i < diff->pairs.len; i++) {
		str_puts(out, i ? " " : "");
		put_pair(out, diff, &diff->pairs.at[i]);
		str_fmt(out, "=%s", diff_status_names[diff->pairs.at[i].status]);
	}
}

static void put_divergences(struct str *out, const struct run_diff *diff,
                            const struct divergences *found)
{
	for (size_t i = 0; i < found->list.len; i++) {
		const struct divergence *d = &found->list.at[i];

		str_puts(out, i ? " " : "");
		put_pair(out, diff, &diff->pairs.at[d->pair]);
		str_puts(out, d->source ? "!(" : "(");
		for (size_t k = 0; k < d->n_inputs; k++) {
			str_puts(out, k ? " " : "");
			put_tensor(out, diff->now, d->inputs[k]);
		}
		str_puts(out, d->more ? " ...)" : ")");
	}
}

static const struct tolerance exact;

/* What differs in two runs with this graph; where: tells where they part in place of it. */
static void diff_is(const char *graph, const char *now, const char *before, const char *statuses,
                    const char *where)
{
	struct run *a = make_run(dirs[0], graph, now), *b = make_run(dirs[1], graph, before);
	struct divergences found;
	struct str text = {0};
	struct err err = {0};
	struct run_diff *diff = run_diff_new(a, b, &exact, NULL, NULL, &err);

	ck_assert_ptr_nonnull(diff);
	if (statuses) {
		put_statuses(&text, diff);
		ck_assert_str_eq(str_text(&text), statuses);
		str_reset(&text);
	}
	for (uint32_t i = 0; i < diff->pairs.len && diff->pairs.at[i].now != DIFF_NONE; i++)
		ck_assert_uint_eq(run_diff_partner(a, i, b, NULL), diff->pairs.at[i].before);
	ck_assert_msg(divergences_find(diff, &found, NULL, &err), "%s", err.msg);
	if (where) {
		put_divergences(&text, diff, &found);
		ck_assert_str_eq(str_text(&text), where);
	}
	divergences_release(&found);
	run_diff_free(diff);
	run_close(a);
	run_close(b);
	str_release(&text);
}

static const struct { const char *now, *before, *wanted; } statuses[] = {
	{ "a:0@10=1 b:0@20=2", "a:0@5=1 b:0@7=2", "a:0=same b:0=same" },
	{ "a:0@10=1 b:0@20=2", "b:0@5=2.5 a:0@7=1", "a:0=same b:0=changed" },
	{ "a:0@10=1,2 b:0@20=i2", "a:0@5=1 b:0@7=2", "a:0=shape b:0=dtype" },
	{ "a:0@10=1,2", "a:0@5=1,2,3", "a:0=shape" },
	/* another type and another shape */
	{ "a:0@10=i1", "a:0@5=1,2,3", "a:0=dtype" },
	{ "a:0@10=1 b:0@20=2", "c:0@3=1 b:0@5=2 d:0@4=1", "a:0=added b:0=same c:0=gone d:0=gone" },
	/* another slot, another debug op, another device are other tensors */
	{ "a:0@10=1 a:1@11=1", "a:1@5=2", "a:0=added a:1=changed" },
	{ "a:0@10=1", "a:0*DebugNanCount@10=1", "a:0=added a:0=gone" },
	{ "a:0@10=1 1/b:0@10=1", "1/a:0@10=1 1/b:0@11=1", "a:0=added b:0=same a:0=gone" },
	/* dumps by their number */
	{ "a:0@10=1 a:0@20=2 a:0@30=3", "a:0@1=1 a:0@2=5", "a:0=same a:0#1=changed a:0#2=added" },
	{ "a:0@10=!", "a:0@10=1", "a:0=unreadable" },
	{ "a:0@10=1 b:0@11=!", "a:0@10=!", "a:0=unreadable b:0=added" },
	{ "a:0@10=1", "a:0@10=1 b:0@10=!", "a:0=same b:0=gone" },
};
enum { N_STATUSES = ROWS(statuses) };

START_TEST(pairs_have_statuses)
{
	diff_is("", statuses[_i].now, statuses[_i].before, statuses[_i].wanted, NULL);
}
END_TEST

#define LOOP \
	"start Const; enter Enter start; merge Merge enter next; less Less merge; " \
	"cond LoopCond less; switch Switch merge cond; body Add switch:1; " \
	"next NextIteration body; exit Exit switch; out Neg exit"

static const struct { const char *graph, *now, *before, *wanted; } partings[] = {
	/* nothing, and no graph */
	{ "a Add", "a:0@1=1", "a:0@1=1", "" },
	{ "", "a:0@1=1", "a:0@1=2", "" },
	/* a graph that knows none of the dumps */
	{ "x Const; y Neg x", "a:0@1=1", "a:0@1=2", "" },
	/* the first of a chain; a source has a mark */
	{ "a Const; b Neg a; c Neg b", "a:0@1=1 b:0@2=2 c:0@3=3", "a:0@1=1 b:0@2=5 c:0@3=6",
	  "b:0(a:0)" },
	{ "a Const; b Neg a", "a:0@1=1 b:0@2=2", "a:0@1=2 b:0@2=5", "a:0!()" },
	{ "v VariableV2; b ReadVariableOp v", "v:0@1=1 b:0@2=2", "v:0@1=1 b:0@2=5", "b:0!(v:0)" },
	/* through nodes without dumps, which are not asked */
	{ "a Const; x Neg a; y Neg x; b Neg y; c Add b y", "a:0@1=1 b:0@2=2 c:0@4=1",
	  "a:0@1=1 b:0@2=5 c:0@4=7", "b:0(a:0)" },
	{ "a Const; x Neg a; b Neg x; z Neg x; c Add z", "a:0@1=1 b:0@2=2 c:0@4=1",
	  "a:0@1=3 b:0@2=5 c:0@4=7", "a:0!()" },
	/* control edges count */
	{ "a Add; x NoOp ^a; b Neg ^x", "a:0@1=1 b:0@2=2", "a:0@1=3 b:0@2=5", "a:0()" },
	{ "a Add; x NoOp ^a; b Neg ^x", "a:0@1=1 b:0@2=2", "a:0@1=1 b:0@2=5", "b:0(a:0)" },
	/* outputs of a node count one by one, unless one has no dump */
	{ "s Split; b Neg s; c Neg s:1", "s:0@1=1 s:1@1=2 b:0@2=1 c:0@2=1",
	  "s:0@1=1 s:1@1=3 b:0@2=2 c:0@2=2", "s:1() b:0(s:0)" },
	{ "s Split; b Neg s; c Neg s:1", "s:0@1=1 b:0@2=1 c:0@2=1", "s:0@1=2 b:0@2=2 c:0@2=2",
	  "s:0()" },
	{ "s Split; b Neg s; c Neg s:1", "s:0@1=1 b:0@2=1 c:0@2=1", "s:0@1=1 b:0@2=2 c:0@2=2",
	  "b:0(s:0) c:0(s:0)" },
	/* several, in topological order; ties in that of the graph */
	{ "d Neg c; c Add; b Add; a Neg b c", "a:0@1=1 b:0@1=1 c:0@1=1 d:0@1=1",
	  "a:0@1=2 b:0@1=1 c:0@1=1 d:0@1=2", "d:0(c:0) a:0(b:0 c:0)" },
	{ "d Neg c; c Add; b Add", "b:0@1=1 c:0@1=1", "b:0@1=2 c:0@1=3", "c:0() b:0()" },
	{ "d Neg c; c Add; b Add", "b:0@1=1 d:0@1=1", "b:0@1=2 d:0@1=3", "d:0() b:0()" },
	/* what only one run has, what has another shape or can't be read */
	{ "a Const; b Neg a; c Neg b", "a:0@1=1 c:0@3=3", "a:0@1=1 b:0@2=5 c:0@3=6", "b:0(a:0)" },
	{ "a Const; b Neg a; c Neg b", "a:0@1=1 b:0@2=1 c:0@3=3", "a:0@1=1 c:0@3=6", "b:0(a:0)" },
	{ "a Const; b Neg a; c Neg b", "a:0@1=1 b:0@2=! c:0@3=3", "a:0@1=1 b:0@2=1 c:0@3=6",
	  "b:0(a:0)" },
	{ "a Const; b Neg a", "a:0@1=1", "a:0@1=1 old:0@3=1", "" },
	/* from device to device */
	{ "a Const; b Neg a; s@e1 _Send b; 1/r@e1 _Recv; 1/c Neg r; t@e2 _Send a; 1/u@e2 _Recv; "
	  "1/d Neg u", "a:0@1=1 b:0@2=1 1/c:0@3=1 1/d:0@3=1", "a:0@1=1 b:0@2=2 1/c:0@3=2 1/d:0@3=2",
	  "b:0(a:0) d:0(a:0)" },
	{ "a _Recv; b Neg a", "a:0@1=1 b:0@2=1", "a:0@1=2 b:0@2=2", "a:0!()" },
	/* loops: the first round that parts, wherever it goes from there */
	{ LOOP,
	  "start:0@1=0 enter:0@2=0 merge:0@3=0 body:0@4=1 next:0@5=1 merge:0@6=1 body:0@7=2 "
	  "next:0@8=2 "
	  "merge:0@9=2 exit:0@10=2 out:0@11=2",
	  "start:0@1=0 enter:0@2=0 merge:0@3=0 body:0@4=1 next:0@5=1 merge:0@6=1 body:0@7=3 "
	  "next:0@8=3 "
	  "merge:0@9=3 exit:0@10=3 out:0@11=3",
	  "body:0#1(merge:0)" },
	/* next is written late */
	{ LOOP,
	  "start:0@1=0 enter:0@2=0 merge:0@3=0 body:0@4=1 merge:0@6=1 next:0@7=1 body:0@8=2 "
	  "merge:0@9=2 next:0@10=2",
	  "start:0@1=0 enter:0@2=0 merge:0@3=0 body:0@4=9 merge:0@6=9 next:0@7=9 body:0@8=2 "
	  "merge:0@9=2 next:0@10=2", "body:0(merge:0)" },
	{ LOOP, "start:0@1=1 enter:0@2=1 merge:0@3=1 body:0@4=2 merge:0@6=2 out:0@9=2",
	  "start:0@1=0 enter:0@2=0 merge:0@3=0 body:0@4=1 merge:0@6=1 out:0@9=1", "start:0!()" },
	/* only what is behind the loop has dumps */
	{ LOOP, "start:0@1=1 out:0@9=2", "start:0@1=1 out:0@9=1", "out:0(start:0)" },
	{ LOOP, "body:0@1=1 body:0@2=2 out:0@9=2", "body:0@1=1 body:0@2=3 out:0@9=1",
	  "body:0#1()" },
	/* more rounds than before */
	{ LOOP, "merge:0@3=0 body:0@4=1 merge:0@5=1 body:0@6=2 merge:0@7=2",
	  "merge:0@3=0 body:0@4=1 merge:0@5=1", "body:0#1(merge:0)" },
	/* topological order also inside a loop: what leads back to its Merge is no input */
	{ "q Add r; p Neg merge; r Neg merge; " LOOP,
	  "merge:0@3=0 p:0@4=1 r:0@4=1 q:0@5=1", "merge:0@3=0 p:0@4=2 r:0@4=1 q:0@5=2",
	  "p:0(merge:0) q:0(r:0)" },
	{ "z Neg next; p Neg y; y Neg merge; " LOOP,
	  "merge:0@3=0 y:0@4=1 next:0@4=1 p:0@5=1 z:0@6=1",
	  "merge:0@3=0 y:0@4=1 next:0@4=1 p:0@5=2 z:0@6=2", "p:0(y:0) z:0(next:0)" },
	/* a loop that is none */
	{ "a Neg b; b Neg a", "a:0@1=1 b:0@2=1", "a:0@1=2 b:0@2=1", "a:0(b:0)" },
	{ "a Neg b; b Neg a; c Const; d Add c b", "a:0@1=1 d:0@2=1", "a:0@1=2 d:0@2=2", "a:0()" },
};
enum { N_PARTINGS = ROWS(partings) };

START_TEST(runs_part_somewhere)
{
	diff_is(partings[_i].graph, partings[_i].now, partings[_i].before, NULL,
	        partings[_i].wanted);
}
END_TEST

/* What there is to tell of a pair: forms of what differs, figures of arrays. */
START_TEST(pairs_have_forms_and_figures)
{
	struct run *a = make_run(dirs[0], "", "a:0@1=1,2,3 b:0@2=i7 c:0@3=1 d:0@4=1,2");
	struct run *b = make_run(dirs[1], "", "a:0@1=1,2.5,2 b:0@2=7 c:0@3=1 e:0@4=1");
	struct err err = {0};
	struct run_diff *diff = run_diff_new(a, b, &exact, NULL, NULL, &err);
	const struct diff_pair *pair = diff->pairs.at;

	ck_assert_uint_eq(pair[0].compared->n_diff, 2);
	ck_assert_uint_eq(pair[0].compared->first, 1);
	ck_assert(pair[0].compared->max_abs == 1);
	ck_assert_uint_eq(pair[0].form->rank, 1);
	ck_assert_int_eq(pair[0].old_form->dim[0], 3);
	ck_assert_int_eq(pair[1].form->type->dtype, DTYPE_INT32);
	ck_assert_int_eq(pair[1].old_form->type->dtype, DTYPE_FLOAT32);
	ck_assert_ptr_null(pair[1].compared);
	ck_assert_ptr_null(pair[3].old_form);
	ck_assert_int_eq(pair[3].form->dim[0], 2);
	ck_assert_ptr_null(pair[4].form);
	ck_assert_uint_eq(pair[4].old_form->rank, 0);
	ck_assert_uint_eq(diff->count[DIFF_SAME], 1);
	ck_assert_uint_eq(diff->count[DIFF_CHANGED], 1);
	ck_assert_uint_eq(diff->count[DIFF_ADDED], 1);
	run_diff_free(diff);
	run_close(a);
	run_close(b);
}
END_TEST

START_TEST(problems_name_their_file)
{
	struct run *a = make_run(dirs[0], "", "a:0@1=! b:0@2=1");
	struct run *b = make_run(dirs[1], "", "a:0@1=1 b:0@2=!");
	struct err err = {0};
	struct run_diff *diff = run_diff_new(a, b, &exact, NULL, NULL, &err);

	ck_assert_uint_eq(diff->problems.len, 2);
	ck_assert_int_eq(diff->problems.at[0].code, ERR_FORMAT);
	ck_assert_ptr_nonnull(strstr(diff->problems.at[0].src, "a_0_DebugIdentity_1"));
	ck_assert_ptr_nonnull(strstr(diff->problems.at[1].src, "b_0_DebugIdentity_2"));
	run_diff_free(diff);
	run_close(a);
	run_close(b);
}
END_TEST

START_TEST(a_cancel_stops_it)
{
	struct run *a = make_run(dirs[0], "", "a:0@1=1"), *b = make_run(dirs[1], "", "a:0@1=1");
	struct progress progress = { .cancel = true };
	struct err err = {0};

	ck_assert_ptr_null(run_diff_new(a, b, &exact, NULL, &progress, &err));
	ck_assert_int_eq(err.code, ERR_CANCELLED);
	run_close(a);
	run_close(b);
}
END_TEST

SUITE_MAIN("run_diff",
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, pairs_have_statuses, 0, N_STATUSES);
	tcase_add_loop_test(t, runs_part_somewhere, 0, N_PARTINGS);
	tcase_add_test(t, pairs_have_forms_and_figures);
	tcase_add_test(t, problems_name_their_file);
	tcase_add_test(t, a_cancel_stops_it);
)
