/* The grid as a body over elements in memory, then the command's ways to choose what is shown. */
#include "cmds/array/grid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "dump/base/mem.h"
#include "tests/huge.h"
#include "tests/message.h"
#include "tests/program.h"
#include "tests/small_dump.h"
#include "tests/suite.h"

static const float floats[] = { 0, -1.5f, 123456, 1e-5f, NAN, -INFINITY };
static const int16_t shorts[] = { 1, -2, 256, -32768, 32767, 0 };
static const float complexes[] = { 1, -2, 0.5f, NAN, 0, 1e10f, 0, 0, 0, 0, 0, 0 };
static const unsigned char bools[] = { 1, 0, 1, 1, 0, 0 };

/* Both axes, each from an index on by a step. */
#define BOTH(row, row_step, column, column_step) \
	{ .n_shown = 2, .shown = { 0, 1 }, \
	  .axis = { { false, (row), (row_step) }, { false, (column), (column_step) } } }
#define ALL BOTH(0, 1, 0, 1)

/* Arrays of 2x3, all rows of them. */
#define FLOATS DTYPE_FLOAT32, floats, sizeof floats
#define SHORTS DTYPE_INT16, shorts, sizeof shorts
static const struct {
	enum dtype dtype;
	const void *elems;
	size_t bytes;
	struct grid_style style;
	int width;
	const char *lines;
} grids[] = {
	{ FLOATS, { .axes = ALL }, 0,
	  "         [,0]      [,1]      [,2]\n"
	  "[0]         0      -1.5   1.235e5\n"
	  "[1]      1e-5       nan      -inf\n" },
	{ FLOATS, { .axes = BOTH(8, 2, 0, 1), .column = 1 }, 23,
	  "          [,1]\n[8]       -1.5\n[10]       nan\n" },
	{ FLOATS, { .axes = BOTH(8, 2, 0, 1), .width = 24 }, 0,
	  "          [,0]      [,1]\n[8]          0      -1.5\n[10]      1e-5       nan\n" },
	{ FLOATS, { .form = GRID_FULL, .axes = ALL, .column = 2 }, 0,
	  "               [,2]\n[0]        123456.0\n[1]            -inf\n" },
	{ FLOATS, { .form = GRID_HEX, .axes = { .n_shown = 0 } }, 0,
	  "                           \n 00000000 bfc00000 47f12000\n"
	  " 3727c5ac 7fc00000 ff800000\n" },
	{ SHORTS, { .axes = ALL }, 0,
	  "      [,0]   [,1]   [,2]\n[0]      1     -2    256\n[1] -32768  32767      0\n" },
	{ SHORTS, { .axes = BOTH(0, 1, 10, 1), .whole_width = 3, .column = 9 }, 0,
	  "    [,12]\n[0]   256\n[1]     0\n" },
	{ DTYPE_BOOL, bools, sizeof bools, { .axes = ALL }, 1,
	  "     [,0]\n[0]  True\n[1]  True\n" },
	{ DTYPE_COMPLEX64, complexes, sizeof complexes,
	  { .axes = { .n_shown = 1, .axis = { { false, 0, 1 } } } }, 47,
	  "                                               \n"
	  "[0]                (1-2j)            (0.5+nanj)\n"
	  "[1]                (0+0j)                (0+0j)\n" },
};
enum { N_GRIDS = ROWS(grids) };

/* Of a whole matrix. */
#define AXES_OF(rows, columns) \
	{ .shape = { 2, { (rows), (columns) } }, .n_shown = 2, .shown = { 0, 1 }, \
	  .axis = { { false, 0, 1 }, { false, 0, 1 } }, .count = { (rows), (columns) } }

static const struct shape shape_2x3 = { 2, { 2, 3 } };

static struct body *body_of(int i)
{
	struct value *value = value_of_memory(grids[i].dtype, &shape_2x3, grids[i].elems,
	                                      grids[i].bytes);
	struct view view;

	ck_assert_ptr_nonnull(value);
	view_all(&view, value);
	return grid_body(value, &view, &grids[i].style);
}

