/*
 * Two runs are written in a few words each, and what differs is told in as few.
 *   graph  "[1/]NAME[@CHANNEL] OP INPUT...; ..."       1/: on the second device
 *   dumps  "[1/]NODE:SLOT[*OP]@TIME=VALUE ..."         VALUE: 1.5  1,2 (a vector)  i7 (int32)  ! (damaged)
 */
#include "dump/divergence.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tests/message.h"
#include "tests/program.h"
#include "tests/small_dump.h"
#include "tests/suite.h"

#define SECOND "_tfdbg_device_,job_localhost,replica_0,task_0,device_CPU_1"
enum { WORD = 64 };

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

/* Writing. */

static const char *take_device(const char **word)
{
	bool second = !strncmp(*word, "1/", 2);

	*word += second ? 2 : 0;
	return second ? SECOND : SMALL_DEVICE;
}

static void put_channel(struct str *node, const char *channel)
{
	struct str value = {0}, entry = {0};

	put_bytes(&value, 2, channel, strlen(channel));
	put_bytes(&entry, 1, "tensor_name", strlen("tensor_name"));
	put_message(&entry, 2, &value);
	put_message(node, 5, &entry);
	str_release(&value);
	str_release(&entry);
}

/* One node, "NAME[@CHANNEL] OP INPUT...", as a field of a GraphDef. */
static void put_node(struct str *graph, const char *text, size_t len)
{
	struct str node = {0};
	char word[WORD], channel[WORD] = "";
	size_t n;

	for (uint32_t field = 1; len; field += field < 3) {
		n = strcspn(text, " ;");
		n = n < len ? n : len;
		ck_assert_uint_lt(n, sizeof word);
		snprintf(word, sizeof word, "%.*s", (int)n, text);
		if (field == 1 && strchr(word, '@')) {
			snprintf(channel, sizeof channel, "%s", strchr(word, '@') + 1);
			*strchr(word, '@') = '\0';
		}
		put_bytes(&node, field, word, strlen(word));
		text += n;
		len -= n;
		while (len && *text == ' ') {
			text++;
			len--;
		}
	}
	if (*channel)
		put_channel(&node, channel);
	put_message(graph, 1, &node);
	str_release(&node);
}

static void put_graph(const char *dir, const char *device, const char *text)
{
	struct str graph = {0}, event = {0}, name = {0};

	for (size_t len; *text; text += len) {
		const char *at = text += strspn(text, "; ");

		len = strcspn(text, ";");
		if (!strcmp(take_device(&at), device) && len > (size_t)(at - text))
			put_node(&graph, at, len - (size_t)(at - text));
	}
	if (graph.len) {
		put_bytes(&event, 4, graph.text, graph.len);
		str_fmt(&name, "%s/_tfdbg_graph_hash1_1", device);
		dump_put(dir, name.text, event.text, event.len);
	}
	str_release(&graph);
	str_release(&event);
	str_release(&name);
}

static void put_value(struct str *event, const char *text)
{
	struct str tensor = {0}, content = {0};
	int64_t dim = 0;
	bool vector = strchr(text, ',');

	if (*text == 'i') {
		int32_t whole = (int32_t)strtol(text + 1, NULL, 10);

		str_put(&content, (const char *)&whole, sizeof whole);
		put_tensor_head(&tensor, DTYPE_INT32, 0, NULL);
	} else {
		for (char *end; ; text = end + 1) {
			float x = strtof(text, &end);

			str_put(&content, (const char *)&x, sizeof x);
			dim++;
			if (*end != ',')
				break;
		}
		put_tensor_head(&tensor, DTYPE_FLOAT32, vector, &dim);
	}
	put_bytes(&tensor, 4, content.text, content.len);
	put_event(event, &tensor);
	str_release(&tensor);
	str_release(&content);
}

static void put_dump(const char *dir, const char *text)
{
	char node[WORD], op[WORD] = "DebugIdentity", value[WORD];
	const char *device = take_device(&text);
	struct str event = {0}, name = {0};
	unsigned slot;
	long time_us;

	if (sscanf(text, "%63[^:]:%u*%63[^@]@%ld=%63s", node, &slot, op, &time_us, value) != 5)
		ck_assert_int_eq(sscanf(text, "%63[^:]:%u@%ld=%63s", node, &slot, &time_us, value), 4);
	str_fmt(&name, "%s/%s_%u_%s_%ld", device, node, slot, op, time_us);
	if (*value == '!')
		str_puts(&event, "\x0a\x7f");
	else
		put_value(&event, value);
	dump_put(dir, name.text, event.text, event.len);
	str_release(&event);
	str_release(&name);
}

static struct run *make_run(const char *dir, const char *graph, const char *dumps)
{
	struct err err = {0};
	struct run *run;

	put_graph(dir, SMALL_DEVICE, graph);
	put_graph(dir, SECOND, graph);
	for (size_t len; *dumps; dumps += len) {
		char word[WORD * 2];

		dumps += strspn(dumps, " ");
		len = strcspn(dumps, " ");
		snprintf(word, sizeof word, "%.*s", (int)len, dumps);
		if (len)
			put_dump(dir, word);
	}
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
	struct run_diff *diff = run_diff_new(a, b, &exact, NULL, &err);

