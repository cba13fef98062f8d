/*
 * A directory's own kind is found by its names alone (a profile also by the heads of some files):
 * what a reader knows comes first, then a profile, then what is not opened. Below it each
 * directory is of the first kind that fits, and is not looked into any further.
 */
#include "dump/target.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dump/base/mem.h"
#include "dump/base/path.h"
#include "dump/files/below.h"
#include "dump/files/recognise.h"
#include "dump/files/archive.h"
#include "dump/files/walk.h"
#include "dump/format/file.h"
#include "dump/readers.h"
#include "dump/summary/event_files.h"
#include "dump/summary/whole.h"

enum { HEADS_MAX = 300 /* files read to find profiles below */ };

/* A directory that is looked at. */
struct look {
	const char *path;
	const struct listing *list;
	size_t *heads_left;
};

/* What it is found to be. */
struct found {
	const char *kind;                /* what is opened there; NULL: nothing, */
	enum file_kind closed;           /* but it is of this kind; FILE_NONE: of none */
	size_t n_runs;
	struct times times;
};

/* Probes. */

/* A name that begins and ends so. */
static bool has_name(const struct look *look, const char *begins, const char *ends)
{
	for (size_t i = 0; i < look->list->entries.len; i++) {
		const char *name = look->list->entries.at[i].name;

		if (!strncmp(name, begins, strlen(begins)) && text_ends(name, ends))
			return true;
	}
	return false;
}

/* A file of this kind, by its name. */
static bool has_kind(const struct look *look, enum file_kind kind)
{
	for (size_t i = 0; i < look->list->entries.len; i++)
		if (kind_of_name(look->list->entries.at[i].name) == kind)
			return true;
	return false;
}

static bool is_part_of_profile(const struct look *look, const struct entry *entry)
{
	static const char *const ends[] = { ".pb", ".pb.gz", ".pbtxt", ".context" };
	struct str path = {0};
	enum file_kind kind;
	bool is = false;

	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		is = is || text_ends(entry->name, ends[i]);
	if (entry->kind != ENTRY_FILE || *entry->name == '.' || !is || !*look->heads_left)
		return false;
	--*look->heads_left;
	str_fmt(&path, "%s/%s", look->path, entry->name);
	is = recognise(path.text, &kind, NULL) && !file_kind_answer(kind);
	str_release(&path);
	return is;
}

/* A file that is a part of a profile; only of some names heads are read. */
static bool holds_profile(const struct look *look)
{
	for (size_t i = 0; i < look->list->entries.len; i++)
		if (is_part_of_profile(look, &look->list->entries.at[i]))
			return true;
	return false;
}

static bool holds_saved_model(const struct look *look)
{
	return has_name(look, "saved_model.pb", "");
}

static bool holds_checkpoint(const struct look *look)
{
	return has_name(look, "checkpoint", "checkpoint") || has_kind(look, FILE_CHECKPOINT);
}

/*
 * What is not opened, in the order of precedence: the answer is that of the kind of file. holds:
 * what shows it; NULL: a file of that kind.
 */
static const struct { enum file_kind kind; bool (*holds)(const struct look *look); } closed[] = {
	{ FILE_SAVED_MODEL, holds_saved_model },
	{ FILE_CHECKPOINT, holds_checkpoint },
	{ FILE_EVENTS, NULL },
};

static struct found kind_of_dir(const struct look *look)
{
	struct found found = {0};

	for (size_t i = 0; readers[i] && !found.kind; i++) {
		found.times = (struct times){ -1, -1 };
		found.n_runs = readers[i]->count(look->list, &found.times);
		if (found.n_runs)
			found.kind = readers[i]->name;
	}
	if (!found.kind && programs_are_in(look->list))
		found.kind = PROGRAMS_KIND;
	if (!found.kind && holds_profile(look))
		found.kind = "profile";
	for (size_t i = 0; i < sizeof closed / sizeof *closed && !found.kind && !found.closed; i++)
		if (closed[i].holds ? closed[i].holds(look) : has_kind(look, closed[i].kind))
			found.closed = closed[i].kind;
	return found;
}

static const char *keep(struct target *target, const struct str *text)
{
	return arena_copy(&target->mem, text->text, text->len);
}

/* Below PATH. */

