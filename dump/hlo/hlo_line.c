/*
 * Lines of HLO text are taken apart at characters that stand outside brackets and strings, so
 * literals, layouts, shardings and JSON need not be understood. Brackets are counted, not matched;
 * the end of the line ends whatever is still open, and the next line is sound again.
 */
#include "dump/hlo/hlo_line.h"

#include <string.h>

#include "dump/base/utf8.h"

enum { NAME_MAX_BYTES = 64 * 1024, VALUE_MAX = 1024 * 1024 };

void hlo_start(struct hlo_source *source, struct file *file, uint64_t off)
{
	*source = (struct hlo_source){ .file = file, .off = off };
}

bool hlo_more(struct hlo_source *source)
{
	uint64_t off = hlo_off(source);
	size_t len = 0;

	source->piece = source->err.code ? NULL : file_some(source->file, off, &len, &source->err);
	source->off = off;
	source->at = source->piece;
	source->end = source->piece ? source->piece + len : NULL;
	return source->piece;
}

void hlo_skip_blanks(struct hlo_source *source)
{
	int c;

	while ((c = hlo_peek(source)) == ' ' || c == '\t')
		source->at++;
}

void hlo_skip_line(struct hlo_source *source)
{
	while (hlo_peek(source) >= 0) {
		const char *newline = memchr(source->at, '\n',
		                             (size_t)(source->end - source->at));

		source->at = newline ? newline + 1 : source->end;
		if (newline)
			return;
	}
}

static void put(struct str *out, int c, size_t max)
{
	if (!out || out->len >= max)
		return;
	if (c)
		str_putc(out, (char)c);
	else
		str_puts(out, UTF8_NUL);
}

/* From the quote that begins it to the one that ends it. */
static void take_string(struct hlo_source *source, struct str *out, size_t max)
{
	bool escaped = false;
	int c;

	put(out, '"', max);
	source->at++;
	while (!hlo_is_end(c = hlo_peek(source))) {
		put(out, c, max);
		source->at++;
		if (c == '"' && !escaped)
			return;
		escaped = c == '\\' && !escaped;
	}
}

/* Behind its slash; false: it was only a slash. */
static bool skip_comment(struct hlo_source *source)
{
	int c, before = 0;

	if (hlo_peek(source) != '*')
		return false;
	source->at++;
	while (!hlo_is_end(c = hlo_peek(source)) && !(before == '*' && c == '/')) {
		before = c;
		source->at++;
	}
	if (!hlo_is_end(c))
		source->at++;
	return true;
}

int hlo_take(struct hlo_source *source, const char *stops, struct str *out, size_t max)
{
	size_t depth = 0;
	int c;

	while (!hlo_is_end(c = hlo_peek(source))) {
		if (!depth && c && strchr(stops, c)) {
			source->at++;
			return c;
		}
		if (c == '"') {
			take_string(source, out, max);
			continue;
		}
		source->at++;
		if (c == '/' && skip_comment(source))
			continue;
		if (c == '(' || c == '[' || c == '{')
			depth++;
		else if (depth && (c == ')' || c == ']' || c == '}'))
			depth--;
		put(out, c, max);
	}
	return 0;
}

/* Lines. */

static struct text trimmed(struct text text)
{
	while (text.len && *text.at == ' ') {
		text.at++;
		text.len--;
	}
	while (text.len && text.at[text.len - 1] == ' ')
		text.len--;
	return text;
}

struct text hlo_name(struct text text)
{
	text = trimmed(text);
	return text.len && *text.at == '%' ? (struct text){ text.at + 1, text.len - 1 } : text;
}

struct text hlo_text_of(const struct str *str)
{
	return (struct text){ str_text(str), str->len };
}

/* "f32[2] %x", "%x", "x": its name; a shape may stand before it. */
static struct text name_of_operand(struct text text)
{
	const char *blank;

	text = trimmed(text);
	blank = text.len ? memrchr(text.at, ' ', text.len) : NULL;
	if (blank)
		text = (struct text){ blank + 1, text.len - (size_t)(blank + 1 - text.at) };
	return hlo_name(text);
}

/* Between its parentheses such an op has something else. */
static bool has_operands(const struct hlo_line *line)
{
	static const char *const without[] = { "parameter", "constant", "iota" };

	for (size_t i = 0; i < sizeof without / sizeof *without; i++)
		if (!strcmp(str_text(&line->opcode), without[i]))
			return false;
	return true;
}

static bool take_operands(struct hlo_source *source, struct hlo_line *line)
{
	int stop;

	do {
		struct text name;
		size_t at = line->operands.len;

		str_reset(&line->value);
		stop = hlo_take(source, ",)", &line->value, NAME_MAX_BYTES);
		name = name_of_operand(hlo_text_of(&line->value));
		if (!name.len)
			continue;
		str_put(&line->operands, name.at, name.len);
		vec_push(&line->operand, ((struct hlo_operand){ at, name.len }));
	} while (stop == ',');
	return stop;
}

