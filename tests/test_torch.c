/* Files of torch.save: which tensors they hold, under which names, and where their elements are. */
#include "tests/suite.h"

#include <string.h>

#include "dump/arrays/torch.h"
#include "tests/message.h"
#include "tests/program.h"
#include "tests/shown.h"
#include "tests/small_torch.h"
#include "tests/small_zip.h"

#define RECORDED "testdata/torch/"
#define FLOATS PK_STORAGE("torch\nFloatStorage", "0", "\6")
#define UNTYPED PK_STORAGE("torch.storage\nUntypedStorage", "0", "\x18")
#define BYTES(text) text, sizeof(text) - 1

static struct file file;
static struct torch torch;

static bool open_path(const char *path, struct err *err)
{
	*err = (struct err){0};
	ck_assert(file_open(&file, path, err));
	return torch_open(&torch, &file, NULL, err);
}

static bool open_pickle(const char *pickle, size_t len, struct err *err)
{
	const struct zip_part parts[] = {
		{ .name = "top/data.pkl", .bytes = pickle, .len = len },
		{ .name = "top/byteorder", .bytes = "little", .len = 6, .method = 8 },
		{ .name = "top/data/0", .bytes = "0123456789abcdefghijklmn", .len = 24 },
	};
	struct str made = {0};
	bool ok;

	put_zip(&made, ZIP_PLAIN, "", "", parts, 3);
	ok = open_path(file_of(made.text, made.len), err);
	str_release(&made);
	return ok;
}

static void close_torch(void)
{
	torch_release(&torch);
	file_close(&file);
}

/* "NAME float32 [2 3] +0 [3 1] 24" a tensor. */
static void show_tensors(struct str *out)
{
	for (size_t i = 0; i < torch.tensors.len; i++) {
		const struct torch_tensor *t = &torch.tensors.at[i];

		str_fmt(out, "%s%s %s ", out->len ? ", " : "", t->name, t->dtype_name);
		put_ints(out, t->dim, t->rank);
		str_fmt(out, " +%lld ", (long long)t->start);
		put_ints(out, t->stride, t->rank);
		str_fmt(out, " %lld", (long long)t->size_bytes);
		if (t->why)
			str_fmt(out, " (%s)", t->why);
	}
}

static void holds(const char *tensors)
{
	struct str shown = {0};

	show_tensors(&shown);
	shown_is(&shown, tensors);
}

