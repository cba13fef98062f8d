/*
 * The probes in order, the surest first; a name counts only for what no content tells: parts that
 * have no sign of their own (a shard of a checkpoint), and files that are empty or damaged from
 * the first byte on.
 */
#include "dump/files/recognise.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dump/base/mem.h"
#include "dump/base/path.h"
#include "dump/base/str.h"
#include "dump/files/recognise_parts.h"
#include "dump/format/file.h"

enum { HEAD = 64 * 1024, LONG_HEAD = 1024 * 1024 };

const char *file_kind_name(enum file_kind kind)
{
	static const char *const names[] = {
#define X(id, name, answer) name,
		FILE_KINDS(X)
#undef X
	};

	return names[kind];
}

const char *file_kind_answer(enum file_kind kind)
{
	static const char *const answers[] = {
#define X(id, name, answer) answer,
		FILE_KINDS(X)
#undef X
	};

	return answers[kind];
}

bool head_has(const struct head *head, const char *text)
{
	return memmem(head->bytes, head->len, text, strlen(text));
}

bool head_begins(const struct head *head, const void *bytes, size_t len)
{
	return head->len >= len && !memcmp(head->bytes, bytes, len);
}

static enum file_kind (*const probes[])(const struct head *head) = {
	kind_by_magic, kind_by_archive, kind_by_text, kind_by_message,
};

/* A NULL beginning or end fits all. */
static const struct { const char *begins, *ends; enum file_kind kind; } names[] = {
	{ "tfdbg_events.", NULL, FILE_DEBUG_EVENTS },
	{ "events.out.tfevents.", NULL, FILE_EVENTS },
	{ NULL, ".xplane.pb", FILE_XSPACE },
	{ NULL, ".safetensors", FILE_SAFETENSORS },
	{ NULL, ".npy", FILE_NPY },
	{ NULL, ".npz", FILE_NPZ },
	{ NULL, ".pth", FILE_TORCH },
	{ NULL, ".pt", FILE_TORCH },
	{ NULL, ".onnx", FILE_ONNX },
	{ NULL, ".trace.json", FILE_TRACE },
	{ NULL, ".trace.json.gz", FILE_TRACE_GZIP },
	{ NULL, ".hlo.pb", FILE_HLO_PROTO },
	{ NULL, ".tfrecord", FILE_RECORDS },
	{ NULL, ".nsys-rep", FILE_NSYS_REP },
	{ NULL, ".qdrep", FILE_NSYS_REP },
	{ NULL, ".qdstrm", FILE_NSYS_REP },
	{ NULL, ".ncu-rep", FILE_NCU_REP },
	{ NULL, ".ncu-repz", FILE_NCU_REP },
	{ NULL, ".pftrace", FILE_PERFETTO },
	{ NULL, ".perfetto-trace", FILE_PERFETTO },
	{ NULL, ".otf2", FILE_OTF2 },
	{ "saved_model.pb", NULL, FILE_SAVED_MODEL },
	{ "fingerprint.pb", NULL, FILE_SAVED_MODEL },
	{ "keras_metadata.pb", NULL, FILE_SAVED_MODEL },
};

/* PREFIX.data-00000-of-00001 */
static bool is_shard(const char *name)
{
	const char *at = strstr(name, ".data-");
	size_t n = at ? strspn(at + 6, "0123456789") : 0, m;

	if (!n || strncmp(at + 6 + n, "-of-", 4) != 0)
		return false;
	at += 6 + n + 4;
	m = strspn(at, "0123456789");
	return m && !at[m];
}

/* left_out.json, left_out_rank12.json */
static bool is_left_out(const char *name)
{
	static const char begins[] = "left_out", of_rank[] = "_rank";

	if (strncmp(name, begins, strlen(begins)) != 0)
		return false;
	name += strlen(begins);
	if (!strncmp(name, of_rank, strlen(of_rank)) && is_digit(name[strlen(of_rank)])) {
		name += strlen(of_rank);
		name += strspn(name, "0123456789");
	}
	return !strcmp(name, ".json");
}

enum file_kind kind_of_name(const char *name)
{
	if (is_left_out(name))
		return FILE_LEFT_OUT;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if ((!names[i].begins || !strncmp(name, names[i].begins, strlen(names[i].begins)))
		    && (!names[i].ends || text_ends(name, names[i].ends)))
			return names[i].kind;
	return is_shard(name) ? FILE_CHECKPOINT : FILE_NONE;
}

static enum file_kind probe(const struct head *head)
{
	enum file_kind named = kind_of_name(head->name), kind = FILE_NONE;

	if (named == FILE_LEFT_OUT)
		return named;            /* an empty list would be a trace without events */
	for (size_t i = 0; i < sizeof probes / sizeof *probes && kind == FILE_NONE; i++)
		kind = probes[i](head);
	return kind == FILE_NONE ? named : kind;
}

/* The first bytes, on the heap. JSON may have its sign far behind the first brace. NULL: *err. */
static void *read_head(struct file *file, size_t *len, struct err *err)
{
	const char *first = "";

	*len = file->size < HEAD ? (size_t)file->size : HEAD;
	if (*len)
		first = file_bytes(file, 0, *len, err);
	if (first && (*first == '{' || *first == '[')) {
		*len = file->size < LONG_HEAD ? (size_t)file->size : LONG_HEAD;
		first = file_bytes(file, 0, *len, err);
	}
	return first ? mem_copy(first, *len) : NULL;
}

bool recognise_json(const char *path)
{
	const char *at;
	struct file file;
	size_t len = 0, i = 0;

	if (!file_open(&file, path, NULL))
		return false;
	at = file_some(&file, 0, &len, NULL);
	while (at && i < len && strchr("\xef\xbb\xbf \t\r\n", at[i]) && at[i])
		i++;
	len = at && i < len && (at[i] == '{' || at[i] == '[');
	file_close(&file);
	return len;
}

bool recognise(const char *path, enum file_kind *kind, struct err *err)
{
	unsigned char *bytes;
	struct file file;
	struct stat st;
	size_t len;

	*kind = FILE_NONE;
	if (!file_stat(path, &st))
		return err_at(err, ERR_IO, path, 0, "%s", strerror(errno));
	if (!S_ISREG(st.st_mode))
		return err_at(err, ERR_IO, path, 0, "not a regular file");
	if (!file_open(&file, path, err))
		return false;
	bytes = read_head(&file, &len, err);
	if (bytes)
		*kind = probe(&(struct head){ &file, path_name(path), bytes, len });
	free(bytes);
	file_close(&file);
	return bytes;
}

const char *checkpoint_of_prefix(const char *prefix, struct arena *mem)
{
	struct str index = {0};
	const char *table = NULL;
	enum file_kind kind;

	str_fmt(&index, "%s.index", prefix);
	if (!file_is_there(prefix) && recognise(index.text, &kind, NULL)
	    && kind == FILE_CHECKPOINT)
		table = arena_copy(mem, index.text, index.len);
	str_release(&index);
	return table;
}
