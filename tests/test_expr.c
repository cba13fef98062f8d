#include <string.h>

#include "cmds/array/expr.h"
#include "dump/base/str.h"
#include "tests/suite.h"

/* The tree as text: (op left right), f(x axis=0), x[1 2:3]. */
static void put_tree(struct str *out, const struct expr *x)
{
	switch (x->kind) {
	case EXPR_INT:
		str_fmt(out, "%lld", (long long)x->whole);
		break;
	case EXPR_FLOAT:
		str_fmt(out, "%g", x->real);
		break;
	case EXPR_TENSOR:
		str_fmt(out, "#%zu", x->tensor);
		break;
	case EXPR_ELLIPSIS:
		str_puts(out, "...");
		break;
	case EXPR_NONE:
		str_puts(out, "_");
		break;
	case EXPR_UNARY:
	case EXPR_BINARY:
		str_fmt(out, "(%s", expr_op_text(x->op));
		break;
	case EXPR_CALL:
		str_puts(out, "(call");
		break;
	case EXPR_INDEX:
		str_puts(out, "(index");
		break;
	case EXPR_SLICE:
		str_puts(out, "(slice");
		break;
	case EXPR_TUPLE:
		str_puts(out, "(tuple");
		break;
	case EXPR_LIST:
		str_puts(out, "(list");
		break;
	case EXPR_IMAGINARY:
		str_fmt(out, "%gj", x->real);
		break;
	case EXPR_TEXT:
		str_fmt(out, "%s'%s'", x->is_bytes ? "b" : "", x->name);
		break;
	case EXPR_NOT:
		str_puts(out, "(not");
		break;
	case EXPR_AND:
		str_puts(out, "(and");
		break;
	case EXPR_OR:
		str_puts(out, "(or");
		break;
	case EXPR_IF:
		str_puts(out, "(if");
		break;
	case EXPR_CHAIN:
		str_puts(out, "(chain");
		break;
	case EXPR_LINK:
		str_fmt(out, "(%s", expr_op_text(x->op));
		break;
	case EXPR_ATTRIBUTE:
		str_fmt(out, "(.%s", x->name);
		break;
	case EXPR_KEYWORD:
		str_fmt(out, "(%s=", x->name);
		break;
	case EXPR_NAME:
		str_puts(out, x->name);
		break;
	}
	for (const struct expr *part = x->first; part; part = part->next) {
		str_puts(out, " ");
		put_tree(out, part);
	}
	if (x->first || x->kind == EXPR_TUPLE || x->kind == EXPR_LIST)
		str_puts(out, ")");
}

