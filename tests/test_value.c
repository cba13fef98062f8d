#include "tests/suite.h"

#include <glob.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dump/base/str.h"
#include "dump/model/value.h"
#include "tests/message.h"

#define BYTES(s) s, sizeof s - 1

static struct value *open_tensor(const struct str *tensor, bool typed, struct err *err)
{
	return value_open_proto(file_of(str_text(tensor), tensor->len), 0, tensor->len, typed,
	                        err);
}

/* ---- recordings: what tfdbg showed of them */

static struct value *open_recorded(const char *name)
{
	struct err err = {0};
	struct str pattern = {0};
	struct value *v;
	glob_t found;

	str_fmt(&pattern, "testdata/dtypes/*device*/%s_0_DebugIdentity_*", name);
	ck_assert_msg(glob(pattern.text, 0, NULL, &found) == 0, "%s", pattern.text);
	v = value_open_event(found.gl_pathv[0], &err);
	ck_assert_msg(v, "%s: %s", name, err.msg);
	globfree(&found);
	str_release(&pattern);
	return v;
}

static const struct {
	const char *name;
	enum dtype dtype;
	enum value_state state;
	uint32_t rank;
	int64_t dim[3];
} heads[] = {
	{ "f32/r0", DTYPE_FLOAT32, VALUE_ARRAY, 0, { 0 } },
	{ "f32/thirds", DTYPE_FLOAT32, VALUE_ARRAY, 2, { 3, 4 } },
	{ "f32/empty203", DTYPE_FLOAT32, VALUE_ARRAY, 3, { 2, 0, 3 } },
	{ "string/matrix", DTYPE_STRING, VALUE_ARRAY, 2, { 2, 2 } },
	{ "complex128/special", DTYPE_COMPLEX128, VALUE_ARRAY, 1, { 2 } },
	{ "quant/qint8", DTYPE_QINT8, VALUE_ARRAY, 1, { 5 } },
	{ "bfloat16/vec", DTYPE_BFLOAT16, VALUE_ARRAY, 1, { 8 } },
	{ "uninit/matrix", DTYPE_FLOAT32, VALUE_UNINITIALISED, 2, { 3, 2 } },
	{ "uninit/scalar", DTYPE_INT64, VALUE_UNINITIALISED, 0, { 0 } },
	{ "uninit/string", DTYPE_STRING, VALUE_UNINITIALISED, 1, { 2 } },
	{ "resource/var", DTYPE_RESOURCE, VALUE_OPAQUE, 0, { 0 } },
};

START_TEST(recorded_heads)
{
	struct value *v = open_recorded(heads[_i].name);
	uint64_t count;

	ck_assert_uint_eq(v->type->dtype, heads[_i].dtype);
	ck_assert_uint_eq(v->state, heads[_i].state);
	ck_assert_uint_eq(v->shape.rank, heads[_i].rank);
	for (uint32_t d = 0; d < v->shape.rank; d++)
		ck_assert_int_eq(v->shape.dim[d], heads[_i].dim[d]);
	ck_assert(shape_count(&v->shape, &count));
	ck_assert_uint_eq(v->count, v->state == VALUE_ARRAY ? count : 0);
	value_close(v);
}
END_TEST

static const struct {
	const char *name;
	uint64_t first;
	size_t n;
	const char *elems;
	size_t len;
} recorded[] = {
	{ "f32/r0", 0, 1, BYTES("\0\0\x20\xc0") },                       /* -2.5 */
	{ "int8/extremes", 0, 1, BYTES("\x80") },
	{ "uint16/extremes", 1, 1, BYTES("\xff\xff") },
	{ "int64/extremes", 0, 4, BYTES("\0\0\0\0\0\0\0\x80" "\xff\xff\xff\xff\xff\xff\xff\x7f"
	                                "\0\0\0\0\0\0\0\0" "\1\0\0\0\0\0\0\0") },
	{ "bool/vec", 0, 3, BYTES("\1\0\1") },
	{ "quant/qint8", 0, 5, BYTES("\x80\xc0\xff\x1f\x7f") },
	{ "complex64/vec", 0, 1, BYTES("\0\0\x80\x3f\0\0\0\x40") },      /* 1+2j */
};

