/*
 * Tokens are made on demand. One function parses all binary operators by precedence climbing: it
 * goes on while the next operator binds tightly enough. The recursion depth is limited where it
 * can grow, at brackets and signs. A long chain of operators leans to the left, so its depth
 * matters only to those who walk the tree.
 */
#include "cmds/array/expr.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/lang/literal.h"
#include "cmds/lang/python.h"
#include "dump/base/str.h"

#define UNARY_LEVEL 8
#define COMPARISON_LEVEL 1

enum token { TOKEN_END, TOKEN_NUMBER, TOKEN_NAME, TOKEN_TENSOR, TOKEN_TEXT, TOKEN_PUNCTUATION };

struct parser {
	const char *text;
	size_t at;               /* the end of the token */
	size_t begin;            /* the start of the token */
	enum token token;
	size_t n_tensors;        /* read so far */
	int depth;
	struct arena *mem;
	struct err *err;
};

static struct expr *parse_binary(struct parser *p, int level);
static struct expr *parse_whole(struct parser *p);

/* Errors. */

static void *invalid(struct parser *p)
{
	const char *what = p->token == TOKEN_END ? "unexpected EOF while parsing" :
	                                           "invalid syntax";

	err_fill(p->err, ERR_SYNTAX, "command", p->begin, "%s (<string>, line 1)", what);
	return NULL;
}

static void *unsupported(struct parser *p, const char *what)
{
	err_fill(p->err, ERR_UNSUPPORTED, "command", p->begin, "Unsupported expression: %s", what);
	return NULL;
}

/* Tokens. */

static bool is_name_char(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
	       (unsigned char)c >= 0x80;
}

static size_t digits_end(const char *text, size_t at)
{
	while (is_digit(text[at]) || text[at] == '_')
		at++;
	return at;
}

/* The end of a number, and of letters that must not follow it: 0x1F, 1.5e-3, 2j, 1z. */
static size_t number_end(const char *text, size_t at)
{
	bool decimal = text[at] != '0' || !strchr("xXoObB", text[at + 1]) || !text[at + 1];

	if (decimal) {
		at = digits_end(text, at);
		if (text[at] == '.')
			at = digits_end(text, at + 1);
		if ((text[at] == 'e' || text[at] == 'E') && text[at + 1] &&
		    strchr("+-", text[at + 1]))
			at += 2;
	}
	while (is_name_char(text[at]))
		at++;
	return at;
}

static size_t punctuation_len(const char *text)
{
	static const char *const longer[] = {
		"...", "**", "//", "<=", ">=", "==", "!=", "<<", ">>",
	};

	for (size_t i = 0; i < sizeof longer / sizeof *longer; i++)
		if (!strncmp(text, longer[i], strlen(longer[i])))
			return strlen(longer[i]);
	return 1;
}

/* The quotation mark of a string, after letters (b, rb, ...); NULL: not a string. */
static const char *text_quote(const char *text)
{
	size_t letters = strspn(text, "bBrRuUfF");

	text += letters;
	return letters <= 2 && (*text == '\'' || *text == '"') ? text : NULL;
}

/* After the closing quotation mark; without one, the end of the text. */
static size_t text_end(const char *text, size_t at)
{
	const char *open = text_quote(text + at), *end = open + 1;

	for (; *end && *end != *open; end++)
		if (*end == '\\' && end[1])
			end++;
	return (size_t)(end - text) + (*end ? 1 : 0);
}

static void advance(struct parser *p)
{
	const char *text = p->text;
	size_t at = p->at + strspn(text + p->at, " \t\f");
	char c = text[at];

	p->begin = at;
	if (!c) {
		p->token = TOKEN_END;
	} else if (is_digit(c) || (c == '.' && is_digit(text[at + 1]))) {
		p->token = TOKEN_NUMBER;
		at = number_end(text, at);
	} else if (text_quote(text + at)) {
		p->token = TOKEN_TEXT;
		at = text_end(text, at);
	} else if (is_name_char(c)) {
		p->token = TOKEN_NAME;
		while (is_name_char(text[at]))
			at++;
	} else if (c == '`' && strchr(text + at + 1, '`')) {
		p->token = TOKEN_TENSOR;
		at = (size_t)(strchr(text + at + 1, '`') - text) + 1;
	} else {
		p->token = TOKEN_PUNCTUATION;
		at += punctuation_len(text + at);
	}
	p->at = at;
}

