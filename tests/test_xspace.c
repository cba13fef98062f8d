/*
 * XSpace files: recordings against XProf's answers about them, odd files, and damage at every
 * byte.
 */
#include "tests/suite.h"

#include <math.h>
#include <string.h>

#include "dump/format/gzip.h"
#include "dump/profile/label.h"
#include "dump/profile/trace.h"
#include "dump/profile/xspace.h"
#include "tests/loaded_xspace.h"
#include "tests/message.h"
#include "tests/program.h"

#define TF2 "testdata/xspace/tf2_train/"
#define JAX "testdata/xspace/jax_step/"
#define GPU "testdata/xspace/gpu_worker/"
#define GPU_FILE GPU "worker.xplane.pb.gz"

/* A value of a record's launch; "": not said. */
static bool launch_is(const struct trace *trace, const struct activity *a, const char *key,
                      const char *wanted)
{
	struct text value = launch_value(a->launch == MAP_NONE ? NULL : name_of(trace, a->launch),
	                                 key);

	return value.len == strlen(wanted) && (!value.len || !memcmp(value.at, wanted, value.len));
}

/* Fields of a line between tabs. */
static size_t split(char *line, char **field, size_t most)
{
	size_t n = 0;
	char *rest = line;

	while (n < most && rest)
		field[n++] = strsep(&rest, "\t");
	return n;
}

static int64_t thousandths(const char *text)
{
	return llround(strtod(text, NULL) * 1000);
}

/* Recordings. */