START_TEST(lines_are_labels_and_cells)
{
	struct body *body = body_of(_i);
	struct str text = {0};
	struct line line = {0};

	for (uint64_t row = 0; row < body->kind->rows(body); row++) {
		line_reset(&line);
		ck_assert(body->kind->line(body, row, grids[_i].width, &line, NULL));
		str_put(&text, str_text(&line.text), line.text.len);
		str_putc(&text, '\n');
	}
	ck_assert_str_eq(text.text, grids[_i].lines);
	line_release(&line);
	str_release(&text);
	body->kind->free(body);
}
END_TEST

START_TEST(bad_cells_have_their_role)
{
	struct body *body = body_of(0);
	struct line line = {0};
	size_t n_bad = 0;

	ck_assert(body->kind->line(body, 2, 0, &line, NULL));
	for (size_t i = 0; i < line.segs.len; i++) {
		const struct seg *seg = &line.segs.at[i];

		if (seg->role != ROLE_BAD)
			continue;
		n_bad++;
		ck_assert(!strncmp(line.text.text + seg->begin, "nan", 3) ||
		          !strncmp(line.text.text + seg->begin, "-inf", 4));
	}
	ck_assert_uint_eq(n_bad, 2);
	ck_assert_int_eq(line.note, NOTE_INDEX);
	ck_assert_uint_eq(line.rank, 2);
	ck_assert_int_eq(line.index[0], 1);
	line_release(&line);
	body->kind->free(body);
}
END_TEST

START_TEST(rows_are_found_by_index)
{
	static const int64_t there[] = { 1, 2 }, beyond[] = { 2, 0 };
	struct body *body = body_of(0);
	uint64_t row = 0;

	ck_assert(body->kind->find(body, there, 2, &row));
	ck_assert_uint_eq(row, 2);
	ck_assert(!body->kind->find(body, beyond, 2, &row));
	body->kind->free(body);
}
END_TEST

/* A line is no wider than it may be, as soon as one column fits. */
START_TEST(lines_keep_to_the_width)
{
	struct line line = {0};

	for (int i = 0; i < N_GRIDS; i++) {
		struct body *body = body_of(i);

		for (int width = 1; width < 100; width++) {
			line_reset(&line);
			ck_assert(body->kind->line(body, 1, width, &line, NULL));
			ck_assert(line.text.len <= (size_t)width ||
			          (width < 40 && line.text.len < 40));
		}
		body->kind->free(body);
	}
	line_release(&line);
}
END_TEST

#define TALL 1000000
#define WIDE 1000

/* 4 GB of zeros that no disk holds: what is shown is read, and nothing else. */
START_TEST(slice_may_be_larger_than_memory)
{
	static const int64_t dims[] = { TALL, WIDE };
	uint64_t bytes = (uint64_t)TALL * WIDE * sizeof(float);
	struct grid_style style = { .axes = ALL, .column = WIDE - 1 };
	struct str head = {0};
	struct line line = {0};
	struct err err = {0};
	struct value *value;
	struct body *body;
	struct view view;
	const char *path;

	put_tensor_head(&head, DTYPE_FLOAT32, 2, dims);
	put_varint(&head, 4 << 3 | 2);
	put_varint(&head, bytes);
	path = file_of(head.text, head.len);
	ck_assert_int_eq(truncate(path, (off_t)(head.len + bytes)), 0);
	value = value_open_proto(path, 0, head.len + bytes, false, &err);
	ck_assert_msg(value != NULL, "%s", err.msg);
	view_all(&view, value);
	body = grid_body(value, &view, &style);
	ck_assert_uint_eq(body->kind->rows(body), TALL + 1);
	ck_assert_msg(body->kind->line(body, TALL, 80, &line, &err), "%s", err.msg);
	ck_assert_str_eq(line.text.text, "[999999]         0");
	line_release(&line);
	str_release(&head);
	body->kind->free(body);
}
END_TEST

/* The most memory that was resident so far, in kB. */
static long most_resident_kb(void)
{
	FILE *file = fopen("/proc/self/status", "r");
	char line[256];
	long kb = -1;

	while (file && kb < 0 && fgets(line, sizeof line, file))
		if (sscanf(line, "VmHWM: %ld", &kb) != 1)
			kb = -1;
	if (file)
		fclose(file);
	return kb;
}

/* Pages through a tensor of this shape, there and back, and looks for a bad cell over some of it.
 */
