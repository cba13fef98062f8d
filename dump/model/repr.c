/*
 * An item ends at a comma that is in no brackets and no quotes. What it is shows in how it begins,
 * provided that its last bracket closes the first.
 */
#include "dump/model/repr.h"

#include <string.h>

enum { DEPTH_MAX = 32 }; /* containers in one another; what is deeper is an element as a whole */

static const char identifier[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

/* Part of the text that is read. */
struct part {
	const char *at, *end;
};

struct reading {
	const char *text;
	repr_elements *out;
	int depth;
};

static bool is_quote(char c)
{
	return c == '\'' || c == '"';
}

/* The quote that ends the string beginning at `at`, or the end of all. */
static const char *end_of_string(const char *at, const char *end)
{
	char quote = *at++;

	while (at < end && *at != quote)
		at += *at == '\\' && at + 1 < end ? 2 : 1;
	return at;
}

/* At an unopened bracket that closes, or at `stop` outside all brackets; else the end. */
static const char *end_of_item(struct part part, char stop)
{
	size_t depth = 0;

	for (const char *at = part.at; at < part.end; at++) {
		if (!depth && *at == stop)
			return at;
		if (is_quote(*at)) {
			at = end_of_string(at, part.end);
		} else if (strchr("([{<", *at)) {
			depth++;
		} else if (strchr(")]}>", *at)) {
			if (!depth)
				return at;
			depth--;
		}
	}
	return part.end;
}

static struct part trimmed(struct part part)
{
	while (part.at < part.end && strchr(" \t\n", *part.at))
		part.at++;
	while (part.at < part.end && strchr(" \t\n", part.end[-1]))
		part.end--;
	return part;
}

static bool begins(struct part part, const char *with)
{
	size_t len = strlen(with);

	return (size_t)(part.end - part.at) >= len && !memcmp(part.at, with, len);
}

static size_t identifier_len(struct part part)
{
	size_t len = 0;

	while (part.at + len < part.end && strchr(identifier, part.at[len]))
		len++;
	return len;
}

/* The part between the bracket at `at` and the last character, if that closes it. */
static bool is_enclosed(struct part part, const char *at, struct part *inside)
{
	*inside = (struct part){ at + 1, part.end };
	if (at >= part.end || !strchr("([{<", *at) || end_of_item(*inside, '\0') != part.end - 1)
		return false;
	inside->end--;
	return true;
}

/* The next item, and what follows it; false after the last. */
static bool next_item(struct part *rest, struct part *item)
{
	while (rest->at < rest->end) {
		const char *end = end_of_item(*rest, ',');

		*item = trimmed((struct part){ rest->at, end });
		rest->at = end < rest->end ? end + 1 : end;
		if (item->at < item->end)
			return true;
	}
	return false;
}

static bool is_string(struct part part, struct part *inside)
{
	const char *at = part.at;

	if (part.end - at > 2 && (*at == 'u' || *at == 'b') && is_quote(at[1]))
		at++;
	if (part.end - at < 2 || !is_quote(*at) || end_of_string(at, part.end) != part.end - 1)
		return false;
	*inside = (struct part){ at + 1, part.end - 1 };
	return true;
}

/* "<tf.Tensor 'a:0' shape=() dtype=float32>", "Tensor("a:0", shape=(), dtype=float32)": 'a:0'. */
static bool is_named(struct part part, struct part *name)
{
	static const char *const starts[] = {
		"<tf.Tensor ", "<tf.Operation ", "<tf.Variable ", "Tensor(",
	};

	for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
		const char *at = part.at + strlen(starts[i]);

		if (!begins(part, starts[i]) || at >= part.end || !is_quote(*at))
			continue;
		*name = (struct part){ at + 1, end_of_string(at, part.end) };
		return name->end < part.end;
	}
	return false;
}

static void find_tensors(struct part part, repr_elements *out)
{
	for (; part.at < part.end; part.at++) {
		struct part name;

		if (!is_named(part, &name))
			continue;
		*vec_add(out) = (struct repr_element){
			.kind = REPR_NAMED, .is_variable = begins(part, "<tf.Variable "),
			.at = name.at, .len = (size_t)(name.end - name.at),
		};
		part.at = name.end;
	}
}

void repr_tensors(const struct repr_element *element, repr_elements *out)
{
	find_tensors((struct part){ element->at, element->at + element->len }, out);
}

