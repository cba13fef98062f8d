/*
 * Numpy arrays as a dump: which files are one, what their headers may say, in which order they
 * come. What is refused is refused before any element is read.
 */
#include "tests/suite.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "dump/arrays/npy.h"
#include "dump/base/path.h"
#include "dump/readers.h"
#include "dump/target.h"
#include "tests/message.h"
#include "tests/program.h"
#include "tests/small_dump.h"

#define REST ", 'fortran_order': False, 'shape': (2,)}"

static char *root;

static void set_up(void)
{
	root = scratch_new();
}

static void tear_down(void)
{
	scratch_remove(root);
}

/* A file of this version with the dict's text and n bytes of elements: 0, 1, 2... */
static void put_npy(struct str *out, char version, const char *dict, size_t n)
{
	str_put(out, "\x93NUMPY", 6);
	str_putc(out, version);
	str_putc(out, 0);
	put_fixed(out, strlen(dict), version == 1 ? 2 : 4);
	str_puts(out, dict);
	for (size_t i = 0; i < n; i++)
		str_putc(out, (char)i);
}

/* The value of the array in a file; *behind: the file goes on behind its elements. */
static struct value *open_array(const char *path, bool *behind, struct err *err)
{
	struct arena mem = {0};
	struct array_list list = { .mem = &mem };
	struct value *value = NULL;

	if (array_npy.list(path, &list, err)) {
		ck_assert_uint_eq(list.at.len, 1);
		list.at.at[0]->file = path;
		*behind = list.problems.len;
		value = array_value(list.at.at[0], err);
	}
	array_list_release(&list);
	arena_release(&mem);
	return value;
}

static struct value *open_npy(char version, const char *dict, size_t n, bool *behind,
                              struct err *err)
{
	struct str file = {0};
	struct value *value;

	*err = (struct err){0};
	put_npy(&file, version, dict, n);
	value = open_array(file_of(file.text, file.len), behind, err);
	str_release(&file);
	return value;
}

/* ---- headers */

static const struct {
	const char *dict;
	char version;
	size_t bytes;
	enum dtype dtype;
	uint32_t rank;
	int64_t dim[3];
	bool behind;
} sound[] = {
	{ "{'descr': '<i2', 'fortran_order': False, 'shape': (2,), }  \n", 1, 4, DTYPE_INT16, 1,
	  { 2 }, false },
	{ "{'descr': '>f8', 'fortran_order': False, 'shape': ()}", 2, 8, DTYPE_FLOAT64, 0,
	  { 0 }, 0 },
	{ "{'shape': (2, 0), 'descr': '|b1', 'fortran_order': True}", 3, 0, DTYPE_BOOL, 2,
	  { 2, 0 }, 0 },
	{ "{\"descr\":\t'=u8' , \"fortran_order\":False, \"shape\":( 1L ,)}", 1, 9, DTYPE_UINT64,
	  1, { 1 }, true },
	{ "{'descr': 'u1', 'fortran_order': False, 'shape': (3,)}", 1, 3, DTYPE_UINT8, 1,
	  { 3 }, 0 },
	{ "{'descr': '|?', 'fortran_order': False, 'shape': (3,)}", 1, 3, DTYPE_BOOL, 1,
	  { 3 }, 0 },
	{ "{'descr': '>l', 'fortran_order': False, 'shape': (1,)}", 1, 8, DTYPE_INT64, 1,
	  { 1 }, 0 },
	{ "{r'descr': u'<f4', 'fortran_order': False, 'shape': (1,)}", 1, 4, DTYPE_FLOAT32, 1,
	  { 1 }, 0 },
	{ "{'\\x64esc\\162': '\\74f4', 'sh\\u0061pe': (1,), 'fortran_order': False}", 1, 4,
	  DTYPE_FLOAT32, 1, { 1 }, 0 },
	{ "{'descr': 'f4', 'fortran_order': False, 'shape': (1,)}", 1, 4, DTYPE_FLOAT32, 1,
	  { 1 }, 0 },
	{ "{'descr': '<c16', 'fortran_order': True, 'shape': (1, 2, 1)}", 1, 32,
	  DTYPE_COMPLEX128, 3, { 1, 2, 1 }, 0 },
};

