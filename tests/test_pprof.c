/* What `pprof` writes of steps made by hand; the stacks and values are computed by hand. */
#include "tests/suite.h"

#include <string.h>

#include "tests/made_step.h"
#include "tests/message.h"
#include "tests/program.h"
#include "tests/small_dump.h"
#include "tests/small_pprof.h"

#define CPU "/job:localhost/replica:0/task:0/device:CPU:0"
#define ALL "/device:GPU:0/stream:all"
#define TYPES "calls/count\nkernel/nanoseconds\ncopy/nanoseconds\nhost/nanoseconds\nbytes/bytes\n"

/*
 * An op that took len_us in ns as well if has_ns, and 100 + 20 bytes of two allocators, 5 of its
 * own and 3 that stay.
 */
static void put_op(struct making *m, const char *name, int64_t len_us, bool has_ns)
{
	struct str record = {0}, memory = {0}, stats = {0};

	put_bytes(&record, 1, name, strlen(name));
	put_number(&record, 2, BEGIN_US);
	put_number(&record, 4, (uint64_t)len_us);
	put_number(&record, 5, (uint64_t)len_us);
	put_number(&memory, 2, 100);
	put_message(&record, 6, &memory);
	put_number(&memory, 2, 20);
	put_message(&record, 6, &memory);
	put_number(&stats, 1, 5);
	put_number(&stats, 3, 3);
	put_message(&record, 12, &stats);
	if (has_ns) {
		put_number(&record, 13, BEGIN_US * 1000);
		put_number(&record, 14, 100);
		put_number(&record, 15, (uint64_t)len_us * 1000 + 123);
		put_number(&record, 16, (uint64_t)len_us * 1000 + 123);
	}
	put_message(&m->lane, 2, &record);
	str_release(&record);
	str_release(&memory);
	str_release(&stats);
}

static void make_ops(struct making *m)
{
	made_lane(m, CPU);
	made_record(m, "_SOURCE", 1, 50, "");
	put_op(m, "a/b/mm", 7, false);
	put_op(m, "a/b/mm", 3, true);
	made_record(m, "lone", 30, 1, "lone = Neg(x)");
	made_record(m, "/slash", 30, 2, "");
	made_record(m, "_SINK", 60, 1, "");
}

static void make_streams(struct making *m)
{
	made_lane(m, "/device:GPU:0/stream:14");
	made_record(m, "a/b/mm:MatMul", 40, 5, "sgemm regs:1 shm:0@@a/b/mm:MatMul");
	made_lane(m, "/device:GPU:0/stream:15<MEMCPYHtoD>");
	made_record(m, "edge_3_a/b/mm/_9:MEMCPYHtoD", 40, 4,
	            "MemcpyH2D bytes:16@@edge_3_a/b/mm/_9:MEMCPYHtoD");
	made_lane(m, "/device:GPU:0/sync");
	made_record(m, "a/b/mm:wait", 40, 900, "");
}

static void make_all(struct making *m)
{
	make_ops(m);
	make_streams(m);
	made_lane(m, ALL);
	made_record(m, "a/b/mm:MatMul", 40, 5, "sgemm regs:1 shm:0@@a/b/mm:MatMul");
	made_record(m, "a/b/mm:MatMul", 50, 2, "sgemm regs:1 shm:0@@a/b/mm:MatMul");
	made_record(m, "edge_12_lone:Copy", 60, 3, "[CUDA]");
	made_record(m, "edge_lone:Copy", 60, 6, "k");
	made_record(m, "lone/_7:Op", 60, 8, "");
	made_record(m, "other/_7:Op", 60, 9, "k@@other/_7:Op");
	made_record(m, "void f(a::b):c", 60, 11, "void f");
	made_record(m, "loose", 60, 12, "");
	made_lane(m, "/device:GPU:0/memcpy");
	made_record(m, "edge_3_a/b/mm/_9:MEMCPYHtoD", 40, 4,
	            "MemcpyH2D bytes:16@@edge_3_a/b/mm/_9:MEMCPYHtoD");
}

