#include "tests/word_dump.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "dump/format/dtype.h"
#include "tests/message.h"
#include "tests/small_dump.h"

#define SECOND "_tfdbg_device_,job_localhost,replica_0,task_0,device_CPU_1"
enum { WORD = 64 };

static const char *take_device(const char **word)
{
	bool second = !strncmp(*word, "1/", 2);

	*word += second ? 2 : 0;
	return second ? SECOND : SMALL_DEVICE;
}

static void put_channel(struct str *node, const char *channel)
{
	struct str value = {0}, entry = {0};

	put_bytes(&value, 2, channel, strlen(channel));
	put_bytes(&entry, 1, "tensor_name", strlen("tensor_name"));
	put_message(&entry, 2, &value);
	put_message(node, 5, &entry);
	str_release(&value);
	str_release(&entry);
}

/* One node, "NAME[@CHANNEL] OP INPUT...", as a field of a GraphDef. */
static void put_node(struct str *graph, const char *text, size_t len)
{
	struct str node = {0};
	char word[WORD], channel[WORD] = "";
	size_t n;

	for (uint32_t field = 1; len; field += field < 3) {
		n = strcspn(text, " ;");
		n = n < len ? n : len;
		ck_assert_uint_lt(n, sizeof word);
		snprintf(word, sizeof word, "%.*s", (int)n, text);
		if (field == 1 && strchr(word, '@')) {
			snprintf(channel, sizeof channel, "%s", strchr(word, '@') + 1);
			*strchr(word, '@') = '\0';
		}
		put_bytes(&node, field, word, strlen(word));
		text += n;
		len -= n;
		while (len && *text == ' ') {
			text++;
			len--;
		}
	}
	if (*channel)
		put_channel(&node, channel);
	put_message(graph, 1, &node);
	str_release(&node);
}

static void put_graph(const char *dir, const char *device, const char *text)
{
	struct str graph = {0}, event = {0}, name = {0};

	for (size_t len; *text; text += len) {
		const char *at = text += strspn(text, "; ");

		len = strcspn(text, ";");
		if (!strcmp(take_device(&at), device) && len > (size_t)(at - text))
			put_node(&graph, at, len - (size_t)(at - text));
	}
	if (graph.len) {
		put_bytes(&event, 4, graph.text, graph.len);
		str_fmt(&name, "%s/_tfdbg_graph_hash1_1", device);
		dump_put(dir, name.text, event.text, event.len);
	}
	str_release(&graph);
	str_release(&event);
	str_release(&name);
}

static void put_strings(struct str *tensor, const char *text)
{
	int64_t dim = 1;

	for (const char *c = text; *c; c++)
		dim += *c == ',';
	put_tensor_head(tensor, DTYPE_STRING, 1, &dim);
	for (size_t len; dim > 0; dim--, text += len + 1) {
		len = strcspn(text, ",");
		put_bytes(tensor, 8, text, len);
	}
}

/* A mark stands between the entries of an axis; those of outer axes end inner ones too. */
static uint32_t read_dims(const char *text, int64_t dim[3])
{
	static const char marks[] = ";:,";
	int64_t ended = 0, before = 1;   /* entries of this axis in all, and of the outer ones */
	uint32_t rank = 0;

	for (const char *mark = marks; *mark; mark++) {
		int64_t more = 0;

		for (const char *c = text; *c; c++)
			more += *c == *mark;
		ended += more;
		if (!more && !rank)
			continue;
		dim[rank++] = (ended + 1) / before;
		before = ended + 1;
	}
	return rank;
}

static void put_floats(struct str *tensor, const char *text)
{
	int64_t dim[3];
	uint32_t rank = read_dims(text, dim);
	struct str content = {0};

	for (char *end; ; text = end + 1) {
		float x = strtof(text, &end);

		str_put(&content, (const char *)&x, sizeof x);
		if (!*end)
			break;
	}
	put_tensor_head(tensor, DTYPE_FLOAT32, rank, dim);
	put_bytes(tensor, 4, content.text, content.len);
	str_release(&content);
}

static void put_value(struct str *event, const char *text)
{
	struct str tensor = {0};

	if (*text == 'i') {
		int32_t whole = (int32_t)strtol(text + 1, NULL, 10);

		put_tensor_head(&tensor, DTYPE_INT32, 0, NULL);
		put_bytes(&tensor, 4, &whole, sizeof whole);
	} else if (*text == '"') {
		put_strings(&tensor, text + 1);
	} else {
		put_floats(&tensor, text);
	}
	put_event(event, &tensor);
	str_release(&tensor);
}

static void put_dump(const char *dir, const char *text)
{
	char node[WORD], op[WORD] = "DebugIdentity", value[WORD];
	const char *device = take_device(&text);
	struct str event = {0}, name = {0};
	unsigned slot;
	long time_us;

	if (sscanf(text, "%63[^:]:%u*%63[^@]@%ld=%63s", node, &slot, op, &time_us, value) != 5)
		ck_assert_int_eq(sscanf(text, "%63[^:]:%u@%ld=%63s", node, &slot, &time_us, value),
		                 4);
	str_fmt(&name, "%s/%s_%u_%s_%ld", device, node, slot, op, time_us);
	if (*value == '!')
		str_puts(&event, "\x0a\x7f");
	else
		put_value(&event, value);
	dump_put(dir, name.text, event.text, event.len);
	str_release(&event);
	str_release(&name);
}

void word_dump_make(const char *dir, const char *graph, const char *dumps)
{
	put_graph(dir, SMALL_DEVICE, graph);
	put_graph(dir, SECOND, graph);
	for (size_t len; *dumps; dumps += len) {
		char word[WORD * 2];

		dumps += strspn(dumps, " ");
		len = strcspn(dumps, " ");
		ck_assert_uint_lt(len, sizeof word);
		snprintf(word, sizeof word, "%.*s", (int)len, dumps);
		if (len)
			put_dump(dir, word);
	}
}
