/*
 * Parts are found first (profile_find.c), chosen and read later (profile_load). Of the parts of one
 * kind named ones win; a binary graph wins over text, steps win over tfprof's file. Text is turned
 * into the binary form once, in a file without a name, so that everything else knows one form.
 */
#include "dump/profile/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dump/base/mem.h"
#include "dump/format/file.h"
#include "dump/format/pbtxt.h"
#include "dump/profile/profile_parts.h"
#include "dump/profile/trace.h"

#define PASSED_OVER_NAMED 8      /* files that are not opened, by name */

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

void step_use_close(struct step_use *use)
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
			step_use_close(&parts->uses[i]);
	}
	free(parts->uses);
	parts->uses = NULL;
	vec_release(&profile->steps);
	profile->current = 0;
	trace_free(profile->trace);
	profile->trace = NULL;
	graph_close(profile->graph);
	module_set_free(profile->modules);
	op_log_close(profile->op_log);
	profile_proto_close(profile->proto);
	profile->graph = NULL;
	profile->module = NULL;
	profile->modules = NULL;
	profile->op_log = NULL;
	profile->proto = NULL;
	profile->graph_path = profile->module_path = NULL;
	profile->op_log_path = profile->proto_path = NULL;
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

const char *profile_keep(struct profile *profile, const char *text)
{
	return arena_copy(&profile->mem, text, strlen(text));
}

bool profile_tells(const struct profile *profile, const char *problem)
{
	for (size_t i = 0; i < profile->problems.len; i++)
		if (!strcmp(profile->problems.at[i], problem))
			return true;
	return false;
}

void profile_problem(struct profile *profile, const char *shown, const struct err *problem)
{
	struct str text = {0};

	err_put(&text, shown, problem);
	if (!profile_tells(profile, text.text))          /* not of a step that was read before */
		vec_push(&profile->problems, profile_keep(profile, text.text));
	str_release(&text);
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
	const struct part *binary = choose(profile, FILE_GRAPH);
	const struct part *text = choose(profile, FILE_GRAPH_TEXT);

	return !binary || (text && text->named && !binary->named) ? text : binary;
}

static bool has_named_step(const struct profile *profile)
{
	for (size_t i = 0; i < profile->parts->found.len; i++)
		if (profile->parts->found.at[i].named && part_is_step(&profile->parts->found.at[i]))
			return true;
	return false;
}

/* Turns text into the binary form; returns the path of that. NULL with *err. */
static const char *as_binary(struct profile *profile, const struct part *part,
                             struct progress *progress, struct err *err)
{
	enum pbtxt_root root = part->kind == FILE_GRAPH_TEXT ? PBTXT_GRAPH_DEF
		: part->kind == FILE_STEP_STATS_TEXT ? PBTXT_STEP_STATS : PBTXT_RUN_METADATA;
	struct str path = {0};
	const char *kept = NULL;
	int fd = pbtxt_convert(part->path, root, progress, err);

	if (fd >= 0) {
		vec_push(&profile->parts->texts, fd);
		str_fmt(&path, "/proc/self/fd/%d", fd);
		kept = profile_keep(profile, path.text);
		str_release(&path);
	}
	return kept;
}

static bool is_text(enum file_kind kind)
{
	return kind == FILE_GRAPH_TEXT || kind == FILE_STEP_STATS_TEXT ||
	       kind == FILE_RUN_METADATA_TEXT;
}

bool profile_go_on_without(struct profile *profile, const struct part *part,
                           const struct err *why, struct err *err)
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

		if (!part_is_step(part) || part->named != named)
			continue;
		step.number = place++;
		if (part->lost)
			continue;
		step.source = part_source(part->kind);
		if (is_text(part->kind))
			step.path = as_binary(profile, part, progress, &why);
		if (step.path)
			vec_push(&profile->steps, step);
		else if (!profile_go_on_without(profile, part, &why, err))
			return false;
	}
	profile_label_steps(profile);
	return true;
}