/* The next word. False: the line ends with it. */
static bool take_word(struct hlo_source *source, struct str *out, size_t max)
{
	str_reset(out);
	hlo_skip_blanks(source);
	return hlo_take(source, " ", out, max);
}

bool hlo_line_begin(struct hlo_source *source, struct hlo_line *line)
{
	hlo_skip_blanks(source);
	line->off = hlo_off(source);
	line->operand.len = 0;
	str_reset(&line->operands);
	str_reset(&line->opcode);
	if (!take_word(source, &line->name, NAME_MAX_BYTES))
		return false;
	line->is_root = !strcmp(line->name.text, "ROOT");
	if (line->is_root && !take_word(source, &line->name, NAME_MAX_BYTES))
		return false;
	hlo_skip_blanks(source);
	if (hlo_peek(source) != '=')
		return false;
	source->at++;
	if (!take_word(source, &line->shape, VALUE_MAX))
		return false;
	hlo_skip_blanks(source);
	if (!hlo_take(source, "(", &line->opcode, NAME_MAX_BYTES))
		return false;
	if (has_operands(line))
		return take_operands(source, line);
	return hlo_take(source, ")", &line->operands, VALUE_MAX);
}

bool hlo_line_attr(struct hlo_source *source, struct hlo_line *line,
                   bool (*wanted)(const char *key))
{
	int stop;

	do {
		hlo_skip_blanks(source);
		str_reset(&line->key);
		stop = hlo_take(source, "=,", &line->key, NAME_MAX_BYTES);
	} while (stop == ',');
	if (!stop)
		return false;
	str_reset(&line->value);
	hlo_take(source, ",", wanted(str_text(&line->key)) ? &line->value : NULL, VALUE_MAX);
	return true;
}

void hlo_line_release(struct hlo_line *line)
{
	str_release(&line->name);
	str_release(&line->shape);
	str_release(&line->opcode);
	str_release(&line->operands);
	str_release(&line->key);
	str_release(&line->value);
	vec_release(&line->operand);
}

/* Inside of values. */

static int octal(struct text *at)
{
	int value = 0;

	for (int n = 0; n < 3 && at->len && *at->at >= '0' && *at->at <= '7'; n++) {
		value = value * 8 + (*at->at++ - '0');
		at->len--;
	}
	return value & 0xff;
}

void hlo_unescape(struct text text, struct str *out)
{
	static const char letters[] = "nrt", meant[] = "\n\r\t";

	str_reset(out);
	while (text.len) {
		char c = *text.at;
		const char *letter;

		if (c == '\\' && text.len > 1 && text.at[1] >= '0' && text.at[1] <= '7') {
			text.at++;
			text.len--;
			put(out, octal(&text), SIZE_MAX);
			continue;
		}
		if (c == '\\' && text.len > 1) {
			text.at++;
			text.len--;
			letter = *text.at ? strchr(letters, *text.at) : NULL;
			c = letter ? meant[letter - letters] : *text.at;
		}
		put(out, (unsigned char)c, SIZE_MAX);
		text.at++;
		text.len--;
	}
}

/* How long the value is that a text begins with: a string, or up to a blank or the end. */
static size_t value_len(struct text text)
{
	size_t n = 0, depth = 0;

	if (text.len && *text.at == '"') {
		for (n = 1; n < text.len && text.at[n] != '"'; n++)
			n += text.at[n] == '\\';
		return n < text.len ? n + 1 : text.len;
	}
	for (; n < text.len; n++) {
		char c = text.at[n];

		if (!depth && (c == ' ' || c == ',' || c == '}'))
			break;
		depth += c == '{';
		depth -= c == '}';
	}
	return n;
}

bool hlo_pair(struct text *rest, struct text *key, struct text *value)
{
	const char *equals;

	while (rest->len && strchr(" ,{}", *rest->at) && *rest->at) {
		rest->at++;
		rest->len--;
	}
	equals = rest->len ? memchr(rest->at, '=', rest->len) : NULL;
	if (!equals)
		return false;
	*key = (struct text){ rest->at, (size_t)(equals - rest->at) };
	rest->len -= key->len + 1;
	rest->at = equals + 1;
	*value = (struct text){ rest->at, value_len(*rest) };
	rest->at += value->len;
	rest->len -= value->len;
	if (value->len > 1 && *value->at == '"')
		*value = (struct text){ value->at + 1, value->len - 2 };
	return true;
}

bool hlo_name_in(struct text *rest, struct text *name)
{
	size_t n = 0;

	while (rest->len && strchr(" ,{}", *rest->at) && *rest->at) {
		rest->at++;
		rest->len--;
	}
	while (n < rest->len && !(strchr(" ,{}", rest->at[n]) && rest->at[n]))
		n++;
	*name = hlo_name((struct text){ rest->at, n });
	rest->at += n;
	rest->len -= n;
	return name->len;
}