/* The reader of all roots, if it is one, and PATH may be a dump for what lies below; else NULL. */
static const struct reader *reader_of_all(const struct target *target)
{
	const struct reader *reader = NULL;

	for (size_t i = 0; readers[i] && !reader; i++)
		if (target->roots.len && readers[i]->look_below
		    && readers[i]->name == target->roots.at[0].kind)
			reader = readers[i];
	for (size_t i = 0; reader && i < target->roots.len; i++)
		if (target->roots.at[i].kind != reader->name)
			reader = NULL;
	return reader;
}

/* Is all that lies below PATH one dump? */
static bool open_tree(const char *path, struct target *target, struct opened *out)
{
	const struct reader *reader = reader_of_all(target);
	struct place place = {0};

	if (reader && reader->look_below(path, &target->mem, &place, NULL)
	    && (place.is_run || place.steps.len))
		out->runs = runs_of(reader, &place);
	place_release(&place);
	if (out->runs)
		target->roots.len = 0;
	return out->runs;
}

struct search {
	struct target *target;
	size_t heads_left;
	enum file_kind own;              /* of PATH itself, if it is not opened */
	const char *closed;              /* the first below that is not; NULL: there is none */
	enum file_kind closed_kind;
};

static void add_root(struct search *search, const struct below_dir *dir,
                     const struct found *found)
{
	struct arena *mem = &search->target->mem;

	vec_push(&search->target->roots, ((struct target_root){
		.path = arena_copy(mem, dir->path, strlen(dir->path)),
		.name = arena_copy(mem, dir->name, strlen(dir->name)),
		.kind = found->kind, .n_runs = found->n_runs,
		.first_us = found->times.first_us, .last_us = found->times.last_us,
	}));
}

/*
 * What is opened is looked into no further, and of the rest only what may lie around something
 * else.
 */
static bool look_below(void *owner, const struct below_dir *dir, bool *stop)
{
	struct search *search = owner;
	size_t none = 0;
	struct look look = { dir->path, dir->list, dir->depth ? &search->heads_left : &none };
	struct found found = kind_of_dir(&look);

	(void)stop;
	if (!dir->depth) {
		search->own = found.closed;
		return true;
	}
	if (found.kind) {
		add_root(search, dir, &found);
		return false;
	}
	if (found.closed && !search->closed) {
		search->closed = arena_copy(&search->target->mem, dir->name, strlen(dir->name));
		search->closed_kind = found.closed;
	}
	return !found.closed || found.closed == FILE_EVENTS || found.closed == FILE_CHECKPOINT;
}

static int by_name(const void *a, const void *b)
{
	return natural_order(((const struct target_root *)a)->name,
	                     ((const struct target_root *)b)->name);
}

static void put_unread(struct str *out, const struct below_seen *seen)
{
	if (!seen->unread)
		return;
	str_fmt(out, "; %zu director%s below can't be read%s", seen->unread,
	        seen->unread == 1 ? "y" : "ies", seen->unread == 1 ? ": " : ", the first: ");
	err_put(out, seen->first_unread.src, &seen->first_unread);
}

static void put_cut(struct str *out, const struct below_seen *seen)
{
	if (!seen->whole)
		str_fmt(out, "; only the first %zu names below were looked at", seen->names);
}

/* "logs: no dump here; logs/a holds 2 runs" */
static void note_only(struct target *target, const char *path, const struct below_seen *seen)
{
	const struct target_root *root = &target->roots.at[0];
	struct str text = {0};

	if (target->archive && seen->whole)
		return;          /* an archive mostly has one directory that all is in */
	str_fmt(&text, "%s: no dump here; ", path);
	mount_put_shown(&text, root->path);
	str_puts(&text, " holds ");
	if (root->n_runs)
		str_fmt(&text, "%zu run%s", root->n_runs, plural(root->n_runs));
	else
		str_fmt(&text, "a %s", root->kind);
	put_cut(&text, seen);
	put_unread(&text, seen);
	target->note = keep(target, &text);
	str_release(&text);
}

static void note_several(struct target *target, const char *path, const struct below_seen *seen)
{
	struct str text = {0};

	str_fmt(&text,
	        "%s: no dump here, but %zu below; \"runs\" lists them, \"runs 1\" opens the first",
	        path, target->roots.len);
	put_cut(&text, seen);
	put_unread(&text, seen);
	target->note = keep(target, &text);
	str_release(&text);
}

