#include "dump/model/left_out.h"

#include <inttypes.h>
#include <string.h>

#include "dump/files/recognise.h"
#include "dump/files/walk.h"
#include "dump/format/file.h"
#include "dump/format/json.h"

enum { FILE_MOST = 16 << 20 /* bytes */, TEXT_MOST = 1000 /* bytes of a text that are shown */ };

struct entry_read {
	struct str what, why;
	int64_t count, first_step;       /* first_step -1: not known */
	uint64_t off;
};

/* Of a text that is too long the beginning, which ends with a whole character. */
static void take_text(struct json *json, struct str *out)
{
	size_t len = json->text.len;

	str_reset(out);
	if (len > TEXT_MOST)
		for (len = TEXT_MOST; len && (json->text.text[len] & 0xc0) == 0x80; )
			len--;
	str_put(out, str_text(&json->text), len);
	for (size_t i = 0; i < len; i++)
		if (!out->text[i])
			out->text[i] = '?';
	if (len < json->text.len)
		str_puts(out, "...");
}

static void take_whole(struct json *json, int64_t *out)
{
	if (!json_null(json))
		json_whole(json, out);
}

static bool read_entry(struct json *json, struct entry_read *entry)
{
	str_reset(&entry->what);
	str_reset(&entry->why);
	entry->count = 1;
	entry->first_step = -1;
	if (!json_object(json))
		return false;
	entry->off = json->value_off;
	while (json_more(json)) {
		const char *key = str_text(&json->key);
		bool is_why = !strcmp(key, "why");

		if (is_why || !strcmp(key, "what")) {
			if (json_string(json))
				take_text(json, is_why ? &entry->why : &entry->what);
		} else if (!strcmp(key, "count")) {
			take_whole(json, &entry->count);
		} else if (!strcmp(key, "first_step")) {
			take_whole(json, &entry->first_step);
		} else {
			json_skip(json);
		}
	}
	json->value_off = entry->off;
	if (!json->failed && (!entry->what.len || !entry->why.len))
		return json_refuse(json, "an entry without \"what\" or \"why\"");
	if (!json->failed && entry->count < 1)
		return json_refuse(json, "an entry whose count is %" PRId64, entry->count);
	return !json->failed;
}

/* "embed.grad: a sparse tensor (12 times, first in step 3)" */
static void put_entry(const struct entry_read *entry, struct str *out)
{
	bool several = entry->count > 1, has_step = entry->first_step >= 0;

	str_reset(out);
	str_fmt(out, "%s: %s", entry->what.text, entry->why.text);
	if (several || has_step)
		str_puts(out, " (");
	if (several)
		str_fmt(out, "%" PRId64 " times", entry->count);
	if (has_step)
		str_fmt(out, "%sin step %" PRId64, several ? ", first " : "", entry->first_step);
	if (several || has_step)
		str_putc(out, ')');
}

static bool read_file(const char *path, const char *name, void *owner,
                      void (*take)(void *owner, const struct problem *problem), struct err *err)
{
	struct entry_read entry = {0};
	struct str text = {0};
	struct json json;
	struct file file;

	if (!file_open(&file, path, err))
		return false;
	json_start(&json, &file, err);
	if (file.size > FILE_MOST)
		err_fill(err, ERR_LIMIT, path, 0, "%" PRIu64 " bytes: at most %d are read",
		         file.size, FILE_MOST);
	else if (json_array(&json))
		while (json_more(&json) && read_entry(&json, &entry)) {
			put_entry(&entry, &text);
			take(owner, &(struct problem){
				.file = name, .text = text.text, .off = entry.off,
				.kind = PROBLEM_LEFT_OUT });
		}
	if (!err->code)
		json_end(&json);
	if (err->code == ERR_FORMAT && err->off >= file.size)
		err->damage = file.size ? DAMAGE_CUT : DAMAGE_EMPTY;
	json_release(&json);
	file_close(&file);
	str_release(&entry.what);
	str_release(&entry.why);
	str_release(&text);
	return !err->code;
}

void left_out_read(const char *dir, void *owner,
                   void (*take)(void *owner, const struct problem *problem))
{
	struct listing list = {0};
	struct str path = {0};

	if (!file_is_dir(dir) || !listing_of(&list, dir, NULL))
		list.entries.len = 0;    /* the reader of the directory says why */
	for (size_t i = 0; i < list.entries.len; i++) {
		const char *name = list.entries.at[i].name;
		struct err why = {0};

		if (kind_of_name(name) != FILE_LEFT_OUT)
			continue;
		str_reset(&path);
		str_fmt(&path, "%s/%s", dir, name);
		if (!read_file(path.text, name, owner, take, &why))
			take(owner, &(struct problem){
				.file = name, .text = why.msg, .off = why.off,
				.kind = problem_of_err(&why), .unread = true });
	}
	str_release(&path);
	listing_release(&list);
}