static bool is_token(const struct parser *p, enum token token, const char *text)
{
	size_t len = strlen(text);

	return p->token == token && p->at - p->begin == len &&
	       !memcmp(p->text + p->begin, text, len);
}

static bool is_mark(const struct parser *p, const char *text)
{
	return is_token(p, TOKEN_PUNCTUATION, text);
}

static bool take(struct parser *p, const char *text)
{
	if (!is_mark(p, text))
		return false;
	advance(p);
	return true;
}

/* Python's keywords that begin or join expressions we do not support. */
static const char *keyword(const struct parser *p)
{
	static const char *const words[] = {
		"and", "or", "not", "in", "is", "if", "else", "for", "lambda", "await", "yield",
	};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (is_token(p, TOKEN_NAME, words[i]))
			return words[i];
	return NULL;
}

/* The tree. */

static struct expr *make(struct parser *p, enum expr_kind kind)
{
	struct expr *made = arena_alloc(p->mem, sizeof *made);

	made->kind = kind;
	made->off = p->begin;
	return made;
}

static const char *take_name(struct parser *p)
{
	const char *name = arena_copy(p->mem, p->text + p->begin, p->at - p->begin);

	advance(p);
	return name;
}

static struct expr *parse_number(struct parser *p)
{
	char *text = arena_copy(p->mem, p->text + p->begin, p->at - p->begin);
	const struct literal *literal = literal_read(text, p->mem, NULL);
	struct expr *made;

	if (!literal)
		return invalid(p);
	if (literal->kind == LITERAL_INT && literal->whole > INT64_MAX)
		return unsupported(p, "a whole number beyond 64 bits");
	made = make(p, literal->kind == LITERAL_COMPLEX ? EXPR_IMAGINARY :
	               literal->kind == LITERAL_INT ? EXPR_INT : EXPR_FLOAT);
	made->whole = (int64_t)literal->whole;
	made->real = literal->real;
	advance(p);
	return made;
}

/* Goes a level deeper; false with an error if that is too deep. */
static bool descend(struct parser *p)
{
	if (++p->depth <= EXPR_MAX_DEPTH)
		return true;
	unsupported(p, "too deeply nested");
	return false;
}

/*
 * Items separated by commas, up to and including `close`. *comma: a comma followed the last one.
 */
static bool parse_items(struct parser *p, const char *close, struct expr *(*item)(struct parser *),
                        struct expr **tail, bool *comma)
{
	*comma = false;
	if (!descend(p))
		return false;
	while (!take(p, close)) {
		if (*tail && !*comma)
			return invalid(p);
		if (*tail)
			tail = &(*tail)->next;
		*tail = item(p);
		if (!*tail)
			return false;
		*comma = take(p, ",");
	}
	p->depth--;
	return true;
}

static struct expr *parse_brackets(struct parser *p, bool is_list)
{
	struct expr *made = make(p, is_list ? EXPR_LIST : EXPR_TUPLE);
	bool comma;

	advance(p);
	if (!parse_items(p, is_list ? "]" : ")", parse_whole, &made->first, &comma))
		return NULL;
	if (!is_list && made->first && !made->first->next && !comma)
		return made->first;
	return made;
}

/* Strings. */

/* The digits of \xNN, \uNNNN or octal; moves *at past them. */
static bool take_code(const char **at, const char *end, int base, size_t least, size_t most,
                      uint32_t *code)
{
	size_t n = 0;

	for (*code = 0; n < most && *at < end; n++, ++*at) {
		char c = **at, lower = (char)(c | 0x20);
		int d = is_digit(c) ? c - '0' :
		        lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : 99;

		if (d >= base)
			break;
		*code = *code * (uint32_t)base + (uint32_t)d;
	}
	return n >= least;
}

