/*
 * Numpy arrays as a dump: which files are one, what their headers may say, in which order they
 * come. What is refused is refused before any element is read.
 */
#include "tests/suite.h"

#include <string.h>
#include <unistd.h>

#include "dump/arrays/npy.h"
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

static struct value *open_npy(char version, const char *dict, size_t n, uint64_t *behind,
                              struct err *err)
{
	struct str file = {0};
	struct value *value;

	*err = (struct err){0};
	put_npy(&file, version, dict, n);
	value = npy_open(file_of(file.text, file.len), behind, err);
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
	uint64_t behind;
} sound[] = {
	{ "{'descr': '<i2', 'fortran_order': False, 'shape': (2,), }  \n", 1, 4, DTYPE_INT16, 1,
	  { 2 }, 0 },
	{ "{'descr': '>f8', 'fortran_order': False, 'shape': ()}", 2, 8, DTYPE_FLOAT64, 0,
	  { 0 }, 0 },
	{ "{'shape': (2, 0), 'descr': '|b1', 'fortran_order': True}", 3, 0, DTYPE_BOOL, 2,
	  { 2, 0 }, 0 },
	{ "{\"descr\":\t'=u8' , \"fortran_order\":False, \"shape\":( 1L ,)}", 1, 9, DTYPE_UINT64,
	  1, { 1 }, 1 },
	{ "{'descr': '<c16', 'fortran_order': True, 'shape': (1, 2, 1)}", 1, 32,
	  DTYPE_COMPLEX128, 3, { 1, 2, 1 }, 0 },
};

