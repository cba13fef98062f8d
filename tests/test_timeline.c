/* The modern style of `timeline -o`: steps made by hand, expected files computed by hand. */
#include "tests/suite.h"

#include <string.h>

#include "tests/made_step.h"
#include "tests/message.h"
#include "tests/program.h"

#define CPU "/job:localhost/replica:0/task:0/device:CPU:0"
#define GPU "/job:localhost/replica:0/task:0/device:GPU:0"
#define NAMED(what, pid, name) "{\"name\":\"" what "_name\",\"ph\":\"M\",\"pid\":" pid \
	",\"args\":{\"name\":\"" name "\"}},"
#define AT(what, pid, place) \
	"{\"name\":\"" what "_sort_index\",\"ph\":\"M\",\"pid\":" pid ",\"args\":{\"sort_index\":" \
	place "}},"
#define PROCESS(pid, name) NAMED("process", pid, name) AT("process", pid, pid)
#define THREAD(pid, tid, name, place) NAMED("thread", pid ",\"tid\":" tid, name) AT("thread", pid \
	",\"tid\":" tid, place)
#define SLICE(name, pid, tid, ts, dur, args) \
	"{\"ph\":\"X\",\"cat\":\"Op\",\"name\":\"" name "\",\"pid\":" pid ",\"tid\":" tid \
	",\"ts\":" ts ",\"dur\":" dur \
	",\"args\":{" args "}}"
#define FLOW(ph, name, pid, tid, ts, end) \
	"{\"ph\":\"" ph "\",\"cat\":\"DataFlow\",\"name\":\"" name "\",\"pid\":" pid ",\"tid\":" \
	tid ",\"ts\":" ts end "}"
#define COUNT(ts, bytes) \
	"{\"ph\":\"C\",\"cat\":\"Memory\",\"name\":\"cpu\",\"pid\":0,\"tid\":0,\"ts\":" ts \
	",\"args\":{\"cpu\":" bytes "}}"
#define BEGIN(ns) "{\"displayTimeUnit\":\"ns\",\"baseTimeNanoseconds\":" ns ",\"traceEvents\":["
#define END "]}"

/* An op of the lane begun last: its times in ns, and one output of so many bytes. */
static void put_op(struct making *m, const char *name, int64_t start_ns, int64_t len_ns,
                   int64_t bytes, const char *label)
{
	struct str record = {0}, output = {0}, tensor = {0}, allocation = {0};

	put_number(&allocation, 1, (uint64_t)bytes);
	put_bytes(&allocation, 3, "cpu", 3);
	put_message(&tensor, 4, &allocation);
	put_message(&output, 3, &tensor);
	put_bytes(&record, 1, name, strlen(name));
	put_number(&record, 2, (uint64_t)(BEGIN_US + start_ns / 1000));
	put_number(&record, 4, (uint64_t)len_ns / 1000);
	put_number(&record, 5, (uint64_t)len_ns / 1000);
	put_message(&record, 7, &output);
	put_bytes(&record, 8, label, strlen(label));
	put_number(&record, 13, (uint64_t)(BEGIN_US * 1000 + start_ns));
	put_number(&record, 15, (uint64_t)len_ns);
	put_number(&record, 16, (uint64_t)len_ns);
	put_message(&m->lane, 2, &record);
	str_release(&record);
	str_release(&output);
	str_release(&tensor);
	str_release(&allocation);
}

/* c is in the file before what it takes; e has an impossible time; /host:CPU repeats an op. */
static void make_ops(struct making *m)
{
	made_lane(m, CPU);
	put_op(m, "c", 6250, 1500, 8, "c = Neg(a)");
	put_op(m, "a", 2500, 3000, 16, "a = Const()");
	put_op(m, "b", 5500, 2000, 4, "b = Abs(a)");
	made_record(m, "e", 0, 20, "e = Abs(a)");
	made_lane(m, "/host:CPU");
	made_record(m, "a:Const", 2, 3, "");
}