/* What follows a backslash. False: unknown or incomplete. */
static bool take_escape(const char **at, const char *end, bool is_bytes, struct str *out)
{
	static const char letters[] = "\\'\"abfnrtv", meant[] = "\\'\"\a\b\f\n\r\t\v";
	const char *found = memchr(letters, **at, sizeof letters - 1);
	uint32_t code;
	bool ok = true;

	if (found) {
		++*at;
		str_putc(out, meant[found - letters]);
		return true;
	}
	if (**at >= '0' && **at <= '7') {
		take_code(at, end, 8, 1, 3, &code);
	} else if (**at == 'x') {
		++*at;
		ok = take_code(at, end, 16, 2, 2, &code);
	} else if (**at == 'u' && !is_bytes) {
		++*at;
		ok = take_code(at, end, 16, 4, 4, &code);
	} else {
		str_putc(out, '\\');
		return **at != 'U' && **at != 'N' && **at != '\n';
	}
	str_putc(out, (char)code);
	return ok && (code < 0x80 || (is_bytes && code < 0x100));
}

static struct expr *parse_text(struct parser *p)
{
	const char *begin = p->text + p->begin, *at = text_quote(begin) + 1, *end = p->text + p->at;
	bool is_bytes = false, raw = false, ok = true;
	struct expr *made = make(p, EXPR_TEXT);
	struct str text = {0};

	if (end[-1] != at[-1] || end <= at)
		return invalid(p);
	for (; *begin != at[-1]; begin++) {
		is_bytes |= (*begin | 0x20) == 'b';
		raw |= (*begin | 0x20) == 'r';
		if ((*begin | 0x20) == 'f')
			return unsupported(p, "a formatted string");
	}
	if (*end == at[-1] || memchr(at, '`', (size_t)(end - at)))
		return unsupported(p, "such a string");
	for (end--; ok && at < end;) {
		ok = !is_bytes || (unsigned char)*at < 0x80;
		if (ok && *at == '\\' && !raw && at++)
			ok = take_escape(&at, end, is_bytes, &text);
		else
			str_putc(&text, *at++);
	}
	made->name = arena_copy(p->mem, str_text(&text), text.len);
	made->name_len = text.len;
	made->is_bytes = is_bytes;
	str_release(&text);
	if (!ok)
		return unsupported(p, "such a string");
	advance(p);
	return p->token == TOKEN_TEXT ? unsupported(p, "strings side by side") : made;
}

static struct expr *parse_atom(struct parser *p)
{
	struct expr *made;

	if (p->token == TOKEN_NUMBER)
		return parse_number(p);
	if (p->token == TOKEN_TEXT)
		return parse_text(p);
	if (p->token == TOKEN_TENSOR) {
		made = make(p, EXPR_TENSOR);
		made->tensor = p->n_tensors++;
		advance(p);
		return made;
	}
	if (p->token == TOKEN_NAME) {
		const char *word = keyword(p);

		if (word && strcmp(word, "lambda") != 0 && strcmp(word, "await") != 0)
			return invalid(p);
		if (word)
			return unsupported(p, word);
		made = make(p, EXPR_NAME);
		made->name = take_name(p);
		return made;
	}
	if (is_mark(p, "(") || is_mark(p, "["))
		return parse_brackets(p, is_mark(p, "["));
	if (is_mark(p, "{"))
		return unsupported(p, "a set or a dictionary");
	return invalid(p);
}

static struct expr *parse_argument(struct parser *p)
{
	struct expr *made;
	const char *after;

	if (is_mark(p, "*") || is_mark(p, "**"))
		return unsupported(p, "unpacked arguments");
	after = p->text + p->at + strspn(p->text + p->at, " \t\f");
	if (p->token != TOKEN_NAME || after[0] != '=' || after[1] == '=')
		return parse_whole(p);
	made = make(p, EXPR_KEYWORD);
	made->name = take_name(p);
	advance(p);
	made->first = parse_whole(p);
	return made->first ? made : NULL;
}

/* begin, end and step of a slice; begin may have been parsed. */
static struct expr *parse_slice(struct parser *p, struct expr *begin)
{
	struct expr *made = make(p, EXPR_SLICE), **tail = &made->first;

