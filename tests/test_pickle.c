/* Pickles as data: what their opcodes make, and that nothing else is done. */
#include "tests/suite.h"

#include <inttypes.h>
#include <string.h>

#include "dump/arrays/pickle.h"
#include "dump/base/str.h"

static bool is_known(const char *name)
{
	return !strncmp(name, "fine.", 5);
}

static void show(struct str *out, const struct pickle_value *value, int depth);

static void show_items(struct str *out, const struct pickle_value *value, const char *brackets,
                       int depth)
{
	const struct pickle_items *items = value->items;
	bool is_dict = value->kind == PICKLE_DICT;

	str_putc(out, brackets[0]);
	for (size_t i = 0; i < items->len; i++) {
		str_puts(out, !i ? "" : is_dict && i % 2 ? ": " : ", ");
		show(out, &items->at[i], depth + 1);
	}
	str_putc(out, brackets[1]);
}

/* As Python writes it, more or less. */
static void show(struct str *out, const struct pickle_value *value, int depth)
{
	if (depth > 4) {
		str_puts(out, "...");
		return;
	}
	switch ((enum pickle_kind)value->kind) {
	case PICKLE_NOTHING: str_puts(out, "nothing"); break;
	case PICKLE_NONE: str_puts(out, "None"); break;
	case PICKLE_BOOL: str_puts(out, value->truth ? "True" : "False"); break;
	case PICKLE_INT: str_fmt(out, "%" PRId64, value->number); break;
	case PICKLE_UINT: str_fmt(out, "%" PRIu64 "u", value->large); break;
	case PICKLE_FLOAT: str_fmt(out, "%.6gf", value->real); break;
	case PICKLE_TEXT: str_fmt(out, "'%.*s'", (int)value->len, value->text); break;
	case PICKLE_NAME: str_fmt(out, "<%s>", value->text); break;
	case PICKLE_TUPLE: show_items(out, value, "()", depth); break;
	case PICKLE_LIST: show_items(out, value, "[]", depth); break;
	case PICKLE_DICT: show_items(out, value, "{}", depth); break;
	case PICKLE_CALL: str_puts(out, "call"); show_items(out, value, "()", depth); break;
	case PICKLE_ASK: str_puts(out, "ask"); show_items(out, value, "()", depth); break;
	}
}

#define BYTES(text) text, sizeof(text) - 1

static bool read_bytes(const char *bytes, size_t len, struct str *shown, struct err *err)
{
	struct pickle_value value = {0};
	struct arena mem = {0};
	char *copy = malloc(len ? len : 1);
	bool ok;

	memcpy(copy, bytes, len);
	*err = (struct err){0};
	ok = pickle_read("file", 1000, copy, len, is_known, &mem, NULL, &value, err);
	ck_assert(ok == (err->code == ERR_NONE));
	str_reset(shown);
	if (ok)
		show(shown, &value, 0);
	arena_release(&mem);
	free(copy);
	return ok;
}