/* Kernels that touch, one of length 0, one that overlaps; a stream without a number; a wait. */
static void make_gpu(struct making *m)
{
	static const struct { const char *lane, *name, *label; int64_t start, len; } records[] = {
		{ "/device:GPU:0/stream:all", "g:MatMul", "k1 regs:1@@g:MatMul", 20, 5 },
		{ NULL, "g:MatMul", "k2@@g:MatMul", 25, 0 },
		{ NULL, "h\n:Add", "k3@@h\n:Add", 27, 5 },
		{ NULL, "h\n:Add", "k4", 30, 4 },
		{ NULL, "lost", "lost", 40, 1 },
		{ "/device:GPU:0/stream:14", "g:MatMul", "k1 regs:1@@g:MatMul", 20, 5 },
		{ NULL, "g:MatMul", "k2@@g:MatMul", 25, 0 },
		{ NULL, "h\n:Add", "k3@@h\n:Add", 27, 5 },
		{ NULL, "h\n:Add", "k4", 30, 4 },
		{ "/device:GPU:0/sync", "cuStreamSynchronize", "ThreadId 7", 12, 30 },
	};

	made_lane(m, GPU);
	made_record(m, "g", 10, 12, "g = MatMul(x)");
	for (size_t i = 0; i < ROWS(records); i++) {
		if (records[i].lane)
			made_lane(m, records[i].lane);
		made_record(m, records[i].name, records[i].start, records[i].len, records[i].label);
	}
}

/* After its label the record goes on with a field longer than itself: it has no label then. */
static void put_cut(struct making *m, const char *name, int64_t start)
{
	static const char label[] = "cut = Op(a long label, so that what lies behind an empty text "
	                            "would show in the file)";
	struct str record = {0};

	put_bytes(&record, 1, name, strlen(name));
	put_number(&record, 2, (uint64_t)(BEGIN_US + start));
	put_number(&record, 4, 2);
	put_number(&record, 5, 2);
	put_bytes(&record, 8, label, strlen(label));
	put_varint(&record, 8 << 3 | 2);
	put_varint(&record, 1000);
	put_message(&m->lane, 2, &record);
	str_release(&record);
}

static void make_cut(struct making *m)
{
	made_lane(m, CPU);
	put_cut(m, "cut", 1);
	made_lane(m, "/device:GPU:0/stream:all");
	put_cut(m, "k:Op", 5);
}

#define A "\"name\":\"a\",\"op\":\"Const\""
#define B "\"name\":\"b\",\"op\":\"Abs\",\"input0\":\"a\""
#define C "\"name\":\"c\",\"op\":\"Neg\",\"input0\":\"a\""
#define OPS PROCESS("1", CPU " host") THREAD("1", "0", "row 0", "0") THREAD("1", "1", "row 1", "1")
#define GPU_NAMES PROCESS("1", GPU " host") PROCESS("2", "/device:GPU:0/sync") PROCESS("3", GPU \
	" streams") \
	THREAD("1", "0", "row 0", "0") THREAD("2", "0", "row 0", "1") THREAD("3", "14", \
	"stream 14", "2") \
	THREAD("3", "15", "stream 14, row 1", "3") THREAD("3", "16", "stream ?", "4")
#define G "\"name\":\"g\",\"op\":\"MatMul\""
#define WAIT "\"name\":\"cuStreamSynchronize\",\"op\":\"unknown\""
#define KERNELS(first, second, third, fourth, lost) \
	SLICE("MatMul", "3", "14", first, "5.000", G ",\"kernel\":\"k1 regs:1\"") "," \
	SLICE("MatMul", "3", "14", second, "0.001", G ",\"kernel\":\"k2\"") "," \
	SLICE("Add", "3", "14", third, "5.000", \
	"\"name\":\"h\\n\",\"op\":\"Add\",\"kernel\":\"k3\"") "," \
	SLICE("Add", "3", "15", fourth, "4.000", \
	"\"name\":\"h\\n\",\"op\":\"Add\",\"kernel\":\"k4\"") "," \
	SLICE("unknown", "3", "16", lost, "1.000", \
	"\"name\":\"lost\",\"op\":\"unknown\",\"kernel\":\"lost\"")