	*tail = begin ? begin : make(p, EXPR_NONE);
	for (int part = 1; part < 3; part++) {
		tail = &(*tail)->next;
		if (!take(p, ":") || is_mark(p, ":") || is_mark(p, ",") || is_mark(p, "]"))
			*tail = make(p, EXPR_NONE);
		else
			*tail = parse_whole(p);
		if (!*tail)
			return NULL;
	}
	return made;
}

static struct expr *parse_item(struct parser *p)
{
	struct expr *made;

	if (is_mark(p, "...")) {
		made = make(p, EXPR_ELLIPSIS);
		advance(p);
		return made;
	}
	if (is_mark(p, ":"))
		return parse_slice(p, NULL);
	made = parse_whole(p);
	return made && is_mark(p, ":") ? parse_slice(p, made) : made;
}

static struct expr *parse_postfix(struct parser *p)
{
	struct expr *made = parse_atom(p), *outer;
	bool comma, ok;

	while (made) {
		if (is_mark(p, ".")) {
			advance(p);
			if (p->token != TOKEN_NAME)
				return invalid(p);
			outer = make(p, EXPR_ATTRIBUTE);
			outer->name = take_name(p);
			outer->first = made;
		} else if (is_mark(p, "(") || is_mark(p, "[")) {
			outer = make(p, is_mark(p, "(") ? EXPR_CALL : EXPR_INDEX);
			outer->first = made;
			advance(p);
			if (outer->kind == EXPR_CALL)
				ok = parse_items(p, ")", parse_argument, &made->next, &comma);
			else
				ok = parse_items(p, "]", parse_item, &made->next, &comma);
			if (!ok)
				return NULL;
			if (outer->kind == EXPR_INDEX && !made->next)
				return invalid(p);
		} else {
			break;
		}
		made = outer;
	}
	return made;
}

static struct expr *parse_unary(struct parser *p)
{
	static const struct { const char *text; enum expr_op op; } signs[] = {
#define X(id, text) { text, OP_##id },
		EXPR_UNARIES(X)
#undef X
	};
	struct expr *made;

	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
		if (!is_mark(p, signs[i].text))
			continue;
		made = make(p, EXPR_UNARY);
		made->op = signs[i].op;
		advance(p);
		if (!descend(p))
			return NULL;
		made->first = parse_binary(p, UNARY_LEVEL);
		p->depth--;
		return made->first ? made : NULL;
	}
	return parse_postfix(p);
}

/* The binary operator at this token. False: none. */
static bool find_binary(const struct parser *p, enum expr_op *op, int *level)
{
	static const struct { const char *text; int level; } table[] = {
#define X(id, text, level) [OP_##id] = { text, level },
		EXPR_BINARIES(X)
#undef X
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		if (is_mark(p, table[i].text)) {
			*op = (enum expr_op)i;
			*level = table[i].level;
			return true;
		}
	}
	return false;
}

/* The right side of an operator; that of ** may begin with a sign and have another **. */
static struct expr *parse_right(struct parser *p, enum expr_op op, int level)
{
	struct expr *made;

	if (op != OP_POW)
		return parse_binary(p, level + 1);
	if (!descend(p))
		return NULL;
	made = parse_binary(p, UNARY_LEVEL);
	p->depth--;
	return made;
}

/* Behind the first comparison there may be more: a < b < c. NULL: no further one. */
static struct expr *parse_chain(struct parser *p, struct expr *comparison)
{
	struct expr *chain = make(p, EXPR_CHAIN), *link = make(p, EXPR_LINK), **tail;
	enum expr_op op;
	int level;

	link->op = comparison->op;
	link->first = comparison->first->next;
	comparison->first->next = link;
	chain->off = comparison->off;
	chain->first = comparison->first;
	for (tail = &link->next; find_binary(p, &op, &level) && level == COMPARISON_LEVEL;
	     tail = &link->next) {
		link = *tail = make(p, EXPR_LINK);
		link->op = op;
		advance(p);
		link->first = parse_binary(p, COMPARISON_LEVEL + 1);
		if (!link->first)
			return NULL;
	}
	return chain;
}

/* A unary operand, and what operators of this level or a tighter one join to it. */
static struct expr *parse_binary(struct parser *p, int level)
{
	struct expr *left = parse_unary(p);
	bool compared = false;
	enum expr_op op;
	int op_level;

