/* Names that programs of TensorFlow 2 have for their variables, beside those of a checkpoint. */
#include "tests/suite.h"

#include <string.h>
#include <unistd.h>

#include "dump/arrays/checkpoint_array.h"
#include "tests/message.h"
#include "tests/program.h"
#include "tests/small_dump.h"
#include "tests/small_table.h"

#define BYTES(text) text, sizeof(text) - 1
#define OBJECTS "_CHECKPOINTABLE_OBJECT_GRAPH"

/* Of one byte each, and what they are called. */
static const struct { const char *key, *name, *full; } variables[] = {
	{ "net/a/.ATTRIBUTES/VARIABLE_VALUE", "net/a", "dense/kernel" },
	{ "net/b/.ATTRIBUTES/VARIABLE_VALUE", "net/b", "bias" },
	{ "net/c/.ATTRIBUTES/VARIABLE_VALUE", "net/c", "bias" },
	{ "net/d/.ATTRIBUTES/VARIABLE_VALUE", "net/d", NULL },
	{ "step/.ATTRIBUTES/VARIABLE_VALUE", "step", "step" },
};

static char *dir;
static struct arena mem;
static struct array_list list;

static void set_up(void)
{
	dir = scratch_new();
}

static void tear_down(void)
{
	array_list_release(&list);
	arena_release(&mem);
	scratch_remove(dir);
}

static const char *in_dir(const char *name)
{
	static char path[1000];

	snprintf(path, sizeof path, "%s/%s", dir, name);
	return path;
}

/* The graph of objects as a text: its length, a checksum of that, the message. */
static void put_objects(struct str *out)
{
	struct str graph = {0};

	for (size_t i = 0; i < ROWS(variables); i++) {
		struct str attribute = {0}, object = {0};

		put_bytes(&attribute, 1, BYTES("VARIABLE_VALUE"));
		if (variables[i].full)
			put_bytes(&attribute, 2, variables[i].full, strlen(variables[i].full));
		put_bytes(&attribute, 3, variables[i].key, strlen(variables[i].key));
		put_message(&object, 2, &attribute);
		put_message(&graph, 1, &object);
		str_release(&attribute);
		str_release(&object);
	}
	put_varint(out, graph.len);
	str_puts(out, "sums");
	str_put(out, graph.text, graph.len);
	str_release(&graph);
}

static void put_checkpoint(const struct str *objects)
{
	struct table_row row[ROWS(variables) + 2] = { { BYTES(""), BYTES("\x08\1\x1a\2\x08\1") } };
	struct str entry[ROWS(variables) + 1] = {0}, table = {0}, shard = {0};
	size_t n = 1;

	put_number(&entry[0], 1, 7);
	put_number(&entry[0], 4, ROWS(variables));
	put_number(&entry[0], 5, objects->len);
	row[n++] = (struct table_row){ BYTES(OBJECTS), entry[0].text, entry[0].len };
	for (size_t i = 0; i < ROWS(variables); i++) {
		struct str *e = &entry[i + 1];

		put_number(e, 1, 4);
		put_number(e, 4, i);
		put_number(e, 5, 1);
		row[n++] = (struct table_row){ variables[i].key, strlen(variables[i].key),
		                               e->text, e->len };
		str_putc(&shard, (char)('a' + i));
	}
	str_put(&shard, objects->text, objects->len);
	put_table(&table, row, n, 3, false);
	dump_put(dir, "m.index", table.text, table.len);
	dump_put(dir, "m.data-00000-of-00001", shard.text, shard.len);
	for (size_t i = 0; i < ROWS(entry); i++)
		str_release(&entry[i]);
	str_release(&table);
	str_release(&shard);
}

static bool list_arrays(struct err *err)
{
	*err = (struct err){0};
	array_list_release(&list);
	list = (struct array_list){ .mem = &mem };
	return array_checkpoint.list(in_dir("m.index"), &list, err);
}

START_TEST(variables_have_full_names)
{
	struct str objects = {0};
	struct err err;

	put_objects(&objects);
	put_checkpoint(&objects);
	ck_assert_msg(list_arrays(&err), "%s", err.msg);
	ck_assert_uint_eq(list.at.len, ROWS(variables));
	ck_assert_uint_eq(list.problems.len, 0);
	for (size_t i = 0; i < ROWS(variables); i++) {
		const char *full = list.at.at[i]->full_name;

		ck_assert_str_eq(list.at.at[i]->name, variables[i].name);
		if (!variables[i].full || !strcmp(variables[i].full, variables[i].name))
			ck_assert_ptr_null(full);
		else
			ck_assert_str_eq(full, variables[i].full);
	}
	str_release(&objects);
}
END_TEST

