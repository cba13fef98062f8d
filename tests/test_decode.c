#include "tests/suite.h"

#include <glob.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/format/decode.h"
#include "tests/message.h"

static bool text_of(enum message message, const char *path, struct span span, struct str *out,
                    struct err *err)
{
	struct file file;
	bool ok;

	ck_assert(file_open(&file, path, err));
	ok = decode_text(message, &file, span, out, err);
	file_close(&file);
	return ok;
}

static bool text_of_bytes(enum message message, const char *bytes, size_t len, struct str *out,
                          struct err *err)
{
	return text_of(message, file_of(bytes, len), (struct span){ 0, len }, out, err);
}

#define BYTES(s) s, sizeof s - 1

/* Attributes: the text rules, one by one. */
static const struct {
	const char *bytes;
	size_t len;
	const char *text;
} attrs[] = {
	{ BYTES(""), "" },
	{ BYTES("\x28\x01"), "b: true\n" },
	{ BYTES("\x28\x00"), "b: false\n" },
	{ BYTES("\x18\xf9\xff\xff\xff\xff\xff\xff\xff\xff\x01"), "i: -7\n" },
	{ BYTES("\x18\x00"), "i: 0\n" },
	{ BYTES("\x12\x05" "loc:@"), "s: \"loc:@\"\n" },
	{ BYTES("\x12\x00"), "s: \"\"\n" },
	{ BYTES("\x12\x0b" "a\0\n\r\t\"'\\\x7f\xff\x1f"),
	  "s: \"a\\000\\n\\r\\t\\\"\\'\\\\\\177\\377\\037\"\n" },
	{ BYTES("\x4a\x04" "p\xc3\xa9\x01"), "placeholder: \"p\xc3\xa9\\001\"\n" },
	{ BYTES("\x30\x01"), "type: DT_FLOAT\n" },
	{ BYTES("\x30\x00"), "type: DT_INVALID\n" },
	{ BYTES("\x30\x65"), "type: DT_FLOAT_REF\n" },
	{ BYTES("\x30\xe7\x07"), "type: 999\n" },
	{ BYTES("\x25\x00\x00\x00\x3f"), "f: 0.5\n" },
	{ BYTES("\x25\x00\x00\x00\x00"), "f: 0\n" },
	{ BYTES("\x25\x00\x00\x00\x80"), "f: -0\n" },
	{ BYTES("\x25\x00\x00\x80\x3f"), "f: 1\n" },
	{ BYTES("\x25\xab\xaa\xaa\x3e"), "f: 0.333333343\n" },
	{ BYTES("\x25\xcd\xcc\xcc\x3d"), "f: 0.1\n" },
	{ BYTES("\x25\xf9\x02\x15\x50"), "f: 1e+10\n" },
	{ BYTES("\x25\x00\x00\x80\x7f"), "f: inf\n" },
	{ BYTES("\x25\x00\x00\x80\xff"), "f: -inf\n" },
	{ BYTES("\x25\x00\x00\xc0\xff"), "f: nan\n" },
	{ BYTES("\x3a\x11\x12\x02\x08\x02\x12\x0b\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
	  "shape {\n  dim {\n    size: 2\n  }\n  dim {\n    size: -1\n  }\n}\n" },
	{ BYTES("\x3a\x00"), "shape {\n}\n" },
	{ BYTES("\x3a\x02\x18\x01"), "shape {\n  unknown_rank: true\n}\n" },
	{ BYTES("\x3a\x02\x12\x00"), "shape {\n  dim {\n  }\n}\n" },
	{ BYTES("\x0a\x04\x1a\x02\x01\x02"), "list {\n  i: 1\n  i: 2\n}\n" }, /* packed */
	{ BYTES("\x0a\x04\x18\x01\x18\x02"), "list {\n  i: 1\n  i: 2\n}\n" }, /* single */
	{ BYTES("\x0a\x05\x32\x03\x01\x03\x00"),
	  "list {\n  type: DT_FLOAT\n  type: DT_INT32\n  type: DT_INVALID\n}\n" },
	{ BYTES("\x0a\x06\x3a\x04\x12\x02\x08\x03"),
	  "list {\n  shape {\n    dim {\n      size: 3\n    }\n  }\n}\n" },
	{ BYTES("\x0a\x04\x2a\x02\x00\x01"), "list {\n  b: false\n  b: true\n}\n" },
	{ BYTES("\x0a\x00"), "list {\n}\n" },
	{ BYTES("\x42\x12\x08\x03\x12\x04\x12\x02\x08\x02\x22\x08\x01\0\0\0\x02\0\0\0"),
	  "tensor {\n  dtype: DT_INT32\n  tensor_shape {\n    dim {\n      size: 2\n    }\n  }\n"
	  "  tensor_content: \"\\001\\000\\000\\000\\002\\000\\000\\000\"\n}\n" },
	/* entries sorted, of "b" the last one, an entry without a value */
	{ BYTES("\x52\x1c\x0a\x01" "f" "\x12\x07\x0a\x01" "b" "\x12\x02\x30\x01"
	        "\x12\x03\x0a\x01" "a" "\x12\x07\x0a\x01" "b" "\x12\x02\x30\x03" "\x12\x00"),
	  "func {\n  name: \"f\"\n  attr {\n    key: \"\"\n    value {\n    }\n  }\n"
	  "  attr {\n    key: \"a\"\n    value {\n    }\n  }\n"
	  "  attr {\n    key: \"b\"\n    value {\n      type: DT_INT32\n    }\n  }\n}\n" },
	{ BYTES("\x28\x01\x18\x05"), "i: 5\n" },                 /* of a oneof the last */
	{ BYTES("\xa2\x06\x03" "abc" "\x18\x05"), "i: 5\n" },    /* an unknown field */
};

START_TEST(attribute_text)
{
	struct err err = {0};
	struct str out = {0};

	str_puts(&out, "before ");
	ck_assert_msg(text_of_bytes(MESSAGE_ATTR_VALUE, attrs[_i].bytes, attrs[_i].len, &out,
	                            &err), "%s", err.msg);
	ck_assert_int_eq(strncmp(out.text, "before ", 7), 0);
	ck_assert_str_eq(out.text + 7, attrs[_i].text);
	str_release(&out);
}
END_TEST

START_TEST(tensor_text)
{
	static const char bytes[] = "\x08\x02\x12\x00\x18\x07\x31\0\0\0\0\0\0\xf0\x3f"
	                            "\x31\x9a\x99\x99\x99\x99\x99\xb9\x3f"
	                            "\x5a\x02\x01\x00" "\x72\x09\x0a\x04" "/cpu" "\x20\xff\x01"
	                            "\x7a\x03\x0a\x01V"
	                            "\x80\x01\xff\xff\xff\xff\x0f";
	struct err err = {0};
	struct str out = {0};

	ck_assert_msg(text_of_bytes(MESSAGE_TENSOR, bytes, sizeof bytes - 1, &out, &err), "%s",
	              err.msg);
	ck_assert_str_eq(out.text, "dtype: DT_DOUBLE\ntensor_shape {\n}\nversion_number: 7\n"
	                           "double_val: 1\ndouble_val: 0.1\nbool_val: true\n"
	                           "bool_val: false\n"
	                           "resource_handle_val {\n  device: \"/cpu\"\n  hash_code: 255\n"
	                           "}\n"
	                           "variant_val {\n  type_name: \"V\"\n}\n"
	                           "uint32_val: 4294967295\n");
	str_release(&out);
}
END_TEST

/* Attributes as tfdbg printed them, found in the recorded graph. */
static const struct {
	const char *graph, *node, *key, *text;
} recorded[] = {
	{ "testdata/linear/*/*graph_hash*", "linear/pred", "T", "type: DT_FLOAT " },
	{ "testdata/linear/*/*graph_hash*", "linear/xw", "transpose_a", "b: false " },
	{ "testdata/two_devices/*CPU_1/*graph_hash*", "second/w", "_class",
	 "list {   s: \"loc:@second/w/read\" } " },
	{ "testdata/two_devices/*CPU_1/*graph_hash*", "second/w", "container", "s: \"\" " },
	{ "testdata/two_devices/*CPU_1/*graph_hash*", "second/w", "shape",
	  "shape {   dim {     size: 2   }   dim {     size: 2   } } " },
};

static bool is_text(struct file *file, const struct field *field, uint32_t number,
                    const char *text)
{
	struct err err = {0};
	const char *at;

	if (field->number != number || field->bytes.len != strlen(text))
		return false;
	at = wire_text(file, field->bytes, 1000, &err);
	return at && !memcmp(at, text, strlen(text));
}

/*
 * Narrows the span to the field `number` of the message; with text to the one whose own field 1 is
 * that.
 */
static bool narrow(struct file *file, struct span *span, uint32_t number, const char *text)
{
	struct err err = {0};
	struct wire wire, inner;
	struct field field, name;

	wire_start(&wire, file, *span);
	while (wire_next(&wire, &field, &err)) {
		if (field.number != number)
			continue;
		wire_start(&inner, file, field.bytes);
		if (text && (!wire_next(&inner, &name, &err) || !is_text(file, &name, 1, text)))
			continue;
		*span = field.bytes;
		return true;
	}
	return false;
}

START_TEST(recorded_attributes)
{
	struct err err = {0};
	struct str out = {0};
	struct file file;
	struct span span = { 0, 0 };
	glob_t found;

	ck_assert_int_eq(glob(recorded[_i].graph, 0, NULL, &found), 0);
	ck_assert(file_open(&file, found.gl_pathv[0], &err));
	span.len = file.size;
	ck_assert(narrow(&file, &span, 4, NULL));
	ck_assert(narrow(&file, &span, 1, recorded[_i].node));
	ck_assert(narrow(&file, &span, 5, recorded[_i].key));
	ck_assert(narrow(&file, &span, 2, NULL));
	ck_assert(decode_text(MESSAGE_ATTR_VALUE, &file, span, &out, &err));
	for (char *at = out.text; (at = strchr(at, '\n')); )
		*at = ' ';
	ck_assert_str_eq(out.text, recorded[_i].text);
	file_close(&file);
	globfree(&found);
	str_release(&out);
}
END_TEST

/* TensorProto inside VariantTensorDataProto inside TensorProto..., `depth` messages in all. */
static void nest(struct str *out, int depth)
{
	for (int i = 1; i < depth; i++) {
		struct str outer = {0};

		put_message(&outer, i % 2 == depth % 2 ? 3 : 15, out);
		str_release(out);
		*out = outer;
	}
}

START_TEST(nesting_ends_at_100)
{
	struct err err = {0};
	struct str bytes = {0}, out = {0};

	nest(&bytes, 99);
	ck_assert_msg(text_of_bytes(MESSAGE_TENSOR, bytes.text, bytes.len, &out, &err), "%s",
	              err.msg);
	str_reset(&bytes);
	nest(&bytes, 101);
	ck_assert(!text_of_bytes(MESSAGE_TENSOR, bytes.text, bytes.len, &out, &err));
	ck_assert_uint_eq(err.code, ERR_LIMIT);
	err.code = ERR_NONE;
	str_reset(&bytes);
	nest(&bytes, 5001);
	ck_assert(!text_of_bytes(MESSAGE_TENSOR, bytes.text, bytes.len, &out, &err));
	ck_assert_uint_eq(err.code, ERR_LIMIT);
	str_release(&bytes);
	str_release(&out);
}
END_TEST

/* Few bytes that would take much: of memory, of text, of both. */
static const struct {
	uint32_t field;
	char byte;
	size_t bytes;
} large[] = {
	{ 15, '\x0a', 0 },                       /* empty messages, set up below */
	{ 4, '\x01', 8 << 20 },                  /* tensor_content, four characters a byte */
	{ 10, '\x01', 40 << 20 },                /* packed int64_val */
	{ 4, 'x', 65 << 20 },                    /* more than is unpacked at all */
	{ 99, 'x', 64 << 20 },                   /* unknown, and copied */
};

START_TEST(amplification_is_limited)
{
	struct err err = {0};
	struct str bytes = {0}, out = {0}, content = {0};

	if (large[_i].bytes) {
		str_fill(&content, large[_i].byte, large[_i].bytes);
		put_message(&bytes, large[_i].field, &content);
	} else {
		for (size_t i = 0; i < 4 << 20; i++)
			put_bytes(&bytes, large[_i].field, "", 0);
	}
	ck_assert(!text_of_bytes(MESSAGE_TENSOR, bytes.text, bytes.len, &out, &err));
	ck_assert_uint_eq(err.code, ERR_LIMIT);
	ck_assert_uint_eq(out.len, 0);
	str_release(&content);
	str_release(&bytes);
	str_release(&out);
}
END_TEST

static const struct {
	const char *bytes;
	size_t len;
	uint64_t off;
} bad[] = {
	{ BYTES("\x1a\x01x"), 0 },                       /* i as bytes */
	{ BYTES("\x3a\x04\x12\x02\x0a\x00"), 4 },        /* size as bytes, four bytes in */
	{ BYTES("\x0a\x05\x1a\x02\x01\x80"), 1 },        /* a length beyond the end */
	{ BYTES("\x0a\x04\x1a\x02\x01\x80"), 0 },        /* a packed number that is cut off */
	{ BYTES("\x0b\x0c"), 0 },                        /* a group */
};

START_TEST(damage_is_an_error)
{
	struct err err = {0};
	struct str out = {0};

	ck_assert(!text_of_bytes(MESSAGE_ATTR_VALUE, bad[_i].bytes, bad[_i].len, &out, &err));
	ck_assert_uint_eq(err.code, ERR_FORMAT);
	ck_assert_uint_eq(err.off, bad[_i].off);
	ck_assert_uint_eq(out.len, 0);
	str_release(&out);
}
END_TEST

/* Whatever is cut off or changed, it ends with a text or an error. */
START_TEST(damaged_bytes_never_crash)
{
	const char *bytes = attrs[_i].bytes;
	size_t len = attrs[_i].len;

	for (size_t i = 0; i < len; i++) {
		static const char others[] = "\0\x01\x0b\x7f\x80\xff";
		struct str out = {0}, changed = {0};
		struct err err = {0};

		ck_assert(text_of_bytes(MESSAGE_ATTR_VALUE, bytes, i, &out, &err) || err.code);
		for (size_t k = 0; k < sizeof others - 1; k++) {
			str_reset(&changed);
			str_put(&changed, bytes, len);
			changed.text[i] = others[k];
			err.code = ERR_NONE;
			ck_assert(text_of_bytes(MESSAGE_ATTR_VALUE, changed.text, len, &out,
			                        &err) || err.code);
		}
		str_release(&out);
		str_release(&changed);
	}
}
END_TEST

START_TEST(no_memory_is_an_error)
{
	static const char bytes[] = "\x0a\x04\x18\x01\x18\x02";
	bool ok = false;

	for (long nth = 0; !ok; nth++) {
		struct err err = {0};
		struct str out = {0};

		ck_assert_int_lt(nth, 1000);
		mem_fail_try(nth);
		ok = text_of_bytes(MESSAGE_ATTR_VALUE, bytes, sizeof bytes - 1, &out, &err);
		mem_fail_try(-1);
		ck_assert(ok || err.code);
		str_release(&out);
	}
}
END_TEST


SUITE_MAIN("decode",
	tcase_add_loop_test(t, attribute_text, 0, ROWS(attrs));
	tcase_add_test(t, tensor_text);
	tcase_add_loop_test(t, recorded_attributes, 0, ROWS(recorded));
	tcase_add_test(t, nesting_ends_at_100);
	tcase_add_loop_test(t, amplification_is_limited, 0, ROWS(large));
	tcase_add_loop_test(t, damage_is_an_error, 0, ROWS(bad));
	tcase_add_loop_test(t, damaged_bytes_never_crash, 0, ROWS(attrs));
	tcase_add_test(t, no_memory_is_an_error);)
