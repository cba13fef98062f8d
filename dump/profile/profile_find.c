/* Which files of PATH are parts of a profile, and what was named by option. */
#include "dump/profile/profile_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "dump/base/path.h"
#include "dump/format/file.h"
#include "dump/profile/run_metadata.h"
#include "dump/profile/trace_chrome.h"
#include "dump/profile/trace_database.h"
#include "dump/profile/trace_hcc.h"
#include "dump/profile/trace_summary.h"
#include "dump/profile/trace_table.h"
#include "dump/profile/xspace.h"

#define FILES_LOOKED_AT 4096     /* of a directory */

static int by_name(const void *a, const void *b)
{
	return natural_order(*(char *const *)a, *(char *const *)b);
}

const struct step_source *part_source(enum file_kind kind)
{
	static const struct {
		enum file_kind kind, text;
		const struct step_source *source;
	} sources[] = {
		{ FILE_RUN_METADATA, FILE_RUN_METADATA_TEXT, &run_metadata_source },
		{ FILE_STEP_STATS, FILE_STEP_STATS_TEXT, &step_stats_source },
	};

	for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
		if (kind == sources[i].kind || kind == sources[i].text)
			return sources[i].source;
	return NULL;
}

const struct trace_source *part_trace_source(enum file_kind kind)
{
	switch (kind) {
	case FILE_TRACE:
	case FILE_TRACE_GZIP: return &chrome_source;
	case FILE_XSPACE:
	case FILE_XSPACE_GZIP: return &xspace_source;
	case FILE_KERNEL_TABLE: return &table_source;
	case FILE_KERNEL_LOG: return &hcc_source;
	case FILE_NSYS_SQLITE:
	case FILE_NVPROF_SQLITE:
	case FILE_ROCPD: return &database_source;
	case FILE_SUMMARY: return &summary_source;
	default: return NULL;
	}
}

bool part_is_module(const struct part *part)
{
	switch (part->kind) {
	case FILE_HLO:
	case FILE_HLO_GZIP:
	case FILE_HLO_PROTO:
	case FILE_HLO_PROTO_GZIP: return true;
	default: return false;
	}
}

/* A summary is opened by its own path, not for lying beside others. */
bool part_is_trace(const struct part *part)
{
	return part_trace_source(part->kind) && (part->kind != FILE_SUMMARY || part->named);
}

bool part_is_step(const struct part *part)
{
	return part_source(part->kind);
}

bool profile_list_names(struct profile *profile, const char *path, struct part_names *names,
                        struct err *err)
{
	if (!part_names_read(path, FILES_LOOKED_AT, &profile->mem, names, err))
		return false;
	if (names->at.len)
		qsort(names->at.at, names->at.len, sizeof *names->at.at, by_name);
	return true;
}

const char *profile_joined(struct profile *profile, const char *dir, const char *name)
{
	struct str path = {0};
	const char *copy;

	str_fmt(&path, "%s%s%s", dir, *dir && dir[strlen(dir) - 1] == '/' ? "" : "/", name);
	copy = profile_keep(profile, path.text);
	str_release(&path);
	return copy;
}

static bool nothing_here(const char *path, struct err *err)
{
	return err_at(err, ERR_MISSING, path, 0,
	              "no profile here: looked for " PROFILE_SIGNS);
}

/* A file that may be anything: nothing of it came although it, or a link to it, is there. */
static bool is_unread(const char *path, const struct err *why)
{
	struct stat st;

	if (why->code != ERR_IO)
		return false;
	return file_stat(path, &st) ? S_ISREG(st.st_mode)
	                            : !lstat(path, &st) && S_ISLNK(st.st_mode);
}

/* What a file is that no kind fits: nothing, or not known. */
static const char *why_not_known(const char *path)
{
	struct stat st;

	return file_stat(path, &st) && !st.st_size ? "an empty file" : "nothing in it is known";
}

/*
 * Looks at one file. What is no part is kept as a lost one for now. False: there is no memory for
 * it.
 */
static bool look_at_file(struct profile *profile, const char *dir, const char *name,
                         struct err *err)
{
	struct part part = { .path = profile_joined(profile, dir, name), .shown = name };
	struct err why = {0};
	bool ok = recognise(part.path, &part.kind, &why);
	struct stat st;

