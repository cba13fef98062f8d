/*
 * The bytes as a summary, as the rows of one whose checksums are right, and as the value of a row
 * of each kind. The rows that can be read are written again: what opens, joins and mounts a summary
 * gets them.
 */
#include "dump/summary/rows.h"

#include <stdlib.h>
#include <string.h>

#include "dump/format/crc32c.h"
#include "dump/profile/trace_summary.h"
#include "dump/summary/event_files.h"
#include "dump/summary/merge.h"
#include "dump/summary/whole.h"
#include "dump/summary/writer.h"
#include "tests/input.h"

static void read_value(const struct summary_row *row, struct arena *mem)
{
	struct err err = {0};
	struct summary_source source;
	struct summary_run run = {0};
	struct summary_device device;
	struct summary_problem problem;
	struct summary_value value = {0};
	struct summary_step step;
	struct summary_kernel kernel;
	struct str out = {0};

	if (summary_read_source("f", row, mem, &source, &err))
		summary_put_source(&out, &source);
	if (summary_read_run("f", row, mem, &run, &err))
		summary_put_run(&out, &run);
	if (summary_read_device("f", row, mem, &device, &err))
		summary_put_device(&out, &device);
	if (summary_read_problem("f", row, mem, &problem, &err))
		summary_put_problem(&out, &problem);
	if (summary_read_value("f", row, mem, &value, &err))
		summary_put_value(&out, &value);
	if (summary_read_step("f", row, mem, &step, &err))
		summary_put_step(&out, &step);
	if (summary_read_kernel("f", row, mem, &kernel, &err))
		summary_put_kernel(&out, &kernel);
	summary_run_release(&run);
	summary_value_release(&value);
	str_release(&out);
}

static void read_all(const void *bytes, size_t len, struct arena *mem)
{
	struct err err = {0};
	struct summary_reader *r = summary_open(input_file(bytes, len), &err);
	struct summary_row row;

	while (r && summary_next(r, &row, &err))
		read_value(&row, mem);
	MUST(r || err.code);
	summary_close(r);
}

static void put_frame(struct str *out, char kind, const void *payload, size_t len)
{
	unsigned char head[SUMMARY_FRAME_BYTES] = { (unsigned char)kind };
	uint32_t crc;

	for (int i = 0; i < 4; i++)
		head[1 + i] = (unsigned char)(len >> (8 * i));
	crc = crc32c(crc32c(0, head, 5), payload, len);
	for (int i = 0; i < 4; i++)
		head[5 + i] = (unsigned char)(crc >> (8 * i));
	str_put(out, (const char *)head, sizeof head);
	str_put(out, payload, len);
}

/* A whole summary: its runs, its steps, its programs, and it joined with itself, which it stays. */
static void open_whole(const char *path, const struct str *bytes)
{
	struct err err = {0};
	struct whole *whole = whole_read(path, NULL, &err);
	struct trace *trace = trace_load(path, &summary_source, NULL, NULL, &err);
	struct mount *mount = summary_mount_events(path, "f/rows", NULL, NULL, &err);
	struct str missing = {0};
	struct merged merged;
	char *joined = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&joined, &len);

	if (whole) {
		whole_put_missing(whole, &missing);
		counted_let_go(&whole->kept);
	}
	trace_free(trace);
	mount_release(mount);
	MUST(out);
	err = (struct err){0};
	if (summary_merge((const char *const[]){ path, path }, 2, out, &merged, NULL, &err)) {
		fclose(out);
		MUST(merged.incomplete || (len == bytes->len && !memcmp(joined, bytes->text, len)));
	} else {
		fclose(out);
	}
	free(joined);
	str_release(&missing);
}

static void write_again(const char *path, struct arena *mem)
{
	struct err err = {0};
	struct summary_reader *r = summary_open(path, &err);
	struct summary_writer writer;
	struct summary_row row;
	struct str bytes = {0};
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	MUST(out);
	summary_begin(&writer, out);
	while (r && summary_next(r, &row, &err)) {
		read_value(&row, mem);
		summary_add(&writer, row.key_bytes, row.value);
	}
	summary_close(r);
	summary_finish(&writer);
	summary_writer_release(&writer);
	fclose(out);
	str_put(&bytes, text, len);
	open_whole(input_file((const uint8_t *)text, len), &bytes);
	free(text);
	str_release(&bytes);
}

static void read_framed(const uint8_t *data, size_t size, struct arena *mem)
{
	struct str file = {0};

	str_puts(&file, SUMMARY_MAGIC);
	put_frame(&file, SUMMARY_HEAD, "\x08\x01", 2);
	put_frame(&file, SUMMARY_ROWS, data, size);
	write_again(input_file((const uint8_t *)file.text, file.len), mem);
	str_release(&file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct summary_row row = { .value = { (const char *)data, size },
	                           .key = { SUMMARY_VALUE, 1, 1, "w", "r", "d", "n", "o" } };
	struct arena mem = {0};

	read_value(&row, &mem);
	read_all(data, size, &mem);
	if (size)
		read_framed(data, size, &mem);
	arena_release(&mem);
	return 0;
}