static const struct { const char *text, *tree; } good[] = {
	{ "1", "1" },
	{ " 1 ", "1" },
	{ "0x1F", "31" },
	{ "1_000", "1000" },
	{ "1.5e-3", "0.0015" },
	{ ".5", "0.5" },
	{ "`a:0`", "#0" },
	{ "`a:0` + `b`*`a:0`", "(+ #0 (* #1 #2))" },
	{ "1+2-3", "(- (+ 1 2) 3)" },
	{ "1-(2-3)", "(- 1 (- 2 3))" },
	{ "1*2+3%4//5@6/7", "(+ (* 1 2) (/ (@ (// (% 3 4) 5) 6) 7))" },
	{ "1|2^3&4+5", "(| 1 (^ 2 (& 3 (+ 4 5))))" },
	{ "1|2 < 3|4", "(< (| 1 2) (| 3 4))" },
	{ "1 <= 2", "(<= 1 2)" },
	{ "1!=2", "(!= 1 2)" },
	{ "(1<2) == (3>=4)", "(== (< 1 2) (>= 3 4))" },
	{ "-2**2", "(- (** 2 2))" },
	{ "2**-1", "(** 2 (- 1))" },
	{ "2**3**2", "(** 2 (** 3 2))" },
	{ "-1*2", "(* (- 1) 2)" },
	{ "~-+1", "(~ (- (+ 1)))" },
	{ "np.pi", "(.pi np)" },
	{ "`x:0`.T.shape", "(.shape (.T #0))" },
	{ "np.sum(`x:0`, axis=0)", "(call (.sum np) #0 (axis= 0))" },
	{ "np.sum(1==2,)", "(call (.sum np) (== 1 2))" },
	{ "f()", "(call f)" },
	{ "`x:0`[1]", "(index #0 1)" },
	{ "`x:0`[1:2, ::-1]", "(index #0 (slice 1 2 _) (slice _ _ (- 1)))" },
	{ "`x:0`[:, ..., 2:]", "(index #0 (slice _ _ _) ... (slice 2 _ _))" },
	{ "`x:0`[:1:2]", "(index #0 (slice _ 1 2))" },
	{ "-`x:0`[0]", "(- (index #0 0))" },
	{ "`x:0`[0]**2", "(** (index #0 0) 2)" },
	{ "(1)", "1" },
	{ "(1,)", "(tuple 1)" },
	{ "()", "(tuple)" },
	{ "[1, 2]", "(list 1 2)" },
	{ "[]", "(list)" },
	{ "1, 2", "(tuple 1 2)" },
	{ "1,", "(tuple 1)" },
	{ "f([1, -1], (2, 3))", "(call f (list 1 (- 1)) (tuple 2 3))" },
	{ "1 < 2 < 3", "(chain 1 (< 2) (< 3))" },
	{ "1 < 2 == 3 >= 4|5", "(chain 1 (< 2) (== 3) (>= (| 4 5)))" },
	{ "(1 < 2) < 3", "(< (< 1 2) 3)" },
	{ "x and y or not z", "(or (and x y) (not z))" },
	{ "not x == y", "(not (== x y))" },
	{ "1 if x else 2 if y else 3", "(if x 1 (if y 2 3))" },
	{ "1 << 2 + 3 >> 4 & 5", "(& (>> (<< 1 (+ 2 3)) 4) 5)" },
	{ "2j + 1.5J", "(+ 2j 1.5j)" },
	{ "'text' == b\"a'b\"", "(== 'text' b'a'b')" },
	{ "'a\\tb\\x41\\101\\q'", "'a\tbAA\\q'" },
	{ "rb'a\\t'", "b'a\\t'" },
	{ "1e3.real", "(.real 1000)" },
	{ "1..real", "(.real 1)" },
	{ "x[1, None]", "(index x 1 None)" },
	{ "x[[1, 2]]", "(index x (list 1 2))" },
};

START_TEST(text_becomes_tree)
{
	struct arena mem = {0};
	struct str text = {0};
	struct err err = {0};
	struct expr *expr = expr_parse(good[_i].text, &mem, &err);

	ck_assert_msg(expr, "%s: %s", good[_i].text, err.msg);
	put_tree(&text, expr);
	ck_assert_str_eq(text.text, good[_i].tree);
	str_release(&text);
	arena_release(&mem);
}
END_TEST