static const struct { const char *pickle; size_t len; const char *tensors; } sound[] = {
	{ BYTES(PK_TENSOR(FLOATS, "K\0", "K\2K\3\x86", "K\3K\1\x86") "."),
	  " float32 [2 3] +0 [3 1] 24" },
	{ BYTES("}X\1\0\0\0a" PK_TENSOR(FLOATS, "K\5", ")", ")") "s."), "a float32 [] +5 [] 4" },
	/* transposed, and one value over and over */
	{ BYTES("](" PK_TENSOR(FLOATS, "K\0", "K\3K\2\x86", "K\1K\3\x86")
	        PK_TENSOR(FLOATS, "K\5", "M\xe8\3K\7\x86", "K\0K\0\x86") "e."),
	  "0 float32 [3 2] +0 [1 3] 24, 1 float32 [1000 7] +5 [0 0] 28000" },
	{ BYTES("}X\1\0\0\0p" "ctorch._utils\n_rebuild_parameter\n("
	        PK_TENSOR(FLOATS, "K\1", "K\2\x85", "K\2\x85") "\x88"
	        "ccollections\nOrderedDict\n)RtRs."),
	  "p float32 [2] +1 [2] 8" },
	{ BYTES(PK_TENSOR(FLOATS, "K\0", "ctorch\nSize\n(K\2K\3\x86tR", "K\3K\1\x86") "."),
	  " float32 [2 3] +0 [3 1] 24" },
	{ BYTES("ctorch._utils\n_rebuild_tensor\n(" FLOATS "K\0K\6\x85K\1\x85tR."),
	  " float32 [6] +0 [1] 24" },
	{ BYTES(PK_TENSOR_MORE("_rebuild_tensor_v3", UNTYPED, "K\2", "K\2\x85", "K\4\x85",
	                       "ctorch\nuint16\n") "."),
	  " uint16 [2] +2 [4] 4" },
	/* numbers of lists, other keys, a list in itself, the same tensor twice */
	{ BYTES("]q\0(" PK_TENSOR(FLOATS, "K\0", ")", ")") "q\1h\0h\1}(K\7h\1Nh\1\x88h\1ue."),
	  "0 float32 [] +0 [] 4, 2 float32 [] +0 [] 4, 3.7 float32 [] +0 [] 4, "
	  "3.None float32 [] +0 [] 4, 3.True float32 [] +0 [] 4" },
	{ BYTES("]."), "" },
	/* what can't be read of one tensor */
	{ BYTES(PK_TENSOR(FLOATS, "K\1", "K\2K\3\x86", "K\3K\1\x86") "."),
	  " float32 [2 3] +1 [3 1] 24 (It lies outside its storage.)" },
	{ BYTES(PK_TENSOR(FLOATS, "K\2", "K\2K\3\x86", "K\3J\xff\xff\xff\xff\x86") "."),
	  " float32 [2 3] +2 [3 -1] 24" },
	{ BYTES(PK_TENSOR(FLOATS, "K\1", "K\2K\3\x86", "K\3J\xff\xff\xff\xff\x86") "."),
	  " float32 [2 3] +1 [3 -1] 24 (It lies outside its storage.)" },
	{ BYTES(PK_TENSOR(FLOATS, "J\xff\xff\xff\xff", "K\2\x85", "K\1\x85") "."),
	  " float32 [2] +-1 [1] 8 (It lies outside its storage.)" },
	{ BYTES(PK_TENSOR(FLOATS, "K\x63", "K\0\x85", "K\1\x85") "."),
	  " float32 [0] +99 [1] 0" },
	{ BYTES(PK_TENSOR(FLOATS, "K\0", "K\2\x8a\x08\0\0\0\0\0\0\0\x40\x86", "K\0K\0\x86") "."),
	  " float32 [2 4611686018427387904] +0 [0 0] 0 (Impossible shape.)" },
	{ BYTES(PK_TENSOR(FLOATS, "K\0", "J\xff\xff\xff\xff\x85", "K\1\x85") "."),
	  " float32 [-1] +0 [1] 0 (Impossible shape.)" },
	{ BYTES(PK_TENSOR(FLOATS, "K\0", "K\2\x85", "\x8a\x08\0\0\0\0\0\0\0\x7f\x85") "."),
	  " float32 [2] +0 [9151314442816847872] 8 (It lies outside its storage.)" },
	{ BYTES(PK_TENSOR(PK_STORAGE("torch\nFloatStorage", "9", "\6"), "K\0", ")", ")") "."),
	  " float32 [] +0 [] 4 (Its storage is missing from the file.)" },
	{ BYTES(PK_TENSOR_MORE("_rebuild_tensor_v2", FLOATS, "K\0", ")", ")",
	                       "}X\4\0\0\0conj\x88s") "."),
	  " float32 [] +0 [] 4 (A conjugated or negated view: call resolve_conj or resolve_neg "
	  "first.)" },
	{ BYTES(PK_TENSOR_MORE("_rebuild_tensor_v3", UNTYPED, "K\0", "K\2\x85", "K\1\x85",
	                       "ctorch\ncomplex32\n") "."),
	  " complex32 [2] +0 [1] 8 (Elements of this type are not read.)" },
};

START_TEST(sound_files)
{
	struct err err;

	ck_assert_msg(open_pickle(sound[_i].pickle, sound[_i].len, &err), "%s", err.msg);
	holds(sound[_i].tensors);
	ck_assert(!torch.big_endian && !torch.too_deep);
	close_torch();
}
END_TEST