	while (left && find_binary(p, &op, &op_level) && op_level >= level) {
		struct expr *made;

		if (op_level == COMPARISON_LEVEL && compared)
			return parse_chain(p, left);
		made = make(p, EXPR_BINARY);
		compared = op_level == COMPARISON_LEVEL;
		advance(p);
		made->op = op;
		made->first = left;
		left->next = parse_right(p, op, op_level);
		if (!left->next)
			return NULL;
		left = made;
	}
	return left;
}

/* Words. */

static bool is_word(const struct parser *p, const char *word)
{
	return is_token(p, TOKEN_NAME, word);
}

static struct expr *parse_not(struct parser *p)
{
	struct expr *made;

	if (!is_word(p, "not")) {
		made = parse_binary(p, COMPARISON_LEVEL);
		if (made && (is_word(p, "in") || is_word(p, "is") || is_word(p, "not")))
			return unsupported(p, keyword(p));
		return made;
	}
	made = make(p, EXPR_NOT);
	advance(p);
	if (!descend(p))
		return NULL;
	made->first = parse_not(p);
	p->depth--;
	return made->first ? made : NULL;
}

static struct expr *parse_words(struct parser *p, enum expr_kind kind, const char *word,
                                struct expr *(*operand)(struct parser *))
{
	struct expr *left = operand(p);

	while (left && is_word(p, word)) {
		struct expr *made = make(p, kind);

		advance(p);
		made->first = left;
		left->next = operand(p);
		if (!left->next)
			return NULL;
		left = made;
	}
	return left;
}

static struct expr *parse_and(struct parser *p)
{
	return parse_words(p, EXPR_AND, "and", parse_not);
}

/* value if condition else value; the last value may be another one. */
static struct expr *parse_whole(struct parser *p)
{
	struct expr *value = parse_words(p, EXPR_OR, "or", parse_and), *made;

	if (!value || !is_word(p, "if")) {
		if (value && keyword(p) && !is_word(p, "else"))
			return unsupported(p, keyword(p));
		return value;
	}
	made = make(p, EXPR_IF);
	advance(p);
	made->first = parse_words(p, EXPR_OR, "or", parse_and);
	if (!made->first)
		return NULL;
	if (!is_word(p, "else"))
		return invalid(p);
	advance(p);
	made->first->next = value;
	if (!descend(p))
		return NULL;
	value->next = parse_whole(p);
	p->depth--;
	return value->next ? made : NULL;
}

/* A tuple may be without parentheses. */
static struct expr *parse_all(struct parser *p)
{
	struct expr *made = parse_whole(p), *tuple, *last = made;

	if (made && is_mark(p, ",")) {
		tuple = make(p, EXPR_TUPLE);
		tuple->first = made;
		made = tuple;
		while (take(p, ",") && p->token != TOKEN_END) {
			last->next = parse_whole(p);
			last = last->next;
			if (!last)
				return NULL;
		}
	}
	return made && p->token != TOKEN_END ? invalid(p) : made;
}

struct expr *expr_parse(const char *text, struct arena *mem, struct err *err)
{
	struct parser p = { .text = text, .mem = mem, .err = err };

	if (strlen(text) > EXPR_MAX_LEN)
		return unsupported(&p, "it is too long");
	advance(&p);
	return parse_all(&p);
}

bool expr_tensor_name(const char *text, size_t i, const char **name, size_t *len)
{
	for (;; i--) {
		const char *open = strchr(text, '`'), *close = open ? strchr(open + 1, '`') : NULL;

		if (!close)
			return false;
		if (i == 0) {
			*len = (size_t)(close - open) - 1;
			*name = python_strip(open + 1, len);
			return true;
		}
		text = close + 1;
	}
}

const char *expr_op_text(enum expr_op op)
{
	static const char *const texts[] = {
#define X(id, text, level) [OP_##id] = text,
		EXPR_BINARIES(X)
#undef X
#define X(id, text) [OP_##id] = text,
		EXPR_UNARIES(X)
#undef X
	};

	return texts[op];
}