START_TEST(sound_headers)
{
	uint64_t behind;
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
		uint64_t behind;
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

static const struct {
	const char *dict;
	char version;
	enum err_code code;
	const char *why;
} refused[] = {
	{ "{'descr': '|O'" REST, 1, ERR_UNSUPPORTED, "holds Python objects (pickle); not read" },
	{ "{'descr': [('a', '<i4')]" REST, 1, ERR_UNSUPPORTED,
	  "structured arrays are not supported" },
	{ "{'descr': '<M8[ns]'" REST, 1, ERR_UNSUPPORTED,
	  "elements of the type \"<M8[ns]\" are not read" },
	{ "{'descr': '<V2'" REST, 1, ERR_UNSUPPORTED, "elements of the type \"<V2\" are not read" },
	{ "{'descr': ''" REST, 1, ERR_UNSUPPORTED, "elements of the type \"\" are not read" },
	{ "{'descr': '<i2', 'fortran_order': True, 'shape': (2, 2)}", 1, ERR_UNSUPPORTED,
	  "in Fortran order, which is not read: numpy.ascontiguousarray turns it" },
	{ "{'descr': '<i2', 'fortran_order': False, 'shape': (3,)}", 1, ERR_FORMAT,
	  "4 of 6 bytes of data are there" },
	{ "{'descr': '<i2', 'fortran_order': False, 'shape': (4294967296, 4294967296)}", 1,
	  ERR_FORMAT, "impossible shape" },
	{ "{'descr': '<i2', 'fortran_order': False, 'shape': (-1,)}", 1, ERR_FORMAT,
	  "impossible shape" },
	{ "{'descr': '<i2', 'fortran_order': False, 'shape': (99999999999999999999999, 99)}", 1,
	  ERR_FORMAT, "impossible shape" },
	{ "{'descr': '<i2', 'fortran_order': False, 'shape': (2)}", 1, ERR_FORMAT,
	  "not a .npy file (the shape is no tuple)" },
	{ "{'descr': '<i2', 'fortran_order': False, 'shape': ((((((2,))))))}", 1, ERR_FORMAT,
	  "not a .npy file (a number was expected in the shape)" },
	{ "{'descr': '<i2', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1,1,1,1,"
	  "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)}", 1, ERR_FORMAT,
	  "not a .npy file (more than 32 dimensions)" },
	{ "{'descr': '<i2', 'fortran_order': 1, 'shape': (2,)}", 1, ERR_FORMAT,
	  "not a .npy file (True or False was expected)" },
	{ "{'descr': __import__('os')" REST, 1, ERR_FORMAT,
	  "not a .npy file (a text was expected)" },
	{ "{'descr': '<i2', 'shape': (2,)}", 1, ERR_FORMAT,
	  "not a .npy file (descr, fortran_order and shape were expected)" },
	{ "{'descr': '<i2', 'descr': '<i2'" REST, 1, ERR_FORMAT,
	  "not a .npy file (descr, fortran_order and shape were expected)" },
	{ "{'descr': '<i2', 'more': 1" REST, 1, ERR_FORMAT,
	  "not a .npy file (descr, fortran_order and shape were expected)" },
	{ "{'descr': '<i2'" REST " + 1", 1, ERR_FORMAT, "not a .npy file (more than a dict)" },
	{ "{'descr': '<i2", 1, ERR_FORMAT, "not a .npy file (a text without an end)" },
	{ "{'descr': '<i2\\", 1, ERR_FORMAT, "not a .npy file (a text without an end)" },
	{ "", 1, ERR_FORMAT, "not a .npy file (a dict was expected)" },
	{ "{'descr': '<i2'" REST, 4, ERR_UNSUPPORTED, "not a .npy file (version 4 is not known)" },
};

START_TEST(refused_headers)
{
	uint64_t behind;
	struct err err;

	ck_assert_ptr_null(open_npy(refused[_i].version, refused[_i].dict, 4, &behind, &err));
	ck_assert_str_eq(err.msg, refused[_i].why);
	ck_assert_int_eq(err.code, refused[_i].code);
}
END_TEST

/* However it is cut: an error, and none that reads beyond its end. */
START_TEST(every_cut_is_found)
{
	struct str file = {0};
	uint64_t behind;

	put_npy(&file, 1, "{'descr': '<i2'" REST, 4);
	for (size_t len = 0; len < file.len; len++) {
		struct err err = {0};

		ck_assert_ptr_null(npy_open(file_of(file.text, len), &behind, &err));
		ck_assert_int_eq(err.code, ERR_FORMAT);
	}
	str_release(&file);
}
END_TEST

START_TEST(a_header_has_a_bound)
{
	struct str file = {0};
	struct err err = {0};
	uint64_t behind;

	str_put(&file, "\x93NUMPY\2\0\xff\xff\xff\xff", 12);
	str_fill(&file, ' ', 100 * 1000);
	ck_assert_ptr_null(npy_open(file_of(file.text, file.len), &behind, &err));
	ck_assert_int_eq(err.code, ERR_LIMIT);
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
	run = load(root);
	ck_assert_uint_eq(run->tensors.len, ROWS(wanted));
	for (size_t i = 0; i < run->tensors.len; i++) {
		const struct tensor *t = &run->tensors.at[i];

		ck_assert_str_eq(t->node, wanted[i]);
		ck_assert_int_eq(t->time_us, -1);
		ck_assert_int_eq(run_rel_us(run, t), -1);
		ck_assert_int_eq(t->size_bytes, 4);
		str_reset(&file);
		run_tensor_file(run, t, &file);
		ck_assert(!strncmp(file.text, wanted[i], strlen(wanted[i])));
	}
	ck_assert_int_eq(run->t0_us, -1);
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
	return target_open(path.text, target, opened, err);
}

static void close_target(struct target *target, struct opened *opened)
{
	runs_close(opened->runs);
	profile_close(opened->profile);
	target_release(target);
}

START_TEST(a_file_opens_its_directory)
{
	struct opened opened;
	struct target target;
	struct err err;

	put_array("a.npy");
	put_array("b.npy");
	ck_assert_msg(open_target("b.npy", &target, &opened, &err), "%s", err.msg);
	ck_assert_str_eq(target.path, root);
	ck_assert_str_eq(target.file, "b.npy");
	ck_assert(opened.runs && target.note);
	close_target(&target, &opened);

	dump_put(root, "bad.npy", "no array", 8);
	ck_assert(!open_target("bad.npy", &target, &opened, &err));
	ck_assert_str_eq(err.msg, "not a .npy file (no sign of one)");
	close_target(&target, &opened);
}
END_TEST

START_TEST(directories_below_are_listed)
{
	struct opened opened;
	struct target target;
	struct err err;

	put_array("step_10/a.npy");
	put_array("step_9/a.npy");
	ck_assert_msg(open_target("", &target, &opened, &err), "%s", err.msg);
	ck_assert_uint_eq(target.roots.len, 2);
	ck_assert_str_eq(target.roots.at[0].name, "step_9");
	ck_assert_str_eq(target.roots.at[0].kind, "numpy arrays");
	close_target(&target, &opened);
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
	tcase_add_test(t, a_file_opens_its_directory);
	tcase_add_test(t, directories_below_are_listed);)