/* Without steps of TensorFlow's: those of a trace. */
static bool take_trace(struct profile *profile, struct progress *progress, struct err *err)
{
	const struct part *part = profile_choose_trace(profile);
	struct err why = {0};

	return !part || profile_take_trace(profile, part, progress, &why)
	       || profile_go_on_without(profile, part, &why, err);
}

static bool graph_has(const void *graph, const char *node)
{
	return graph_find(graph, node, strlen(node)) != GRAPH_NONE;
}

static bool op_log_has(const void *log, const char *node)
{
	return op_log_find(log, node) != NULL;
}

/* Has it most of what the step ran? Nodes that begin with "_" are the runtime's own. */
static bool is_of_step(bool (*has)(const void *part, const char *node), const void *part,
                       const struct step *step)
{
	size_t n = 0, found = 0;

	for (size_t i = 0; i < step->records.len; i++) {
		const struct record *record = &step->records.at[i];
		enum lane_kind kind = step->lanes.at[record->lane].kind;
		const char *name = record_name(step, record);

		if (*name == '_' || !lane_is_executor(kind))
			continue;
		n++;
		found += has(part, name);
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
	profile->graph_damage = *damage;
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
	                           && is_of_step(graph_has, graph,
	                                         &profile->steps.at[profile->current]);
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

	profile_list_names(profile, profile->dir, &names, NULL);
	for (size_t i = 0; on && !profile->graph && i < names.at.len; i++) {
		struct part part = { .path = profile_joined(profile, profile->dir, names.at.at[i]),
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

static bool is_step_alone(const struct profile *profile)
{
	return profile->parts->alone && !profile->parts->found.at[0].named &&
	       profile->current < profile->steps.len && !profile->trace;
}

static bool lacks_graph(const struct profile *profile)
{
	return is_step_alone(profile) && !profile->steps.at[profile->current].graphs.len;
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
		return profile_go_on_without(profile, part, &why, err);
	use_graph(profile, graph, part, &damage);
	return true;
}

static void use_op_log(struct profile *profile, struct op_log *log, const char *shown)
{
	profile->op_log = log;
	profile->op_log_path = shown;
	if (log->damage.code)
		profile_problem(profile, shown, &log->damage);
}

/*
 * PATH is the file of a step: the first op log of its directory that is the step's. False after a
 * cancel.
 */
static bool take_op_log_beside(struct profile *profile, struct progress *progress,
                               struct err *err)
{
	struct part_names names;
	struct err why = {0};

	profile_list_names(profile, profile->dir, &names, NULL);
	for (size_t i = 0; !profile->op_log && !why.code && i < names.at.len; i++) {
		const char *path = profile_joined(profile, profile->dir, names.at.at[i]);
		enum file_kind kind;
		struct op_log *log;

		if (!recognise(path, &kind, NULL) || kind != FILE_OP_LOG)
			continue;
		log = op_log_open(path, progress, &why);
		if (why.code != ERR_CANCELLED)
			why.code = ERR_NONE;
		if (log && is_of_step(op_log_has, log, &profile->steps.at[profile->current])) {
			use_op_log(profile, log, names.at.at[i]);
		} else {
			op_log_close(log);
		}
	}
	part_names_release(&names);
	if (why.code && err)
		*err = why;
	return !why.code;
}

static bool take_op_log(struct profile *profile, struct progress *progress, struct err *err)
{
	const struct part *part = choose(profile, FILE_OP_LOG);
	struct err why = {0};
	struct op_log *log;

	if (!part)
		return !is_step_alone(profile) || take_op_log_beside(profile, progress, err);
	log = op_log_open(part->path, progress, &why);
	if (!log)
		return profile_go_on_without(profile, part, &why, err);
	use_op_log(profile, log, part->shown);
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
		return profile_go_on_without(profile, part, &why, err);
	profile->proto_path = part->shown;
	if (profile->proto->damage.code)
		profile_problem(profile, part->shown, &profile->proto->damage);
	return true;
}

/* Read by others, for whatever is open: cmds/session/stacks.c, dump/model/left_out.h. */
static bool is_read_elsewhere(const struct part *part)
{
	return part->kind == FILE_LEFT_OUT
	       || (part->kind == FILE_STACKS && !strcmp(part->shown, "stacks.json"));
}

static bool is_used(const struct profile *profile, const struct part *part)
{
	if (part_is_step(part))
		return part->named == has_named_step(profile);
	if (part_is_trace(part))
		return profile->trace && profile_reads_trace(profile, part);
	if (part == choose_graph(profile) || part->taken || is_read_elsewhere(part))
		return true;
	if (part->kind != FILE_OP_LOG && part->kind != FILE_PROFILE_PROTO)
		return false;
	return part == choose(profile, part->kind) &&
	       (part->kind == FILE_OP_LOG || needs_proto(profile));
}

/* Was the same file named by an option? Then it is used, or not, as that says. */
static bool is_named_too(const struct profile *profile, const struct part *part)
{
	char *real = file_real_path(part->path);
	bool so = false;

	for (size_t i = 0; real && !so && i < profile->parts->found.len; i++) {
		const struct part *other = &profile->parts->found.at[i];
		char *named = other != part && other->named ? file_real_path(other->path) : NULL;

		so = named && !strcmp(named, real);
		free(named);
	}
	free(real);
	return so;
}

/* "not opened: graph.pbtxt (GraphDef as text), timeline.json (Chrome trace)" */
static void note_passed_over(struct profile *profile)
{
	struct str text = {0};
	size_t n = 0;

	for (size_t i = 0; i < profile->parts->found.len; i++) {
		const struct part *part = &profile->parts->found.at[i];

		if (part->lost || part->kind == FILE_DUMP_FILE || is_used(profile, part)
		    || is_named_too(profile, part))
			continue;
		if (n++ < PASSED_OVER_NAMED)
			str_fmt(&text, "%s%s (%s)", text.len ? ", " : "not opened: ", part->shown,
			        file_kind_name(part->kind));
	}
	if (n > PASSED_OVER_NAMED)
		str_fmt(&text, " and %zu more", n - PASSED_OVER_NAMED);
	if (text.len)
		profile->passed_over = profile_keep(profile, text.text);
	str_release(&text);
}

bool profile_load(struct profile *profile, struct progress *progress, struct err *err)
{
	if (profile->parts->loaded)
		return true;
	unload(profile);
	if (!take_steps(profile, progress, err) || !take_trace(profile, progress, err))
		return false;
	profile->parts->uses = mem_alloc((profile->steps.len + 1) * sizeof *profile->parts->uses);
	if (!profile_load_current(profile, progress, err)
	    || !take_graph(profile, progress, err) || !take_op_log(profile, progress, err)
	    || !take_proto(profile, progress, err)
	    || !profile_take_modules(profile, progress, err))
		return false;
	note_passed_over(profile);
	profile->parts->loaded = profile->current < profile->steps.len || profile->graph ||
	                         profile->module || profile->op_log || profile->proto;
	if (profile->parts->loaded)
		return true;
	if (err && !err->code)
		err_fill(err, ERR_FORMAT, "", 0, "no part of the profile can be read");
	return false;
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

bool profile_open_partitions(struct profile *profile, struct graph_list *out,
                             struct progress *progress, struct err *err)
{
	bool has_step = profile->current < profile->steps.len;
	const struct step *step = has_step ? &profile->steps.at[profile->current] : NULL;

	for (size_t i = 0; step && i < step->graphs.len; i++) {
		struct span at = step->graphs.at[i];
		struct err damage = {0}, why = {0};
		struct graph *graph =
			graph_open(step->path, at.off, at.len, progress, &damage, &why);

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
