/*
 * Names are pieces of one text, split while they are read; nothing is kept. All four kinds of
 * brackets are matched at once; operators that look like brackets are skipped as a whole.
 */
#include "cmds/profile/kernel_short.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* A piece of the name. */
struct piece {
	const char *at;
	size_t len;
};

#define ARGS_MAX 64      /* further arguments of a template are left out */
#define NESTED_MAX 64    /* expressions in expressions */
#define SHOWN_DEPTH 2    /* templates below it show no arguments */

struct template {
	struct piece name, arg[ARGS_MAX], rest;
	size_t n;        /* arguments; 0: no template */
};

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Asked at each byte of a name, where mostly the first one says no. */
static bool begins(struct piece s, size_t at, const char *text)
{
	size_t n;

	if (at >= s.len || s.at[at] != *text)
		return false;
	n = strlen(text);
	return s.len - at >= n && !memcmp(s.at + at, text, n);
}

static bool piece_is(struct piece s, const char *text)
{
	return s.len == strlen(text) && begins(s, 0, text);
}

static struct piece strip(struct piece s)
{
	while (s.len && s.at[0] == ' ')
		s.at++, s.len--;
	while (s.len && s.at[s.len - 1] == ' ')
		s.len--;
	return s;
}

/* Bytes at `at` that only look like brackets: "operator<<", "->", "(anonymous namespace)". */
static size_t atom_len(struct piece s, size_t at)
{
	static const char *const signs[] = { "<<=", ">>=", "<=>", "->*", "<<", ">>", "<=",
	                                     ">=", "->", "()", "[]", "<", ">" };
	static const char keyword[] = "operator";
	const size_t n = sizeof keyword - 1;

	if (begins(s, at, "->"))
		return 2;
	if (begins(s, at, "(anonymous namespace)"))
		return strlen("(anonymous namespace)");
	if (!begins(s, at, keyword) || (at && is_word(s.at[at - 1])))
		return 0;
	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
		if (begins(s, at + n, signs[i]))
			return n + strlen(signs[i]);
	return 0;
}

static int nesting(char c)
{
	switch (c) {
	case '<': case '(': case '{': case '[':
		return 1;
	case '>': case ')': case '}': case ']':
		return -1;
	}
	return 0;
}

/* The first c outside brackets, from `at` on; s.len if there is none. c may open a bracket. */
static size_t find_outside(struct piece s, size_t at, char c)
{
	size_t depth = 0;

	while (at < s.len) {
		size_t atom = atom_len(s, at);

		if (atom) {
			at += atom;
			continue;
		}
		if (!depth && s.at[at] == c)
			return at;
		if (nesting(s.at[at]) > 0)
			depth++;
		else if (nesting(s.at[at]) < 0 && depth)
			depth--;
		at++;
	}
	return s.len;
}

/* The offset after the bracket that closes the one at `at`; 0 if none does. */
static size_t behind_bracket(struct piece s, size_t at)
{
	size_t depth = 0;

	while (at < s.len) {
		size_t atom = atom_len(s, at);

		if (atom) {
			at += atom;
			continue;
		}
		depth += (size_t)nesting(s.at[at++]);
		if (!depth)
			return at;
	}
	return 0;
}

/* "f<T>(int, U) const" becomes "f<T>"; "f(int)::local" stays. */
static struct piece without_parameters(struct piece s)
{
	size_t open = s.len, at = 0;

	while ((at = find_outside(s, at, '(')) < s.len) {
		size_t end = behind_bracket(s, at);

		open = at;
		if (!end)
			break;
		at = end;
		if (begins(s, at, "::"))
			open = s.len;
	}
	s.len = open;
	return s;
}

/* Bytes of a namespace to leave out at `at`, where a name begins. */
static size_t namespace_len(struct piece s, size_t at)
{
	static const char *const dropped[] = {
		"Eigen::internal::", "Eigen::", "tensorflow::functor::", "tensorflow::",
		"at::native::", "cub::", "(anonymous namespace)::"
	};
	size_t end = at;

	for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++)
		if (begins(s, at, dropped[i]))
			return strlen(dropped[i]);
	if (!begins(s, at, "thrust::"))
		return 0;
	for (size_t i = at; i < s.len && (is_word(s.at[i]) || begins(s, i, "::")); i++)
		if (begins(s, i, "::"))
			end = ++i + 1;
	return end - at;
}

static void put_without_namespaces(struct str *out, struct piece s)
{
	for (size_t i = 0; i < s.len; ) {
		bool inside = i && (is_word(s.at[i - 1]) || s.at[i - 1] == ':');
		size_t n = inside ? 0 : namespace_len(s, i), all = 0;

		while (n) {
			all += n;
			n = namespace_len(s, i + all);
		}
		i += all;
		if (i < s.len)
			str_putc(out, s.at[i++]);
	}
}

static struct piece part(struct piece s, size_t begin, size_t end)
{
	return strip((struct piece){ s.at + begin, end - begin });
}

/* "A<B, C<D> >::E" is A, B and C<D>, ::E. */
static void take_apart(struct piece s, struct template *t)
{
	size_t open = find_outside(s, 0, '<'), end = open < s.len ? behind_bracket(s, open) : 0;
	struct piece inner;

	*t = (struct template){ .name = s };
	if (!end)
		return;
	t->name = (struct piece){ s.at, open };
	t->rest = part(s, end, s.len);
	inner = (struct piece){ s.at + open + 1, end - open - 2 };
	for (size_t at = 0; at <= inner.len && t->n < ARGS_MAX; ) {
		size_t comma = find_outside(inner, at, ',');

		t->arg[t->n++] = part(inner, at, comma);
		at = comma + 1;
	}
}