#define FRAME(name) " <" name "  0:0>"
#define SCOPES FRAME("a/b") FRAME("a")
#define NODE(name) "graph node:" name
/* 10.023 us: one of the two is known to the ns. */
#define HOST_MM "2 0 0 10023 256 " NODE("a/b/mm") FRAME("a/b/mm") SCOPES "\n"
#define HOST_OTHERS \
	"1 0 0 1000 0 " NODE("lone") FRAME("lone") "\n" \
	"1 0 0 2000 0 " NODE("/slash") FRAME("/slash") "\n"
#define COPY "1 0 4000 0 0 " NODE("a/b/mm") FRAME("MemcpyH2D") FRAME("a/b/mm") SCOPES "\n"

static const struct { void (*make)(struct making *m); const char *lines; } files[] = {
	{ make_ops, HOST_MM HOST_OTHERS },
	/* Without the lanes of all of them kernels and copies are those of the streams. */
	{ make_streams, "1 5000 0 0 0 " NODE("a/b/mm") FRAME("sgemm") FRAME("a/b/mm") SCOPES "\n"
	  "1 0 4000 0 0 " NODE("edge_3_a/b/mm/_9") FRAME("MemcpyH2D") FRAME("edge_3_a/b/mm/_9")
	  FRAME("edge_3_a/b/mm") FRAME("edge_3_a/b") FRAME("edge_3_a") "\n" },
	{ make_all, HOST_MM HOST_OTHERS COPY
	  "2 7000 0 0 0 " NODE("a/b/mm") FRAME("sgemm") FRAME("a/b/mm") SCOPES "\n"
	  "1 3000 0 0 0 " NODE("lone") FRAME("Copy") FRAME("lone") "\n"
	  "1 6000 0 0 0 " NODE("edge_lone") FRAME("k") FRAME("edge_lone") "\n"
	  "1 8000 0 0 0 " NODE("lone") FRAME("Op") FRAME("lone") "\n"
	  "1 9000 0 0 0 " NODE("other/_7") FRAME("k") FRAME("other/_7") FRAME("other") "\n"
	  "1 11000 0 0 0 " NODE("(unattributed)") FRAME("void f") FRAME("(unattributed)") "\n"
	  "1 12000 0 0 0 " NODE("(unattributed)") FRAME("loose") FRAME("(unattributed)") "\n" },
};

/* Two frames of a traceback, outermost first, as an op log has them: texts by their numbers. */
static void put_op_log(struct str *out, const char *node)
{
	static const char *const texts[] = {
		"main.py", "<module>", "build()", "net.py", "build", "a * b",
	};
	struct str entry = {0}, code = {0}, piece = {0};

	for (unsigned i = 0; i < 2; i++) {
		put_number(&piece, 2, 40 + i);           /* line */
		put_number(&piece, 5, 10 + i);           /* where its function begins */
		put_number(&piece, 6, 3 * i + 1);        /* file, function, text */
		put_number(&piece, 7, 3 * i + 2);
		put_number(&piece, 8, 3 * i + 3);
		put_message(&code, 1, &piece);
	}
	put_bytes(&entry, 1, node, strlen(node));
	put_message(&entry, 4, &code);
	put_message(out, 1, &entry);
	for (unsigned i = 0; i < 6; i++) {
		put_number(&piece, 1, i + 1);
		put_bytes(&piece, 2, texts[i], strlen(texts[i]));
		put_message(out, 2, &piece);
	}
	str_release(&entry);
	str_release(&code);
	str_release(&piece);
}

static char *dir;

static void make_dir(void)
{
	dir = scratch_new();
}

static void remove_dir(void)
{
	scratch_remove(dir);
}

static void save_step(void (*make)(struct making *m))
{
	struct making m = {0};

	make(&m);
	made_save(&m, dir, "run_metadata.pb");
}

static void save_op_log(void)
{
	struct str log = {0};

	put_op_log(&log, "a/b/mm");
	dump_put(dir, "op_log.pb", log.text, log.len);
	str_release(&log);
}

/* What a command answers; with the op log if has_log. */
static void ask(const char *line, bool has_log, struct program_run *ran)
{
	program_run((const char *const[]){ program_path(), "--run-metadata=run_metadata.pb", "-c",
	                                   line, has_log ? "--op-log=op_log.pb" : NULL, NULL }, dir,
	                                   NULL, ran);
}