static void page_through(const int64_t dims[2])
{
	struct grid_style style = { .axes = AXES_OF(dims[0], dims[1]) };
	struct line line = {0};
	struct view view;
	struct err err = {0};
	struct value *value;
	struct body *body;
	uint64_t place = 0, rows = (uint64_t)dims[0];
	bool found;
	char *dir = scratch_new();
	struct str path = {0};

	str_fmt(&path, "%s/a", dir);
	ck_assert(huge_write(path.text, "a", 0, 2, dims));
	value = value_open_event(path.text, &err);
	ck_assert_msg(value != NULL, "%s", err.msg);
	view_all(&view, value);
	body = grid_body(value, &view, &style);
	for (uint64_t i = 0; i < 2000; i++) {
		line_reset(&line);
		ck_assert(body->kind->cells->line(body, 1 + i * (rows / 2000 + 1) % rows,
		                                  i % (uint64_t)dims[1], 200, &line, &err));
	}
	ck_assert(body->kind->cells->find_bad(body, &place, false, 10000000, &found, &err));
	place = body->kind->cells->places(body) - 1;
	ck_assert(body->kind->cells->find_bad(body, &place, true, 1, &found, &err));
	ck_assert(found);
	body->kind->free(body);
	line_release(&line);
	str_release(&path);
	scratch_remove(dir);
}

/* 1 kB, then 10 GB: what is resident does not grow with the tensor. */
START_TEST(memory_does_not_grow_with_the_tensor)
{
	static const int64_t small[] = { 16, 16 }, large[] = { 50000, 50000 };
	long before;

	page_through(small);
	before = most_resident_kb();
	ck_assert_int_gt(before, 0);
	page_through(large);
	ck_assert_int_lt(most_resident_kb() - before, 4096);
}
END_TEST

/* Every type: where the bad cells are, forward and backward. */
START_TEST(bad_cells_are_found)
{
	static const struct { int grid; uint64_t first, last; } bads[] = {
		{ 0, 4, 5 }, { 5, 6, UINT64_MAX }, { 7, 6, UINT64_MAX }, { 8, 1, 1 },
	};
	struct body *body = body_of(bads[_i].grid);
	const struct cells_kind *cells = body->kind->cells;
	uint64_t place = 0;
	bool found;

	ck_assert_uint_eq(cells->places(body), 6);
	ck_assert(cells->find_bad(body, &place, false, 100, &found, NULL));
	ck_assert_uint_eq(place, bads[_i].first);
	ck_assert_int_eq(found, bads[_i].first < 6);
	place = 5;
	ck_assert(cells->find_bad(body, &place, true, 100, &found, NULL));
	ck_assert_uint_eq(place, bads[_i].last);
	body->kind->free(body);
}
END_TEST