/* "scalar_sum_op" is "+", "MeanReducer" is "mean". */
static bool put_functor(struct str *out, struct piece name)
{
	static const struct {
		const char *word, *sign;
	} signs[] = {
		{ "sum", "+" }, { "difference", "-" }, { "product", "*" }, { "quotient", "/" },
		{ "opposite", "neg" }, { "logistic", "sigmoid" }, { "inverse", "1/x" },
	};
	static const char *const reducers[] = { "Sum", "Mean", "Max", "Min", "Prod" };
	const size_t before = strlen("scalar_"), after = strlen("_op");

	for (size_t i = 0; i < sizeof reducers / sizeof *reducers; i++) {
		size_t n = strlen(reducers[i]);

		if (name.len == n + strlen("Reducer") && begins(name, 0, reducers[i]) &&
		    begins(name, n, "Reducer")) {
			str_putc(out, (char)tolower((unsigned char)name.at[0]));
			str_put(out, name.at + 1, n - 1);
			return true;
		}
	}
	if (name.len <= before + after || !begins(name, 0, "scalar_") ||
	    !begins(name, name.len - after, "_op"))
		return false;
	name = (struct piece){ name.at + before, name.len - before - after };
	for (size_t i = 0; i < name.len; i++)
		if (!is_word(name.at[i]))
			return false;
	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
		if (piece_is(name, signs[i].word)) {
			str_puts(out, signs[i].sign);
			return true;
		}
	str_put(out, name.at, name.len);
	return true;
}

/*
 * Templates with a form of their own. A digit in a form stands for that argument in its short form,
 * any other character for itself.
 */
static const struct { const char *name, *form; size_t args; } forms[] = {
	{ "EigenMetaKernel", "Eigen 0", 1 },
	{ "TensorEvaluator", "0", 1 },
	{ "TensorAssignOp", "1", 2 },
	{ "TensorCwiseBinaryOp", "0(1,2)", 3 },
	{ "TensorCwiseUnaryOp", "0(1)", 2 },
	{ "TensorReductionOp", "0(2)", 3 },
	{ "TensorBroadcastingOp", "bcast(1)", 2 },
	{ "TensorConversionOp", "cast<0>(1)", 2 },
	{ "TensorReshapingOp", "1", 2 },
	{ "TensorShufflingOp", "transpose", 1 },
	{ "TensorSlicingOp", "slice", 1 },
	{ "TensorPaddingOp", "pad", 1 },
	{ "TensorSelectOp", "select", 1 },
};

static void put_short(struct str *out, struct piece s, int depth);

static bool put_form(struct str *out, const struct template *t, int depth)
{
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		if (t->n < forms[i].args || !piece_is(t->name, forms[i].name))
			continue;
		for (const char *c = forms[i].form; *c; c++)
			if (isdigit((unsigned char)*c))
				put_short(out, t->arg[*c - '0'], depth + 1);
			else
				str_putc(out, *c);
		return true;
	}
	return false;
}

/* TensorMap<Tensor<T, r, ...> > is "T[r]". */
static bool put_tensor(struct str *out, const struct template *map, int depth)
{
	struct template tensor;

	if (!piece_is(map->name, "TensorMap") || !map->n)
		return false;
	take_apart(map->arg[0], &tensor);
	if (!piece_is(tensor.name, "Tensor") || tensor.n < 2)
		return false;
	put_short(out, tensor.arg[0], depth + 2);
	str_fmt(out, "[%.*s]", (int)tensor.arg[1].len, tensor.arg[1].at);
	return true;
}

static void put_other(struct str *out, const struct template *t, int depth)
{
	str_put(out, t->name.at, t->name.len);
	str_putc(out, '<');
	for (size_t i = 0; depth < SHOWN_DEPTH && i < t->n; i++) {
		str_puts(out, i ? "," : "");
		put_short(out, t->arg[i], depth + 1);
	}
	str_puts(out, depth < SHOWN_DEPTH ? ">" : "...>");
	str_put(out, t->rest.at, t->rest.len);
}

static void put_short(struct str *out, struct piece s, int depth)
{
	static const char constant[] = " const";
	const size_t n = sizeof constant - 1;
	struct template t;

	s = strip(s);
	while (s.len > n && begins(s, s.len - n, constant))
		s = strip((struct piece){ s.at, s.len - n });
	if (depth > NESTED_MAX) {
		str_puts(out, "...");
		return;
	}
	take_apart(s, &t);
	if (!t.n && !put_functor(out, s))
		str_put(out, s.at, s.len);
	else if (t.n && !put_form(out, &t, depth) && !put_tensor(out, &t, depth) &&
	         !put_functor(out, t.name))
		put_other(out, &t, depth);
}

void put_kernel_short(struct str *out, const char *full, size_t len)
{
	struct piece s = { full, len };
	struct str bare = {0};

	if (begins(s, 0, "void "))
		s = (struct piece){ full + 5, len - 5 };
	put_without_namespaces(&bare, without_parameters(s));
	put_short(out, (struct piece){ str_text(&bare), bare.len }, 0);
	str_release(&bare);
}