	if (!ok && why.code == ERR_LIMIT) {
		if (err)
			*err = why;
		return false;
	}
	if (!ok || part.kind == FILE_NONE)
		part.lost = profile_keep(profile, ok ? why_not_known(part.path) : why.msg);
	part.unread = !ok && is_unread(part.path, &why);
	if (file_stat(part.path, &st))
		part.changed_s = st.st_mtim.tv_sec;
	if (ok && part_trace_source(part.kind) == &chrome_source)
		trace_worker_of(part.path, &part.worker);
	if (part.kind != FILE_GZIP)
		vec_push(&profile->parts->found, part);
	return true;
}

/* The part that is opened and has a name like this but for numbers. NULL: none. */
static const struct part *part_like(const struct profile *profile, const char *name)
{
	for (size_t i = 0; i < profile->parts->found.len; i++) {
		const struct part *part = &profile->parts->found.at[i];

		if (!file_kind_answer(part->kind) && !part->lost
		    && part_names_are_alike(part->shown, name))
			return part;
	}
	return NULL;
}

/*
 * Of what is no part: files that look like one, or that can't be read, are missed, and a step
 * among them keeps its place.
 */
static void note_lost(struct profile *profile)
{
	size_t n = profile->parts->found.len, kept = 0;

	for (size_t i = 0; i < n; i++) {
		struct part part = profile->parts->found.at[i];
		const struct part *like = part.lost ? part_like(profile, part.shown) : NULL;
		struct str text = {0};

		if (part.lost && (like || part.unread || part_name_is_usual(part.shown))) {
			str_fmt(&text, "%s: %s", part.shown, part.lost);
			vec_push(&profile->problems, profile_keep(profile, text.text));
			str_release(&text);
		}
		if (like)
			part.kind = like->kind;
		profile->parts->found.at[i] = part;
	}
	for (size_t i = 0; i < n; i++)
		if (!profile->parts->found.at[i].lost || part_is_step(&profile->parts->found.at[i]))
			profile->parts->found.at[kept++] = profile->parts->found.at[i];
	profile->parts->found.len = kept;
}

static void note_unlooked(struct profile *profile, size_t n_all)
{
	struct str text = {0};

	if (n_all <= FILES_LOOKED_AT)
		return;
	str_fmt(&text,
	        "%zu files: only %d of them were looked at, those named *.pb and *.pbtxt first",
	        n_all, FILES_LOOKED_AT);
	vec_push(&profile->problems, profile_keep(profile, text.text));
	str_release(&text);
}

/* Files of arrays are taken out of a directory only if they are in it themselves. */
static const char *why_closed(const struct part *part)
{
	struct stat st;

	if (!lstat(part->path, &st) && S_ISLNK(st.st_mode))
		return "a symbolic link, which is not followed: open it by itself";
	return file_kind_answer(part->kind);
}

/* What the parts that were found come to. */
static bool judge_directory(const struct profile *profile, const char *path, struct err *err)
{
	const struct part *closed = NULL;

	for (size_t i = 0; i < profile->parts->found.len; i++) {
		const struct part *part = &profile->parts->found.at[i];

		if (part->lost)
			continue;
		if (!file_kind_answer(part->kind))
			return true;
		closed = closed ? closed : part;
	}
	if (closed)
		return err_at(err, ERR_UNSUPPORTED, closed->path, 0, "%s: %s", closed->shown,
		              why_closed(closed));
	if (profile->problems.len)
		return err_damaged(err, DAMAGE_WHOLE, path, 0, "%s", profile->problems.at[0]);
	return nothing_here(path, err);
}

/* A file that is there and can't be opened as it is makes a directory no worse. */
static bool look_into_directory(struct profile *profile, const char *path, struct err *err)
{
	struct part_names names;
	bool ok = profile_list_names(profile, path, &names, err);

	for (size_t i = 0; ok && i < names.at.len; i++)
		ok = look_at_file(profile, path, names.at.at[i], err);
	if (ok) {
		note_lost(profile);
		note_unlooked(profile, names.n_all);
		ok = judge_directory(profile, path, err);
	}
	part_names_release(&names);
	return ok;
}