/* The command, on recordings: the answer begins with this. */
#define LINEAR "testdata/linear"
#define TYPES "testdata/dtypes"
static const struct { const char *path, *line, *begins; } answers[] = {
	{ LINEAR, "grid linear/w:0",
	  "float32 (3, 1)  axes rows cols   min -1.25  max 2  nan 0  inf 0\n"
	  "         [,0]\n[0]       0.5\n[1]     -1.25\n[2]         2\n" },
	{ LINEAR, "grid linear/w[1:]",
	  "float32 (3, 1)  axes rows cols   min -1.25  max 2  nan 0  inf 0\n"
	  "         [,0]\n[1]     -1.25\n[2]         2\n" },
	{ LINEAR, "grid linear/w -a 1,0 -c 1",
	  "float32 (3, 1)  axes cols rows   min -1.25  max 2  nan 0  inf 0\n"
	  "         [,1]      [,2]\n[0]     -1.25         2\n" },
	{ LINEAR, "grid linear/w[:, 0]",
	  "float32 (3, 1)  axes rows [0/1]   min -1.25  max 2  nan 0  inf 0\n"
	  "             \n[0]       0.5\n" },
	{ LINEAR, "grid linear/w[2, 0]",
	  "float32 (3, 1)  axes [2/3] [0/1]   min 2  max 2  nan 0  inf 0\n"
	  "          \n         2\n" },
	{ LINEAR, "grid linear/w -a 0", "ERROR: \"0\" are no two axes" },
	{ LINEAR, "grid linear/w -a 0,0", "ERROR: \"0,0\" are no two axes" },
	{ LINEAR, "grid linear/w -a 0,2", "ERROR: There is no axis 2 left to show." },
	{ LINEAR, "grid linear/w[0] -a 0,1", "ERROR: There is no axis 0 left to show." },
	{ LINEAR, "grid linear/w -i 0", "ERROR: 1 indices for 0 axes that are not shown." },
	{ LINEAR, "grid linear/w -i x", "ERROR: \"x\" is no list of indices" },
	{ LINEAR, "grid linear/w -f x", "ERROR: \"x\" is no form: short, full or hex." },
	{ LINEAR, "grid linear/w[3]",
	  "Error occurred during handling of command: grid linear/w[3]:\n<class 'IndexError'>" },
	{ LINEAR, "grid nowhere", "ERROR: Node \"nowhere\" does not exist in partition graphs" },
	/* Axes that are not shown stand at an index. */
	{ TYPES, "grid f32/r3",
	  "float32 (2, 2, 2)  axes [0/2] rows cols   min -5.147  max 2.064  nan 0  inf 0\n"
	  "         [,0]      [,1]\n[0]   -0.8699    -1.427\n[1]     2.064    -5.147\n" },
	{ TYPES, "grid f32/r3 -i 1",
	  "float32 (2, 2, 2)  axes [1/2] rows cols   min -1.311  max 1.246  nan 0  inf 0\n" },
	{ TYPES, "grid f32/r3 -a 2,0 -i 1",
	  "float32 (2, 2, 2)  axes cols [1/2] rows   min -5.147  max 2.064  nan 0  inf 0\n"
	  "         [,0]      [,1]\n[0]     2.064     1.085\n[1]    -5.147     1.246\n" },
	{ TYPES, "grid f32/r3 -i 2", "ERROR: Index 2 is out of axis 0, which has size 2." },
	{ TYPES, "grid f32/r3[1] -i 1", "ERROR: 1 indices for 0 axes" },
};

START_TEST(command_chooses_what_is_shown)
{
	struct shell *shell = session_of(answers[_i].path);
	struct str out = {0};

	session_ask(shell, answers[_i].line, &out);
	ck_assert_msg(!strncmp(out.text, answers[_i].begins, strlen(answers[_i].begins)), "%s",
	              out.text);
	str_release(&out);
	shell_free(shell);
}
END_TEST

/* An array of any type has a grid in every form; what is no array has an answer. */
START_TEST(every_type_has_a_grid)
{
	static const char *const forms[] = { "short", "full", "hex" };
	struct shell *shell = session_of(TYPES);
	struct str list = {0}, command = {0}, out = {0};

	session_ask(shell, "lt", &list);
	for (const char *at = strstr(list.text, "\n["); at; at = strstr(at + 1, "\n[")) {
		size_t len = strcspn(at + 1, "\n");
		const char *name = memrchr(at + 1, ' ', len);

		str_reset(&command);
		str_fmt(&command, "grid %.*s -f %s", (int)(at + 1 + len - name - 1), name + 1,
		        forms[_i]);
		ck_assert_msg(session_ask(shell, command.text, &out), "%s: %s", command.text,
		              out.text);
		ck_assert_ptr_null(strstr(out.text, "ERROR"));
	}
	str_release(&list);
	str_release(&command);
	str_release(&out);
	shell_free(shell);
}
END_TEST

SUITE_MAIN("grid",
	tcase_add_loop_test(t, lines_are_labels_and_cells, 0, N_GRIDS);
	tcase_add_test(t, bad_cells_have_their_role);
	tcase_add_test(t, rows_are_found_by_index);
	tcase_add_test(t, lines_keep_to_the_width);
	tcase_add_test(t, slice_may_be_larger_than_memory);
	tcase_add_test(t, memory_does_not_grow_with_the_tensor);
	tcase_add_loop_test(t, bad_cells_are_found, 0, 4);
	tcase_add_loop_test(t, command_chooses_what_is_shown, 0, ROWS(answers));
	tcase_add_loop_test(t, every_type_has_a_grid, 0, 3);
)