START_TEST(recorded_elements)
{
	struct value *v = open_recorded(recorded[_i].name);
	struct err err = {0};
	char out[64];

	ck_assert_uint_eq(recorded[_i].n * v->type->elem_bytes, recorded[_i].len);
	ck_assert(value_read(v, recorded[_i].first, recorded[_i].n, out, &err));
	ck_assert_int_eq(memcmp(out, recorded[_i].elems, recorded[_i].len), 0);
	value_close(v);
}
END_TEST

static const struct {
	const char *name;
	uint64_t i;
	const char *text;
	size_t len;
} strings[] = {
	{ "string/vec", 0, BYTES("plain") },
	{ "string/vec", 2, BYTES("it's") },
	{ "string/vec", 6, BYTES("\xff\xfe\0raw") },
	{ "string/matrix", 1, BYTES("bb") },
	{ "string/matrix", 2, BYTES("ccc") },
};

START_TEST(recorded_strings)
{
	struct value *v = open_recorded(strings[_i].name);
	struct err err = {0};
	const char *text;
	size_t len;

	ck_assert(value_string(v, strings[_i].i, &text, &len, &err));
	ck_assert_uint_eq(len, strings[_i].len);
	ck_assert_mem_eq(text, strings[_i].text, len);
	value_close(v);
}
END_TEST

static const struct {
	const char *name, *text;
} messages[] = {
	{ "uninit/matrix",
	  "dtype: DT_FLOAT\ntensor_shape {\n  dim {\n    size: 3\n  }\n  dim {\n    size: 2\n  }\n"
	  "}\n" },
	{ "uninit/scalar", "dtype: DT_INT64\ntensor_shape {\n}\n" },
	{ "resource/var",
	  "dtype: DT_RESOURCE\ntensor_shape {\n}\n"
	  "tensor_content: \"p\\n,/job:localhost/replica:0/task:0/"
	  "device:CPU:0\\022\\tlocalhost\\032\\014resource/var "
	  "\\347\\265\\346\\260\\234\\252\\214\\314\\355\\001*\\022N10tensorflow3VarE2"
	  "\\010\\010\\001\\022\\004\\022\\002"
	  "\\010\\002\"\n" },
};

START_TEST(recorded_messages)
{
	struct value *v = open_recorded(messages[_i].name);
	struct err err = {0};
	struct str out = {0};

	ck_assert_msg(value_proto_text(v, &out, &err), "%s", err.msg);
	ck_assert_str_eq(out.text, messages[_i].text);
	value_close(v);
	str_release(&out);
}
END_TEST

START_TEST(strings_of_a_view)
{
	struct value *v = open_recorded("string/matrix");
	struct view view = { .value = v, .shape = { 1, { 2 } }, .count = 2, .start = 2,
	                    .stride = { -2 } };
	struct err err = {0};
	const char *text;
	size_t len;

	ck_assert(view_string(&view, 0, &text, &len, &err));
	ck_assert_uint_eq(len, 3);
	ck_assert(view_string(&view, 1, &text, &len, &err));
	ck_assert_uint_eq(len, 1);
	ck_assert_int_eq(text[0], 'a');
	value_close(v);
}
END_TEST

/* ---- the test vector of the format: float32 [1, inf] of node a, with its tag and plugin data */