START_TEST(sound_headers)
{
	bool behind;
	struct err err;
	struct value *v = open_npy(sound[_i].version, sound[_i].dict, sound[_i].bytes, &behind,
	                           &err);

	ck_assert_msg(v, "%s", err.msg);
	ck_assert_int_eq(v->type->dtype, sound[_i].dtype);
	ck_assert_uint_eq(v->shape.rank, sound[_i].rank);
	for (uint32_t i = 0; i < v->shape.rank; i++)
		ck_assert_int_eq(v->shape.dim[i], sound[_i].dim[i]);
	ck_assert_uint_eq(behind, sound[_i].behind);
	value_close(v);
}
END_TEST

START_TEST(elements_of_both_orders)
{
	static const char *const descr[] = { "<i2", ">i2" };
	static const int16_t first[] = { 0x0100, 0x0001 };

	for (int i = 0; i < 2; i++) {
		struct str dict = {0};
		bool behind;
		struct err err;
		struct value *v;
		int16_t elem[2];

		str_fmt(&dict, "{'descr': '%s'" REST, descr[i]);
		v = open_npy(1, dict.text, 4, &behind, &err);
		ck_assert(v && value_read(v, 0, 2, elem, &err));
		ck_assert_int_eq(elem[0], first[i]);
		value_close(v);
		str_release(&dict);
	}
}
END_TEST

enum { N_SOUND = 4 };
static const struct {
	const char *dict;
	char version;
	const char *why;
} refused[] = {
	/* Sound, but not read: N_SOUND of them. */
	{ "{'descr': '|O'" REST, 1, "holds Python objects (pickle); not read." },
	{ "{'descr': [('a', '<i4')]" REST, 1, "structured arrays are not supported." },
	{ "{'descr': '<M8[ns]'" REST, 1, "elements of the type \"<M8[ns]\" are not read." },
	{ "{'descr': '|V3'" REST, 1, "elements of the type \"|V3\" are not read." },
	/* None, damaged, or not to be told. */
	{ "{'descr': '<V2'" REST, 1, "raw 2-byte elements; say --as bfloat16." },
	{ "{'descr': ''" REST, 1, "not a .npy file (\"\" is no type of elements)" },
	{ "{'descr': '<i2', 'fortran_order': False, 'shape': (3,)}", 1,
	  "4 of 6 bytes of data are there." },
	{ "{'descr': '<i2', 'fortran_order': False, 'shape': (4294967296, 4294967296)}", 1,
	  "impossible shape." },
	{ "{'descr': '<i2', 'fortran_order': False, 'shape': (-1,)}", 1, "impossible shape." },
	{ "{'descr': '<i2', 'fortran_order': False, 'shape': (99999999999999999999999, 99)}", 1,
	  "impossible shape." },
	{ "{'descr': '<i2', 'fortran_order': False, 'shape': (2)}", 1,
	  "not a .npy file (the shape is no tuple)" },
	{ "{'descr': '<i2', 'fortran_order': False, 'shape': ((((((2,))))))}", 1,
	  "not a .npy file (a number was expected in the shape)" },
	{ "{'descr': '<i2', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1,1,1,1,"
	  "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)}", 1,
	  "not a .npy file (more than 32 dimensions)" },
	{ "{'descr': '<i2', 'fortran_order': 1, 'shape': (2,)}", 1,
	  "not a .npy file (True or False was expected)" },
	{ "{'descr': __import__('os')" REST, 1, "not a .npy file (a text was expected)" },
	{ "{'descr': '<i2', 'shape': (2,)}", 1,
	  "not a .npy file (descr, fortran_order and shape were expected)" },
	{ "{'descr': '<i2', 'descr': '<i2'" REST, 1,
	  "not a .npy file (descr, fortran_order and shape were expected)" },
	{ "{'descr': '<i2', 'more': 1" REST, 1,
	  "not a .npy file (descr, fortran_order and shape were expected)" },
	{ "{'descr': '<i2'" REST " + 1", 1, "not a .npy file (more than a dict)" },
	{ "{'descr': '<i2", 1, "not a .npy file (a text without an end)" },
	{ "{r 'descr': '<i2'" REST, 1, "not a .npy file (a text was expected)" },
	{ "{b'descr': '<i2'" REST, 1, "not a .npy file (a text was expected)" },
	{ "{r'\\x64escr': '<i2'" REST, 1,
	  "not a .npy file (descr, fortran_order and shape were expected)" },
	{ "{'d\\u1234scr': '<i2'" REST, 1,
	  "not a .npy file (descr, fortran_order and shape were expected)" },
	{ "{'descr': '<i2\\x", 1, "not a .npy file (a text without an end)" },
	{ "{'descr': '<i2\\1", 1, "not a .npy file (a text without an end)" },
	{ "{'descr': '<i2\\", 1, "not a .npy file (a text without an end)" },
	{ "", 1, "not a .npy file (a dict was expected)" },
	{ "{'descr': '<i2'" REST, 4, "not a .npy file (version 4 is not known)" },
};

