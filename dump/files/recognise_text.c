/*
 * Text: JSON by a key that only one program writes, tables by words of their heading, protobuf
 * text by its first field.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/files/recognise_parts.h"

static const struct { const char *field; enum file_kind kind; } text_fields[] = {
	{ "node", FILE_GRAPH_TEXT },
	{ "versions", FILE_GRAPH_TEXT },
	{ "library", FILE_GRAPH_TEXT },
	{ "step_stats", FILE_RUN_METADATA_TEXT },
	{ "cost_graph", FILE_RUN_METADATA_TEXT },
	{ "partition_graphs", FILE_RUN_METADATA_TEXT },
	{ "function_graphs", FILE_RUN_METADATA_TEXT },
	{ "dev_stats", FILE_STEP_STATS_TEXT },
	{ "meta_info_def", FILE_META_GRAPH },
};

/* Past blanks and comments. */
static const char *skip_blanks(const char *at, const char *end)
{
	while (at < end && (isspace((unsigned char)*at) || *at == '#')) {
		if (*at == '#')
			while (at < end && *at != '\n')
				at++;
		else
			at++;
	}
	return at;
}

static bool begins(const char *at, const char *end, const char *with)
{
	size_t n = strlen(with);

	return (size_t)(end - at) >= n && !memcmp(at, with, n);
}

/* A first field of protobuf text format: NAME { or NAME: { or NAME <. */
static enum file_kind text_kind(const char *at, const char *end)
{
	for (size_t i = 0; i < sizeof text_fields / sizeof *text_fields; i++) {
		const char *after;

		if (!begins(at, end, text_fields[i].field))
			continue;
		after = skip_blanks(at + strlen(text_fields[i].field), end);
		if (after < end && *after == ':')
			after = skip_blanks(after + 1, end);
		if (after < end && (*after == '{' || *after == '<' || *after == '['))
			return text_fields[i].kind;
	}
	return FILE_NONE;
}


static bool has(const char *at, const char *end, const char *text)
{
	return memmem(at, (size_t)(end - at), text, strlen(text));
}

static const struct { const char *key; enum file_kind kind; } json_keys[] = {
	{ "\"traceEvents\"", FILE_TRACE },
	{ "\"tensordbg-stacks\"", FILE_STACKS },
	{ "\"rocprofiler-sdk-tool\"", FILE_ROCPROF_JSON },
	{ "\"weight_map\"", FILE_SAFETENSORS_INDEX },
	{ "\"dump_data_dir\"", FILE_MSPROBE },
};

/* An array of events, or an object with them; both may be cut, or hold none. */
static enum file_kind json_kind(const char *at, const char *end)
{
	const char *inner = skip_blanks(at + 1, end);
	bool is_empty = inner < end && *inner == (*at == '{' ? '}' : ']')
	                && skip_blanks(inner + 1, end) == end;

	if (is_empty)
		return FILE_TRACE;
	if (*at == '[')
		return has(inner, end, "\"ph\"") ? FILE_TRACE : FILE_NONE;
	if (begins(inner, end, "\"ph\""))
		return FILE_TRACE_LINES;
	for (size_t i = 0; i < sizeof json_keys / sizeof *json_keys; i++)
		if (has(at, end, json_keys[i].key))
			return json_keys[i].kind;
	return FILE_NONE;
}

/* Words that stand together in the heading of a table. */
static const struct { const char *words[3]; enum file_kind kind; } signs[] = {
	{ { "\"Function\"", "\"Start_Timestamp\"", "\"Domain\"" }, FILE_CALL_TABLE },
	{ { "\"Process Name\"", "\"Kernel Name\"", "\"Metric Name\"" }, FILE_NCU_TABLE },
	{ { "== NVPROF is profiling process", NULL }, FILE_KERNEL_TABLE },
	{ { "Profiling result:", NULL }, FILE_KERNEL_TABLE },
	{ { "No kernels were profiled", NULL }, FILE_KERNEL_TABLE },
	{ { "Start", "Duration", "Correlation_ID" }, FILE_KERNEL_TABLE },
	{ { "Start", "Duration", "Registers Per Thread" }, FILE_KERNEL_TABLE },
	{ { "Start  Duration", "Grid Size", NULL }, FILE_KERNEL_TABLE },
	{ { "Time(%)", "Calls", "Avg" }, FILE_KERNEL_TABLE },
	{ { "Time (%)", "Total Time", NULL }, FILE_KERNEL_TABLE },
	{ { "Time(%)", "Total Time", NULL }, FILE_KERNEL_TABLE },
	{ { "Start (", "Duration (", "CorrId" }, FILE_KERNEL_TABLE },
	{ { "KernelName", "gpu-id", NULL }, FILE_KERNEL_TABLE },
	{ { "Kernel_Name", "Start_Timestamp", NULL }, FILE_KERNEL_TABLE },
	{ { "Start_Timestamp", "End_Timestamp", "Correlation_Id" }, FILE_KERNEL_TABLE },
	{ { "Name", "TotalDurationNs", NULL }, FILE_KERNEL_TABLE },
	{ { "\"Device\"", "\"Kernel\"", "\"Metric Name\"" }, FILE_KERNEL_TABLE },
};