static const struct { const char *bytes; size_t len; const char *shown; } sound[] = {
	{ BYTES("N."), "None" },
	{ BYTES("\x80\2\x88\x89\x86."), "(True, False)" },
	{ BYTES("(K\xffM\xff\xffJ\xfe\xff\xff\xfft."), "(255, 65535, -2)" },
	{ BYTES("(\x8a\0\x8a\1\xff\x8a\2\xff\0\x8a\x08\0\0\0\0\0\0\0\x80t."),
	  "(0, -1, 255, -9223372036854775808)" },
	{ BYTES("\x8a\x09\xff\xff\xff\xff\xff\xff\xff\xff\0."), "18446744073709551615u" },
	{ BYTES("\x8b\x0b\0\0\0\0\0\0\0\0\0\0\0\0\0\1."), "1.20893e+24f" },
	{ BYTES("\x8a\x0a\0\0\0\0\0\0\0\0\0\xff."), "-4.72237e+21f" },
	{ BYTES("G\xbf\xf8\0\0\0\0\0\0."), "-1.5f" },
	{ BYTES("(X\2\0\0\0abU\1cT\1\0\0\0d\x8c\1e\x8d\1\0\0\0\0\0\0\0ft."),
	  "('ab', 'c', 'd', 'e', 'f')" },
	{ BYTES("(C\1aB\1\0\0\0b\x8e\1\0\0\0\0\0\0\0ct."), "('a', 'b', 'c')" },
	{ BYTES(")."), "()" },
	{ BYTES("K\1\x85K\2\x86K\3K\4\x87."), "(((1), 2), 3, 4)" },
	{ BYTES("]K\1a(K\2K\3e."), "[1, 2, 3]" },
	{ BYTES("}K\1K\2s(K\3K\4K\5K\6u."), "{1: 2, 3: 4, 5: 6}" },
	{ BYTES("\x8f(K\1\x90(K\2\x91\x86."), "([1], [2])" },
	/* what is in the memo is the same value, not a copy */
	{ BYTES("]q\0h\0\x86K\1h\0K\2a\x87."), "(([2], [2]), 1, [2])" },
	{ BYTES("]\x94h\0a."), "[[[[[...]]]]]" },
	{ BYTES("]r\3\0\0\0j\3\0\0\0\x86."), "([], [])" },
	{ BYTES("K\1K\2" "0."), "1" },
	{ BYTES("K\1(K\2K\3" "1."), "1" },
	{ BYTES("\x80\4\x95\2\0\0\0\0\0\0\0N."), "None" },
	{ BYTES("cfine\nname\n."), "<fine.name>" },
	{ BYTES("\x8c\4fine\x8c\1n\x93."), "<fine.n>" },
	{ BYTES("cfine\nf\n(K\1tR."), "call(<fine.f>, (1))" },
	{ BYTES("K\1Q."), "ask(1)" },
	{ BYTES("ccollections\nOrderedDict\n)RK\1K\2s."), "{1: 2}" },
	{ BYTES("ccollections\nOrderedDict\n](]K\1aK\2aK\3K\4\x86" "e\x85R."), "{1: 2, 3: 4}" },
	{ BYTES("ccollections\nOrderedDict\n)R}X\2\0\0\0_mNsb."), "{}" },
	{ BYTES("N.what follows"), "None" },
};

START_TEST(sound_pickles)
{
	struct str shown = {0};
	struct err err;

	ck_assert_msg(read_bytes(sound[_i].bytes, sound[_i].len, &shown, &err), "%s", err.msg);
	ck_assert_str_eq(shown.text, sound[_i].shown);
	str_release(&shown);
}
END_TEST

static const struct {
	const char *bytes;
	size_t len;
	enum err_code code;
	uint64_t off;
	const char *words;
} refused[] = {
	{ BYTES("cos\nsystem\nX\2\0\0\0ls\x85R."), ERR_UNSUPPORTED, 1000,
	  "needs Python code to load (os.system); not read" },
	{ BYTES("Ncos\n\n."), ERR_UNSUPPORTED, 1001, "(os.)" },
	{ BYTES("\x8c\2os\x8c\6system\x93."), ERR_UNSUPPORTED, 1012, "(os.system)" },
	{ BYTES("(ios\nsystem\n."), ERR_UNSUPPORTED, 1001, "(os.system)" },
	{ BYTES("(ifine\nclass\n."), ERR_UNSUPPORTED, 1001, "(fine.class)" },
	{ BYTES("cfine\nclass\n)\x81."), ERR_UNSUPPORTED, 1013, "(fine.class)" },
	{ BYTES("cfine\nf\n)R}b."), ERR_UNSUPPORTED, 1011, "(fine.f)" },
	{ BYTES("\x80\1N."), ERR_FORMAT, 1000, "protocol" },
	{ BYTES("\x80\6N."), ERR_FORMAT, 1000, "protocol" },
	{ BYTES(""), ERR_FORMAT, 1000, "ends" },
	{ BYTES("N"), ERR_FORMAT, 1001, "ends" },
	{ BYTES("."), ERR_FORMAT, 1000, "without its values" },
	{ BYTES("NX\5\0\0\0abc."), ERR_FORMAT, 1001, "ends" },
	{ BYTES("\x8d\xff\xff\xff\xff\xff\xff\xff\xff."), ERR_FORMAT, 1000, "ends" },
	{ BYTES("N\xff."), ERR_FORMAT, 1001, "not known" },
	{ BYTES("N\x86."), ERR_FORMAT, 1001, "without its values" },
	{ BYTES("N(\x85."), ERR_FORMAT, 1002, "without its values" },
	{ BYTES("Nt."), ERR_FORMAT, 1001, "without its mark" },
	{ BYTES("N(e."), ERR_FORMAT, 1002, "to go into" },
	{ BYTES("(e."), ERR_FORMAT, 1001, "to go into" },
	{ BYTES("](N}u."), ERR_FORMAT, 1004, "to go into" },
	{ BYTES("}(Nu."), ERR_FORMAT, 1003, "to go into" },
	{ BYTES("h\0."), ERR_FORMAT, 1000, "memo" },
	{ BYTES("Nq\2h\1."), ERR_FORMAT, 1003, "memo" },
	{ BYTES("Nr\xff\xff\xff\x7f."), ERR_FORMAT, 1001, "memo" },
	{ BYTES("N)R."), ERR_FORMAT, 1002, "no name" },
	{ BYTES("cfine\nf\nNR."), ERR_FORMAT, 1009, "no name" },
	{ BYTES("NNb."), ERR_FORMAT, 1002, "state" },
	{ BYTES("NN\x93."), ERR_FORMAT, 1002, "no text" },
	{ BYTES("cfine"), ERR_FORMAT, 1000, "without an end" },
	{ BYTES("ccollections\nOrderedDict\nN\x85R."), ERR_FORMAT, 1027, "no list" },
	{ BYTES("ccollections\nOrderedDict\n]K\1\x85" "a\x85R."), ERR_FORMAT, 1031, "pairs" },
};