/* "(offset 10: why)" */
static void without_offset(char *text)
{
	char *from = strstr(text, "(offset "), *to = from ? strstr(from, ": ") : NULL;

	if (to)
		memmove(from + 1, to + 2, strlen(to + 2) + 1);
}

START_TEST(refused_headers)
{
	bool behind;
	struct err err;

	ck_assert_ptr_null(open_npy(refused[_i].version, refused[_i].dict, 4, &behind, &err));
	without_offset(err.msg);
	ck_assert_str_eq(err.msg, refused[_i].why);
	if (_i < N_SOUND) {
		ck_assert_int_eq(err.code, ERR_UNSUPPORTED);
		return;
	}
	ck_assert_int_eq(err.code, ERR_FORMAT);
	ck_assert_int_eq(err.damage, DAMAGE_WHOLE);
}
END_TEST

/* However it is cut: an error, and none that reads beyond its end. */
START_TEST(every_cut_is_found)
{
	struct str file = {0};
	bool behind;

	put_npy(&file, 1, "{'descr': '<i2'" REST, 4);
	for (size_t len = 0; len < file.len; len++) {
		struct err err = {0};

		ck_assert_ptr_null(open_array(file_of(file.text, len), &behind, &err));
		ck_assert_int_eq(err.code, ERR_FORMAT);
	}
	str_release(&file);
}
END_TEST

START_TEST(a_header_has_a_bound)
{
	struct str file = {0};
	struct err err = {0};
	bool behind;

	str_put(&file, "\x93NUMPY\2\0\xff\xff\xff\xff", 12);
	str_fill(&file, ' ', 100 * 1000);
	ck_assert_ptr_null(open_array(file_of(file.text, file.len), &behind, &err));
	ck_assert_str_eq(err.msg, "not a .npy file (a head of 4294967295 bytes)");
	str_release(&file);
}
END_TEST

/* ---- directories */

static void put_array(const char *name)
{
	struct str file = {0};

	put_npy(&file, 1, "{'descr': '<i2'" REST, 4);
	dump_put(root, name, file.text, file.len);
	str_release(&file);
}

static struct run *load(const char *path)
{
	struct err err = {0};
	struct run *run = run_open(path, &err);

	ck_assert_msg(run && run_load(run, NULL, &err), "%s", err.msg);
	return run;
}

/* Good until the next call. */
static const char *path_in(const char *name)
{
	static struct str path;

	str_reset(&path);
	str_fmt(&path, "%s/%s", root, name);
	return path.text;
}

static void set_time(const char *name, time_t seconds)
{
	struct timespec when[2] = { { seconds, 0 }, { seconds, 0 } };

	ck_assert_int_eq(utimensat(AT_FDCWD, path_in(name), when, 0), 0);
}