	ck_assert_ptr_nonnull(diff);
	if (statuses) {
		put_statuses(&text, diff);
		ck_assert_str_eq(str_text(&text), statuses);
		str_reset(&text);
	}
	for (uint32_t i = 0; i < diff->pairs.len && diff->pairs.at[i].now != DIFF_NONE; i++)
		ck_assert_uint_eq(run_diff_partner(a, i, b), diff->pairs.at[i].before);
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
enum { N_STATUSES = sizeof statuses / sizeof *statuses };

START_TEST(pairs_have_statuses)
{
	diff_is("", statuses[_i].now, statuses[_i].before, statuses[_i].wanted, NULL);
}
END_TEST

#define LOOP \
	"start Const; enter Enter start; merge Merge enter next; less Less merge; cond LoopCond less; " \
	"switch Switch merge cond; body Add switch:1; next NextIteration body; exit Exit switch; out Neg exit"

static const struct { const char *graph, *now, *before, *wanted; } partings[] = {
	/* nothing, and no graph */
	{ "a Add", "a:0@1=1", "a:0@1=1", "" },
	{ "", "a:0@1=1", "a:0@1=2", "" },
	/* the first of a chain; a source has a mark */
	{ "a Const; b Neg a; c Neg b", "a:0@1=1 b:0@2=2 c:0@3=3", "a:0@1=1 b:0@2=5 c:0@3=6", "b:0(a:0)" },
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
	{ "s Split; b Neg s; c Neg s:1", "s:0@1=1 b:0@2=1 c:0@2=1", "s:0@1=2 b:0@2=2 c:0@2=2", "s:0()" },
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
	{ "a Const; b Neg a; c Neg b", "a:0@1=1 b:0@2=! c:0@3=3", "a:0@1=1 b:0@2=1 c:0@3=6", "b:0(a:0)" },
	{ "a Const; b Neg a", "a:0@1=1", "a:0@1=1 old:0@3=1", "" },
	/* from device to device */
	{ "a Const; b Neg a; s@e1 _Send b; 1/r@e1 _Recv; 1/c Neg r; t@e2 _Send a; 1/u@e2 _Recv; 1/d Neg u",
	  "a:0@1=1 b:0@2=1 1/c:0@3=1 1/d:0@3=1", "a:0@1=1 b:0@2=2 1/c:0@3=2 1/d:0@3=2", "b:0(a:0) d:0(a:0)" },
	{ "a _Recv; b Neg a", "a:0@1=1 b:0@2=1", "a:0@1=2 b:0@2=2", "a:0!()" },
	/* loops: the first round that parts, wherever it goes from there */
	{ LOOP,
	  "start:0@1=0 enter:0@2=0 merge:0@3=0 body:0@4=1 next:0@5=1 merge:0@6=1 body:0@7=2 next:0@8=2 "
	  "merge:0@9=2 exit:0@10=2 out:0@11=2",
	  "start:0@1=0 enter:0@2=0 merge:0@3=0 body:0@4=1 next:0@5=1 merge:0@6=1 body:0@7=3 next:0@8=3 "
	  "merge:0@9=3 exit:0@10=3 out:0@11=3",
	  "body:0#1(merge:0)" },
	/* next is written late */
	{ LOOP,
	  "start:0@1=0 enter:0@2=0 merge:0@3=0 body:0@4=1 merge:0@6=1 next:0@7=1 body:0@8=2 merge:0@9=2 next:0@10=2",
	  "start:0@1=0 enter:0@2=0 merge:0@3=0 body:0@4=9 merge:0@6=9 next:0@7=9 body:0@8=2 merge:0@9=2 next:0@10=2",
	  "body:0(merge:0)" },
	{ LOOP, "start:0@1=1 enter:0@2=1 merge:0@3=1 body:0@4=2 merge:0@6=2 out:0@9=2",
	  "start:0@1=0 enter:0@2=0 merge:0@3=0 body:0@4=1 merge:0@6=1 out:0@9=1", "start:0!()" },
	/* only what is behind the loop has dumps */
	{ LOOP, "start:0@1=1 out:0@9=2", "start:0@1=1 out:0@9=1", "out:0(start:0)" },
	{ LOOP, "body:0@1=1 body:0@2=2 out:0@9=2", "body:0@1=1 body:0@2=3 out:0@9=1", "body:0#1()" },
	/* more rounds than before */
	{ LOOP, "merge:0@3=0 body:0@4=1 merge:0@5=1 body:0@6=2 merge:0@7=2", "merge:0@3=0 body:0@4=1 merge:0@5=1",
	  "body:0#1(merge:0)" },
	/* a loop that is none */
	{ "a Neg b; b Neg a", "a:0@1=1 b:0@2=1", "a:0@1=2 b:0@2=1", "a:0(b:0)" },
	{ "a Neg b; b Neg a; c Const; d Add c b", "a:0@1=1 d:0@2=1", "a:0@1=2 d:0@2=2", "a:0()" },
};
enum { N_PARTINGS = sizeof partings / sizeof *partings };

START_TEST(runs_part_somewhere)
{
	diff_is(partings[_i].graph, partings[_i].now, partings[_i].before, NULL, partings[_i].wanted);
}
END_TEST

/* What there is to tell of a pair: forms of what differs, figures of arrays. */
START_TEST(pairs_have_forms_and_figures)
{
	struct run *a = make_run(dirs[0], "", "a:0@1=1,2,3 b:0@2=i7 c:0@3=1 d:0@4=1,2");
	struct run *b = make_run(dirs[1], "", "a:0@1=1,2.5,2 b:0@2=7 c:0@3=1 e:0@4=1");
	struct err err = {0};
	struct run_diff *diff = run_diff_new(a, b, &exact, NULL, &err);
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
	struct run_diff *diff = run_diff_new(a, b, &exact, NULL, &err);

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

	ck_assert_ptr_null(run_diff_new(a, b, &exact, &progress, &err));
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