static bool names_all_tensors(struct part part)
{
	static const char address[] = " object at 0x";
	repr_elements tensors = {0};
	bool names;

	find_tensors(part, &tensors);
	names = tensors.len && !memmem(part.at, (size_t)(part.end - part.at), address,
	                               strlen(address));
	vec_release(&tensors);
	return names;
}

static void take_element(struct reading *r, struct part part)
{
	struct part inside, name = part;
	enum repr_kind kind;

	if (is_enclosed(part, part.at + (*part.at == 'T' ? identifier_len(part) : 0), &inside) &&
	    is_named(part, &name))
		kind = REPR_NAMED;
	else if (is_string(part, &name))
		kind = REPR_STRING;
	else
		kind = names_all_tensors(part) ? REPR_TEXT : REPR_OBJECT;
	*vec_add(r->out) = (struct repr_element){
		.kind = kind, .is_variable = kind == REPR_NAMED && begins(part, "<tf.Variable "),
		.is_alone = part.at == r->text, .at = name.at, .len = (size_t)(name.end - name.at),
	};
}

static void take_value(struct reading *r, struct part part);

static void take_items(struct reading *r, struct part rest)
{
	struct part item;

	while (next_item(&rest, &item))
		take_value(r, item);
}

/* "key: value, key: value" */
static void take_values_of_keys(struct reading *r, struct part rest)
{
	struct part item;

	while (next_item(&rest, &item)) {
		const char *colon = end_of_item(item, ':');

		if (colon < item.end)
			item.at = colon + 1;
		take_value(r, item);
	}
}

/* "[(key, value), (key, value)]", or a dictionary as newer Pythons write it */
static void take_ordered(struct reading *r, struct part part)
{
	struct part rest, item, pair, key;

	if (!is_enclosed(part, part.at, &rest) || *part.at == '{') {
		take_value(r, part);
		return;
	}
	while (next_item(&rest, &item))
		if (is_enclosed(item, item.at, &pair) && next_item(&pair, &key))
			take_value(r, pair);
}

/* "field=value, field=value", where there may be values alone */
static void take_fields(struct reading *r, struct part rest)
{
	struct part item;

	while (next_item(&rest, &item)) {
		size_t len = identifier_len(item);

		if (len && item.at + len < item.end && item.at[len] == '=')
			item.at += len + 1;
		take_value(r, item);
	}
}

/* A container with its type's name before it; a name with dots in it is that of an object. */
static bool take_constructed(struct reading *r, struct part part)
{
	struct part type = { part.at, part.at + identifier_len(part) }, inside, factory;

	if (type.at == type.end || !is_enclosed(part, type.end, &inside) || *type.end != '(' ||
	    begins(part, "Tensor("))
		return false;
	if (begins(part, "OrderedDict("))
		take_ordered(r, trimmed(inside));
	else if (!begins(part, "defaultdict(") || next_item(&inside, &factory))
		take_fields(r, inside);
	return true;
}

static bool take_container(struct reading *r, struct part part)
{
	struct part inside;

	if (r->depth == DEPTH_MAX)
		return false;
	if (!is_enclosed(part, part.at, &inside))
		return take_constructed(r, part);
	if (*part.at == '<')
		return false;
	if (*part.at == '{')
		take_values_of_keys(r, inside);
	else
		take_items(r, inside);
	return true;
}

static void take_value(struct reading *r, struct part part)
{
	part = trimmed(part);
	if (part.at == part.end)
		return;
	r->depth++;
	if (!take_container(r, part))
		take_element(r, part);
	r->depth--;
}

static struct part whole(const char *text)
{
	return trimmed((struct part){ text, text + strlen(text) });
}

void repr_values(const char *text, repr_elements *out)
{
	struct part part = whole(text);

	take_value(&(struct reading){ .text = part.at, .out = out }, part);
}

/* "dict_keys([...])", "[...]", "{...}"; "None" has none. */
void repr_keys(const char *text, repr_elements *out)
{
	struct part part = whole(text), inside, item;
	struct reading r = { .out = out };

	if (is_enclosed(part, part.at + identifier_len(part), &inside) && *part.at != '[' &&
	    *part.at != '{')
		part = trimmed(inside);
	if (!is_enclosed(part, part.at, &inside))
		return;
	while (next_item(&inside, &item)) {
		if (*part.at == '{')
			item = trimmed((struct part){ item.at, end_of_item(item, ':') });
		if (item.at < item.end)
			take_element(&r, item);
	}
}