/* Do the profilers of TensorFlow 2 and JAX keep their sessions in this directory? */
static bool keeps_sessions(const char *dir)
{
	char *real = file_real_path(dir);
	bool keeps = real && text_ends(real, "/plugins/profile");

	free(real);
	return keeps;
}

/* Are all roots sessions of one logdir? */
static bool are_sessions(struct target *target)
{
	const char *dir = NULL;
	bool same = true;

	for (size_t i = 0; same && i < target->roots.len; i++) {
		const char *path = target->roots.at[i].path, *slash = strrchr(path, '/');
		const char *of = arena_copy(&target->mem, path, slash ? (size_t)(slash - path) : 0);

		same = slash && (dir ? !strcmp(dir, of) : keeps_sessions(of));
		dir = of;
	}
	return same;
}

/* "logs: 3 sessions of a profiler; the newest, logs/plugins/profile/C, is open; others: A, B" */
static void note_newest(struct target *target, const char *path, const struct below_seen *seen)
{
	enum { NAMED = 8 };
	size_t n = target->roots.len;
	struct str text = {0};

	str_fmt(&text, "%s: %zu sessions of a profiler; the newest, ", path, n);
	mount_put_shown(&text, target->roots.at[n - 1].path);
	str_puts(&text, ", is open; others: ");
	for (size_t i = n - 1; i-- > 0 && i + 1 + NAMED >= n; )
		str_fmt(&text, "%s%s", i + 2 < n ? ", " : "",
		        path_name(target->roots.at[i].name));
	if (n - 1 > NAMED)
		str_fmt(&text, " and %zu more", n - 1 - NAMED);
	put_cut(&text, seen);
	put_unread(&text, seen);
	target->note = keep(target, &text);
	str_release(&text);
}

/*
 * Of the kind of the directory itself, which is not opened, or of one below. False, with *err,
 * unless it is neither.
 */
static bool is_of_no_kind(const char *path, const struct search *search, struct err *err)
{
	if (search->own)
		return err_at(err, ERR_UNSUPPORTED, path, 0, "%s", file_kind_answer(search->own));
	if (search->closed)
		return err_at(err, ERR_UNSUPPORTED, path, 0, "no dump here; in %s: %s",
		              search->closed, file_kind_answer(search->closed_kind));
	return true;
}

/* An error holds few bytes: what was seen comes before the long list. */
static void nothing_here(const char *path, const struct below_seen *seen, struct err *err)
{
	struct str text = {0};

	str_puts(&text, "no TensorFlow dump here");
	put_cut(&text, seen);
	put_unread(&text, seen);
	str_puts(&text, seen->unread || !seen->whole ? "; looked for " : ": looked for ");
	readers_put_signs(&text);
	str_puts(&text, ", " PROGRAMS_SIGNS ", " PROFILE_SIGNS);
	err_fill(err, ERR_MISSING, path, 0, "%s", text.text);
	str_release(&text);
}

/* PATH itself. */

static bool is_mild(const struct err *err)
{
	return err->code == ERR_MISSING || err->code == ERR_UNSUPPORTED;
}

/* A directory in which roots lie is none itself, even if single runs lie there too. */
static bool open_dump(const char *path, struct opened *out, bool *has_roots, struct err *err)
{
	struct arena mem = {0};
	struct place place = {0};
	const struct reader *reader = readers_look(path, &mem, &place, err);

	*has_roots = place.has_roots;
	if (reader && !place.has_roots)
		out->runs = runs_of(reader, &place);
	place_release(&place);
	arena_release(&mem);
	return out->runs;
}

/*
 * Whatever can be opened there. False: nothing, and *err is ERR_MISSING or ERR_UNSUPPORTED, or a
 * trouble that counts more.
 */
static bool open_all(const char *path, struct opened *out, struct err *err)
{
	struct err why = {0};
	bool has_roots, has_dump;

	if (!open_dump(path, out, &has_roots, err)) {
		if (has_roots || err_of_reading(err))
			return false;
		out->programs = programs_open(path, &why);
		if (!out->programs && why.code != ERR_MISSING) {
			*err = why;
			return false;
		}
		why = (struct err){0};
	}
	out->has_profile = profile_look(out->profile, path, &why);
	has_dump = out->runs || out->programs;
	if (has_dump && why.code && !is_mild(&why))
		out->profile_problem = why;
	else if (why.code && !has_dump
	         && (!is_mild(&why) || (err->code == ERR_MISSING && why.code == ERR_UNSUPPORTED)))
		*err = why;
	return has_dump || out->has_profile;
}