static const struct { const char *pickle; size_t len; enum err_code code; const char *words; }
refused[] = {
	{ BYTES("ctorch.nn.modules.conv\nConv2d\n)\x81."), ERR_UNSUPPORTED,
	  "needs Python code to load (torch.nn.modules.conv.Conv2d); not read" },
	{ BYTES("cposix\nsystem\nX\2\0\0\0ls\x85R."), ERR_UNSUPPORTED, "(posix.system)" },
	{ BYTES("ctorch\nsave\n."), ERR_UNSUPPORTED, "(torch.save)" },
	{ BYTES("ctorch\nfloat32\n)R."), ERR_FORMAT, "no function" },
	{ BYTES("ctorch._utils\n_rebuild_tensor_v2\n)R."), ERR_FORMAT, "without its parts" },
	{ BYTES("ctorch._utils\n_rebuild_parameter\n)R."), ERR_FORMAT, "no function" },
	{ BYTES(PK_TENSOR("N", "K\0", ")", ")") "."), ERR_FORMAT, "without a storage" },
	{ BYTES(PK_TENSOR("NQ", "K\0", ")", ")") "."), ERR_FORMAT, "without a storage" },
	{ BYTES(PK_TENSOR("NNN\x87Q", "K\0", ")", ")") "."), ERR_FORMAT, "without a storage" },
	{ BYTES(PK_TENSOR(PK_STORAGE("torch\nfloat32", "0", "\6"), "K\0", ")", ")") "."),
	  ERR_FORMAT, "a storage of no known kind" },
	{ BYTES(PK_TENSOR(FLOATS, "K\0", "K\2", "K\1\x85") "."), ERR_FORMAT, "without a shape" },
	{ BYTES(PK_TENSOR(FLOATS, "K\0", "N\x85", "K\1\x85") "."), ERR_FORMAT, "integers" },
	{ BYTES(PK_TENSOR(FLOATS, "K\0", "K\2\x85", ")") "."), ERR_FORMAT, "without its parts" },
	{ BYTES(PK_TENSOR(FLOATS, "N", ")", ")") "."), ERR_FORMAT, "without its parts" },
};

START_TEST(refused_files)
{
	struct err err;

	ck_assert(!open_pickle(refused[_i].pickle, refused[_i].len, &err));
	ck_assert_int_eq(err.code, refused[_i].code);
	ck_assert_msg(strstr(err.msg, refused[_i].words), "%s", err.msg);
	close_torch();
}
END_TEST

static void is_refused(const struct zip_part *parts, size_t n, const char *words)
{
	struct str made = {0};
	struct err err;

	put_zip(&made, ZIP_PLAIN, "", "", parts, n);
	ck_assert(!open_path(file_of(made.text, made.len), &err));
	ck_assert_msg(strstr(err.msg, words), "%s", err.msg);
	close_torch();
	str_release(&made);
}

START_TEST(other_archives)
{
	struct zip_part parts[] = { { .name = "m/x", .bytes = "", .len = 0 },
	                            { .name = "m/constants.pkl", .bytes = "", .len = 0 } };

	is_refused(parts, 2, "TorchScript");
	parts[1].name = "m/code/a.py";
	is_refused(parts, 2, "TorchScript");
	parts[1].name = "other/data.pkl";
	is_refused(parts, 2, "no data.pkl");
	is_refused(parts, 0, "no data.pkl");
}
END_TEST

/* Lists in lists: what is not too deep is read. */
START_TEST(depth_is_bounded)
{
	struct str pickle = {0};
	struct err err;

	str_fill(&pickle, ']', 1000);
	str_fill(&pickle, 'a', 999);
	str_put(&pickle, BYTES(PK_TENSOR(FLOATS, "K\0", ")", ")") "a."));
	ck_assert(open_pickle(pickle.text, pickle.len, &err));
	holds("1 float32 [] +0 [] 4");
	ck_assert(torch.too_deep);
	close_torch();
	str_release(&pickle);
}
END_TEST

/* Each list holds the one before twice. */
START_TEST(visits_are_bounded)
{
	struct str pickle = {0};
	struct err err;

	str_puts(&pickle, "]");
	for (int i = 0; i < 40; i++)
		str_put(&pickle, "q\0h\0\x86", 5);
	str_puts(&pickle, ".");
	ck_assert(!open_pickle(pickle.text, pickle.len, &err));
	ck_assert_int_eq(err.code, ERR_LIMIT);
	close_torch();
	str_release(&pickle);
}
END_TEST

