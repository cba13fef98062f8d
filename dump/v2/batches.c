#include "dump/v2/batches.h"

#include <string.h>

#include "dump/base/str.h"
#include "dump/format/file.h"
#include "dump/format/json.h"

#define FILE_NAME "steps.json"
#define FORMAT "tensordbg-steps"

enum { FILE_MOST = 64 << 20 /* bytes */, STEPS_MOST = INT32_MAX };

struct steps_read {
	bool is_format, is_run, ended, keeps_all;
	VEC(struct program_batch) batches;
};

/* *is_here: it has steps here, not a run of a session. */
static bool read_batch(struct json *json, struct arena *mem, struct program_batch *batch,
                       bool *is_here)
{
	int64_t first = -1, last = -1;
	uint64_t off;

	*batch = (struct program_batch){ .fit = -1, .epoch = -1, .batch = -1 };
	if (!json_object(json))
		return false;
	off = json->value_off;
	while (json_more(json)) {
		const char *key = str_text(&json->key);
		int64_t *number = !strcmp(key, "first")   ? &first
		                  : !strcmp(key, "last")  ? &last
		                  : !strcmp(key, "fit")   ? &batch->fit
		                  : !strcmp(key, "epoch") ? &batch->epoch
		                  : !strcmp(key, "batch") ? &batch->batch
		                                          : NULL;

		if (number)
			json_whole(json, number);
		else if (strcmp(key, "model"))
			json_skip(json);
		else if (json_string(json))
			batch->model = arena_copy(mem, json->text.text, json->text.len);
	}
	json->value_off = off;
	if (json->failed)
		return false;
	*is_here = first >= 0 || last >= 0;
	if (*is_here && (first < 0 || last < first || last > STEPS_MOST || batch->batch < 0))
		return json_refuse(json, "an entry without steps or without a batch");
	batch->first = (uint32_t)first;
	batch->last = (uint32_t)last;
	return true;
}

static void read_steps(struct json *json, struct arena *mem, struct steps_read *out)
{
	struct program_batch batch;
	bool is_here;

	if (json_array(json))
		while (json_more(json) && read_batch(json, mem, &batch, &is_here))
			if (is_here)
				vec_push(&out->batches, batch);
}

static void read_object(struct json *json, const struct program *program, struct arena *mem,
                        struct steps_read *out)
{
	int64_t most;

	if (!json_object(json))
		return;
	while (json_more(json)) {
		const char *key = str_text(&json->key);

		if (!strcmp(key, "format") && json_string(json)) {
			out->is_format = !strcmp(str_text(&json->text), FORMAT);
		} else if (!strcmp(key, "run_id") && json_string(json)) {
			out->is_run = program->run_id && !strcmp(json->text.text, program->run_id);
		} else if (!strcmp(key, "ended")) {
			out->ended = json_true(json);
			if (!out->ended)
				json_skip(json);
		} else if (!strcmp(key, "most")) {
			out->keeps_all = !json_null(json) && json_whole(json, &most) && !most;
		} else if (!strcmp(key, "steps")) {
			read_steps(json, mem, out);
		} else if (!json->failed) {
			json_skip(json);
		}
	}
}

void batches_read(struct program *program, struct err *err)
{
	struct steps_read found = {0};
	struct str path = {0};
	struct json json;
	struct file file;
	bool is_known;

	str_fmt(&path, "%s/" FILE_NAME, program->path);
	if (file_is_there(path.text) && file_open(&file, path.text, err)) {
		json_start(&json, &file, err);
		if (file.size > FILE_MOST)
			err_fill(err, ERR_LIMIT, path.text, 0, "more than %d bytes", FILE_MOST);
		else
			read_object(&json, program, &program->mem, &found);
		if (!err->code)
			json_end(&json);
		json_release(&json);
		file_close(&file);
	}
	is_known = !err->code && found.is_format && found.is_run;
	program->ended = is_known && found.ended;
	program->keeps_all = is_known && found.keeps_all;
	program->batches.len = 0;
	for (size_t i = 0; is_known && i < found.batches.len; i++)
		vec_push(&program->batches, found.batches.at[i]);
	vec_release(&found.batches);
	str_release(&path);
}
