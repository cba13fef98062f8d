#include "dump/profile/trace_database.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "dump/format/unpack.h"
#include "dump/profile/database_parts.h"

/* Texts. */

bool texts_want(struct wanted_texts *texts, struct database *db, const char *table,
                const char *const *columns, size_t n, struct err *err)
{
	struct database_rows *rows;
	struct err why = {0};

	if (!database_has(db, table))
		return true;
	rows = database_rows(db, table, columns, n, &why);
	while (rows && database_next(rows, &why))
		for (size_t i = 0; i < n; i++) {
			int64_t id;
			uint32_t *place;

			if (!database_int(rows, i, &id))
				continue;
			place = id_map_place(&texts->at, id);
			*place = TRACE_NO_NAME;
		}
	database_rows_free(rows);
	if (why.code)
		*err = why;
	return !why.code;
}

bool texts_read(struct wanted_texts *texts, struct trace *trace, struct database *db,
                const char *table, const char *id, const char *text, struct err *err)
{
	const char *const columns[] = { id, text };
	struct database_rows *rows;
	struct err why = {0};

	if (!database_has(db, table))
		return true;
	rows = database_rows(db, table, columns, 2, &why);
	while (rows && database_next(rows, &why)) {
		struct text found = database_text(rows, 1);
		int64_t number;

		if (database_int(rows, 0, &number)
		    && id_map_find(&texts->at, number) != MAP_NONE)
			*id_map_place(&texts->at, number) =
				trace_name(trace, found.at, found.len);
	}
	database_rows_free(rows);
	if (why.code)
		*err = why;
	return !why.code;
}

uint32_t texts_find(const struct wanted_texts *texts, int64_t id)
{
	uint32_t name = id_map_find(&texts->at, id);

	return name == MAP_NONE ? TRACE_NO_NAME : name;
}

void texts_release(struct wanted_texts *texts)
{
	id_map_release(&texts->at);
}

/* Devices and streams. */

static struct text put_number(char *out, size_t size, int64_t number)
{
	int len = snprintf(out, size, "%" PRId64, number);

	return (struct text){ out, (size_t)len };
}

uint32_t trace_device_number(struct trace *trace, int64_t number)
{
	char text[24];
	struct text device = put_number(text, sizeof text, number);

	return trace_device(trace, device.at, device.len) & 0x3fffffff;
}

uint32_t trace_stream_number(struct trace *trace, bool has_process, int64_t process,
                             int64_t number)
{
	char text[24], of[24];
	struct text none = { "", 0 };

	return trace_stream_of(trace, has_process ? put_number(of, sizeof of, process) : none,
	                       put_number(text, sizeof text, number));
}

/* Databases. */

enum kind { KIND_NSYS, KIND_NVPROF, KIND_ROCPD, KIND_NONE };

static const struct trace_source kinds[KIND_NONE];

static enum kind kind_of(struct database *db)
{
	if (database_suffix(db, "rocpd_kernel_dispatch", 0)
	    || database_suffix(db, "rocpd_memory_copy", 0))
		return KIND_ROCPD;
	if (database_has(db, "StringTable"))
		return KIND_NVPROF;
	if (database_has(db, "StringIds") || database_suffix(db, "CUPTI_ACTIVITY_KIND_", 0))
		return KIND_NSYS;
	return KIND_NONE;
}

static bool read_all(struct trace *trace, struct database *db, const char *path, struct err *err)
{
	enum kind kind = kind_of(db);
	bool calls = database_has(db, "CUPTI_ACTIVITY_KIND_RUNTIME");

	if (kind == KIND_NONE)
		return err_at(err, ERR_UNSUPPORTED, path, 0, "no table of kernels is in it");
	trace->source = &kinds[kind];
	if (!(kind == KIND_ROCPD ? read_rocpd(trace, db, err)
	                         : read_cupti(trace, db, kind == KIND_NSYS, err)))
		return false;
	if (!trace->records.len && !trace->n_left_out && database_damage(db)->code)
		return err_at(err, ERR_UNSUPPORTED, path, 0,
		              "database disk image is malformed (%s)", database_damage(db)->msg);
	if (!trace->records.len && !trace->n_left_out)
		return err_at(err, ERR_UNSUPPORTED, path, 0, "%s",
		              calls ? "only API calls are recorded, no kernels."
		                    : "no kernels and copies are recorded.");
	return true;
}

/* SQLite wants a whole file: what is packed, or part of an archive, becomes one first. */
static struct database *open_packed(struct file *file, struct progress *progress, struct err *cut,
                                    struct err *err)
{
	int fd = unpack(file, progress, cut, err);
	struct database *db = fd < 0 ? NULL
	                      : database_open_nameless(fd, file->path, progress, err);

	if (fd >= 0)
		close(fd);
	return db;
}

static bool is_cut(struct file *file)
{
	const unsigned char *head = file_bytes(file, 0, DATABASE_HEAD, NULL);

	return head && database_is_cut(head, file->size);
}

static bool load(struct trace *trace, struct file *file, struct progress *progress,
                 struct err *err)
{
	struct err cut = {0}, why = {0};
	struct database *db;
	bool ok;

	if (progress)
		atomic_store(&progress->what, "rows of the database");
	db = file_is_packed(file) || file->is_part || is_cut(file)
	     ? open_packed(file, progress, &cut, &why)
	     : database_open(file->path, progress, &why);
	ok = db && read_all(trace, db, file->path, &why);
	if (ok && !cut.code && database_damage(db)->damage == DAMAGE_CUT)
		cut = *database_damage(db);
	else if (ok && database_damage(db)->code)
		trace_warn_damage(trace, "A table could not be read to its end (%s).",
		                  database_damage(db)->msg);
	database_close(db);
	if (why.code == ERR_FORMAT)      /* it is known nowhere in particular */
		why.code = ERR_UNSUPPORTED;
	if (!ok && err)
		*err = why;
	if (ok)
		trace_warn_cut(trace, &cut);
	return ok;
}

const struct trace_source database_source = { .name = "database", .what = "a database",
                                              .load = load };

static const struct trace_source kinds[KIND_NONE] = {
	[KIND_NSYS] = { .name = "nsys", .what = "a database of nsys", .load = load },
	[KIND_NVPROF] = { .name = "nvprof", .what = "a database of nvprof", .load = load },
	[KIND_ROCPD] = { .name = "rocprof", .what = "a database of rocprofv3", .load = load },
};