static void test_vector(struct str *out, bool with_content)
{
	struct str tensor = {0}, value = {0}, summary = {0};

	put_tensor_head(&tensor, 1, 1, (const int64_t[]){ 2 });
	if (with_content)
		put_bytes(&tensor, 4, "\0\0\x80\x3f\0\0\x80\x7f", 8);
	put_bytes(&value, 1, "a", 1);
	put_bytes(&value, 7, "a:0:DebugIdentity", 17);
	put_message(&value, 8, &tensor);
	put_bytes(&value, 9, BYTES("\x0a\x0a\x0a\x08" "debugger"));
	put_message(&summary, 1, &value);
	str_put(out, "\x09\x00\x00\xa7\xdc\xf7\x50\x15\x43", 9);
	put_message(out, 5, &summary);
	str_release(&tensor);
	str_release(&value);
	str_release(&summary);
}

START_TEST(opens_the_test_vector)
{
	struct err err = {0};
	struct str bytes = {0};
	struct value *v;
	float elems[2];

	test_vector(&bytes, true);
	v = value_open_event(file_of(bytes.text, bytes.len), &err);
	ck_assert_msg(v, "%s", err.msg);
	ck_assert(value_read(v, 0, 2, elems, &err));
	ck_assert(elems[0] == 1 && isinf(elems[1]) && elems[1] > 0);
	value_close(v);

	str_reset(&bytes);
	test_vector(&bytes, false);
	v = value_open_event(file_of(bytes.text, bytes.len), &err);
	ck_assert_uint_eq(v->state, VALUE_UNINITIALISED);
	ck_assert_uint_eq(v->count, 0);
	value_close(v);
	str_release(&bytes);
}
END_TEST

/* All there is to ask of a value; that it ends is what counts. */
static void use(struct value *v)
{
	struct err err = {0};
	struct str out = {0};
	const char *text;
	char elems[16];
	size_t len;

	for (uint64_t i = 0; i < v->count && i < 100; i++) {
		if (v->type->kind == KIND_STRING)
			(void)!value_string(v, i, &text, &len, &err);
		else
			(void)!value_read(v, i, 1, elems, &err);
	}
	(void)!value_proto_text(v, &out, &err);
	str_release(&out);
	value_close(v);
}

START_TEST(every_cut_is_found)
{
	struct str bytes = {0};

	test_vector(&bytes, true);
	for (size_t len = 0; len < bytes.len; len++) {
		struct err err = {0};

		ck_assert_ptr_null(value_open_event(file_of(bytes.text, len), &err));
		ck_assert_uint_eq(err.code, ERR_FORMAT);
		ck_assert_uint_le(err.off, len);
		ck_assert(err.msg[0] && err.src[0]);
	}
	str_release(&bytes);
}
END_TEST

START_TEST(every_changed_byte_ends_well)
{
	static const char others[] = "\0\x01\x05\x7f\x80\xff";
	struct str bytes = {0};

	test_vector(&bytes, true);
	for (size_t i = 0; i < bytes.len; i++) {
		char was = bytes.text[i];

		for (size_t k = 0; k < sizeof others - 1; k++) {
			struct err err = {0};
			struct value *v;

			bytes.text[i] = others[k];
			v = value_open_event(file_of(bytes.text, bytes.len), &err);
			ck_assert(v || err.code);
			if (v)
				use(v);
		}
		bytes.text[i] = was;
	}
	str_release(&bytes);
}
END_TEST

/* ---- events that are unusual, and right */

START_TEST(summaries_merge)
{
	struct err err = {0};
	struct str tensor = {0}, other = {0}, value = {0}, summary = {0}, event = {0}, text = {0};
	struct value *v;
	int32_t elems[3];

	/* an empty summary; the first value, its tensor in two pieces; a second value */
	put_number(&tensor, 1, 3);
	put_bytes(&tensor, 2, "\x12\x02\x08\x03", 4);
	put_message(&value, 8, &tensor);
	put_bytes(&other, 4, "\1\0\0\0\2\0\0\0\3\0\0\0", 12);
	put_message(&value, 8, &other);
	put_message(&event, 5, &summary);
	put_message(&summary, 1, &value);
	put_message(&event, 5, &summary);
	put_message(&event, 5, &summary);
	v = value_open_event(file_of(event.text, event.len), &err);
	ck_assert_msg(v, "%s", err.msg);
	ck_assert_uint_eq(v->count, 3);
	ck_assert(value_read(v, 0, 3, elems, &err));
	ck_assert(elems[0] == 1 && elems[1] == 2 && elems[2] == 3);
	ck_assert(!value_proto_text(v, &text, &err));
	ck_assert_uint_eq(err.code, ERR_LIMIT);
	value_close(v);
	str_release(&tensor);
	str_release(&other);
	str_release(&value);
	str_release(&summary);
	str_release(&event);
	str_release(&text);
}
END_TEST