/* Of files that are equally old; else the order is that of their times. */
START_TEST(names_come_in_natural_order)
{
	static const char *const wanted[] = { "a2", "a10", "layer2/w", "layer10/w" };
	struct run *run;
	struct str file = {0};

	put_array("a10.npy");
	put_array("layer10/w.npy");
	put_array("a2.npy");
	put_array("layer2/w.npy");
	put_array(".hidden.npy");
	dump_put(root, "a3.npy", "no array", 8);
	dump_put(root, "notes.txt", "text", 4);
	for (size_t i = 1; i < ROWS(wanted); i++) {
		str_reset(&file);
		str_fmt(&file, "%s.npy", wanted[i]);
		set_time(file.text, 1000);
	}
	set_time("a2.npy", 10);
	run = load(root);
	ck_assert_int_eq(run_rel_us(run, &run->tensors.at[1]), 990 * 1000 * 1000);
	ck_assert_uint_eq(run->tensors.len, ROWS(wanted));
	for (size_t i = 0; i < run->tensors.len; i++) {
		const struct tensor *t = &run->tensors.at[i];

		ck_assert_str_eq(t->node, wanted[i]);
		ck_assert_int_eq(t->size_bytes, 4);
		str_reset(&file);
		run_tensor_file(run, t, &file);
		ck_assert(!strncmp(file.text, wanted[i], strlen(wanted[i])));
	}
	ck_assert(!run_has_graph(run));
	ck_assert_uint_eq(run->problems.len, 1);
	ck_assert_str_eq(run->problems.at[0].file, "a3.npy");
	ck_assert(run->problems.at[0].unread);
	str_release(&file);
	run_close(run);
}
END_TEST

/* A dump of tfdbg stays one, whatever was saved into it. */
START_TEST(a_dump_with_arrays_is_a_dump)
{
	struct err err = {0};
	struct arena mem = {0};
	struct place place = {0};

	put_array("a.npy");
	dump_put(root, "_tfdbg_fetches_info_", "", 0);
	ck_assert_str_eq(readers_look(root, &mem, &place, &err)->name, "tfdbg v1 dump");
	place_release(&place);
	arena_release(&mem);
}
END_TEST

static bool open_target(const char *name, struct target *target, struct opened *opened,
                        struct err *err)
{
	static struct str path;

	str_reset(&path);
	str_fmt(&path, "%s%s%s", root, *name ? "/" : "", name);
	*opened = (struct opened){ .profile = profile_new() };
	*err = (struct err){0};
	return target_open(path.text, target, opened, NULL, err);
}

static void close_target(struct target *target, struct opened *opened)
{
	runs_close(opened->runs);
	profile_close(opened->profile);
	target_release(target);
}

START_TEST(a_file_opens_alone)
{
	struct opened opened;
	struct target target;
	struct err err;
	struct run *run;

	put_array("a.npy");
	put_array("b.npy");
	ck_assert_msg(open_target("b.npy", &target, &opened, &err), "%s", err.msg);
	ck_assert_str_eq(path_name(target.path), "b.npy");
	ck_assert(opened.runs && !target.note);
	run = load(target.path);
	ck_assert_uint_eq(run->tensors.len, 1);
	ck_assert_str_eq(run->tensors.at[0].node, "b");
	run_close(run);
	close_target(&target, &opened);
}
END_TEST

/* What PATH itself says is an error, not a problem of a run without it. */
START_TEST(a_bad_file_is_refused)
{
	struct err err = {0};
	struct run *run;

	dump_put(root, "bad.npy", "no array", 8);
	run = run_open(path_in("bad.npy"), &err);
	ck_assert(run && !run_load(run, NULL, &err));
	ck_assert_str_eq(err.msg, "not a .npy file (it ends within its head)");
	run_close(run);
}
END_TEST