void profile_take_summary(struct profile *profile, const char *path)
{
	const char *kept = profile_keep(profile, path);

	profile->dir = path_directory(&profile->mem, path);
	profile->parts->alone = true;
	vec_push(&profile->parts->found, ((struct part){ .path = kept, .shown = kept,
	                                                 .kind = FILE_SUMMARY, .named = true }));
}

bool profile_narrow(struct profile *profile, const char *worker)
{
	const struct part *chosen = profile_choose_trace(profile);

	if (!chosen || chosen->kind != FILE_SUMMARY)
		return false;
	profile->worker = profile_keep(profile, worker);
	return true;
}

/* As the step that is open is called; else what was chosen. */
static void enter_same_step(struct profile *profile, const struct profile *open)
{
	const char *label = open->current < open->steps.len
	                    ? open->steps.at[open->current].label : "";

	for (size_t i = 0; i < profile->steps.len; i++)
		if (!strcmp(profile->steps.at[i].label, label)) {
			profile->current = i;
			return;
		}
}

struct profile *profile_of_worker(const struct profile *profile, const char *worker,
                                  struct progress *progress, struct err *err)
{
	const struct part *chosen = profile_choose_trace(profile);
	struct profile *own = profile_new();

	profile_take_summary(own, chosen->path);
	profile_narrow(own, worker);
	if (profile_load(own, progress, err) && own->steps.len) {
		enter_same_step(own, profile);
		return own;
	}
	if (!err->code)
		err_fill(err, ERR_VALUE, chosen->path, 0, "%s has no steps", worker);
	profile_close(own);
	return NULL;
}

bool profile_look(struct profile *profile, const char *path, struct err *err)
{
	const char *kept = profile_keep(profile, path);
	struct part part = { .path = kept, .shown = kept };
	struct stat st;

	if (!file_stat(path, &st))
		return err_at(err, ERR_IO, path, 0, "%s", strerror(errno));
	profile->dir = S_ISDIR(st.st_mode) ? kept : path_directory(&profile->mem, path);
	if (S_ISDIR(st.st_mode))
		return look_into_directory(profile, path, err);
	if (!recognise(path, &part.kind, err))
		return false;
	if (part.kind == FILE_NONE)
		return nothing_here(path, err);
	if (file_kind_answer(part.kind))
		return err_at(err, ERR_UNSUPPORTED, path, 0, "%s", file_kind_answer(part.kind));
	profile->parts->alone = true;
	vec_push(&profile->parts->found, part);
	return true;
}

/*
 * By option. A file that no kind fits is taken at its word (an empty RunMetadata is an empty file);
 * one that is clearly of another kind is refused.
 */
static bool name_part(struct profile *profile, const char *path, enum file_kind binary,
                      enum file_kind other, const char *step, struct err *err)
{
	const char *kept = profile_keep(profile, path);
	struct part part = { .path = kept, .shown = kept, .named = true };

	if (!recognise(path, &part.kind, err))
		return false;
	if (part.kind == FILE_NONE)
		part.kind = binary;
	if (part.kind != binary && part.kind != other
	    && !(part_source(binary) && part_is_step(&part))
	    && !(binary == FILE_GRAPH && part_is_module(&part)))
		return err_at(err, ERR_UNSUPPORTED, path, 0, "%s expected, but this is: %s",
		              file_kind_name(binary), file_kind_name(part.kind));
	part.step = step ? profile_keep(profile, step) : NULL;
	if (!profile->dir)
		profile->dir = path_directory(&profile->mem, path);
	vec_push(&profile->parts->found, part);
	return true;
}

bool profile_name_graph(struct profile *profile, const char *path, struct err *err)
{
	return name_part(profile, path, FILE_GRAPH, FILE_GRAPH_TEXT, NULL, err);
}

bool profile_name_op_log(struct profile *profile, const char *path, struct err *err)
{
	return name_part(profile, path, FILE_OP_LOG, FILE_OP_LOG, NULL, err);
}

bool profile_name_run_metadata(struct profile *profile, const char *path, const char *step,
                               struct err *err)
{
	return name_part(profile, path, FILE_RUN_METADATA, FILE_RUN_METADATA_TEXT, step, err);
}