/* Nothing lies in the directory itself; why says how that was found out. */
static bool open_below(const char *path, struct target *target, struct opened *out,
                       const struct err *why, struct err *err)
{
	struct search search = { .target = target, .heads_left = HEADS_MAX };
	struct below_seen seen;

	below_walk(path, &(struct below_sink){ &search, look_below }, &seen);
	if (open_tree(path, target, out))
		return true;
	if (target->roots.len > 1) {
		qsort(target->roots.at, target->roots.len, sizeof *target->roots.at, by_name);
		if (are_sessions(target)) {
			note_newest(target, path, &seen);
			target->path = vec_last(&target->roots)->path;
			target->roots.len = 0;
			return open_all(target->path, out, err);
		}
		note_several(target, path, &seen);
		return true;
	}
	if (target->roots.len == 1) {
		note_only(target, path, &seen);
		target->path = target->roots.at[0].path;
		target->roots.len = 0;
		return open_all(target->path, out, err);
	}
	if (!is_of_no_kind(path, &search, err))
		return false;
	if (why->code != ERR_MISSING && why->code != ERR_NONE)
		*err = *why;
	else
		nothing_here(path, &seen, err);
	return false;
}

static bool open_directory(const char *path, struct target *target, struct opened *out,
                           struct err *err)
{
	struct err why = {0};

	if (open_all(path, out, &why))
		return true;
	if (err_of_reading(&why)) {
		*err = why;
		return false;
	}
	return open_below(path, target, out, &why, err);
}

/* A file. */

/*
 * The dump around one of its files, by the file's name or by what is in it. False: there is none,
 * or *err.
 */
static bool open_around(const char *path, enum file_kind kind, struct counted *kept,
                        struct target *target, struct opened *out, struct err *err)
{
	struct place place = {0};
	const char *dump = NULL;
	struct str text = {0};

	for (size_t i = 0; readers[i] && !out->runs && !err->code; i++) {
		dump = readers[i]->around(path, kind, &target->mem, &target->file, err);
		place.kept = dump ? counted_keep(kept) : NULL;
		if (dump && readers[i]->look(dump, &target->mem, &place, dump == path ? err : NULL)
		    && (place.is_run || place.runs.len || place.steps.len))
			out->runs = runs_of(readers[i], &place);
		place_release(&place);
		place = (struct place){0};
	}
	if (!out->runs)
		return false;
	target->path = dump;
	if (strcmp(dump, path) != 0) {
		str_fmt(&text, "%s: a file of the dump in %s, which is opened", path, dump);
		target->note = keep(target, &text);
	}
	str_release(&text);
	return true;
}

/* A file of a recorded program: the run that it is of. */
static bool open_around_events(const char *path, struct target *target, struct opened *out,
                               struct err *err)
{
	struct str text = {0};

	out->programs = programs_open(path, err);
	if (!out->programs && err->code == ERR_MISSING)
		return err_at(err, ERR_UNSUPPORTED, path, 0, "%s",
		              file_kind_answer(FILE_DEBUG_EVENTS));
	if (!out->programs)
		return false;
	target->path = programs_path(out->programs);
	str_fmt(&text, "%s: a file of the dump in %s, which is opened", path, target->path);
	target->note = keep(target, &text);
	str_release(&text);
	return true;
}

/* Mounts the archive in the file at `path` at the path `as`. */
static bool mount_archive(const char *path, const char *as, enum file_kind kind,
                          struct target *target, struct progress *progress, struct err *err)
{
	struct str note = {0};

	target->archive = archive_mount(path, as, kind, &note, progress, err);
	if (note.len)
		target->note = keep(target, &note);
	str_release(&note);
	return target->archive;
}

