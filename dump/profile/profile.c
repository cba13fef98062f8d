/*
 * Parts are found first (profile_look, profile_name_*), chosen and read later (profile_load). Of the parts of one
 * kind named ones win; a binary graph wins over text, steps win over tfprof's file. Text is turned into the binary
 * form once, in a file without a name, so that everything else knows one form.
 */
#include "dump/profile/profile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dump/base/mem.h"
#include "dump/base/path.h"
#include "dump/files/recognise.h"
#include "dump/format/pbtxt.h"
#include "dump/profile/part_names.h"
#include "dump/profile/run_metadata.h"

#define FILES_LOOKED_AT 4096     /* of a directory */
#define PASSED_OVER_NAMED 8      /* files that are not opened, by name */

struct part {
	const char *path, *shown;
	const char *step;                /* its label; NULL: from the name */
	enum file_kind kind;
	bool named;                      /* by option */
	const char *lost;                /* why it can't be used; NULL: it can */
	bool unread;                     /* nobody knows whether it is one: it could not be read */
};

/* What belongs to a step of profile->steps. */
struct step_use {
	_Atomic unsigned holders;
	bool opened;                     /* the graphs were */
	struct graph_list graphs;
};

struct profile_parts {
	VEC(struct part) found;          /* in natural order of the names, named ones last */
	VEC(int) texts;                  /* open files of converted text */
	struct step *loading;
	struct step_use *uses;           /* by step */
	bool alone;                      /* PATH is one file */
	bool loaded;
};

struct profile *profile_new(void)
{
	struct profile *profile = mem_alloc(sizeof *profile);

	profile->parts = mem_alloc(sizeof *profile->parts);
	return profile;
}

static void close_graphs(struct graph_list *graphs)
{
	for (size_t i = 0; i < graphs->at.len; i++)
		graph_close(graphs->at.at[i]);
	vec_release(&graphs->at);
}

static void close_partitions(struct step_use *use)
{
	close_graphs(&use->graphs);
	use->opened = false;
}

/* What profile_load read, all of it or up to a cancel. The parts that were found stay. */
static void unload(struct profile *profile)
{
	struct profile_parts *parts = profile->parts;

	for (size_t i = 0; i < profile->steps.len; i++) {
		step_release(&profile->steps.at[i]);
		if (parts->uses)
			close_partitions(&parts->uses[i]);
	}
	free(parts->uses);
	parts->uses = NULL;
	vec_release(&profile->steps);
	profile->current = 0;
	graph_close(profile->graph);
	op_log_close(profile->op_log);
	profile_proto_close(profile->proto);
	profile->graph = NULL;
	profile->op_log = NULL;
	profile->proto = NULL;
	profile->graph_path = profile->op_log_path = profile->proto_path = NULL;
	profile->graph_is_beside = false;
	for (size_t i = 0; i < parts->texts.len; i++)
		close(parts->texts.at[i]);
	vec_release(&parts->texts);
}

void profile_close(struct profile *profile)
{
	if (!profile)
		return;
	unload(profile);
	vec_release(&profile->parts->found);
	free(profile->parts);
	vec_release(&profile->problems);
	arena_release(&profile->mem);
	free(profile);
}

/* Finding parts. */

static const char *keep(struct profile *profile, const char *text)
{
	return arena_copy(&profile->mem, text, strlen(text));
}

static int by_name(const void *a, const void *b)
{
	return natural_order(*(char *const *)a, *(char *const *)b);
}

/* What reads a step from a file of some kind; NULL: it has none. */
static const struct step_source *source_of(enum file_kind kind)
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

static bool is_step(const struct part *part)
{
	return source_of(part->kind);
}

/* The names that are looked at, in natural order. */
static bool list_names(struct profile *profile, const char *path, struct part_names *names,
                       struct err *err)
{
	if (!part_names_read(path, FILES_LOOKED_AT, &profile->mem, names, err))
		return false;
	if (names->at.len)
		qsort(names->at.at, names->at.len, sizeof *names->at.at, by_name);
	return true;
}