START_TEST(kernels_are_those_of_xprof)
{
	struct trace *trace = xspace_load(GPU_FILE);
	struct str file = {0};
	char *line, *rest, *f[9];
	size_t rows = 0, calls = 0;

	ck_assert(read_whole(GPU "kernel_stats.tsv", &file));
	for (line = strtok_r(file.text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		int64_t n = 0, sum = 0, least = INT64_MAX, most = 0;

		ck_assert_uint_eq(split(line, f, 9), 9);
		for (size_t i = 0; i < trace->all.at.len; i++) {
			const struct activity *a = &trace->all.at.at[i];

			if (a->kind != ACTIVITY_KERNEL || strcmp(name_of(trace, a->raw), f[0])
			    || !launch_is(trace, a, "regs:", f[1])
			    || !launch_is(trace, a, "shm:", f[2])
			    || !launch_is(trace, a, "block:", f[3])
			    || !launch_is(trace, a, "grid:", f[4]))
				continue;
			n++;
			sum += a->len_ns;
			least = a->len_ns < least ? a->len_ns : least;
			most = a->len_ns > most ? a->len_ns : most;
		}
		ck_assert_int_eq(n, strtoll(f[5], NULL, 10));
		ck_assert_int_eq(sum, thousandths(f[6]));
		ck_assert_int_eq(least, thousandths(f[7]));
		ck_assert_int_eq(most, thousandths(f[8]));
		calls += (size_t)n;
		rows++;
	}
	ck_assert_uint_eq(rows, 15);
	ck_assert_uint_eq(calls, trace->all.n_of[ACTIVITY_KERNEL]);
	ck_assert_uint_eq(trace->all.n_of[ACTIVITY_COPY], 226);
	str_release(&file);
	trace_free(trace);
}
END_TEST

START_TEST(host_ops_are_those_of_xprof)
{
	struct trace *trace = xspace_load(TF2 "host.xplane.pb");
	struct str file = {0};
	char *line, *rest, *f[5];
	size_t rows = 0, calls = 0;

	ck_assert(read_whole(TF2 "host_ops.tsv", &file));
	for (line = strtok_r(file.text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		int64_t n = 0, sum = 0, own = 0;

		ck_assert_uint_eq(split(line, f, 5), 5);
		for (size_t i = 0; i < trace->all.at.len; i++) {
			const struct activity *a = &trace->all.at.at[i];

			if (strcmp(name_of(trace, a->node), f[0])
			    || strcmp(name_of(trace, a->op), f[1]))
				continue;
			n++;
			sum += a->len_ns;
			own += activity_own_ns(a);
		}
		ck_assert_int_eq(n, strtoll(f[2], NULL, 10));
		ck_assert_int_le(llabs(sum - thousandths(f[3])), n);
		ck_assert_int_le(llabs(own - thousandths(f[4])), n);
		calls += (size_t)n;
		rows++;
	}
	ck_assert_uint_eq(rows, 33);
	ck_assert_uint_eq(calls, trace->all.n_of[ACTIVITY_HOST]);
	str_release(&file);
	trace_free(trace);
}
END_TEST

static const struct { const char *dir; uint64_t events, records; } recordings[] = {
	{ TF2, 1842, 362 }, { JAX, 1017, 312 },
};

START_TEST(steps_are_those_of_xprof)
{
	struct str path = {0}, file = {0};
	struct trace *trace;
	char *line, *rest, *f[2];
	size_t i = 0;

	str_fmt(&path, "%shost.xplane.pb", recordings[_i].dir);
	trace = xspace_load(path.text);
	str_reset(&path);
	str_fmt(&path, "%ssteps.tsv", recordings[_i].dir);
	ck_assert(read_whole(path.text, &file));
	for (line = strtok_r(file.text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		const struct trace_step *step = &trace->steps.at[i++];

		ck_assert_uint_le(i, trace->steps.len);
		ck_assert_uint_eq(split(line, f, 2), 2);
		ck_assert_int_eq(step->number, strtoll(f[0] + strlen("train "), NULL, 10));
		ck_assert_int_eq(step->end_ns - step->start_ns,
		                 llround(strtod(f[1], NULL) * 1000000));
	}
	ck_assert_uint_eq(i, trace->steps.len);
	ck_assert_uint_eq(trace->n_events, recordings[_i].events);
	ck_assert_uint_eq(trace->records.len, recordings[_i].records);
	ck_assert(trace->has_base);
	ck_assert_uint_eq(trace->warnings.len, 0);
	str_release(&path);
	str_release(&file);
	trace_free(trace);
}
END_TEST

/* Odd files. */

START_TEST(ids_may_be_any_numbers)
{
	struct str entry = {0}, name = {0};
	static const int64_t ids[] = { 5, -3, INT64_MAX, 0, INT64_MIN, 5 };
	struct made_xspace m = {0};
	struct trace *trace;

	made_plane(&m, "/host:CPU");
	for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
		char op[] = { (char)('a' + i), ':', 'A', '\0' };

		str_reset(&entry);
		str_reset(&name);
		put_bytes(&name, 2, op, 3);
		put_number(&entry, 1, (uint64_t)ids[i]);
		put_message(&entry, 2, &name);
		put_message(&m.events, 4, &entry);
	}
	made_line(&m, INT64_MIN, "main", 0);
	for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
		made_event(&m, 0, (int64_t)i * 1000, 1000);
		str_reset(&m.event);
		put_number(&m.event, 1, (uint64_t)ids[i]);
		put_number(&m.event, 2, i * 1000);
	}
	made_plane_end(&m);
	trace = xspace_load_made(&m);
	ck_assert_uint_eq(trace->all.at.len, 6);
	ck_assert_str_eq(name_of(trace, trace->all.at.at[0].node), "f");  /* the last entry wins */
	ck_assert_str_eq(name_of(trace, trace->all.at.at[1].node), "b");
	ck_assert_str_eq(name_of(trace, trace->all.at.at[2].node), "c");
	ck_assert_str_eq(name_of(trace, trace->all.at.at[3].node), "d");
	ck_assert_str_eq(name_of(trace, trace->all.at.at[4].node), "e");
	str_release(&entry);
	str_release(&name);
	trace_free(trace);
}
END_TEST

static const struct { int64_t line_ns, start_ps, len_ps; size_t records, left_out; } times[] = {
	{ 0, 499, 500, 1, 0 },
	{ -5, 0, 0, 1, 0 },
	{ 0, -1, 10, 1, 0 },
	{ 0, 0, -1, 0, 1 },
	{ INT64_MAX, INT64_MAX, 1, 0, 1 },
	{ INT64_MAX - 5, 0, 1000000, 0, 1 },
	{ INT64_MIN, INT64_MIN, 1, 0, 1 },
	{ 0, 0, INT64_MAX, 1, 0 },       /* impossible: longer than a day */
};

START_TEST(times_beyond_all_are_left_out)
{
	struct made_xspace m = {0};
	struct trace *trace;

	made_plane(&m, "/host:CPU");
	made_line(&m, 1, "main", times[_i].line_ns);
	made_event(&m, made_event_name(&m, "a:A"), times[_i].start_ps, times[_i].len_ps);
	made_plane_end(&m);
	trace = xspace_load_made(&m);
	ck_assert_uint_eq(trace->all.at.len + trace->all.impossible.len, times[_i].records);
	ck_assert_uint_eq(trace->n_left_out, times[_i].left_out);
	trace_free(trace);
}
END_TEST

/* Bytes that are none, or lie: an error or what is sound, and never more. */
#define BYTES(text) text, sizeof text - 1
static const struct { const char *bytes; size_t len; bool ok; } odd[] = {
	{ BYTES(""), false },
	{ BYTES("\x0a"), false },
	{ BYTES("\x12\x01x"), false },                             /* only an error's text */
	{ BYTES("\x0a\x00"), true },
	{ BYTES("\x0a\xff\xff\xff\xff\x0f"), true },       /* 4 GB, of which none is there */
	{ BYTES("\x0a\x0b\x12\x09/host:CPU"), true },
	{ BYTES("\x0a\x0d\x12\x09/host:CPU\x18\x01"), true },      /* lines are no number */
	{ BYTES("\x0a\x0f\x12\x09/host:CPU\x1a\x02\x22\x7f"), true },
	{ BYTES("\x0a\x0f\x12\x09/host:CPU\x22\x02\x0a\x01"), true },
	{ BYTES("\x0b\x0b\x0b"), false },
};

START_TEST(odd_bytes_do_no_harm)
{
	struct err err = {0};
	struct trace *trace = trace_load(file_of(odd[_i].bytes, odd[_i].len), &xspace_source, NULL,
	                                 NULL, &err);

	ck_assert_int_eq(trace != NULL, odd[_i].ok);
	ck_assert_int_eq(err.code != ERR_NONE, !odd[_i].ok);
	if (trace)
		ck_assert_uint_eq(trace->records.len, 0);
	trace_free(trace);
}
END_TEST

/* A little of everything. */
static void make_all(struct made_xspace *m)
{
	uint32_t correlation, stat, text;

	made_plane(m, "/device:GPU:0");
	correlation = made_stat_name(m, "correlation_id");
	stat = made_stat_name(m, "kernel_details");
	text = made_stat_name(m, "regs:1 grid:1,1,1 block:1,1,1");
	made_line(m, 1, "Stream #1(Compute)", 0);
	made_event(m, made_event_name(m, "k"), 5000, 1000);
	made_number(m, correlation, 1);
	made_reference(m, stat, text);
	made_plane_end(m);
	made_plane(m, "/host:CPU");
	correlation = made_stat_name(m, "correlation_id");
	stat = made_stat_name(m, "step_num");
	made_line(m, 1, "main", 0);
	made_event(m, made_event_name(m, "train"), 0, 10000);
	made_number(m, stat, 3);
	made_event(m, made_event_name(m, "a:A"), 0, 3000);
	made_event(m, made_event_name(m, "call"), 1000, 1000);
	made_number(m, correlation, 1);
	made_plane_end(m);
	made_plane(m, "Task Environment");
	made_plane_end(m);
}

/* Records come with the planes that are whole; a warning says where it stops. */
START_TEST(cut_at_every_byte)
{
	struct made_xspace m = {0};
	size_t most = 0;

	make_all(&m);
	for (size_t len = 1; len <= m.out.len; len++) {
		struct err err = {0};
		struct trace *trace = trace_load(file_of(m.out.text, len), &xspace_source, NULL,
		                                 NULL, &err);

		ck_assert_int_eq(trace == NULL, err.code != ERR_NONE);
		if (!trace)
			continue;
		ck_assert_uint_le(trace->records.len, 2);
		ck_assert_uint_ge(trace->records.len, most);
		most = trace->records.len;
		if (trace->warnings.len)
			ck_assert_ptr_nonnull(strstr(trace->warnings.at[0],
			                             "This file stops in the middle: "));
		trace_free(trace);
	}
	ck_assert_uint_eq(most, 2);
	made_xspace_release(&m);
}
END_TEST

START_TEST(any_byte_may_be_another)
{
	struct made_xspace m = {0};

	make_all(&m);
	for (size_t i = 0; i < m.out.len; i++)
		for (int flip = 1; flip < 256; flip *= 2) {
			struct trace *trace;

			m.out.text[i] = (char)(m.out.text[i] ^ flip);
			trace = trace_load(file_of(m.out.text, m.out.len), &xspace_source, NULL,
			                   NULL, NULL);
			m.out.text[i] = (char)(m.out.text[i] ^ flip);
			if (trace)
				ck_assert_uint_le(trace->records.len, 4);
			trace_free(trace);
		}
	made_xspace_release(&m);
}
END_TEST

/* Compressed it is the same; what is cut there too. */
START_TEST(compressed_file_is_read)
{
	struct made_xspace m = {0};
	struct str packed = {0};
	struct err err = {0};
	struct trace *trace;
	char *dir = scratch_new();
	struct str path = {0};

	make_all(&m);
	str_fmt(&path, "%s/x.gz", dir);
	ck_assert(gzip_write(path.text, m.out.text, m.out.len, &err));
	trace = xspace_load(path.text);
	ck_assert_uint_eq(trace->records.len, 2);
	ck_assert_uint_eq(trace->warnings.len, 0);
	trace_free(trace);
	ck_assert(read_whole(path.text, &packed));
	trace = xspace_load(file_of(packed.text, packed.len - 8)); /* its checksum is cut off */
	ck_assert_uint_eq(trace->records.len, 2);
	ck_assert_uint_eq(trace->warnings.len, 1);
	trace_free(trace);
	ck_assert_ptr_null(trace_load(file_of(packed.text, 12), &xspace_source, NULL, NULL, &err));
	ck_assert_int_ne(err.code, ERR_NONE);
	str_release(&packed);
	str_release(&path);
	made_xspace_release(&m);
	scratch_remove(dir);
}
END_TEST

SUITE_MAIN("xspace",
	tcase_add_test(t, kernels_are_those_of_xprof);
	tcase_add_test(t, host_ops_are_those_of_xprof);
	tcase_add_loop_test(t, steps_are_those_of_xprof, 0, ROWS(recordings));
	tcase_add_test(t, ids_may_be_any_numbers);
	tcase_add_loop_test(t, times_beyond_all_are_left_out, 0, ROWS(times));
	tcase_add_loop_test(t, odd_bytes_do_no_harm, 0, ROWS(odd));
	tcase_add_test(t, cut_at_every_byte);
	tcase_add_test(t, any_byte_may_be_another);
	tcase_add_test(t, compressed_file_is_read);
)
