/*
 * Replays what numpy answered to expressions (tests/gen_expressions.py):
 * testdata/expressions.jsonl, or the file named. A case that numpy refuses must be refused, with an
 * error of the same class or as unsupported; one that it answers must be answered in the same
 * words, or, where the case says how far numbers may be apart, in the same words but for them.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/array/repr.h"
#include "dump/base/vec.h"
#include "dump/format/json.h"
#include "tests/expressions.h"

struct test_case {
	struct str name, dtype, hex, expression, answer, exception, apart;
	struct shape shape;
};

static void case_release(struct test_case *c)
{
	struct str *texts[] = {
		&c->name, &c->dtype, &c->hex, &c->expression, &c->answer, &c->exception, &c->apart,
	};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		str_release(texts[i]);
}

static bool read_shape(struct json *json, struct shape *shape)
{
	shape->rank = 0;
	if (!json_array(json))
		return false;
	while (json_more(json))
		if (shape->rank == SHAPE_MAX_RANK || !json_whole(json, &shape->dim[shape->rank++]))
			return false;
	return !json->failed;
}

static bool read_case(const char *line, size_t len, struct test_case *out, struct err *err)
{
	static const char *const keys[] = { "name", "dtype", "hex", "e", "r", "x", "t" };
	struct str *texts[] = { &out->name, &out->dtype, &out->hex, &out->expression, &out->answer,
	                        &out->exception, &out->apart };
	struct json json;
	bool ok = true;

	json_start_text(&json, line, len, err);
	if (json_object(&json)) {
		while (ok && json_more(&json)) {
			size_t i = 0;

			while (i < sizeof keys / sizeof *keys &&
			       strcmp(keys[i], json.key.text) != 0)
				i++;
			if (i == sizeof keys / sizeof *keys) {
				ok = read_shape(&json, &out->shape);
			} else {
				ok = json_string(&json);
				str_put(texts[i], str_text(&json.text), json.text.len);
			}
		}
	}
	ok = ok && !json.failed && !err->code;
	json_release(&json);
	return ok;
}

/* The bytes in hex, over and over. */
static const void *bytes_of(const struct str *hex, size_t bytes)
{
	unsigned char *made = malloc(bytes + 1);
	unsigned value;

	for (size_t i = 0; hex->len && i < bytes; i++)
		made[i] = sscanf(hex->text + i * 2 % hex->len, "%2x", &value) == 1
		          ? (unsigned char)value : 0;
	return made;
}

/* Python's name of an error. */
static const char *class_of(enum err_code code)
{
	switch (code) {
	case ERR_TYPE: return "TypeError";
	case ERR_VALUE: return "ValueError";
	case ERR_INDEX: return "IndexError";
	case ERR_NAME: return "NameError";
	case ERR_ATTRIBUTE: return "AttributeError";
	case ERR_ZERO_DIVISION: return "ZeroDivisionError";
	case ERR_SYNTAX: return "SyntaxError";
	case ERR_AXIS: return "AxisError";
	default: return "?";
	}
}

static const char *skip_blanks(const char *text)
{
	return text + strspn(text, " \n");
}

/* Is there a number here? Of complex ones each part is one. */
static bool take_number(const char **text, double *out)
{
	char *end;

	if (!strchr("+-.0123456789in", **text))
		return false;
	*out = strtod(*text, &end);
	if (end == *text)
		return false;
	*text = end;
	/* "1." is a number to numpy as to C. */
	return true;
}

static bool close_to(double a, double b, double apart)
{
	if (isnan(a) || isnan(b))
		return isnan(a) && isnan(b);
	return a == b || fabs(a - b) <= apart * fmax(fabs(a), fabs(b)) ||
	       fmax(fabs(a), fabs(b)) < apart * 0.1;
}

static bool same_words(const char *a, const char *b, double apart)
{
	for (;;) {
		double x, y;

		a = skip_blanks(a);
		b = skip_blanks(b);
		if (!*a || !*b)
			return *a == *b;
		if (take_number(&a, &x)) {
			if (!take_number(&b, &y) || !close_to(x, y, apart))
				return false;
		} else if (*a++ != *b++) {
			return false;
		}
	}
}

static bool run_case(const struct test_case *c, const struct named_array *arrays, size_t n)
{
	struct arena texts = {0};
	struct err err = {0};
	struct workspace ws = { .limit_bytes = 64 << 20, .err = &err, .texts = &texts };
	struct named_arrays named = { arrays, n, c->expression.text };
	struct ndarray *made = expression_value(&ws, &named);
	struct str text = {0};
	double apart = strtod(str_text(&c->apart), NULL);
	bool ok;

	if (made && !repr_put(&ws, made, 75, &text)) {
		ndarray_free(&ws, made);
		made = NULL;
	}
	if (c->exception.len)
		ok = !made && (err.code == ERR_UNSUPPORTED ||
		               !strcmp(class_of(err.code), c->exception.text));
	else
		ok = made && (!strcmp(str_text(&text), c->answer.text) ||
		              (apart > 0 && same_words(str_text(&text), c->answer.text, apart)));
	if (!ok)
		printf("%s\n  numpy: %s%s\n  ours:  %s%s%s\n", c->expression.text,
		       str_text(&c->answer), str_text(&c->exception), str_text(&text),
		       made ? "" : class_of(err.code), made ? "" : err.msg);
	ndarray_free(&ws, made);
	if (ws.live_bytes != ws.text_bytes && ok) {
		printf("%s\n  keeps memory\n", c->expression.text);
		ok = false;
	}
	str_release(&text);
	arena_release(&texts);
	return ok;
}

static bool add_array(struct test_case *c, struct named_array *out)
{
	uint64_t count;

	*out = (struct named_array){ .name = c->name.text[0], .shape = c->shape };
	for (uint64_t wire = 1; wire < 33; wire++)
		if (dtype_on_wire(wire) && !strcmp(dtype_on_wire(wire)->name, c->dtype.text))
			out->dtype = dtype_on_wire(wire)->dtype;
	if (!out->dtype || !shape_count(&out->shape, &count))
		return false;
	out->elems = bytes_of(&c->hex, (size_t)count * dtype_info(out->dtype)->elem_bytes);
	return true;
}

int main(int argc, char **argv)
{
	FILE *file = fopen(argc > 1 ? argv[1] : "testdata/expressions.jsonl", "r");
	VEC(struct named_array) arrays = {0};
	char *line = NULL;
	size_t cap = 0;
	ssize_t len;
	int passed = 0, failed = 0;

	while (file && (len = getline(&line, &cap, file)) > 0) {
		struct test_case c = {0};
		struct named_array array;
		struct err err = {0};
		bool ok = read_case(line, (size_t)len - (line[len - 1] == '\n'), &c, &err);

		if (!ok) {
			printf("cannot read: %s", line);
		} else if (c.name.len) {
			ok = add_array(&c, &array);
			vec_push(&arrays, array);
		} else {
			ok = run_case(&c, arrays.at, arrays.len);
		}
		passed += ok;
		failed += !ok;
		case_release(&c);
	}
	for (size_t i = 0; i < arrays.len; i++)
		free((void *)arrays.at[i].elems);
	vec_release(&arrays);
	free(line);
	if (file)
		fclose(file);
	printf("%d passed, %d failed\n", passed, failed + !file);
	return failed || !file || !passed;
}
