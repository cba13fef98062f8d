/*
 * Filters of recorded programs: an expression says of a tensor what the built-in filter says that
 * asks the same, also that nothing is known; and what is open stays so as far as logic has it.
 */
#include "tests/suite.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "dump/base/str.h"
#include "tests/program.h"

static char *home;

static void setup(void)
{
	home = scratch_new();
}

static void teardown(void)
{
	scratch_remove(home);
}

struct verdicts {
	uint64_t all, yes, open;
};

/* Of the tensors that pass an expression, or (name) a filter. The rows are in `rows`. */
static struct verdicts ask(const char *recording, const char *name, const char *expression,
                           struct str *rows)
{
	struct str add = {0}, list = {0}, path = {0};
	const char *argv[] = { program_path(), "--format=json", "-c", NULL, "-c", NULL, NULL,
	                       NULL };
	struct program_run ran = {0};
	struct verdicts v = {0};
	const char *at;

	str_fmt(&add, "filter add mine '%s'", expression ? expression : "slot");
	str_fmt(&list, "lt --all-steps -f \"%s\"", expression ? "mine" : name);
	str_fmt(&path, "%s/testdata/v2/%s", getenv("PWD"), recording);
	argv[3] = add.text;
	argv[5] = list.text;
	argv[6] = path.text;
	program_run(argv, home, NULL, &ran);
	ck_assert_msg(ran.status == 0, "%s: %s", expression ? expression : name,
	              str_text(&ran.out));
	at = strstr(ran.out.text, "\"summary\":");
	ck_assert_ptr_nonnull(at);
	ck_assert_int_eq(sscanf(at, "\"summary\":{\"tensors\":%" SCNu64 ",\"matched\":%" SCNu64
	                            ",\"unknown\":%" SCNu64, &v.all, &v.yes, &v.open), 3);
	at = strstr(at, "\"rows\":");
	ck_assert_ptr_nonnull(at);
	str_reset(rows);
	str_puts(rows, at);
	program_release(&ran);
	str_release(&add);
	str_release(&list);
	str_release(&path);
	return v;
}

static const char *const recordings[] = {
	"mode_CONCISE_HEALTH", "dtypes_full", "filtered", "nested", "tf2.1.3_FULL_TENSOR",
	"graph_v1",
};

static const struct { const char *name, *expression; } pairs[] = {
	{ "has_nan", "nan" }, { "has_inf", "inf > 0" }, { "has_zero", "zeros != 0" },
	{ "has_inf_or_nan", "nan || inf" }, { "has_inf_or_nan", "!(nan == 0 && inf == 0)" },
	{ "dtype:float32", "dtype == \"float32\"" }, { "dtype:bool", "dtype ~ \"^bool$\"" },
	{ "rank:0", "rank == 0" }, { "rank:2", "rank >= 2 && rank <= 2" },
	{ "size>10", "count > 10" }, { "size>10", "!(count <= 10)" },
	{ "size>1", "count > 1" },
};

/* The loop goes over pairs and recordings. */
START_TEST(expressions_of_built_in_filters)
{
	const char *recording = recordings[_i % ROWS(recordings)];
	const char *name = pairs[_i / ROWS(recordings)].name;
	const char *expression = pairs[_i / ROWS(recordings)].expression;
	struct str a = {0}, b = {0};
	struct verdicts x = ask(recording, name, NULL, &a);
	struct verdicts y = ask(recording, NULL, expression, &b);

	ck_assert_msg(x.all == y.all && x.yes == y.yes && x.open == y.open,
	              "%s, %s: %" PRIu64 " pass, %" PRIu64 " open; %s: %" PRIu64 ", %" PRIu64,
	              recording, name, x.yes, x.open, expression, y.yes, y.open);
	ck_assert_str_eq(str_text(&a), str_text(&b));
	str_release(&a);
	str_release(&b);
}
END_TEST