/* The values of a row by row array and of the same one column by column. */
START_TEST(fortran_order_is_turned)
{
	struct err err;
	bool behind;
	struct value *v = open_npy(1, "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3)}",
	                           6, &behind, &err);
	unsigned char elem[6];

	ck_assert(v && value_read(v, 0, 6, elem, &err));
	ck_assert(!memcmp(elem, "\0\2\4\1\3\5", 6));
	ck_assert(value_read(v, 4, 1, elem, &err) && elem[0] == 3);
	value_close(v);
}
END_TEST

static void check_text(struct value *v, uint64_t i, const char *wanted)
{
	const char *text;
	size_t len;
	struct err err = {0};

	ck_assert(value_string(v, i, &text, &len, &err));
	ck_assert_str_eq(text, wanted);
	ck_assert_uint_eq(len, strlen(wanted));
}

START_TEST(texts_are_strings)
{
	static const char bytes[] = "ab\0\0c\0\0\0";
	static const char wide[] = "\xe4\0\0\0\0\xd8\0\0\0\xf6\1\0\0\0\0\0";
	const char *path = path_in("t.npy");
	struct err err = {0};
	struct str file = {0};
	struct value *v;
	bool behind;

	put_npy(&file, 1, "{'descr': '|S4'" REST, 0);
	str_put(&file, bytes, 8);
	dump_put(root, "t.npy", file.text, file.len);
	v = open_array(path, &behind, &err);
	ck_assert_int_eq(v->type->dtype, DTYPE_STRING);
	check_text(v, 0, "ab");
	check_text(v, 1, "c");
	value_close(v);

	str_reset(&file);
	put_npy(&file, 1, "{'descr': '<U2'" REST, 0);
	str_put(&file, wide, 16);
	dump_put(root, "t.npy", file.text, file.len);
	v = open_array(path, &behind, &err);
	check_text(v, 0, "\u00e4\ufffd");      /* half of a pair is no character */
	check_text(v, 1, "\U0001f600");
	value_close(v);
	str_release(&file);
}
END_TEST

/* ---- steps and devices */

static const struct {
	const char *file[4];
	size_t n_steps;
	const char *step[2], *name[2];   /* of the first step */
	const char *device;
} stepped[] = {
	{ { "step_9/a.npy", "step_10/a.npy" }, 2, { "step_9", "step_10" }, { "a" }, "CPU:0" },
	{ { "iter=3/a.npy", "iter=4/a.npy", "w.npy" }, 2, { "iter=3", "iter=4" }, { "a", "w" },
	  "CPU:0" },
	{ { "x/global_step_1/a.npy", "x/global_step_2/a.npy" }, 2,
	  { "global_step_1", "global_step_2" }, { "x/a" }, "CPU:0" },
	{ { "a_0.npy", "a_1.npy", "b_0.npy", "b_1.npy" }, 2, { "0", "1" }, { "a", "b" },
	  "CPU:0" },
	{ { "rank0/epoch3/a.npy", "rank0/epoch5/a.npy" }, 2, { "epoch3", "epoch5" }, { "a" },
	  "rank0" },
	/* Not the same names, or only one: no steps. */
	{ { "a_0.npy", "a_1.npy", "b_0.npy" }, 0, { NULL }, { "a_0", "a_1" }, "CPU:0" },
	{ { "a_0.npy", "a_1.npy", "b.npy" }, 0, { NULL }, { "a_0", "b" }, "CPU:0" },
	{ { "arr_0.npy", "arr_1.npy" }, 0, { NULL }, { "arr_0", "arr_1" }, "CPU:0" },
	{ { "step_1/a.npy", "step_2/b.npy" }, 0, { NULL }, { "step_1/a", "step_2/b" }, "CPU:0" },
	{ { "step_7/a.npy" }, 1, { "step_7" }, { "step_7/a" }, "CPU:0" },
	{ { "footstep_1/a.npy", "footstep_2/a.npy" }, 0, { NULL },
	  { "footstep_1/a", "footstep_2/a" }, "CPU:0" },
	{ { "proc12/a.npy" }, 0, { NULL }, { "a" }, "proc12" },
	{ { "x/rank0.npy" }, 0, { NULL }, { "x/rank0" }, "CPU:0" },
};