/* The only thing in a directory, if that is a directory; NULL: it is not. */
static const char *only_directory(const char *path, struct target *target)
{
	struct listing list = {0};
	const char *only = NULL;

	if (listing_of(&list, path, NULL) && list.entries.len == 1
	    && list.entries.at[0].kind == ENTRY_DIR)
		only = arena_fmt(&target->mem, "%s/%s", path, list.entries.at[0].name);
	listing_release(&list);
	return only;
}

/* Whether it has files that recorders put into the root of a recording. */
static bool is_recording(const char *dir)
{
	static const char *const names[] = { "stacks.json", "left_out.json" };
	struct str path = {0};
	bool so = false;

	for (size_t i = 0; dir && !so && i < sizeof names / sizeof *names; i++) {
		str_reset(&path);
		str_fmt(&path, "%s/%s", dir, names[i]);
		so = file_is_there(path.text);
	}
	str_release(&path);
	return so;
}

/*
 * What an archive that is mounted holds. If that is one directory, which is the recording of a
 * recorder, the directory is opened; so is the only directory of an archive that holds nothing
 * known. Otherwise the answer is the archive's.
 */
static bool open_mounted(const char *path, enum file_kind kind, struct target *target,
                         struct opened *out, struct err *err)
{
	const char *of_archive = target->note, *only = only_directory(path, target);
	const char *inside = is_recording(only) ? only : path;
	bool ok;

	target->path = inside;
	ok = open_directory(inside, target, out, err);
	while (!ok && err->code != ERR_IO && err->code != ERR_LIMIT
	       && (inside = only_directory(inside, target))) {
		*err = (struct err){0};
		target->path = inside;
		ok = open_directory(inside, target, out, err);
	}
	if (!ok && err->code == ERR_MISSING)
		err_fill(err, ERR_UNSUPPORTED, path, 0, "%s", file_kind_answer(kind));
	if (of_archive && target->note != of_archive)
		target->note = arena_fmt(&target->mem, "%s; %s", of_archive, target->note);
	return ok;
}

/*
 * What a summary has of recorded programs opens as what they are, from a directory that only we
 * see.
 */
static bool open_events(const struct whole *whole, const char *lacks, struct target *target,
                        struct opened *out, struct progress *progress, struct err *err)
{
	const char *as = arena_fmt(&target->mem, "%s/rows", whole->path);

	target->archive = summary_mount_events(whole->path, as, out->worker, progress, err);
	out->narrowed = out->worker;
	if (target->archive)
		out->programs = programs_open(as, err);
	if (out->programs && *lacks)
		programs_set_lacks(out->programs, lacks);
	for (size_t i = 0; out->programs && i < whole->parts.len; i++) {
		const struct whole_part *part = &whole->parts.at[i];

		if (out->worker && strcmp(whole->workers.at[part->worker], out->worker) != 0)
			continue;
		for (size_t k = 0; k < part->problems.len; k++)
			programs_note_problem(out->programs, &part->problems.at[k]);
	}
	return out->programs;
}

/* Sums of a part would look like those of all: there are none while shards are missing. */
static void open_steps(const char *path, const char *lacks, struct opened *out)
{
	out->has_profile = !*lacks;
	if (out->has_profile)
		profile_take_summary(out->profile, path);
	else
		err_fill(&out->profile_problem, ERR_UNSUPPORTED, path, 0,
		         "only %s: times of steps and kernels open when all are there", lacks);
}

/* What was wrong with what the summary was made of. */
static void note_problems(const struct whole *whole, const char *worker, struct profile *profile)
{
	struct map known = {0};
	struct str text = {0};

	for (size_t i = 0; i < whole->parts.len; i++) {
		const struct whole_part *part = &whole->parts.at[i];

		if (worker && strcmp(whole->workers.at[part->worker], worker) != 0)
			continue;
		for (size_t k = 0; k < part->problems.len; k++) {
			struct problem shown = part->problems.at[k];
			size_t n = known.len;

			str_reset(&text);
			if (!strcmp(shown.file, "."))
				shown.file = "";
			problem_put(&text, &shown);
			map_add(&known, &profile->mem, text.text, text.len);
			if (known.len > n)
				vec_push(&profile->problems, known.key[n]);
		}
	}
	map_release(&known);
	str_release(&text);
}

static bool open_summary(const char *path, struct target *target, struct opened *out,
                         struct progress *progress, struct err *err)
{
	struct whole *whole = whole_read(path, progress, err);
	struct whole_content content;
	struct str lacks = {0};
	bool ok = true;