static int by_line(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Lines in the order in which pprof_as_text gives samples. */
static void put_sorted(struct str *out, const char *lines)
{
	char *copy = strdup(lines), *line[32], *next = copy;
	size_t n = 0;

	while ((line[n] = strsep(&next, "\n")) && *line[n])
		ck_assert_uint_lt(++n, 32);
	qsort(line, n, sizeof *line, by_line);
	for (size_t i = 0; i < n; i++)
		str_fmt(out, "%s\n", line[i]);
	free(copy);
}

/* The file f.pb.gz that a command wrote has these samples. */
static void expect_written(const char *lines)
{
	struct str path = {0}, got = {0}, want = {0};

	str_fmt(&path, "%s/f.pb.gz", dir);
	ck_assert(read_whole(path.text, &got));
	pprof_as_text(&got);
	str_puts(&want, TYPES);
	put_sorted(&want, lines);
	ck_assert_str_eq(got.text, want.text);
	str_release(&path);
	str_release(&got);
	str_release(&want);
}

START_TEST(costs_are_below_their_scopes)
{
	struct program_run ran;

	save_step(files[_i].make);
	ask("pprof -o f.pb.gz", false, &ran);
	ck_assert_msg(ran.status == 0, "%s", str_text(&ran.err));
	expect_written(files[_i].lines);
	program_release(&ran);
}
END_TEST

#define CODE " <build net.py 11:41> <<module> main.py 10:40>"

/*
 * With an op log stacks are lines of code, unless scopes are asked for; a node that it does not
 * know has none.
 */
static const struct { const char *line, *lines; } modes[] = {
	{ "pprof -o f.pb.gz", "2 0 0 10023 256 " NODE("a/b/mm") FRAME("a/b/mm") CODE
	                      "\n" HOST_OTHERS },
	{ "pprof -o f.pb.gz --mode code", "2 0 0 10023 256 " NODE("a/b/mm") FRAME("a/b/mm") CODE
	                                  "\n" HOST_OTHERS },
	{ "pprof -o f.pb.gz --mode scope", HOST_MM HOST_OTHERS },
};

START_TEST(stacks_are_of_code_or_scopes)
{
	struct program_run ran;

	save_step(make_ops);
	save_op_log();
	ask(modes[_i].line, true, &ran);
	ck_assert_msg(ran.status == 0, "%s", str_text(&ran.err));
	ck_assert_msg(strstr(str_text(&ran.out), "Wrote 3 stacks to f.pb.gz"), "%s",
	              str_text(&ran.out));
	expect_written(modes[_i].lines);
	program_release(&ran);
}
END_TEST

static const struct { const char *line, *says; } wrong[] = {
	{ "pprof", "ERROR: pprof needs the file to write: pprof -o FILE." },
	{ "pprof -o f.pb.gz --mode code", "ERROR: --mode code needs an op log: --op-log FILE." },
	{ "pprof -o f.pb.gz --mode line", "ERROR: --mode is code or scope, not line." },
	{ "pprof -o none/f.pb.gz", "none/f.pb.gz" },
};

START_TEST(what_cannot_be_written_is_told)
{
	struct program_run ran;
	struct str path = {0}, got = {0};

	save_step(make_ops);
	ask(wrong[_i].line, false, &ran);
	ck_assert_int_eq(ran.status, 1);
	ck_assert_msg(strstr(str_text(&ran.err), wrong[_i].says) ||
	              strstr(str_text(&ran.out), wrong[_i].says), "%s%s", str_text(&ran.out),
	              str_text(&ran.err));
	str_fmt(&path, "%s/f.pb.gz", dir);
	ck_assert(!read_whole(path.text, &got));
	str_release(&path);
	str_release(&got);
	program_release(&ran);
}
END_TEST


SUITE_MAIN("pprof",
	tcase_add_checked_fixture(t, make_dir, remove_dir);
	tcase_add_loop_test(t, costs_are_below_their_scopes, 0, ROWS(files));
	tcase_add_loop_test(t, stacks_are_of_code_or_scopes, 0, ROWS(modes));
	tcase_add_loop_test(t, what_cannot_be_written_is_told, 0, ROWS(wrong));
)