/*
 * Of CONCISE_HEALTH: nan is told, zeros never is. nan has x yes, y open of all; what comes of a
 * term is yes_of * x + ... .
 */
static const struct {
	const char *expression;
	int yes_x, yes_no, open_x, open_no;      /* of tensors with NaN, of those without */
} logic[] = {
	{ "nan", 1, 0, 0, 0 },
	{ "!nan", 0, 1, 0, 0 },
	{ "zeros", 0, 0, 1, 1 },
	{ "!zeros", 0, 0, 1, 1 },
	{ "zeros == 0 || zeros != 0", 0, 0, 1, 1 },
	{ "nan && zeros", 0, 0, 1, 0 },
	{ "zeros && nan", 0, 0, 1, 0 },
	{ "nan || zeros", 1, 0, 0, 1 },
	{ "zeros || nan", 1, 0, 0, 1 },
	{ "!(nan && zeros)", 0, 1, 1, 0 },
	{ "!(nan || zeros)", 0, 0, 0, 1 },
	{ "nan && max > 3", 0, 0, 1, 0 },
	{ "nan || shape == [2]", 1, 0, 0, 1 },
	{ "nan || dtype != \"int8\"", 1, 0, 0, 1 },
	{ "nan && rank < 0", 0, 0, 1, 0 },
	{ "zeros && bytes < 0", 0, 0, 0, 0 },
	{ "zeros || bytes >= 0", 1, 1, 0, 0 },
};

START_TEST(what_is_open_stays_open)
{
	struct str rows = {0};
	struct verdicts nan = ask("mode_CONCISE_HEALTH", "has_nan", NULL, &rows);
	struct verdicts v = ask("mode_CONCISE_HEALTH", NULL, logic[_i].expression, &rows);
	uint64_t no = nan.all - nan.yes - nan.open;
	/* Of those about which nothing is known all depends on what both answers would give. */
	bool always = logic[_i].yes_x && logic[_i].yes_no;
	bool never = !logic[_i].yes_x && !logic[_i].yes_no && !logic[_i].open_x &&
	             !logic[_i].open_no;
	uint64_t open = always || never ? 0 : nan.open;

	ck_assert_uint_eq(nan.yes, 69);
	ck_assert_uint_gt(nan.open, 0);
	ck_assert_msg(v.yes == logic[_i].yes_x * nan.yes + logic[_i].yes_no * no +
	                       (always ? nan.open : 0) &&
	              v.open == logic[_i].open_x * nan.yes + logic[_i].open_no * no + open,
	              "%s: %" PRIu64 " pass, %" PRIu64 " open", logic[_i].expression, v.yes,
	              v.open);
	str_release(&rows);
}
END_TEST

/* A field that only whole tensors tell. */
static const struct { const char *expression; uint64_t yes; } values[] = {
	{ "dtype == \"bool\" && max >= 0", 0 },
	{ "dtype == \"string\" && mean >= 0", 0 },
	{ "dtype == \"float8_e5m2\" && max == 96 && min == 0 && mean > 17.8 && mean < 17.9", 2 },
	{ "dtype == \"int4\" && std > 1.7 && std < 1.71 && mean == 2.5", 2 },
	{ "dtype == \"float64\" && shape == [] && max == 111.5 && std == 0", 2 },
	{ "shape == [1,2,_,3,1,1,1] && max == 101", 3 },
};

START_TEST(what_values_tell)
{
	struct str rows = {0};
	struct verdicts v = ask("dtypes_full", NULL, values[_i].expression, &rows);

	ck_assert_uint_eq(v.yes, values[_i].yes);
	str_release(&rows);
}
END_TEST

SUITE_MAIN("program_filter",
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, expressions_of_built_in_filters, 0,
	                    ROWS(pairs) * ROWS(recordings));
	tcase_add_loop_test(t, what_is_open_stays_open, 0, ROWS(logic));
	tcase_add_loop_test(t, what_values_tell, 0, ROWS(values));)