static const struct { const char *text; enum err_code code; uint64_t off; } bad[] = {
	{ "", ERR_SYNTAX, 0 },
	{ "1 +", ERR_SYNTAX, 3 },
	{ "(1", ERR_SYNTAX, 2 },
	{ "1)", ERR_SYNTAX, 1 },
	{ "1 2", ERR_SYNTAX, 2 },
	{ "* 1", ERR_SYNTAX, 0 },
	{ "1 = 2", ERR_SYNTAX, 2 },
	{ "`a:0", ERR_SYNTAX, 0 },
	{ "1 + `a`b", ERR_SYNTAX, 7 },
	{ "x.1", ERR_SYNTAX, 1 },
	{ "x[]", ERR_SYNTAX, 3 },
	{ "f(1 2)", ERR_SYNTAX, 4 },
	{ "f(,)", ERR_SYNTAX, 2 },
	{ "012", ERR_SYNTAX, 0 },
	{ "1z", ERR_SYNTAX, 0 },
	{ "a $ b", ERR_SYNTAX, 2 },
	{ "'text", ERR_SYNTAX, 0 },
	{ "1 if x", ERR_SYNTAX, 6 },
	{ "x and", ERR_SYNTAX, 5 },
	{ "1.real", ERR_SYNTAX, 0 },
	{ "x not y", ERR_UNSUPPORTED, 2 },
	{ "x is None", ERR_UNSUPPORTED, 2 },
	{ "x in y", ERR_UNSUPPORTED, 2 },
	{ "lambda: 1", ERR_UNSUPPORTED, 0 },
	{ "f'text'", ERR_UNSUPPORTED, 0 },
	{ "'a' 'b'", ERR_UNSUPPORTED, 4 },
	{ "'\\N{DASH}'", ERR_UNSUPPORTED, 0 },
	{ "'\\u20ac'", ERR_UNSUPPORTED, 0 },
	{ "[x for x in y]", ERR_UNSUPPORTED, 3 },
	{ "{1}", ERR_UNSUPPORTED, 0 },
	{ "99999999999999999999", ERR_UNSUPPORTED, 0 },
	{ "f(*x)", ERR_UNSUPPORTED, 2 },
};

START_TEST(bad_text_points_at_column)
{
	struct arena mem = {0};
	struct err err = {0};

	ck_assert_ptr_null(expr_parse(bad[_i].text, &mem, &err));
	ck_assert_msg(err.code == bad[_i].code, "%s: code %d, %s", bad[_i].text, (int)err.code,
	              err.msg);
	ck_assert_msg(err.off == bad[_i].off, "%s: column %d", bad[_i].text, (int)err.off);
	ck_assert_str_eq(err.src, "command");
	arena_release(&mem);
}
END_TEST

/* n times `open`, a 1, n times `close`. */
static enum err_code nested(const char *open, const char *close, int n)
{
	struct arena mem = {0};
	struct str text = {0};
	struct err err = {0};

	for (int i = 0; i < n; i++)
		str_puts(&text, open);
	str_puts(&text, "1");
	for (int i = 0; i < n; i++)
		str_puts(&text, close);
	expr_parse(text.text, &mem, &err);
	str_release(&text);
	arena_release(&mem);
	return err.code;
}

START_TEST(depth_is_bounded)
{
	static const struct { const char *open, *close; } kinds[] = {
		{ "(", ")" }, { "-", "" }, { "[", "]" }, { "2**", "" }, { "f(", ")" },
		{ "x[", "]" },
	};

	for (size_t i = 0; i < ROWS(kinds); i++) {
		ck_assert_int_eq(nested(kinds[i].open, kinds[i].close, EXPR_MAX_DEPTH), ERR_NONE);
		ck_assert_int_eq(nested(kinds[i].open, kinds[i].close, EXPR_MAX_DEPTH + 1),
		                 ERR_UNSUPPORTED);
	}
	ck_assert_int_eq(nested("1+", "", EXPR_MAX_LEN / 2 - 1), ERR_NONE);
	ck_assert_int_eq(nested("1+", "", EXPR_MAX_LEN / 2 + 1), ERR_UNSUPPORTED);
}
END_TEST

START_TEST(tensors_are_counted_in_order)
{
	static const char text[] = "`a:0` + f(` b:1:Op ` - ``) `";
	static const char *const names[] = { "a:0", "b:1:Op", "" };
	const char *name;
	size_t len;

	for (size_t i = 0; i < 3; i++) {
		ck_assert(expr_tensor_name(text, i, &name, &len));
		ck_assert_uint_eq(len, strlen(names[i]));
		ck_assert_mem_eq(name, names[i], len);
	}
	ck_assert(!expr_tensor_name(text, 3, &name, &len));
}
END_TEST

SUITE_MAIN("expr",
	tcase_add_loop_test(t, text_becomes_tree, 0, ROWS(good));
	tcase_add_loop_test(t, bad_text_points_at_column, 0, ROWS(bad));
	tcase_add_test(t, depth_is_bounded);
	tcase_add_test(t, tensors_are_counted_in_order);
)