static const char *joined(struct profile *profile, const char *dir, const char *name)
{
	struct str path = {0};
	const char *copy;

	str_fmt(&path, "%s%s%s", dir, *dir && dir[strlen(dir) - 1] == '/' ? "" : "/", name);
	copy = keep(profile, path.text);
	str_release(&path);
	return copy;
}

static bool nothing_here(const char *path, struct err *err)
{
	return err_at(err, ERR_MISSING, path, 0,
	              "no profile here: looked for " PROFILE_SIGNS);
}

/* A file that may be anything: nothing of it came although it is there. */
static bool is_unread(const char *path, const struct err *why)
{
	struct stat st;

	return why->code == ERR_IO && stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* What a file is that no kind fits: nothing, or not known. */
static const char *why_not_known(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && !st.st_size ? "an empty file" : "nothing in it is known";
}

/*
 * Looks at one file. What is no part is kept as a lost one for now. False: there is no memory for
 * it.
 */
static bool look_at_file(struct profile *profile, const char *dir, const char *name,
                         struct err *err)
{
	struct part part = { .path = joined(profile, dir, name), .shown = name };
	struct err why = {0};
	bool ok = recognise(part.path, &part.kind, &why);

	if (!ok && why.code == ERR_LIMIT) {
		if (err)
			*err = why;
		return false;
	}
	if (!ok || part.kind == FILE_NONE)
		part.lost = keep(profile, ok ? why_not_known(part.path) : why.msg);
	part.unread = !ok && is_unread(part.path, &why);
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
			vec_push(&profile->problems, keep(profile, text.text));
			str_release(&text);
		}
		if (like)
			part.kind = like->kind;
		profile->parts->found.at[i] = part;
	}
	for (size_t i = 0; i < n; i++)
		if (!profile->parts->found.at[i].lost || is_step(&profile->parts->found.at[i]))
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
	vec_push(&profile->problems, keep(profile, text.text));
	str_release(&text);
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
		              file_kind_answer(closed->kind));
	if (profile->problems.len)
		return err_at(err, ERR_FORMAT, path, 0, "%s", profile->problems.at[0]);
	return nothing_here(path, err);
}