/* The variables are there whatever is wrong with their names. */
START_TEST(every_cut_and_change)
{
	struct str objects = {0};
	size_t len, n_warned = 0;
	struct err err;

	put_objects(&objects);
	len = objects.len;
	for (objects.len = 0; objects.len < len; objects.len++) {
		put_checkpoint(&objects);
		ck_assert_msg(list_arrays(&err), "%s", err.msg);
		ck_assert_uint_eq(list.at.len, ROWS(variables));
		ck_assert_uint_eq(list.problems.len, 1);
	}
	for (size_t i = 0; i < len; i++)
		for (int bit = 1; bit < 256; bit *= 4) {
			objects.text[i] = (char)(objects.text[i] ^ bit);
			put_checkpoint(&objects);
			ck_assert_msg(list_arrays(&err), "%s", err.msg);
			ck_assert_uint_eq(list.at.len, ROWS(variables));
			n_warned += list.problems.len;
			objects.text[i] = (char)(objects.text[i] ^ bit);
		}
	ck_assert_uint_gt(n_warned, 0);
	str_release(&objects);
}
END_TEST

START_TEST(without_its_shard_there_are_no_names)
{
	struct str objects = {0};
	struct err err;

	put_objects(&objects);
	put_checkpoint(&objects);
	ck_assert_int_eq(remove(in_dir("m.data-00000-of-00001")), 0);
	ck_assert_msg(list_arrays(&err), "%s", err.msg);
	ck_assert_uint_eq(list.problems.len, 0);
	ck_assert_ptr_null(list.at.at[0]->full_name);
	str_release(&objects);
}
END_TEST

static void stop(struct progress *progress)
{
	progress->cancel = true;
}

START_TEST(reading_is_stopped)
{
	struct progress progress = { .tick = stop };
	struct str objects = {0};
	struct err err = {0};

	put_objects(&objects);
	put_checkpoint(&objects);
	list = (struct array_list){ .mem = &mem, .progress = &progress };
	ck_assert(!array_checkpoint.list(in_dir("m.index"), &list, &err));
	ck_assert_int_eq(err.code, ERR_CANCELLED);
	str_release(&objects);
}
END_TEST

/* What finds a variable by its full name, and what it says. */
static const struct { const char *line, *words; } asked[] = {
	{ "pt dense/kernel", "Tensor \"net/a (dense/kernel)\":" },
	{ "pt dense/kernel:0", "array(97, dtype=uint8)" },
	{ "pt net/a", "Tensor \"net/a (dense/kernel)\":" },
	{ "pt net/d", "Tensor \"net/d\":" },
	{ "lt -n dense/", "1 dumped tensor(s)" },
	{ "lt -n bias", "2 dumped tensor(s)" },
	{ "eval `dense/kernel`+1", "98" },
	{ "diff old", "5 tensor(s), 2 same, 3 added" },
	{ "diff old", "net/d" },
	{ "diff old --all", "net/a (dense/kernel)" },
	{ "diff dense/kernel old", "same" },
};

/* What two are called in full finds neither, and says whose it is. */
static const struct { const char *line, *words; } refused[] = {
	{ "pt bias", "ERROR: \"bias\" is the full name of 2 arrays: net/b, net/c.\n" },
	{ "pt bias:0", "ERROR: \"bias:0\" is the full name of 2 arrays: net/b, net/c.\n" },
	{ "pt bias[0]", "ERROR: \"bias\" is the full name of 2 arrays" },
	{ "eval `bias`+1", "ERROR: \"bias\" is the full name of 2 arrays: net/b, net/c.\n" },
	{ "diff bias old", "ERROR: \"bias\" is the full name of 2 arrays: net/b, net/c.\n" },
};

static struct shell *open_checkpoint(void)
{
	static const char head[] = "\x93NUMPY\1\0\x3f\0{'descr': '|u1', 'fortran_order': False, "
	                           "'shape': ()}         \n";
	struct str objects = {0}, array = {0};
	struct shell *shell;

	put_objects(&objects);
	put_checkpoint(&objects);
	str_put(&array, head, sizeof head - 1);
	str_putc(&array, 'a');
	dump_put(dir, "old/dense/kernel.npy", array.text, array.len);
	array.text[array.len - 1] = 'e';
	dump_put(dir, "old/step.npy", array.text, array.len);
	ck_assert_int_eq(chdir(dir), 0);
	shell = session_of("m.index");
	str_release(&objects);
	str_release(&array);
	return shell;
}

START_TEST(full_names_find_variables)
{
	struct shell *shell = open_checkpoint();

	session_answers(shell, asked[_i].line, asked[_i].words);
	shell_free(shell);
}
END_TEST

START_TEST(full_names_of_several)
{
	struct shell *shell = open_checkpoint();
	struct str out = {0};

	ck_assert(!session_ask(shell, refused[_i].line, &out));
	ck_assert_msg(strstr(str_text(&out), refused[_i].words) != NULL, "%s: %s",
	              refused[_i].line, str_text(&out));
	str_release(&out);
	shell_free(shell);
}
END_TEST

SUITE_MAIN("checkpoint_names",
	tcase_add_checked_fixture(t, set_up, tear_down);
	tcase_add_test(t, variables_have_full_names);
	tcase_add_test(t, every_cut_and_change);
	tcase_add_test(t, without_its_shard_there_are_no_names);
	tcase_add_test(t, reading_is_stopped);
	tcase_add_loop_test(t, full_names_find_variables, 0, ROWS(asked));
	tcase_add_loop_test(t, full_names_of_several, 0, ROWS(refused));)
