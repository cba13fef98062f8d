#include "tests/small_dump.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmds/doc/write.h"
#include "dump/base/mem.h"
#include "dump/base/utf8.h"
#include "dump/format/wire.h"
#include "tests/message.h"
#include "tests/program.h"

#define RECORDING "testdata/linear"

static const struct part parts[SMALL_PARTS] = {
	{ .kind = PART_TENSOR,
	  .name = SMALL_DEVICE "/linear/w_0_DebugIdentity_1795219542612906",
	  .tensor = "linear/w:0" },
	{ .kind = PART_TENSOR,
	  .name = SMALL_DEVICE "/linear/b_0_DebugIdentity_1795219542613170",
	  .tensor = "linear/b:0" },
	{ .kind = PART_TENSOR,
	  .name = SMALL_DEVICE "/linear/xw_0_DebugIdentity_1795219542613044",
	  .tensor = "linear/xw:0" },
	{ .kind = PART_TENSOR,
	  .name = SMALL_DEVICE "/linear/pred_0_DebugIdentity_1795219542613554",
	  .tensor = "linear/pred:0" },
	{ .kind = PART_GRAPH,
	  .name = SMALL_DEVICE "/_tfdbg_graph_hash10302119468154097461_1795219542604783" },
	{ .kind = PART_INFO,
	  .name = "_tfdbg_core_metadata_sessionrun00000000000002_1795219542605815" },
	{ .kind = PART_INFO, .name = "_tfdbg_feed_keys_info_" },
	{ .kind = PART_INFO, .name = "_tfdbg_fetches_info_" },
};

void dump_put(const char *dir, const char *name, const void *bytes, size_t len)
{
	struct str path = {0};
	FILE *out;

	str_fmt(&path, "%s/%s", dir, name);
	for (char *slash = path.text + strlen(dir) + 1; (slash = strchr(slash, '/'));
	     *slash++ = '/') {
		*slash = '\0';
		mkdir(path.text, 0777);
	}
	if (path.text[path.len - 1] != '/') {
		out = fopen(path.text, "we");
		ck_assert_msg(out != NULL, "%s", path.text);
		ck_assert_uint_eq(fwrite(bytes, 1, len, out), len);
		ck_assert_int_eq(fclose(out), 0);
	}
	str_release(&path);
}

void dump_copy(const char *dir, const char *name, const char *from)
{
	struct str bytes = {0};

	ck_assert_msg(read_whole(from, &bytes), "%s", from);
	dump_put(dir, name, bytes.text, bytes.len);
	str_release(&bytes);
}

/* Is the node, or what it copies or watches, below linear/? A NodeDef's first field is its name. */
static bool is_kept(struct file *file, struct span node)
{
	static const char *const begins[] = { "linear/", "__copy_linear/", "__dbg_linear/" };
	struct field field;
	struct wire wire;
	const char *name;

	wire_start(&wire, file, node);
	ck_assert(wire_next(&wire, &field, NULL) && field.number == 1);
	name = wire_text(file, field.bytes, file->size, NULL);
	for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
		if (field.bytes.len >= strlen(begins[i]) &&
		    !memcmp(name, begins[i], strlen(begins[i])))
			return true;
	return false;
}

/* The recorded graph, thinned. */
static void thin_graph(const char *path, struct str *out)
{
	struct str graph = {0};
	struct wire event, nodes;
	struct field field, node;
	struct file file;

	ck_assert(file_open(&file, path, NULL));
	wire_start(&event, &file, (struct span){ 0, file.size });
	while (wire_next(&event, &field, NULL)) {
		if (field.number != 4)
			continue;
		wire_start(&nodes, &file, field.bytes);
		while (wire_next(&nodes, &node, NULL))
			if (node.number == 1 && is_kept(&file, node.bytes))
				put_bytes(&graph, 1, wire_text(&file, node.bytes, file.size, NULL),
				          node.bytes.len);
	}
	put_message(out, 4, &graph);
	str_release(&graph);
	file_close(&file);
}

void small_dump_make(struct small_dump *dump)
{
	dump->dir = scratch_new();
	memcpy(dump->part, parts, sizeof parts);
	for (size_t i = 0; i < SMALL_PARTS; i++) {
		struct part *part = &dump->part[i];
		struct str path = {0};

		str_fmt(&path, "%s/%s", RECORDING, part->name);
		if (part->kind == PART_GRAPH)
			thin_graph(path.text, &part->bytes);
		else
			ck_assert_msg(read_whole(path.text, &part->bytes), "%s", path.text);
		dump_put(dump->dir, part->name, part->bytes.text, part->bytes.len);
		str_release(&path);
	}
}

void small_dump_remove(struct small_dump *dump)
{
	for (size_t i = 0; i < SMALL_PARTS; i++)
		str_release(&dump->part[i].bytes);
	scratch_remove(dump->dir);
}

struct shell *session_of(const char *dir)
{
	struct shell *shell = shell_new();
	struct err err = {0};

	ck_assert_msg(shell_open(shell, dir, &err), "%s: %s", err.src, err.msg);
	ck_assert_msg(shell_load(shell, NULL, &err), "%s: %s", err.src, err.msg);
	return shell;
}

void session_warnings(struct shell *shell, struct str *out)
{
	for (size_t i = 0; i < shell_warnings(shell); i++) {
		shell_warning(shell, i, out);
		str_putc(out, '\n');
	}
}

bool session_ask(struct shell *shell, const char *line, struct str *out)
{
	struct answer answer;
	char *text = NULL;
	size_t len = 0;
	FILE *memory = open_memstream(&text, &len);
	bool ok;

	shell_run(shell, line, 0, NULL, &answer);
	ck_assert_ptr_nonnull(answer.doc);
	ck_assert(doc_write(answer.doc, DOC_TEXT, false, NULL, memory));
	fclose(memory);
	ck_assert_msg(unsafe_at(text, len, false) == len, "%s: %s", line, text);
	str_reset(out);
	str_put(out, text, len);
	free(text);
	ok = !answer.failed;
	answer_release(&answer);
	return ok;
}

void session_answers(struct shell *shell, const char *line, const char *words)
{
	struct str text = {0};

	ck_assert_msg(session_ask(shell, line, &text), "%s: %s", line, str_text(&text));
	ck_assert_msg(strstr(text.text, words), "%s: %s", line, text.text);
	str_release(&text);
}

static bool turns_text(uint32_t cp)
{
	return (cp >= 0x200e && cp <= 0x200f) || (cp >= 0x202a && cp <= 0x202e) ||
	       (cp >= 0x2066 && cp <= 0x2069);
}

size_t unsafe_at(const char *text, size_t len, bool tabs)
{
	uint32_t cp;
	size_t n;

	for (size_t at = 0; at < len; at += n) {
		n = utf8_next(text + at, len - at, &cp);
		if (cp == UTF8_BAD || (cp >= 0x7f && cp < 0xa0) || turns_text(cp))
			return at;
		if (cp < 0x20 && cp != '\n' && !(tabs && cp == '\t'))
			return at;
	}
	return len;
}
