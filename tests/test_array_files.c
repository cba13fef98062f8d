/*
 * Files of arrays, recorded with the programs that write them: what is in them, and that no cut or
 * changed byte does harm.
 */
#include "tests/suite.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dump/arrays/safetensors.h"
#include "dump/arrays/source.h"
#include "dump/format/file.h"
#include "dump/readers.h"
#include "tests/input.h"
#include "tests/read_arrays.h"
#include "tests/program.h"
#include "tests/small_dump.h"

#define DATA "testdata/array_files/"

static const struct { const char *name; size_t n; } files[] = {
	{ "stored.npz", 4 }, { "deflated.npz", 4 }, { "mixed.npz", 4 }, { "prefix.npz", 4 },
	{ "streamed.npz", 1 }, { "force_zip64.npz", 1 }, { "dtypes.safetensors", 21 },
	{ "model.safetensors", 8 }, { "hand_f4_subbyte.safetensors", 1 },
	{ "hand_spaces.safetensors", 1 }, { "bf16.pb", 1 }, { "float_data.pb", 1 },
	{ "int32_data_i8.pb", 1 }, { "scalar.pb", 1 }, { "strings.pb", 1 },
	{ "conv1_Conv_output_0.tensorproto", 1 }, { "../arrays/fortran_f4.npy", 1 },
	{ "../arrays/odd_long_ints.npy", 1 }, { "names.safetensors", 7 },
};

static const char *path_to(const char *name)
{
	static struct str path;

	str_reset(&path);
	str_fmt(&path, DATA "%s", name);
	return path.text;
}

static unsigned char *bytes_of(const char *path, size_t *len)
{
	struct file file;
	unsigned char *bytes;

	ck_assert(file_open(&file, path, NULL));
	*len = (size_t)file.size;
	bytes = malloc(*len + 1);
	ck_assert(bytes && file_read(&file, 0, *len, bytes, NULL));
	file_close(&file);
	return bytes;
}

START_TEST(each_is_of_its_kind)
{
	const char *path = path_to(files[_i].name);
	const struct array_format *format = array_format_of(path);
	struct err err;

	ck_assert(format);
	ck_assert_uint_eq(read_arrays(format, path, &err), files[_i].n);
	ck_assert_msg(!err.code, "%s", err.msg);
}
END_TEST

START_TEST(cut_anywhere)
{
	const char *path = path_to(files[_i].name);
	const struct array_format *format = array_format_of(path);
	size_t len;
	unsigned char *bytes = bytes_of(path, &len);
	struct err err;

	for (size_t n = 0; n < len; n++)
		read_arrays(format, input_file(bytes, n), &err);
	free(bytes);
}
END_TEST

START_TEST(changed_anywhere)
{
	static const unsigned char changes[] = { 0xff, 0x80, 0x01 };
	const char *path = path_to(files[_i].name);
	const struct array_format *format = array_format_of(path);
	size_t len;
	unsigned char *bytes = bytes_of(path, &len);
	struct err err;

	for (size_t i = 0; i < len; i++)
		for (size_t k = 0; k < sizeof changes; k++) {
			bytes[i] ^= changes[k];
			read_arrays(format, input_file(bytes, len), &err);
			bytes[i] ^= changes[k];
		}
	free(bytes);
}
END_TEST

static struct run *load(const char *name)
{
	struct err err = {0};
	struct run *run = run_open(path_to(name), &err);

	ck_assert_msg(run && run_load(run, NULL, &err), "%s", err.msg);
	return run;
}

static const struct tensor *tensor_of(const struct run *run, const char *name)
{
	uint32_t id = map_find(&run->nodes, name, strlen(name));
	size_t n;

	ck_assert_msg(id != MAP_NONE, "%s", name);
	return &run->tensors.at[*run_node_tensors(run, id, &n)];
}

/* Each has the value, and of one it is said that it may be wrong. */
START_TEST(a_wrong_checksum_is_doubt)
{
	struct run *run = load("bad_crc.npz");
	struct array_facts facts;
	struct err err = {0};
	struct value *value;

	ck_assert(run_array_facts(run, tensor_of(run, "arr_0"), &facts) && !facts.doubt);
	ck_assert(run_array_facts(run, tensor_of(run, "arr_1"), &facts) && facts.doubt);
	value = run_value(run, tensor_of(run, "arr_1"), &err);
	ck_assert(value);
	value_close(value);
	run_close(run);
}
END_TEST

/* A member that can't be read is a row, and says why; of equal names the last counts. */
START_TEST(members_that_are_no_arrays)
{
	struct run *run = load("mixed.npz");
	struct array_facts facts;
	struct err err = {0};

	ck_assert(run_array_facts(run, tensor_of(run, "obj"), &facts) && !facts.dtype);
	ck_assert_ptr_null(run_value(run, tensor_of(run, "obj"), &err));
	ck_assert_str_eq(err.msg, "holds Python objects (pickle); not read.");
	ck_assert_uint_eq(run->problems.len, 2);
	run_close(run);
}
END_TEST

START_TEST(shards_are_devices)
{
	static const char *const ways[] = { "sharded", "sharded/model.safetensors.index.json" };
	struct run *run = load(ways[_i]);

	ck_assert_uint_eq(run->tensors.len, 8);
	ck_assert_uint_eq(run->devices.len, 3);
	ck_assert_str_eq(run->devices.at[2].name, "model-00003-of-00003.safetensors");
	ck_assert_uint_eq(run->problems.len, 0);
	run_close(run);
}
END_TEST