	if (!whole)
		return false;
	content = whole->content;
	whole_put_missing(whole, &lacks);
	if (content.events)
		ok = open_events(whole, str_text(&lacks), target, out, progress, err);
	if (ok && content.kernels)
		open_steps(path, str_text(&lacks), out);
	if (ok && out->has_profile && !content.runs && !content.events)
		note_problems(whole, out->worker, out->profile);
	if (ok && content.kernels && !out->has_profile && !content.runs && !content.events) {
		*err = out->profile_problem;
		ok = false;
	}
	if (ok && (content.runs || (!content.events && !out->has_profile)))
		ok = open_around(path, FILE_SUMMARY, &whole->kept, target, out, err);
	counted_let_go(&whole->kept);
	str_release(&lacks);
	return ok;
}

static bool open_file(const char *path, struct target *target, struct opened *out,
                      struct progress *progress, struct err *err)
{
	enum file_kind kind;
	struct err why = {0};
	bool ok = recognise(path, &kind, err);

	if (ok && kind == FILE_SUMMARY)
		return open_summary(path, target, out, progress, err);
	if (open_around(path, kind, NULL, target, out, &why)) {
		*err = (struct err){0};
		return true;
	}
	target->file = NULL;
	if (why.code)
		*err = why;
	if (!ok || why.code)
		return false;
	if (archive_is(kind))
		return mount_archive(path, path, kind, target, progress, err)
		       && open_mounted(path, kind, target, out, err);
	if (kind == FILE_DEBUG_EVENTS)
		return open_around_events(path, target, out, err);
	if (!file_kind_answer(kind))
		return out->has_profile = profile_look(out->profile, path, err);
	if (kind == FILE_NONE && recognise_json(path))
		err_fill(err, ERR_UNSUPPORTED, path, 0,
		         "not a trace (JSON without a list traceEvents)");
	else if (kind == FILE_NONE)
		nothing_here(path, &(struct below_seen){ .whole = true }, err);
	else
		err_fill(err, ERR_UNSUPPORTED, path, 0, "%s", file_kind_answer(kind));
	return false;
}

static bool open_standard_input(struct target *target, struct opened *out,
                                struct progress *progress, struct err *err)
{
	struct str path = {0};
	enum file_kind kind;
	int fd = archive_of_standard_input(&path, progress, err);
	bool ok = fd >= 0 && recognise(path.text, &kind, err);

	if (ok && !archive_is(kind))
		ok = err_at(err, ERR_UNSUPPORTED, "-", 0,
		            "only an archive (tar, zip) is read from standard input; this is a %s",
		            file_kind_name(kind));
	ok = ok && mount_archive(path.text, "-", kind, target, progress, err)
	     && open_mounted("-", kind, target, out, err);
	if (fd >= 0)
		close(fd);
	str_release(&path);
	return ok;
}

/* Of a path that leads into an archive, mounts that. */
static bool mount_above(const char *path, struct target *target, struct progress *progress,
                        struct err *err)
{
	const char *archive = archive_above(path, &target->mem);
	enum file_kind kind;

	if (archive && recognise(archive, &kind, NULL) && archive_is(kind))
		return mount_archive(archive, archive, kind, target, progress, err);
	return true;
}

bool target_open(const char *path, struct target *target, struct opened *out,
                 struct progress *progress, struct err *err)
{
	const char *table;
	struct stat st;

	*target = (struct target){ .path = path, .archive = mount_hold(path) };
	if (!target->archive && !strcmp(path, "-"))
		return open_standard_input(target, out, progress, err);
	if (!file_stat(path, &st) && errno == ENOTDIR
	    && !mount_above(path, target, progress, err))
		return false;
	if (!file_stat(path, &st)) {
		int why = errno;

		table = checkpoint_of_prefix(path, &target->mem);
		if (table)
			return open_file(table, target, out, progress, err);
		return err_at(err, ERR_IO, path, 0, "%s", strerror(why));
	}
	return S_ISDIR(st.st_mode) ? open_directory(path, target, out, err)
	                           : open_file(path, target, out, progress, err);
}

void target_release(struct target *target)
{
	mount_release(target->archive);
	vec_release(&target->roots);
	arena_release(&target->mem);
}