/* "profile:  kernel;" anywhere, as HCC writes it. */
static bool is_log(const char *at, const char *end)
{
	static const char *const types[] = { "kernel;", "copy;", "copyslo;", "barrier;" };

	while ((at = memmem(at, (size_t)(end - at), "profile:", 8))) {
		at += 8;
		while (at < end && (*at == ' ' || *at == '\t'))
			at++;
		for (size_t i = 0; i < sizeof types / sizeof *types; i++)
			if (begins(at, end, types[i]))
				return true;
	}
	return false;
}

static enum file_kind table_kind(const char *at, const char *end)
{
	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
		bool all = true;

		for (size_t w = 0; w < 3 && signs[i].words[w] && all; w++)
			all = has(at, end, signs[i].words[w]);
		if (all)
			return signs[i].kind;
	}
	return is_log(at, end) ? FILE_KERNEL_LOG : FILE_NONE;
}

/* Line by line: comments may stand before it. */
static bool has_hlo(const char *at, const char *end)
{
	return begins(at, end, "HloModule ") || has(at, end, "\nHloModule ");
}

/* Its labels name computations in HTML. */
static bool is_drawn_by_xla(const char *at, const char *end)
{
	return has(at, end, "label = <<b>") && has(at, end, "<br/>Computation ");
}

/* A trace as Windows tools save it, every other byte a NUL. */
static bool is_trace_in_utf16(const char *at, const char *end)
{
	if (!begins(at, end, "\xff\xfe") && !begins(at, end, "\xfe\xff"))
		return false;
	return memmem(at, (size_t)(end - at), "\"\0p\0h\0\"", 7)
	       || memmem(at, (size_t)(end - at), "\"\0t\0r\0a\0c\0e\0E", 13);
}

/* "// made by hand", then the list of events. */
static bool is_trace_behind_comment(const char *at, const char *end)
{
	const char *line = begins(at, end, "//") ? memchr(at, '\n', (size_t)(end - at)) : NULL;

	line = line ? skip_blanks(line, end) : end;
	return line < end && (*line == '[' || *line == '{') && has(line, end, "\"ph\"");
}

/* A table that a shell of Windows wrote, every other byte a NUL. */
static enum file_kind utf16_table_kind(const char *at, const char *end)
{
	size_t n = (size_t)(end - at) / 2, first = begins(at, end, "\xff\xfe") ? 0 : 1;
	char *narrow = mem_alloc(n + 1);
	enum file_kind kind;

	for (size_t i = 0; i < n; i++)
		narrow[i] = at[2 * i + first];
	kind = table_kind(narrow, narrow + n);
	free(narrow);
	return kind;
}

enum file_kind kind_of_text(const char *text, size_t len)
{
	const char *end = text + len, *at = text;
	enum file_kind kind;

	if (begins(at, end, "\xef\xbb\xbf"))
		at += 3;
	if (is_trace_in_utf16(at, end))
		return FILE_TRACE_UTF16;
	if (begins(at, end, "\xff\xfe") || begins(at, end, "\xfe\xff"))
		return utf16_table_kind(at, end);
	if (is_trace_behind_comment(at, end))
		return FILE_TRACE_COMMENT;
	if (memchr(at, '\0', (size_t)(end - at)) && *skip_blanks(at, end) != '{'
	    && *skip_blanks(at, end) != '[')
		return FILE_NONE;
	if (begins(at, end, "model_checkpoint_path:")
	    || begins(at, end, "all_model_checkpoint_paths:"))
		return FILE_CHECKPOINT_LIST;
	at = skip_blanks(at, end);
	if (has_hlo(at, end))
		return FILE_HLO;
	if (begins(at, end, "digraph"))
		return is_drawn_by_xla(at, end) ? FILE_HLO_DOT : FILE_GRAPHVIZ;
	if (begins(at, end, "saved_model_schema_version:"))
		return FILE_SAVED_MODEL;
	kind = at < end && (*at == '{' || *at == '[') ? json_kind(at, end) : text_kind(at, end);
	return kind == FILE_NONE ? table_kind(at, end) : kind;
}

enum file_kind kind_by_text(const struct head *head)
{
	return kind_of_text((const char *)head->bytes, head->len);
}