static const struct {
	void (*make)(struct making *m);
	const char *options, *expected;
} files[] = {
	/* b begins where a ends, and shares its row; c overlaps b. */
	{ make_ops, "",
	  BEGIN("1600000000000002500") OPS
	  SLICE("Const", "1", "0", "0.000", "3.000", A) ","
	  FLOW("s", "a", "1", "0", "2.999", ",\"id\":0") ","
	  SLICE("Abs", "1", "0", "3.000", "2.000", B) ","
	  SLICE("Neg", "1", "1", "3.750", "1.500", C) ","
	  FLOW("f", "a", "1", "1", "3.750", ",\"id\":0,\"bp\":\"e\"") END },
	{ make_ops, " --no-flow",
	  BEGIN("1600000000000002500") OPS
	  SLICE("Const", "1", "0", "0.000", "3.000", A)
	  "," SLICE("Abs", "1", "0", "3.000", "2.000", B) ","
	  SLICE("Neg", "1", "1", "3.750", "1.500", C) END },
	/* In whole us: b from 5 and c from 6, both to 7; a from 2 until one before that. */
	{ make_ops, " --no-flow --memory",
	  BEGIN("1600000000000002500") PROCESS("0", "Allocators") OPS
	  SLICE("Const", "1", "0", "0.000", "3.000", A) "," COUNT("0.000", "16") ","
	  COUNT("2.500", "20") "," SLICE("Abs", "1", "0", "3.000", "2.000", B)
	                       "," COUNT("3.500", "4") ","
	  COUNT("3.500", "12") "," SLICE("Neg", "1", "1", "3.750", "1.500", C) ","
	  COUNT("4.500", "4") "," COUNT("4.500", "0") END },
	{ make_gpu, "",
	  BEGIN("1600000000000010000") GPU_NAMES
	  SLICE("MatMul", "1", "0", "0.000", "12.000", G ",\"input0\":\"x\"") ","
	  SLICE("unknown", "2", "0", "2.000", "30.000", WAIT) ","
	  KERNELS("10.000", "15.000", "17.000", "20.000", "30.000") END },
	/* The kernels of g: from 20 to 25.001. */
	{ make_gpu, " --op-time all",
	  BEGIN("1600000000000010000") GPU_NAMES
	  SLICE("MatMul", "1", "0", "0.000", "15.001", G ",\"input0\":\"x\"") ","
	  SLICE("unknown", "2", "0", "2.000", "30.000", WAIT) ","
	  KERNELS("10.000", "15.000", "17.000", "20.000", "30.000") END },
	{ make_gpu, " --op-time gpu",
	  BEGIN("1600000000000012000") GPU_NAMES
	  SLICE("unknown", "2", "0", "0.000", "30.000", WAIT) ","
	  SLICE("MatMul", "1", "0", "8.000", "5.001", G ",\"input0\":\"x\"") ","
	  KERNELS("8.000", "13.000", "15.000", "18.000", "28.000") END },
	{ make_cut, "",
	  BEGIN("1600000000000001000") PROCESS("1", CPU " host") PROCESS("2",
	                                                                 "/device:GPU:0 streams")
	  THREAD("1", "0", "row 0", "0") THREAD("2", "0", "stream ?", "1")
	  SLICE("unknown", "1", "0", "0.000", "2.000", "\"name\":\"cut\",\"op\":\"unknown\"") ","
	  SLICE("Op", "2", "0", "4.000", "2.000", "\"name\":\"k\",\"op\":\"Op\"") END },
};

START_TEST(the_modern_style_is_as_computed)
{
	struct making m = {0};
	struct str run = {0}, line = {0}, written = {0}, path = {0};
	struct program_run ran;
	char *dir = scratch_new();

	files[_i].make(&m);
	made_run(&m, &run);
	str_fmt(&path, "%s/t.json", dir);
	str_fmt(&line, "timeline -o %s --style modern --compact%s", path.text, files[_i].options);
	program_run((const char *const[]){ program_path(), file_of(run.text, run.len), "-c",
	                                   line.text, NULL }, NULL, NULL,
	            &ran);
	ck_assert_msg(ran.status == 0, "%s%s", str_text(&ran.out), str_text(&ran.err));
	ck_assert(read_whole(path.text, &written));
	ck_assert_str_eq(str_text(&written), files[_i].expected);
	program_release(&ran);
	scratch_remove(dir);
	str_release(&run);
	str_release(&line);
	str_release(&written);
	str_release(&path);
}
END_TEST

SUITE_MAIN("timeline",
	tcase_add_loop_test(t, the_modern_style_is_as_computed, 0, ROWS(files));
)