START_TEST(numbers_and_texts_are_told)
{
	struct err err;

	ck_assert(open_pickle(BYTES("}(X\5\0\0\0epochK\3X\2\0\0\0lr]G\x3f\xb9\x99\x99\x99\x99\x99"
	                            "\x9a" "aX\1\0\0\0tX\2\0\0\0abX\1\0\0\0n\x4eX\1\0\0\0b\x88u."),
	                      &err));
	ck_assert_uint_eq(torch.scalars.len, 4);
	ck_assert_str_eq(torch.scalars.at[0].name, "epoch");
	ck_assert_int_eq(torch.scalars.at[0].value.number, 3);
	ck_assert_str_eq(torch.scalars.at[1].name, "lr.0");
	ck_assert(torch.scalars.at[1].value.real == .1);
	ck_assert_int_eq(torch.scalars.at[2].value.kind, PICKLE_TEXT);
	ck_assert_int_eq(torch.scalars.at[3].value.kind, PICKLE_BOOL);
	close_torch();
}
END_TEST

START_TEST(recorded_types)
{
	struct err err;
	struct str shown = {0};

	ck_assert_msg(open_path(RECORDED "dtypes.pt", &err), "%s", err.msg);
	show_tensors(&shown);
	ck_assert_str_eq(shown.text,
	                 "float64 float64 [5] +0 [1] 40, float32 float32 [5] +0 [1] 20, "
	                 "float16 float16 [5] +0 [1] 10, bfloat16 bfloat16 [5] +0 [1] 10, "
	                 "int64 int64 [5] +0 [1] 40, int32 int32 [5] +0 [1] 20, "
	                 "int16 int16 [5] +0 [1] 10, int8 int8 [5] +0 [1] 5, "
	                 "uint8 uint8 [5] +0 [1] 5, bool bool [4] +0 [1] 4, "
	                 "complex64 complex64 [5] +0 [1] 40, "
	                 "complex128 complex128 [5] +0 [1] 80, "
	                 "uint16 uint16 [5] +0 [1] 10, uint32 uint32 [5] +0 [1] 20, "
	                 "uint64 uint64 [5] +0 [1] 40, float8_e4m3fn float8_e4m3fn [5] +0 [1] 5, "
	                 "float8_e5m2 float8_e5m2 [5] +0 [1] 5, "
	                 "float8_e4m3fnuz float8_e4m3fnuz [5] +0 [1] 5, "
	                 "float8_e5m2fnuz float8_e5m2fnuz [5] +0 [1] 5, "
	                 "nan float32 [5] +0 [1] 20, quant float32 [2] +0 [1] 8");
	str_release(&shown);
	close_torch();
}
END_TEST

/* Any byte of a file may be wrong, or all behind it missing. */
START_TEST(every_cut_and_change)
{
	struct str bytes = {0};
	struct err err;

	ck_assert(read_whole(RECORDED "tensor.pt", &bytes));
	for (size_t len = 0; len < bytes.len; len++) {
		ck_assert(!open_path(file_of(bytes.text, len), &err));
		ck_assert(err.code != ERR_NONE && err.msg[0] && strstr(err.src, "message"));
		close_torch();
	}
	for (size_t i = 0; i < bytes.len; i++)
		for (int change = 1; change < 256; change *= 4) {
			bool ok;

			bytes.text[i] = (char)(bytes.text[i] ^ change);
			ok = open_path(file_of(bytes.text, bytes.len), &err);
			ck_assert(ok == (err.code == ERR_NONE));
			close_torch();
			bytes.text[i] = (char)(bytes.text[i] ^ change);
		}
	str_release(&bytes);
}
END_TEST

SUITE_MAIN("torch",
	tcase_add_loop_test(t, sound_files, 0, ROWS(sound));
	tcase_add_loop_test(t, refused_files, 0, ROWS(refused));
	tcase_add_test(t, other_archives);
	tcase_add_test(t, depth_is_bounded);
	tcase_add_test(t, visits_are_bounded);
	tcase_add_test(t, numbers_and_texts_are_told);
	tcase_add_test(t, recorded_types);
	tcase_add_test(t, every_cut_and_change);)