START_TEST(refused_pickles)
{
	struct str shown = {0};
	struct err err;

	ck_assert(!read_bytes(refused[_i].bytes, refused[_i].len, &shown, &err));
	ck_assert_int_eq(err.code, refused[_i].code);
	ck_assert_msg(strstr(err.msg, refused[_i].words), "%s", err.msg);
	ck_assert_str_eq(err.src, "file");
	ck_assert_uint_eq(err.off, refused[_i].off);
	str_release(&shown);
}
END_TEST

START_TEST(every_cut_and_change)
{
	struct str shown = {0};
	struct err err;
	char *bytes = malloc(sound[_i].len);

	for (size_t len = 0; len < sound[_i].len; len++)
		read_bytes(sound[_i].bytes, len, &shown, &err);
	for (size_t i = 0; i < sound[_i].len; i++)
		for (int byte = 0; byte < 256; byte++) {
			memcpy(bytes, sound[_i].bytes, sound[_i].len);
			bytes[i] = (char)byte;
			read_bytes(bytes, sound[_i].len, &shown, &err);
		}
	free(bytes);
	str_release(&shown);
}
END_TEST

/* More values than are taken: the stack, and all of them. */
START_TEST(no_pickle_is_too_large)
{
	struct str bytes = {0}, shown = {0};
	struct err err;

	str_fill(&bytes, 'N', 1000001);
	ck_assert(!read_bytes(bytes.text, bytes.len, &shown, &err));
	ck_assert_int_eq(err.code, ERR_LIMIT);
	str_reset(&bytes);
	for (int i = 0; i < 10000001; i++)
		str_puts(&bytes, "N0");
	ck_assert(!read_bytes(bytes.text, bytes.len, &shown, &err));
	ck_assert_int_eq(err.code, ERR_LIMIT);
	str_reset(&bytes);
	str_fill(&bytes, '(', 1000001);
	ck_assert(!read_bytes(bytes.text, bytes.len, &shown, &err));
	ck_assert_int_eq(err.code, ERR_LIMIT);
	str_release(&bytes);
	str_release(&shown);
}
END_TEST

static void stop(struct progress *progress)
{
	progress->cancel = true;
}

START_TEST(reading_is_stopped)
{
	struct progress progress = { .tick = stop };
	struct arena mem = {0};
	struct pickle_value value;
	struct err err = {0};

	ck_assert(!pickle_read("file", 0, "N.", 2, is_known, &mem, &progress, &value, &err));
	ck_assert_int_eq(err.code, ERR_CANCELLED);
	arena_release(&mem);
}
END_TEST

SUITE_MAIN("pickle",
	tcase_add_loop_test(t, sound_pickles, 0, ROWS(sound));
	tcase_add_loop_test(t, refused_pickles, 0, ROWS(refused));
	tcase_add_loop_test(t, every_cut_and_change, 0, ROWS(sound));
	tcase_add_test(t, no_pickle_is_too_large);
	tcase_add_test(t, reading_is_stopped);)