/* ---- typed fields, as constants in graphs have them */

static const struct {
	const char *what;
	enum dtype dtype;
	int64_t n;
	const char *fields;
	size_t len;
	const char *elems;
	size_t elem_len;
} typed[] = {
	{ "float single", DTYPE_FLOAT32, 2, BYTES("\x2d\0\0\x80\x3f\x2d\0\0\0\x40"),
	  BYTES("\0\0\x80\x3f\0\0\0\x40") },
	{ "float packed", DTYPE_FLOAT32, 2, BYTES("\x2a\x08\0\0\x80\x3f\0\0\0\x40"),
	  BYTES("\0\0\x80\x3f\0\0\0\x40") },
	{ "float mixed", DTYPE_FLOAT32, 3,
	  BYTES("\x2a\x04\0\0\x80\x3f\x2d\0\0\0\x40\x2a\x00\x2a\x04\0\0\x80\xbf"),
	  BYTES("\0\0\x80\x3f\0\0\0\x40\0\0\x80\xbf") },
	{ "float repeats", DTYPE_FLOAT32, 3, BYTES("\x2d\0\0\x80\x3f"),
	  BYTES("\0\0\x80\x3f\0\0\x80\x3f\0\0\x80\x3f") },
	{ "float none", DTYPE_FLOAT32, 2, BYTES(""), BYTES("\0\0\0\0\0\0\0\0") },
	{ "double", DTYPE_FLOAT64, 1, BYTES("\x31\0\0\0\0\0\0\xf0\x3f"),
	  BYTES("\0\0\0\0\0\0\xf0\x3f") },
	{ "int32", DTYPE_INT32, 3,
	  BYTES("\x3a\x0c\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x05"),
	  BYTES("\1\0\0\0\xff\xff\xff\xff\5\0\0\0") },
	{ "int32 single", DTYPE_INT32, 2, BYTES("\x38\x01\x38\x96\x01"),
	  BYTES("\1\0\0\0\x96\0\0\0") },
	{ "int8", DTYPE_INT8, 2, BYTES("\x3a\x0b\x7f\x80\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
	  BYTES("\x7f\x80") },
	{ "uint16", DTYPE_UINT16, 1, BYTES("\x38\xff\xff\x03"), BYTES("\xff\xff") },
	{ "qint32", DTYPE_QINT32, 1, BYTES("\x38\x07"), BYTES("\7\0\0\0") },
	{ "int64", DTYPE_INT64, 2, BYTES("\x50\x01\x52\x01\x02"),
	  BYTES("\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0") },
	{ "bool", DTYPE_BOOL, 3, BYTES("\x5a\x04\x00\x01\x80\x02"), BYTES("\0\1\1") },
	{ "half", DTYPE_FLOAT16, 2, BYTES("\x6a\x05\x80\xf8\x01\x80\x78"), BYTES("\0\x7c\0\x3c") },
	{ "bfloat16", DTYPE_BFLOAT16, 1, BYTES("\x68\x80\x7f"), BYTES("\x80\x3f") },
	{ "complex64", DTYPE_COMPLEX64, 2, BYTES("\x4a\x08\0\0\x80\x3f\0\0\0\x40"),
	  BYTES("\0\0\x80\x3f\0\0\0\x40\0\0\x80\x3f\0\0\0\x40") },
	{ "complex128", DTYPE_COMPLEX128, 1,
	  BYTES("\x61\0\0\0\0\0\0\xf0\x3f\x61\0\0\0\0\0\0\0\x40"),
	  BYTES("\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\0\x40") },
	{ "uint32", DTYPE_UINT32, 1, BYTES("\x80\x01\xff\xff\xff\xff\x0f"),
	  BYTES("\xff\xff\xff\xff") },
	{ "uint64", DTYPE_UINT64, 1, BYTES("\x8a\x01\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
	  BYTES("\xff\xff\xff\xff\xff\xff\xff\xff") },
	{ "float8", DTYPE_FLOAT8_E5M2, 3, BYTES("\x92\x01\x02\x3c\x40"), BYTES("\x3c\x40\x40") },
	{ "float8 none", DTYPE_FLOAT8_E4M3FN, 2, BYTES(""), BYTES("\0\0") },
	{ "int4", DTYPE_INT4, 2, BYTES("\x3a\x02\x07\x01"), BYTES("\7\1") },
	{ "content first", DTYPE_INT32, 1, BYTES("\x22\x04\1\0\0\0\x38\x05"), BYTES("\1\0\0\0") },
	{ "reference type", (enum dtype)(100 + DTYPE_INT32), 1, BYTES("\x38\x05"),
	  BYTES("\5\0\0\0") },
};

START_TEST(typed_values)
{
	struct err err = {0};
	struct str tensor = {0};
	struct value *v;
	char out[64];
	size_t size;

	put_tensor_head(&tensor, typed[_i].dtype, 1, &typed[_i].n);
	str_put(&tensor, typed[_i].fields, typed[_i].len);
	v = open_tensor(&tensor, true, &err);
	ck_assert_msg(v, "%s: %s", typed[_i].what, err.msg);
	size = v->type->elem_bytes;
	ck_assert_uint_eq(size * v->count, typed[_i].elem_len);
	ck_assert_msg(value_read(v, 0, (size_t)v->count, out, &err), "%s: %s", typed[_i].what,
	              err.msg);
	ck_assert_msg(!memcmp(out, typed[_i].elems, typed[_i].elem_len), "%s", typed[_i].what);
	for (uint64_t i = v->count; i-- > 0; ) {
		ck_assert(value_read(v, i, 1, out, &err));
		ck_assert_msg(!memcmp(out, typed[_i].elems + i * size, size), "%s at %d",
		              typed[_i].what, (int)i);
	}
	value_close(v);

	/* In a dump of v1 these don't count. */
	v = open_tensor(&tensor, false, &err);
	ck_assert_uint_eq(v->state, tensor.text[tensor.len - typed[_i].len] == 0x22
	                            ? VALUE_ARRAY : VALUE_UNINITIALISED);
	value_close(v);
	str_release(&tensor);
}
END_TEST

/* ---- tensors that are refused */

static const struct {
	const char *what;
	uint64_t dtype;
	uint32_t rank;
	int64_t dim[3];
	const char *fields;
	size_t len;
	enum err_code code;
} refused[] = {
	{ "short content", 1, 1, { 2 }, BYTES("\x22\x04" "1234"), ERR_FORMAT },
	{ "long content", 1, 1, { 1 }, BYTES("\x22\x08" "12345678"), ERR_FORMAT },
	{ "odd content", 1, 1, { 1 }, BYTES("\x22\x05" "12345"), ERR_FORMAT },
	{ "content for no element", 1, 1, { 0 }, BYTES("\x22\x04" "1234"), ERR_FORMAT },
	{ "n * size wraps to 4", 9, 1, { (INT64_MAX >> 2) + 1 }, BYTES("\x22\x04" "1234"),
	  ERR_FORMAT },
	{ "no dtype", 0, 1, { 1 }, BYTES("\x22\x04" "1234"), ERR_FORMAT },
	{ "unknown dtype", 77, 1, { 1 }, BYTES("\x22\x04" "1234"), ERR_FORMAT },
	{ "dtype of 64 bits", UINT64_MAX, 0, { 0 }, BYTES("\x22\x04" "1234"), ERR_FORMAT },
	{ "negative dimension", 1, 1, { -1 }, BYTES("\x22\x04" "1234"), ERR_FORMAT },
	{ "two negative dimensions", 1, 2, { -1, -1 }, BYTES("\x22\x04" "1234"), ERR_FORMAT },
	{ "product overflows", 1, 2, { INT64_MAX, 3 }, BYTES("\x22\x04" "1234"), ERR_FORMAT },
	{ "overflows, then zero", 1, 3, { INT64_MAX, INT64_MAX, 0 }, BYTES(""), ERR_FORMAT },
	{ "a string too long", 7, 1, { 1 }, BYTES("\x22\x02\x02x"), ERR_FORMAT },
	{ "behind the strings", 7, 1, { 1 }, BYTES("\x22\x03\x01xy"), ERR_FORMAT },
	{ "more strings than bytes", 7, 1, { 3 }, BYTES("\x22\x02\x00\x00"), ERR_FORMAT },
	{ "fewer lengths than strings", 7, 1, { 2 }, BYTES("\x22\x02\x80\x01"), ERR_FORMAT },
	{ "half a length", 7, 1, { 1 }, BYTES("\x22\x01\x80"), ERR_FORMAT },
	{ "too many strings", 7, 1, { 1 }, BYTES("\x42\x01x\x42\x01y"), ERR_FORMAT },
	{ "too many values", 1, 1, { 1 }, BYTES("\x2a\x08" "12345678"), ERR_FORMAT },
	{ "too many float8", 24, 1, { 1 }, BYTES("\x92\x01\x02\x3c\x40"), ERR_FORMAT },
	{ "half a float", 1, 1, { 1 }, BYTES("\x2a\x02" "12"), ERR_FORMAT },
	{ "half a complex", 8, 1, { 1 }, BYTES("\x4a\x04" "1234"), ERR_FORMAT },
	{ "half a varint", 3, 1, { 1 }, BYTES("\x3a\x01\x80"), ERR_FORMAT },
	{ "length beyond the end", 1, 1, { 1 }, BYTES("\x22\x7f" "1234"), ERR_FORMAT },
};

START_TEST(refuses)
{
	struct err err = {0};
	struct str tensor = {0};

	if (refused[_i].dtype)
		put_tensor_head(&tensor, refused[_i].dtype, refused[_i].rank, refused[_i].dim);
	str_put(&tensor, refused[_i].fields, refused[_i].len);
	ck_assert_msg(!open_tensor(&tensor, true, &err), "%s", refused[_i].what);
	ck_assert_msg(err.code == refused[_i].code, "%s: %d", refused[_i].what, (int)err.code);
	ck_assert_uint_lt(err.off, tensor.len);
	str_release(&tensor);
}
END_TEST

START_TEST(names_both_numbers_and_the_offset)
{
	struct err err = {0};
	struct str tensor = {0};

	put_tensor_head(&tensor, 1, 1, (const int64_t[]){ 3 });
	put_bytes(&tensor, 4, "12345678", 8);
	ck_assert_ptr_null(open_tensor(&tensor, false, &err));
	ck_assert_uint_eq(err.off, 10);
	ck_assert_ptr_nonnull(strstr(err.msg, "8 bytes"));
	ck_assert_ptr_nonnull(strstr(err.msg, "3 elements"));
	str_release(&tensor);
}
END_TEST

START_TEST(rank_has_a_limit)
{
	struct err err = {0};
	struct str tensor = {0};
	struct value *v;
	int64_t dim[SHAPE_MAX_RANK + 1];

	for (int i = 0; i <= SHAPE_MAX_RANK; i++)
		dim[i] = 1;
	put_tensor_head(&tensor, 4, SHAPE_MAX_RANK, dim);
	put_bytes(&tensor, 4, "x", 1);
	v = open_tensor(&tensor, false, &err);
	ck_assert_ptr_nonnull(v);
	ck_assert_uint_eq(v->shape.rank, SHAPE_MAX_RANK);
	value_close(v);
	str_reset(&tensor);
	put_tensor_head(&tensor, 4, SHAPE_MAX_RANK + 1, dim);
	put_bytes(&tensor, 4, "x", 1);
	ck_assert_ptr_null(open_tensor(&tensor, false, &err));
	ck_assert_uint_eq(err.code, ERR_LIMIT);
	str_release(&tensor);
}
END_TEST

START_TEST(no_file_is_an_io_error)
{
	struct err err = {0};

	ck_assert_ptr_null(value_open_event("/nonexistent/file", &err));
	ck_assert_uint_eq(err.code, ERR_IO);
	err.code = ERR_NONE;
	ck_assert_ptr_null(value_open_proto(file_of("abc", 3), 2, 2, true, &err));
	ck_assert_uint_eq(err.code, ERR_FORMAT);
	err.code = ERR_NONE;
	ck_assert_ptr_null(value_open_proto(file_of("abc", 3), UINT64_MAX, 2, true, &err));
	ck_assert_uint_eq(err.code, ERR_FORMAT);
}
END_TEST

START_TEST(a_file_cut_while_read_is_an_error)
{
	struct err err = {0};
	struct str tensor = {0}, content = {0};
	struct value *v;
	char out[8];

	str_fill(&content, 'x', 400000);
	put_tensor_head(&tensor, 4, 1, (const int64_t[]){ 400000 });
	put_message(&tensor, 4, &content);
	v = open_tensor(&tensor, false, &err);
	ck_assert_int_eq(truncate(v->path, 1000), 0);
	ck_assert(!value_read(v, 300000, 8, out, &err));
	ck_assert_uint_eq(err.code, ERR_IO);
	err.code = ERR_NONE;
	ck_assert(!value_read(v, 0, 400000, content.text, &err));
	ck_assert_uint_eq(err.code, ERR_IO);
	value_close(v);
	str_release(&tensor);
	str_release(&content);
}
END_TEST

/* ---- many values, reached in any order */

#define MANY 600000

static uint64_t step_through(uint64_t i)
{
	return (i * 2654435761u + 12345) % MANY;
}

/* As the runtime writes them: all lengths, then all bytes. */
START_TEST(strings_as_content)
{
	static const char *const want[] = { "hi", "", "abc" };
	struct err err = {0};
	struct str tensor = {0};
	struct value *v;
	const char *text;
	size_t len;

	put_tensor_head(&tensor, 7, 1, (const int64_t[]){ 3 });
	put_bytes(&tensor, 4, "\2\0\3hiabc", 8);
	v = open_tensor(&tensor, true, &err);
	ck_assert_msg(v, "%s", err.msg);
	for (uint64_t i = 3; i-- > 0;) {
		ck_assert(value_string(v, i, &text, &len, &err));
		ck_assert_uint_eq(len, strlen(want[i]));
		ck_assert_mem_eq(text, want[i], len);
	}
	value_close(v);
	ck_assert_msg(!open_tensor(&tensor, false, &err), "tfdbg v1 has none");
	ck_assert_int_eq(err.code, ERR_FORMAT);
	str_release(&tensor);
}
END_TEST

/* One string for each element, its length and first character told by its number. */
START_TEST(many_strings_by_number)
{
	struct err err = {0};
	struct str tensor = {0};
	struct value *v;
	const char *text;
	size_t len;

	put_tensor_head(&tensor, 7, 1, (const int64_t[]){ MANY + 5 });
	for (uint32_t i = 0; i < MANY; i++) {
		char bytes[4] = { (char)(i % 251), (char)(i % 241), (char)(i % 239), 'x' };

		put_bytes(&tensor, 8, bytes, 3 + i % 2);
	}
	v = open_tensor(&tensor, false, &err);
	ck_assert_msg(v, "%s", err.msg);
	for (uint64_t k = 0; k < 600; k++) {
		uint64_t i = k < 300 ? k : step_through(k);

		ck_assert(value_string(v, i, &text, &len, &err));
		ck_assert_uint_eq(len, 3 + i % 2);
		ck_assert_uint_eq((unsigned char)text[0], i % 251);
		ck_assert_uint_eq((unsigned char)text[1], i % 241);
		ck_assert_uint_eq((unsigned char)text[2], i % 239);
	}
	ck_assert(value_string(v, MANY + 4, &text, &len, &err));
	ck_assert_uint_eq((unsigned char)text[0], (MANY - 1) % 251);
	value_close(v);
	str_release(&tensor);
}
END_TEST

/* Chunks of packed values of 1 to 100, with single ones between them. */
static void put_chunks(struct str *out, uint32_t number, bool fixed)
{
	for (uint32_t i = 0, chunk = 0; i < MANY / 2; chunk++) {
		struct str packed = {0};

		for (uint32_t k = 0; k <= chunk % 100 && i < MANY / 2; k++, i++) {
			if (fixed)
				put_fixed(&packed, i, 4);
			else
				put_varint(&packed, i);
		}
		put_message(out, number, &packed);
		if (i < MANY / 2 && !fixed)
			put_number(out, number, i++);
		str_release(&packed);
	}
}

static const struct {
	uint32_t dtype, number;
	bool fixed;
} chunked[] = { { DTYPE_FLOAT32, 5, true }, { DTYPE_UINT32, 16, false } };

START_TEST(many_values_by_number)
{
	struct err err = {0};
	struct str tensor = {0};
	struct value *v;
	uint32_t *all = malloc(MANY / 2 * sizeof *all);

	put_tensor_head(&tensor, chunked[_i].dtype, 1, (const int64_t[]){ MANY / 2 });
	put_chunks(&tensor, chunked[_i].number, chunked[_i].fixed);
	v = open_tensor(&tensor, true, &err);
	ck_assert_msg(v, "%s", err.msg);
	for (uint64_t k = 0; k < 600; k++) {
		uint64_t i = step_through(k) % (MANY / 2);

		ck_assert(value_read(v, i, 1, all, &err));
		ck_assert_uint_eq(all[0], i);
	}
	ck_assert(value_read(v, 0, MANY / 2, all, &err));
	for (uint32_t i = 0; i < MANY / 2; i++)
		ck_assert_uint_eq(all[i], i);
	value_close(v);
	str_release(&tensor);
	free(all);
}
END_TEST

SUITE_MAIN("value",
	tcase_add_loop_test(t, recorded_heads, 0, ROWS(heads));
	tcase_add_loop_test(t, recorded_elements, 0, ROWS(recorded));
	tcase_add_loop_test(t, recorded_strings, 0, ROWS(strings));
	tcase_add_loop_test(t, recorded_messages, 0, ROWS(messages));
	tcase_add_test(t, strings_of_a_view);
	tcase_add_test(t, opens_the_test_vector);
	tcase_add_test(t, every_cut_is_found);
	tcase_add_test(t, every_changed_byte_ends_well);
	tcase_add_test(t, summaries_merge);
	tcase_add_loop_test(t, typed_values, 0, ROWS(typed));
	tcase_add_loop_test(t, refuses, 0, ROWS(refused));
	tcase_add_test(t, names_both_numbers_and_the_offset);
	tcase_add_test(t, rank_has_a_limit);
	tcase_add_test(t, no_file_is_an_io_error);
	tcase_add_test(t, a_file_cut_while_read_is_an_error);
	tcase_add_test(t, strings_as_content);
	tcase_add_test(t, many_strings_by_number);
	tcase_add_loop_test(t, many_values_by_number, 0, ROWS(chunked));
)