START_TEST(steps_are_runs)
{
	struct opened opened;
	struct target target;
	struct err err;
	struct run *run;
	size_t n;

	for (size_t i = 0; i < ROWS(stepped[_i].file) && stepped[_i].file[i]; i++)
		put_array(stepped[_i].file[i]);
	ck_assert_msg(open_target("", &target, &opened, &err), "%s", err.msg);
	ck_assert_uint_eq(target.roots.len, 0);
	n = opened.runs->list.len;
	ck_assert_uint_eq(n, stepped[_i].n_steps > 1 ? stepped[_i].n_steps : 1);
	for (size_t i = 0; n > 1 && i < n; i++)
		ck_assert_str_eq(opened.runs->list.at[i]->name, stepped[_i].step[i]);
	if (!stepped[_i].n_steps)
		ck_assert_int_eq(opened.runs->list.at[0]->step, -1);
	run = runs_open_run(opened.runs, opened.runs->list.at[0], &err);
	ck_assert(run && run_load(run, NULL, &err));
	for (size_t i = 0; i < 2 && stepped[_i].name[i]; i++)
		ck_assert_uint_ne(map_find(&run->nodes, stepped[_i].name[i],
		                           strlen(stepped[_i].name[i])), MAP_NONE);
	ck_assert_str_eq(run->devices.at[0].name, stepped[_i].device);
	run_close(run);
	close_target(&target, &opened);
}
END_TEST

START_TEST(one_of_several_ranks_is_chosen)
{
	struct shell *shell;
	struct str text = {0};

	put_array("rank0/a.npy");
	put_array("rank1/a.npy");
	shell = session_of(root);
	ck_assert(!session_ask(shell, "pt a[0:1]", &text));
	ck_assert_str_eq(text.text, "ERROR: Node \"a\" is on 2 devices. Choose one:\n"
	                            "  pt a[0:1] -D rank0\n"
	                            "  pt a[0:1] -D rank1\n");
	str_reset(&text);
	ck_assert(session_ask(shell, "pt a[0:1] -D rank1", &text));
	ck_assert_ptr_nonnull(strstr(text.text, "array([256], dtype=int16)"));
	str_release(&text);
	shell_free(shell);
}
END_TEST

/* tfdbg divides first: 23 / 160 * 100 is a little less than 14.375. */
START_TEST(hits_are_a_part_as_in_tfdbg)
{
	static const char dict[] = "{'descr': '|u1', 'fortran_order': False, 'shape': (160,)}";
	struct shell *shell;
	struct str text = {0};

	put_npy(&text, 1, dict, 160);
	dump_put(root, "a.npy", text.text, text.len);
	shell = session_of(root);
	str_reset(&text);
	ck_assert(session_ask(shell, "pt a -r [0,22]", &text));
	ck_assert_ptr_nonnull(strstr(text.text, ": 23 of 160 element(s) (14.37%)"));
	str_release(&text);
	shell_free(shell);
}
END_TEST

SUITE_MAIN("npy",
	tcase_add_checked_fixture(t, set_up, tear_down);
	tcase_add_loop_test(t, sound_headers, 0, ROWS(sound));
	tcase_add_test(t, elements_of_both_orders);
	tcase_add_loop_test(t, refused_headers, 0, ROWS(refused));
	tcase_add_test(t, every_cut_is_found);
	tcase_add_test(t, a_header_has_a_bound);
	tcase_add_test(t, names_come_in_natural_order);
	tcase_add_test(t, a_dump_with_arrays_is_a_dump);
	tcase_add_test(t, a_file_opens_alone);
	tcase_add_test(t, a_bad_file_is_refused);
	tcase_add_test(t, fortran_order_is_turned);
	tcase_add_test(t, texts_are_strings);
	tcase_add_loop_test(t, steps_are_runs, 0, ROWS(stepped));
	tcase_add_test(t, one_of_several_ranks_is_chosen);
	tcase_add_test(t, hits_are_a_part_as_in_tfdbg);)
