#include "dump/profile/label.h"

#include <ctype.h>
#include <string.h>

static struct text part(const char *at, size_t begin, size_t end)
{
	return (struct text){ at + begin, end - begin };
}

/* The last offset of `what` in text; text.len if it is not there. */
static size_t find_last(struct text text, const char *what)
{
	size_t n = strlen(what);

	for (size_t i = text.len >= n ? text.len - n + 1 : 0; i-- > 0; )
		if (!memcmp(text.at + i, what, n))
			return i;
	return text.len;
}

static size_t find_first(struct text text, const char *what)
{
	const char *hit = text.len ? memmem(text.at, text.len, what, strlen(what)) : NULL;

	return hit ? (size_t)(hit - text.at) : text.len;
}

/*
 * "(.*) = (.*)\((.*)\)" at the start of the label, each part as long as possible, without newlines.
 * The first part ends at the last " = " with "(" and ")" after it, the second at the last "("
 * before the last ")".
 */
bool label_op(const char *label, size_t len, struct op_label *out)
{
	const char *newline = len ? memchr(label, '\n', len) : NULL;
	struct text line = { label, newline ? (size_t)(newline - label) : len };
	size_t close = find_last(line, ")"), open, equals;

	if (close == line.len)
		return false;
	line.len = close;
	open = find_last(line, "(");
	if (open == line.len)
		return false;
	line.len = open;
	equals = find_last(line, " = ");
	if (equals == line.len)
		return false;
	out->op = part(label, equals + 3, open);
	out->inputs = part(label, open + 1, close);
	if (!out->inputs.len)
		out->inputs.at = NULL;
	return true;
}

bool label_input(struct text *inputs, struct text *input)
{
	size_t comma;

	if (!inputs->at)
		return false;
	comma = find_first(*inputs, ", ");
	*input = part(inputs->at, 0, comma);
	*inputs = comma < inputs->len ? part(inputs->at, comma + 2, inputs->len) : (struct text){0};
	return true;
}

void label_gpu(const char *label, size_t len, struct gpu_label *out)
{
	struct text all = { label, len };

	out->activity = part(label, 0, find_last(all, "@@"));
	if (!out->activity.len)
		out->activity = all;
	out->kernel = part(label, 0, find_last(out->activity, " regs:"));
	if (!out->kernel.len)
		out->kernel = out->activity;
	out->name = part(label, 0, find_first(out->kernel, " bytes:"));
	out->launch = out->kernel.len < out->activity.len ?
	              part(label, out->kernel.len + 1, out->activity.len) : (struct text){ "", 0 };
}

struct text launch_value(const char *launch, const char *key)
{
	const char *at = launch ? strstr(launch, key) : NULL;

	if (!at)
		return (struct text){0};
	at += strlen(key);
	return (struct text){ at, strcspn(at, " ") };
}

/* As timeline.py recognises them. */

static struct text whole(const char *text)
{
	return (struct text){ text, strlen(text) };
}

void label_kernel(const char *label, size_t len, const char *name, struct text *node,
                  struct text *op)
{
	struct text all = { label, len };
	size_t at = find_first(all, "@@"), hash = find_first(all, "#"), colon;

	all = hash < len && at + 2 < hash ? part(label, at + 2, hash) : whole(name);
	colon = find_first(all, ":");
	*node = part(all.at, 0, colon);
	*op = whole("unknown");
	if (colon == all.len)
		return;
	*op = part(all.at, colon + 1, all.len);
	op->len = find_first(*op, ":");
}

void label_node(const char *label, size_t len, const char *name, struct text *node, struct text *op,
                struct text *inputs)
{
	struct op_label parts;

	*node = whole(name);
	*op = whole("unknown");
	*inputs = (struct text){0};
	if (!strcmp(name, "RecvTensor")) {
		*op = *node;
	} else if (label_op(label, len, &parts)) {
		*op = parts.op;
		*inputs = parts.inputs;
	}
}

/* "edge_22_MatMul" without "edge_22_": how much to leave out. */
static size_t edge_prefix(struct text name)
{
	size_t at = strlen("edge_");

	if (name.len < at || memcmp(name.at, "edge_", at))
		return 0;
	while (at < name.len && isdigit((unsigned char)name.at[at]))
		at++;
	return at > 5 && at < name.len && name.at[at] == '_' ? at + 1 : 0;
}

/* "images/_1" without "/_1": what is left. */
static size_t without_number(struct text name)
{
	size_t at = name.len;

	while (at && isdigit((unsigned char)name.at[at - 1]))
		at--;
	if (at == name.len || at < 2 || name.at[at - 1] != '_' || name.at[at - 2] != '/')
		return name.len;
	return at - 2;
}

size_t node_guesses(struct text name, struct text guess[NODE_GUESSES])
{
	size_t prefix = edge_prefix(name), len = without_number(name), n = 0;

	guess[n++] = name;
	if (prefix && prefix < name.len)
		guess[n++] = part(name.at, prefix, name.len);
	if (len && len < name.len)
		guess[n++] = part(name.at, 0, len);
	if (prefix && len < name.len && len > prefix)
		guess[n++] = part(name.at, prefix, len);
	return n;
}

static int64_t number_at(struct text text, size_t at, size_t *end)
{
	int64_t n = 0;

	for (; at < text.len && isdigit((unsigned char)text.at[at]); at++)
		if (__builtin_mul_overflow(n, 10, &n) ||
		    __builtin_add_overflow(n, text.at[at] - '0', &n))
			return 0;
	*end = at;
	return n;
}

int64_t label_copy_bytes(struct text activity)
{
	static const char key[] = " bytes:";
	size_t at = find_first(activity, key), end = 0;
	int64_t n;

	if (at < activity.len && at + sizeof key - 1 < activity.len &&
	    isdigit((unsigned char)activity.at[at + sizeof key - 1]))
		return number_at(activity, at + sizeof key - 1, &end);
	if (!activity.len || activity.at[0] != '[')
		return 0;
	n = number_at(activity, 1, &end);
	return end > 1 && end + 1 < activity.len && !memcmp(activity.at + end, "B]", 2) ? n : 0;
}

static bool is_end(char c)
{
	return c && strchr("hdp", tolower((unsigned char)c));
}

/* "MEMCPYHtoD", "MemcpyH2D" */
static bool way_in(struct text text, char *way)
{
	static const char key[] = "memcpy";
	const size_t n = sizeof key - 1;

	for (size_t i = 0; i + n + 3 <= text.len; i++) {
		const char *at = text.at + i + n;
		size_t gap = at[1] == '2' ? 1 : 2;

		if (strncasecmp(text.at + i, key, n) || !is_end(at[0]))
			continue;
		if (gap == 2 && (i + n + 4 > text.len || strncasecmp(at + 1, "to", 2)))
			continue;
		if (!is_end(at[1 + gap]))
			continue;
		way[0] = (char)toupper((unsigned char)at[0]);
		way[1] = '2';
		way[2] = (char)toupper((unsigned char)at[1 + gap]);
		way[3] = '\0';
		return true;
	}
	return false;
}

void label_copy_way(struct text activity, struct text op, char *way)
{
	if (!way_in(activity, way) && !way_in(op, way))
		memcpy(way, "D2D", 4);
}