/* A file that is there and can't be opened as it is makes a directory no worse. */
static bool look_into_directory(struct profile *profile, const char *path, struct err *err)
{
	struct part_names names;
	bool ok = list_names(profile, path, &names, err);

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

bool profile_look(struct profile *profile, const char *path, struct err *err)
{
	struct part part = { .path = keep(profile, path), .shown = keep(profile, path) };
	struct stat st;

	if (stat(path, &st) < 0)
		return err_at(err, ERR_IO, path, 0, "%s", strerror(errno));
	profile->dir = S_ISDIR(st.st_mode) ? keep(profile, path) : path_directory(&profile->mem, path);
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
 * By option. A file that no kind fits is taken at its word (an empty RunMetadata is an empty file); one that is
 * clearly of another kind is refused.
 */
static bool name_part(struct profile *profile, const char *path, enum file_kind binary, enum file_kind other,
                      const char *step, struct err *err)
{
	struct part part = { .path = keep(profile, path), .shown = keep(profile, path), .named = true };

	if (!recognise(path, &part.kind, err))
		return false;
	if (part.kind == FILE_NONE)
		part.kind = binary;
	if (part.kind != binary && part.kind != other && !(source_of(binary) && is_step(&part)))
		return err_at(err, ERR_UNSUPPORTED, path, 0, "%s expected, but this is: %s", file_kind_name(binary),
		              file_kind_name(part.kind));
	part.step = step ? keep(profile, step) : NULL;
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

bool profile_name_run_metadata(struct profile *profile, const char *path, const char *step, struct err *err)
{
	return name_part(profile, path, FILE_RUN_METADATA, FILE_RUN_METADATA_TEXT, step, err);
}

/* Choosing among them. */

/*
 * The part of a kind that is used: a named one, else the first, of tfprof's files the last. Or
 * NULL.
 */
static const struct part *choose(const struct profile *profile, enum file_kind kind)
{
	const struct part *chosen = NULL;

	for (size_t i = 0; i < profile->parts->found.len; i++) {
		const struct part *part = &profile->parts->found.at[i];

		if (part->kind != kind || part->lost)
			continue;
		if (!chosen || kind == FILE_PROFILE_PROTO || (part->named && !chosen->named))
			chosen = part;
	}
	return chosen;
}

static const struct part *choose_graph(const struct profile *profile)
{
	const struct part *binary = choose(profile, FILE_GRAPH), *text = choose(profile, FILE_GRAPH_TEXT);

	return !binary || (text && text->named && !binary->named) ? text : binary;
}

static bool has_named_step(const struct profile *profile)
{
	for (size_t i = 0; i < profile->parts->found.len; i++)
		if (profile->parts->found.at[i].named && is_step(&profile->parts->found.at[i]))
			return true;
	return false;
}

static const char *last_number(const char *name)
{
	const char *end = name + strlen(name);

	while (end > name && (end[-1] < '0' || end[-1] > '9'))
		end--;
	while (end > name && end[-1] >= '0' && end[-1] <= '9')
		end--;
	return *end >= '0' && *end <= '9' ? end : NULL;
}

/* Do all names give numbers that differ? They go to numbers[]. */
static bool names_number(const struct profile *profile, int64_t *numbers)
{
	for (size_t i = 0; i < profile->steps.len; i++) {
		const char *number = last_number(path_name(profile->steps.at[i].file));

		if (!number || strspn(number, "0123456789") > 18)
			return false;
		numbers[i] = strtoll(number, NULL, 10);
		for (size_t k = 0; k < i; k++)
			if (numbers[k] == numbers[i])
				return false;
	}
	return true;
}

static void label_steps(struct profile *profile)
{
	int64_t *numbers = mem_alloc((profile->steps.len + 1) * sizeof *numbers);
	bool by_names = names_number(profile, numbers);
	struct str label = {0};

	for (size_t i = 0; i < profile->steps.len; i++) {
		struct step *step = &profile->steps.at[i];

		step->number = step->label && last_number(step->label) == step->label
		               ? strtoll(step->label, NULL, 10)
		               : by_names ? numbers[i] : step->number;
		if (step->label)
			continue;
		str_reset(&label);
		str_fmt(&label, "%" PRId64, step->number);
		step->label = keep(profile, label.text);
	}
	str_release(&label);
	free(numbers);
}

/* Turns text into the binary form; returns the path of that. NULL with *err. */
static const char *as_binary(struct profile *profile, const struct part *part, struct progress *progress,
                             struct err *err)
{
	enum pbtxt_root root = part->kind == FILE_GRAPH_TEXT ? PBTXT_GRAPH_DEF
		: part->kind == FILE_STEP_STATS_TEXT ? PBTXT_STEP_STATS : PBTXT_RUN_METADATA;
	struct str path = {0};
	const char *kept = NULL;
	int fd = pbtxt_convert(part->path, root, progress, err);

	if (fd >= 0) {
		vec_push(&profile->parts->texts, fd);
		str_fmt(&path, "/proc/self/fd/%d", fd);
		kept = keep(profile, path.text);
		str_release(&path);
	}
	return kept;
}

static bool is_text(enum file_kind kind)
{
	return kind == FILE_GRAPH_TEXT || kind == FILE_STEP_STATS_TEXT || kind == FILE_RUN_METADATA_TEXT;
}

/* Damage of a part that stays usable, or what kept a part from being opened. */
void profile_problem(struct profile *profile, const char *shown, const struct err *problem)
{
	struct str text = {0};
	bool is_known = false;           /* a step that was read before */

	str_fmt(&text, "%s, offset %" PRIu64 ": %s", shown, problem->off, problem->msg);
	for (size_t i = 0; i < profile->problems.len; i++)
		is_known |= !strcmp(profile->problems.at[i], text.text);
	if (!is_known)
		vec_push(&profile->problems, keep(profile, text.text));
	str_release(&text);
}

/*
 * Notes why a part is not there and goes on; false after a cancel, or if it was named: then the error is the answer.
 */
static bool go_on_without(struct profile *profile, const struct part *part, const struct err *why, struct err *err)
{
	if (part->named || profile->parts->alone || why->code == ERR_CANCELLED) {
		if (err)
			*err = *why;
		return false;
	}
	profile_problem(profile, part->shown, why);
	return true;
}

static bool take_steps(struct profile *profile, struct progress *progress, struct err *err)
{
	bool named = has_named_step(profile);
	int64_t place = 0;               /* of a step among all, lost ones too */

	for (size_t i = 0; i < profile->parts->found.len; i++) {
		const struct part *part = &profile->parts->found.at[i];
		struct step step = { .path = part->path, .file = part->shown, .label = part->step };
		struct err why = {0};

		if (!is_step(part) || part->named != named)
			continue;
		step.number = place++;
		if (part->lost)
			continue;
		step.source = source_of(part->kind);
		if (is_text(part->kind))
			step.path = as_binary(profile, part, progress, &why);
		if (step.path)
			vec_push(&profile->steps, step);
		else if (!go_on_without(profile, part, &why, err))
			return false;
	}
	label_steps(profile);
	return true;
}

/* Has the graph most of what the step ran? Nodes that begin with "_" are the runtime's own. */
static bool is_graph_of(const struct graph *graph, const struct step *step)
{
	size_t n = 0, found = 0;

	for (size_t i = 0; i < step->records.len; i++) {
		const struct record *record = &step->records.at[i];
		enum lane_kind kind = step->lanes.at[record->lane].kind;
		const char *name = record_name(step, record);

		if (*name == '_' || !lane_is_executor(kind))
			continue;
		n++;
		found += graph_find(graph, name, strlen(name)) != GRAPH_NONE;
	}
	return found && found >= n - n / 2;
}

/* NULL: *why says why not. */
static struct graph *open_graph(struct profile *profile, const struct part *part,
                                struct progress *progress, struct err *damage, struct err *why)
{
	const char *path = part->path;

	if (is_text(part->kind))
		path = as_binary(profile, part, progress, why);
	return path ? graph_open(path, 0, UINT64_MAX, progress, damage, why) : NULL;
}

static void use_graph(struct profile *profile, struct graph *graph, const struct part *part,
                      const struct err *damage)
{
	profile->graph = graph;
	profile->graph_path = part->shown;
	if (damage->code)
		profile_problem(profile, part->shown, damage);
}

/* Takes the graph in the file if it is the step's. False after a cancel. */
static bool try_beside(struct profile *profile, const struct part *part, struct progress *progress,
                       struct err *err)
{
	struct err damage = {0}, why = {0};
	struct graph *graph = open_graph(profile, part, progress, &damage, &why);

	profile->graph_is_beside = graph
	                           && is_graph_of(graph, &profile->steps.at[profile->current]);
	if (profile->graph_is_beside)
		use_graph(profile, graph, part, &damage);
	else
		graph_close(graph);
	if (why.code != ERR_CANCELLED)
		return true;
	if (err)
		*err = why;
	return false;
}

/*
 * PATH is the file of a step that has no graph: that of its directory, binary rather than text.
 * False after a cancel.
 */
static bool take_beside(struct profile *profile, struct progress *progress, struct err *err)
{
	VEC(struct part) texts = {0};
	struct part_names names;
	bool on = true;

	list_names(profile, profile->dir, &names, NULL);
	for (size_t i = 0; on && !profile->graph && i < names.at.len; i++) {
		struct part part = { .path = joined(profile, profile->dir, names.at.at[i]),
		                     .shown = names.at.at[i] };

		if (!recognise(part.path, &part.kind, NULL))
			continue;
		if (part.kind == FILE_GRAPH)
			on = try_beside(profile, &part, progress, err);
		else if (part.kind == FILE_GRAPH_TEXT)
			vec_push(&texts, part);
	}
	for (size_t i = 0; on && !profile->graph && i < texts.len; i++)
		on = try_beside(profile, &texts.at[i], progress, err);
	part_names_release(&names);
	vec_release(&texts);
	return on;
}

/* Is it a step alone, without a graph of its own? */
static bool lacks_graph(const struct profile *profile)
{
	return profile->parts->alone && !profile->parts->found.at[0].named &&
	       profile->current < profile->steps.len &&
	       !profile->steps.at[profile->current].graphs.len;
}

static bool take_graph(struct profile *profile, struct progress *progress, struct err *err)
{
	const struct part *part = choose_graph(profile);
	struct err damage = {0}, why = {0};
	struct graph *graph;

	if (!part)
		return !lacks_graph(profile) || take_beside(profile, progress, err);
	graph = open_graph(profile, part, progress, &damage, &why);
	if (!graph)
		return go_on_without(profile, part, &why, err);
	use_graph(profile, graph, part, &damage);
	return true;
}

static bool take_op_log(struct profile *profile, struct progress *progress, struct err *err)
{
	const struct part *part = choose(profile, FILE_OP_LOG);
	struct err why = {0};

	if (!part)
		return true;
	profile->op_log = op_log_open(part->path, progress, &why);
	if (!profile->op_log)
		return go_on_without(profile, part, &why, err);
	profile->op_log_path = part->shown;
	if (profile->op_log->damage.code)
		profile_problem(profile, part->shown, &profile->op_log->damage);
	return true;
}

/*
 * tfprof's file holds what it knew of the steps' graph, so it stands in where there is no
 * GraphDef; of steps that were named nothing tells that they are its own.
 */
static bool needs_proto(const struct profile *profile)
{
	return !profile->steps.len || (!choose_graph(profile) && !has_named_step(profile));
}

static bool take_proto(struct profile *profile, struct progress *progress, struct err *err)
{
	const struct part *part = choose(profile, FILE_PROFILE_PROTO);
	struct err why = {0};

	if (!part || !needs_proto(profile))
		return true;
	profile->proto = profile_proto_open(part->path, progress, &why);
	if (profile->proto && profile->steps.len
	    && !profile_proto_index(profile->proto, progress, &why)) {
		profile_proto_close(profile->proto);
		profile->proto = NULL;
	}
	if (!profile->proto)
		return go_on_without(profile, part, &why, err);
	profile->proto_path = part->shown;
	if (profile->proto->damage.code)
		profile_problem(profile, part->shown, &profile->proto->damage);
	return true;
}

static bool is_used(const struct profile *profile, const struct part *part)
{
	if (is_step(part))
		return part->named == has_named_step(profile);
	return part == choose_graph(profile) || (part->kind == FILE_OP_LOG && part == choose(profile, part->kind)) ||
	       (part->kind == FILE_PROFILE_PROTO && part == choose(profile, part->kind)
	        && needs_proto(profile));
}

/* "not opened: graph.pbtxt (GraphDef as text), timeline.json (Chrome trace)" */
static void note_passed_over(struct profile *profile)
{
	struct str text = {0};
	size_t n = 0;

	for (size_t i = 0; i < profile->parts->found.len; i++) {
		const struct part *part = &profile->parts->found.at[i];

		if (part->lost || is_used(profile, part))
			continue;
		if (n++ < PASSED_OVER_NAMED)
			str_fmt(&text, "%s%s (%s)", text.len ? ", " : "not opened: ", part->shown,
			        file_kind_name(part->kind));
	}
	if (n > PASSED_OVER_NAMED)
		str_fmt(&text, " and %zu more", n - PASSED_OVER_NAMED);
	if (text.len)
		profile->passed_over = keep(profile, text.text);
	str_release(&text);
}

/* Steps. */

static bool load_step(struct profile *profile, struct step *step, struct progress *progress, struct err *err)
{
	bool ok;

	profile->parts->loading = step;
	ok = step_load(step, progress, err);
	profile->parts->loading = NULL;
	if (ok && step->damage.code)
		profile_problem(profile, step->file, &step->damage);
	return ok;
}

const struct step *profile_so_far(const struct profile *profile)
{
	return profile->parts->loading;
}

struct length {
	int64_t us;
	size_t step;
};

static int by_length(const void *a, const void *b)
{
	const struct length *x = a, *y = b;

	if (x->us != y->us)
		return x->us < y->us ? -1 : 1;
	return (x->step > y->step) - (x->step < y->step);
}

/*
 * The step of median length (the lower one of two); steps.len if none can be read. One that can't
 * be might have been it, and is a problem. False after a cancel.
 */
static bool median_step(struct profile *profile, struct progress *progress, size_t *out, struct err *err)
{
	VEC(struct length) lengths = {0};
	bool on = true;

	for (size_t i = 0; on && i < profile->steps.len; i++) {
		const struct step *step = &profile->steps.at[i];
		/* A step of its own, without names: only its times count. */
		struct step times = { .path = step->path, .file = step->file,
		                      .source = step->source, .times_only = true };
		struct extent extent;
		struct err why = {0};

		if (step_load(&times, progress, &why)) {
			if (times.damage.code)
				profile_problem(profile, step->file, &times.damage);
			if (step_extent(&times, &extent))
				vec_push(&lengths, ((struct length){ extent.end_us - extent.start_us, i }));
			step_release(&times);
		} else if (why.code == ERR_CANCELLED) {
			on = false;
			if (err)
				*err = why;
		} else {
			profile_problem(profile, step->file, &why);
		}
	}
	if (lengths.len)
		qsort(lengths.at, lengths.len, sizeof *lengths.at, by_length);
	*out = lengths.len ? lengths.at[(lengths.len - 1) / 2].step : profile->steps.len;
	vec_release(&lengths);
	return on;
}

/* Loads the current step: the one of median length, else the last one that can be read. */
static bool load_current(struct profile *profile, struct progress *progress, struct err *err)
{
	size_t n = profile->steps.len, median = n;

	profile->current = n;
	if (n >= 3 && !median_step(profile, progress, &median, err))
		return false;
	for (size_t i = n + (median < n); i-- > 0 && profile->current == n; ) {
		size_t at = i == n ? median : i;
		struct err why = {0};

		if (load_step(profile, &profile->steps.at[at], progress, &why)) {
			profile->current = at;
		} else if (why.code == ERR_CANCELLED) {
			if (err)
				*err = why;
			return false;
		} else {
			profile_problem(profile, profile->steps.at[at].file, &why);
			if (err)
				*err = why;
		}
	}
	if (profile->current < n && err)
		*err = (struct err){0};
	return true;
}

bool profile_load(struct profile *profile, struct progress *progress, struct err *err)
{
	if (profile->parts->loaded)
		return true;
	unload(profile);
	if (!take_steps(profile, progress, err))
		return false;
	profile->parts->uses = mem_alloc((profile->steps.len + 1) * sizeof *profile->parts->uses);
	if (!load_current(profile, progress, err)
	    || !take_graph(profile, progress, err) || !take_op_log(profile, progress, err)
	    || !take_proto(profile, progress, err))
		return false;
	note_passed_over(profile);
	profile->parts->loaded = profile->current < profile->steps.len || profile->graph ||
	                         profile->op_log || profile->proto;
	if (profile->parts->loaded)
		return true;
	if (err && !err->code)
		err_fill(err, ERR_FORMAT, "", 0, "no part of the profile can be read");
	return false;
}

struct step *profile_step(struct profile *profile, size_t i, struct progress *progress, struct err *err)
{
	struct step *step = &profile->steps.at[i];

	return step->loaded || load_step(profile, step, progress, err) ? step : NULL;
}

bool profile_enter(struct profile *profile, size_t i, struct progress *progress, struct err *err)
{
	if (!profile_step(profile, i, progress, err))
		return false;
	profile->current = i;
	return true;
}

void profile_hold(struct profile *profile, size_t i)
{
	atomic_fetch_add(&profile->parts->uses[i].holders, 1);
}

void profile_let_go(struct profile *profile, size_t i)
{
	atomic_fetch_sub(&profile->parts->uses[i].holders, 1);
}

static void forget(struct profile *profile, size_t but)
{
	for (size_t i = 0; i < profile->steps.len; i++) {
		if (i == but || atomic_load(&profile->parts->uses[i].holders))
			continue;
		step_release(&profile->steps.at[i]);
		close_partitions(&profile->parts->uses[i]);
	}
}

void profile_forget(struct profile *profile)
{
	forget(profile, profile->current);
}

void profile_make_room(struct profile *profile)
{
	forget(profile, SIZE_MAX);
}

size_t profile_find_step(const struct profile *profile, const char *word)
{
	char *end;
	long long number = strtoll(word, &end, 10);

	for (size_t i = 0; i < profile->steps.len; i++)
		if (!strcmp(profile->steps.at[i].label, word)
		    || (end > word && !*end && profile->steps.at[i].number == number))
			return i;
	return profile->steps.len;
}

/* Where nodes were made. */

bool profile_code(struct profile *profile, const char *node, struct arena *mem,
                  struct code_frame **frames, size_t *n, struct err *err)
{
	const struct op_entry *entry = profile->op_log ? op_log_find(profile->op_log, node) : NULL;
	const struct profile_name *name = NULL;

	*n = 0;
	if (entry && entry->code.len)
		return op_log_code(profile->op_log, entry, mem, frames, n, err);
	if (profile->proto)
		name = profile_proto_find(profile->proto, node, strlen(node));
	return !name || profile_proto_code(profile->proto, name, mem, frames, n, err);
}

bool profile_has_code(const struct profile *profile)
{
	return profile->op_log
	       || (profile->proto && profile->proto->has_trace && profile->steps.len);
}

/* Graphs. */

const char *profile_op(const struct profile_proto *proto, struct graph *const *graphs,
                       size_t n_graphs, const char *node)
{
	size_t len = strlen(node);
	const struct profile_name *known = proto ? profile_proto_find(proto, node, len) : NULL;

	if (known)
		return known->op;
	for (size_t i = 0; i < n_graphs; i++) {
		uint32_t at = graph_find(graphs[i], node, len);

		if (at != GRAPH_NONE)
			return graph_op(graphs[i], at);
	}
	return NULL;
}

bool profile_open_partitions(struct profile *profile, struct graph_list *out,
                             struct progress *progress, struct err *err)
{
	bool has_step = profile->current < profile->steps.len;
	const struct step *step = has_step ? &profile->steps.at[profile->current] : NULL;

	for (size_t i = 0; step && i < step->graphs.len; i++) {
		struct span at = step->graphs.at[i];
		struct err damage = {0}, why = {0};
		struct graph *graph = graph_open(step->path, at.off, at.len, progress, &damage, &why);

		if (why.code == ERR_CANCELLED) {
			close_graphs(out);
			if (err)
				*err = why;
			return false;
		}
		if (graph)
			vec_push(&out->at, graph);
		if (!graph || damage.code)
			profile_problem(profile, step->file, graph ? &damage : &why);
	}
	return true;
}

bool profile_partitions(struct profile *profile, struct progress *progress, struct err *err)
{
	struct step_use *use;

	if (profile->current >= profile->steps.len || profile->parts->uses[profile->current].opened)
		return true;
	use = &profile->parts->uses[profile->current];
	use->opened = profile_open_partitions(profile, &use->graphs, progress, err);
	return use->opened;
}

struct graph *const *profile_graphs(struct profile *profile, size_t *n)
{
	if (profile->graph) {
		*n = 1;
		return &profile->graph;
	}
	*n = 0;
	if (profile->current >= profile->steps.len)
		return NULL;
	profile_partitions(profile, NULL, NULL);
	*n = profile->parts->uses[profile->current].graphs.at.len;
	return profile->parts->uses[profile->current].graphs.at.at;
}