/* Its tensors are told, and that they are not here. */
START_TEST(a_shard_may_be_missing)
{
	char *root = scratch_new();
	size_t len;
	unsigned char *bytes = bytes_of(path_to("sharded/model.safetensors.index.json"), &len);
	struct array_facts facts;
	struct err err = {0};
	struct run *run;

	dump_put(root, "model.safetensors.index.json", bytes, len);
	run = run_open(root, &err);
	ck_assert(run && run_load(run, NULL, &err));
	ck_assert_uint_eq(run->tensors.len, 8);
	ck_assert_uint_eq(run->problems.len, 3);
	ck_assert(run_array_facts(run, &run->tensors.at[0], &facts) && !facts.dtype);
	ck_assert_ptr_null(run_value(run, &run->tensors.at[0], &err));
	ck_assert_int_eq(err.code, ERR_MISSING);
	run_close(run);
	free(bytes);
	scratch_remove(root);
}
END_TEST

/* What the index names is no path out of its directory. */
START_TEST(an_index_names_no_paths)
{
	static const char *const names[] = { "../a.safetensors", "/etc/passwd", "", ".", "a/b" };
	struct str text = {0};
	struct err err;

	str_fmt(&text, "{\"weight_map\": {\"w\": \"%s\"}}", names[_i]);
	ck_assert_uint_eq(read_arrays(array_format_named("x.safetensors.index.json"),
	                              input_file((const void *)text.text, text.len), &err), 0);
	ck_assert_int_eq(err.code, ERR_FORMAT);
	str_release(&text);
}
END_TEST

/* Headers of safetensors as their library reads them. */

#define TENSOR "\"w\": {\"dtype\": \"U8\", \"shape\": [2], \"data_offsets\": [0, 2]"

static const struct { const char *header; bool sound; } headers[] = {
	{ "{" TENSOR "}}", true },
	{ "{\"__metadata__\": null, " TENSOR "}}", true },
	{ "{\"__metadata__\": [], " TENSOR "}}", false },
	{ "{" TENSOR ", \"other\": 1, \"other\": 2}}", true },
	{ "{" TENSOR "}, \"z\": {\"dtype\": \"C128\", \"shape\": [0], "
	  "\"data_offsets\": [2, 2]}}", true },
	{ "{" TENSOR ", \"dtype\": \"U8\"}}", false },
	{ "{" TENSOR ", \"shape\": [2]}}", false },
	{ "{" TENSOR ", \"data_offsets\": [0, 2]}}", false },
};

START_TEST(headers_of_safetensors)
{
	size_t len = strlen(headers[_i].header);
	struct str file = {0};
	struct err err;

	for (size_t i = 0; i < 8; i++)
		str_putc(&file, i ? 0 : (char)len);
	str_puts(&file, headers[_i].header);
	str_puts(&file, "ab");
	ck_assert_int_eq(read_arrays(array_format_named("x.safetensors"),
	                             input_file((const void *)file.text, file.len), &err) > 0,
	                 headers[_i].sound);
	ck_assert_int_eq(err.code, headers[_i].sound ? ERR_NONE : ERR_FORMAT);
	str_release(&file);
}
END_TEST

/* The shards of an index have its name, a number, and how many there are. */
static const struct { const char *path; bool owned; } shards[] = {
	{ "a/model-00001-of-00002.safetensors", true }, { "a/model-1-of-2.safetensors", true },
	{ "a/modem-00001-of-00002.safetensors", false }, { "a/model2-1-of-2.safetensors", false },
	{ "a/model.safetensors", false }, { "a/model--of-2.safetensors", false },
	{ "a/model-1-of-.safetensors", false }, { "a/model-1-of-2.npy", false },
	{ "b/model-00001-of-00002.safetensors", false },
};

START_TEST(shards_belong_to_their_index)
{
	ck_assert_int_eq(array_safetensors_index.owns("a/model.safetensors.index.json",
	                                              shards[_i].path), shards[_i].owned);
}
END_TEST

/* The answer of each command about a run names the file that is missing from it. */
static const char *const about_a_run[] = { "lt", "du", "drift", "ls",
                                           "ps /demo/net.py" };

START_TEST(answers_name_a_damaged_file)
{
	static const char line[] = "cp -r testdata/recorders/pytorch \"$1/p\" && "
	                           "echo x >\"$1/p/step_1/rank0/bad.npz\" && "
	                           "\"$0\" --format=json -c \"$2\" \"$1/p/step_1\"";
	struct program_run ran;
	char *dir = scratch_new();

	program_run((const char *[]){ "sh", "-c", line, program_path(), dir, about_a_run[_i],
	                              NULL }, NULL, NULL, &ran);
	ck_assert_msg(strstr(str_text(&ran.out), "\"warnings\":[\"rank0/bad.npz: not a whole zip "
	                     "archive: the end of its list is missing.\"]"), "%s", ran.out.text);
	program_release(&ran);
	scratch_remove(dir);
}
END_TEST

SUITE_MAIN("array files",
	tcase_add_loop_test(t, shards_belong_to_their_index, 0, ROWS(shards));
	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, each_is_of_its_kind, 0, ROWS(files));
	tcase_add_loop_test(t, cut_anywhere, 0, ROWS(files));
	tcase_add_loop_test(t, changed_anywhere, 0, ROWS(files));
	tcase_add_test(t, a_wrong_checksum_is_doubt);
	tcase_add_test(t, members_that_are_no_arrays);
	tcase_add_loop_test(t, shards_are_devices, 0, 2);
	tcase_add_test(t, a_shard_may_be_missing);
	tcase_add_loop_test(t, an_index_names_no_paths, 0, 5);
	tcase_add_loop_test(t, headers_of_safetensors, 0, ROWS(headers));
	tcase_add_loop_test(t, answers_name_a_damaged_file, 0, ROWS(about_a_run));)
