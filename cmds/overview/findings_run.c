/* What is wrong with a run: with its files, its times, and with what its graphs promise. */
#include "cmds/overview/findings.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/lang/words.h"
#include "cmds/session/position.h"
#include "dump/base/mem.h"
#include "dump/base/path.h"
#include "dump/programs.h"

#define DAY_US ((int64_t)24 * 60 * 60 * 1000000)

struct looking {
	struct findings *f;
	struct shell *shell;
	struct run_entry *entry;
	const struct run *run;
	enum run_status status;
	const char *prefix;              /* of its files: "run_1/"; "" */
	bool is_current;
	bool last_is_cut;                /* the file of the last tensor is cut, or empty */
	struct progress *progress;
	struct err *err;
};

static struct finding *add(struct looking *l, enum finding_what what, const char *file,
                           const char *text)
{
	struct finding *f = finding_add(l->f, what, text);

	f->run = l->entry->position;
	f->order |= (uint64_t)f->run << 32;
	if (file && *file) {
		f->file = arena_fmt(&l->f->mem, "%s%s", l->prefix, file);
		f->subject = path_name(f->file);
	}
	f->link = arena_fmt(&l->f->mem, "run --to %zu", f->run);
	return f;
}

static void set_off(struct finding *f, uint64_t off)
{
	f->off = off;
	f->has_off = true;
}

/* A link about a node or tensor, which only the current run has at hand. */
static void set_link(struct looking *l, struct finding *f, const char *command, const char *name)
{
	struct str line = {0};

	if (!l->is_current || name[0] == '-')
		return;
	words_put_with(&line, command, name);
	f->link = arena_fmt(&l->f->mem, "%s", line.text);
	str_release(&line);
}

static bool is_of_file(enum problem_kind kind)
{
	return kind == PROBLEM_CUT || kind == PROBLEM_DAMAGED || kind == PROBLEM_EMPTY ||
	       kind == PROBLEM_UNREADABLE || kind == PROBLEM_UNSUPPORTED ||
	       kind == PROBLEM_LEFT_OUT;
}

static void take_problems(struct looking *l)
{
	for (size_t i = 0; i < l->run->problems.len; i++) {
		const struct problem *p = &l->run->problems.at[i];
		struct finding *f = add(l, finding_of_problem(p->kind), p->file, p->text);

		if (*p->file && is_of_file(p->kind) && problem_has_place(p))
			set_off(f, p->off);
	}
}

/* Its files. */

static const char *name_of(struct looking *l, const char *node, uint32_t slot)
{
	return arena_fmt(&l->f->mem, "%s:%" PRIu32, node, slot);
}

static void take_damage(struct looking *l, const struct tensor *t, const struct err *why)
{
	struct str file = {0};
	struct finding *f;

	run_tensor_file(l->run, t, &file);
	f = add(l, finding_of_problem(problem_of_err(why)), file.text, why->msg);
	f->subject = name_of(l, t->node, t->slot);
	if (err_has_place(why))
		set_off(f, why->off);
	set_link(l, f, "explain", f->subject);
	str_release(&file);
}

/* One that can't be read. */
static void look_at_tensor(struct looking *l, const struct tensor *t)
{
	struct err why = {0};
	struct value *value = run_value(l->run, t, &why);

	if (!value && why.code != ERR_MISSING)
		take_damage(l, t, &why);
	l->last_is_cut = !value && why.damage != DAMAGE_ANY;
	value_close(value);
}

/* Can their files be read? What somebody has read is not opened again. */
static bool look_at_tensors(struct looking *l)
{
	struct run_facts *facts = facts_of_run(l->shell->visits, l->entry, l->run);
	size_t n = l->run->tensors.len;
	size_t n_looked = facts_look_at_all(facts, l->run, l->progress);

	for (size_t i = 0; n_looked == n && i < n; i++) {
		enum fact_state state = fact_of(facts, (uint32_t)i).state;

		l->last_is_cut = false;
		if (state == FACT_NONE || state == FACT_UNREADABLE)
			look_at_tensor(l, &l->run->tensors.at[i]);
	}
	facts_close(facts);
	if (n_looked < n)
		return err_at(l->err, ERR_CANCELLED, "command", 0,
		              "stopped after %zu of %zu tensors", n_looked, n);
	l->f->tensors += n;
	return true;
}

/*
 * Those that arrays lie in, and those of which none could be read. A summary of arrays does not
 * know in which file an array was: then files_unknown is set.
 */
static uint64_t n_array_files(const struct run *run, bool *files_unknown)
{
	struct arena mem = {0};
	struct map files = {0};
	struct str file = {0};
	uint64_t n;

	for (size_t i = 0; i < run->tensors.len; i++) {
		str_reset(&file);
		run_tensor_file(run, &run->tensors.at[i], &file);
		*files_unknown |= !file.len;
		map_add(&files, &mem, str_text(&file), file.len);
	}
	for (size_t i = 0; i < run->problems.len; i++)
		if (*run->problems.at[i].file && is_of_file(run->problems.at[i].kind))
			map_add(&files, &mem, run->problems.at[i].file,
			        strlen(run->problems.at[i].file));
	n = files.len;
	map_release(&files);
	arena_release(&mem);
	str_release(&file);
	return n;
}

static uint64_t n_files(const struct run *run, bool *files_unknown)
{
	return (run->op_type ? n_array_files(run, files_unknown) : run->tensors.len) +
	       run->n_graph_files + run->metadata.len + (run->fetches != NULL) +
	       (run->feeds != NULL);
}

/* What the debug ops can't tell. */
static void look_at_ops(struct looking *l)
{
	static const struct { const char *op; bool values; } ops[] = {
		{ "DebugIdentity", true }, { "DebugNumericSummary", false },
		{ "DebugNanCount", false },
	};
	bool values = !l->run->debug_ops.len, health = values;

	for (size_t i = 0; i < l->run->debug_ops.len; i++)
		for (size_t k = 0; k < sizeof ops / sizeof *ops; k++) {
			bool is = !strncmp(l->run->debug_ops.key[i], ops[k].op, strlen(ops[k].op));

			values |= is && ops[k].values;
			health |= is;
		}
	if (l->run->op_type)
		return;
	if (!values)
		add(l, FINDING_NO_VALUES, NULL, "its debug ops keep no values")->cure =
			"record with DebugIdentity";
	if (!health)
		add(l, FINDING_NO_HEALTH, NULL, "its debug ops do not record NaN and Inf")->cure =
			"record with DebugIdentity";
}

/* What there should be. */

static void take_missing(struct looking *l, const struct missing_slot *slot)
{
	static const struct { const char *word, *cure; } causes[] = {
		{ "not_taken", "nothing: its branch was not taken" },
		{ "disk_full", "record again with more room on the disk" },
		{ "run_failed", "see why the op, or one before it, failed" },
		{ "unknown", "copy the dump again: it was computed" },
	};
	int cause = slot->dead ? 0 : l->last_is_cut ? 1 : slot->ran ? 3 : 2;
	const char *name = name_of(l, slot->node, slot->slot);
	const char *dir = l->run->devices.at[slot->device].dir;
	struct finding *f;

	f = add(l, FINDING_MISSING_TENSOR, *dir ? dir : ".",
	        arena_fmt(&l->f->mem, "no dump (%s) of %s", causes[cause].word, name));
	f->subject = name;
	f->cause = causes[cause].word;
	f->cure = causes[cause].cure;
	if (slot->dead)
		f->level = LEVEL_NOTE;
	set_link(l, f, "ni -d", slot->node);
}

/* A graph that could not be read again. */
static void take_failure(struct looking *l, const struct err *why)
{
	struct finding *f = add(l, finding_of_problem(problem_of_err(why)), NULL, why->msg);

	f->file = arena_fmt(&l->f->mem, "%s", why->src);
	f->subject = path_name(f->file);
	if (err_has_place(why))
		set_off(f, why->off);
}

static void look_for_missing(struct looking *l)
{
	struct missing_slot *slots;
	struct arena mem = {0};
	struct err why = {0};
	size_t n;

	if (!run_missing(l->run, &mem, &slots, &n, &why))
		take_failure(l, &why);
	for (size_t i = 0; i < n; i++)
		take_missing(l, &slots[i]);
	arena_release(&mem);
}

/*
 * Against the program's own graph: a node that it has and the run's graphs do not was taken away
 * before it ran; one that they have and nothing watched was left out by the recorder.
 */

struct watched {
	const struct graph *graph;       /* of a device */
	bool *node;
};

static void watch(void *owner, uint32_t node, uint32_t slot)
{
	(void)slot;
	((struct watched *)owner)->node[node] = true;
}

/* Of each of the run's graphs its watched nodes; on the heap. False: one can't be read again. */
static bool read_watched(struct looking *l, struct watched *all)
{
	struct err why = {0};

	for (size_t i = 0; i < l->run->devices.len; i++) {
		all[i].graph = l->run->devices.at[i].graph;
		if (!all[i].graph)
			continue;
		all[i].node = mem_alloc(graph_len(all[i].graph) + 1);
		if (!graph_watched(all[i].graph, watch, &all[i], &why))
			return false;    /* that was told when what is missing was looked for */
	}
	return true;
}

/* Has it outputs, which a dump could hold? */
static bool has_outputs(const char *op)
{
	static const char *const without[] = {
		"NoOp", "ControlTrigger", "Assert", "Abort", "_Send", "_HostSend",
	};

	for (size_t i = 0; i < sizeof without / sizeof *without; i++)
		if (!strcmp(op, without[i]))
			return false;
	return true;
}

/* NULL: it has a dump, or it was to have one. */
static const char *why_undumped(const struct looking *l, const struct watched *all,
                                const char *node)
{
	bool there = false;

	if (map_find(&l->run->nodes, node, strlen(node)) != MAP_NONE)
		return NULL;
	for (size_t i = 0; i < l->run->devices.len; i++) {
		uint32_t at = all[i].graph ? graph_find(all[i].graph, node, strlen(node))
		                           : GRAPH_NONE;

		if (at != GRAPH_NONE && all[i].node[at])
			return NULL;
		there |= at != GRAPH_NONE;
	}
	return there ? "filtered" : "optimised_away";
}

static void take_undumped(struct looking *l, const char *node, const char *cause)
{
	bool filtered = !strcmp(cause, "filtered");
	const char *text = arena_fmt(&l->f->mem, "no dump (%s) of %s", cause, node);
	struct finding *f = add(l, FINDING_MISSING_TENSOR, ".", text);

	f->subject = arena_fmt(&l->f->mem, "%s", node);
	f->cause = cause;
	f->cure = filtered ? "record with a filter that lets it through"
	                   : "nothing: it was folded, fused or not needed before it ran";
	f->level = LEVEL_NOTE;
	set_link(l, f, "ni", node);
}

static void compare_with_program(struct looking *l)
{
	const struct profile *profile = l->shell->profile;
	const struct graph *graph = profile ? profile->graph : NULL;
	size_t n = l->run->devices.len;
	struct watched *all = mem_alloc((n + 1) * sizeof *all);

	if (graph && read_watched(l, all))
		for (uint32_t i = 0; i < graph_len(graph); i++) {
			const char *node = graph_name(graph, i);
			const char *cause = why_undumped(l, all, node);

			if (cause && has_outputs(graph_op(graph, i)))
				take_undumped(l, node, cause);
		}
	for (size_t i = 0; i < n; i++)
		free(all[i].node);
	free(all);
}

static bool compare_with_graphs(struct looking *l)
{
	struct problem *problems;
	struct arena mem = {0};
	struct err why = {0};
	bool ok;
	size_t n;

	ok = run_check(l->run, true, l->progress, &mem, &problems, &n, &why);
	for (size_t i = 0; i < n; i++)
		add(l, finding_of_problem(problems[i].kind), problems[i].file, problems[i].text);
	arena_release(&mem);
	if (!ok && why.code == ERR_CANCELLED) {
		*l->err = why;
		return false;
	}
	if (!ok)
		take_failure(l, &why);
	return true;
}

static void look_at_status(struct looking *l, const struct run_info *info)
{
	struct str text = {0};

	if (l->status == RUN_PARTIAL) {
		struct finding *f;

		str_puts(&text, "it looks cut short, first at ");
		for (size_t i = 0; i < info->n_suspects && i < 3; i++)
			str_fmt(&text, "%s%s:%" PRIu32, i ? ", " : "", info->suspects[i].node,
			        info->suspects[i].slot);
		if (info->n_suspects > 3)
			str_fmt(&text, " and %zu more", info->n_suspects - 3);
		f = add(l, FINDING_PARTIAL_RUN, NULL, text.text);
		f->file = f->subject = arena_fmt(&l->f->mem, "%s", l->entry->name);
		f->link = arena_fmt(&l->f->mem, "ri %zu", f->run);
	} else if (l->status == RUN_EMPTY) {
		add(l, FINDING_EMPTY, NULL, "the directory of a run without files")->file =
			arena_fmt(&l->f->mem, "%s", l->entry->name);
	}
	if (l->run->n_graph_files && !l->run->tensors.len && !l->run->metadata.len)
		add(l, FINDING_GRAPH_WITHOUT_RUN, NULL,
		    "there is a graph, and nothing that was computed with it");
	str_release(&text);
}

/* Its tensors are of the day in its name, and not older than those of the run before. */
static void look_at_times(struct looking *l)
{
	struct run_entry *before = runs_at(l->shell->runs, l->entry->position - 1);
	const struct run_info *info = before ? run_entry_info(before, RUN_WHOLE) : NULL;
	int64_t t0_us = l->run->t0_us, name_us = l->entry->time_us;

	if (t0_us <= 0)
		return;
	if (name_us >= 0 && (t0_us - name_us > DAY_US || name_us - t0_us > DAY_US))
		add(l, FINDING_CLOCK, NULL, "its tensors are of another day than its directory");
	if (info && info->t0_us > t0_us && before->writer && before->writer == l->entry->writer)
		add(l, FINDING_CLOCK, NULL, "its tensors are older than those of the run before");
}

/* What could not be read again, beside the problems of the run. */
static void take_more(struct looking *l, const struct run_info *info)
{
	size_t known = 0;

	for (size_t i = 0; i < l->run->problems.len; i++)
		known += l->run->problems.at[i].unread;
	for (size_t i = known; i < info->n_unread; i++) {
		const struct problem *p = &info->unread[i];
		struct finding *f = add(l, FINDING_UNREADABLE, p->file, p->text);

		if (problem_has_place(p))
			set_off(f, p->off);
	}
}

/* As it is now: what is known of the run may be from when less could be read. */
static void look_at_info(struct looking *l)
{
	struct run_info *info = run_info_of(l->run, true);

	l->status = runs_status(l->shell->runs, l->entry, info);
	look_at_status(l, info);
	take_more(l, info);
	if (run_entry_info(l->entry, RUN_WHOLE))
		run_info_free(info);
	else
		runs_keep_info(l->shell->runs, l->entry, RUN_WHOLE, info);
}

static bool look_at(struct looking *l)
{
	take_problems(l);
	l->f->files += n_files(l->run, &l->f->files_unknown);
	look_at_info(l);
	look_at_times(l);
	look_at_ops(l);
	if (!look_at_tensors(l))
		return false;
	if (!run_has_graph(l->run) || !l->run->tensors.len)
		return true;
	if (l->status == RUN_COMPLETE || l->status == RUN_PARTIAL || l->status == RUN_QUIET) {
		look_for_missing(l);
		compare_with_program(l);
	}
	return compare_with_graphs(l);
}

bool findings_of_run(struct findings *findings, struct shell *shell, struct run_entry *entry,
                     const struct run *open, struct progress *progress, struct err *err)
{
	struct visit *visit = open ? NULL : visit_find(shell->visits, entry);
	struct run *opened = open || visit ? NULL : runs_open_run(shell->runs, entry, err);
	bool in_root = shell->runs->is_root && entry->path != shell->runs->path;
	struct looking l = {
		.f = findings, .shell = shell, .entry = entry, .progress = progress, .err = err,
		.is_current = entry == position_at(shell),
		.prefix = in_root ? arena_fmt(&findings->mem, "%s/", entry->name) : "",
	};
	bool ok;

	findings->runs++;
	if (open || visit || (opened && run_load(opened, progress, err))) {
		l.run = open ? open : visit ? visit->run : opened;
		ok = look_at(&l);
	} else {
		ok = err->code != ERR_CANCELLED;
		if (ok)
			add(&l, FINDING_UNREADABLE, NULL, err->msg)->file =
				arena_fmt(&findings->mem, "%s", entry->name);
	}
	if (ok)
		*err = (struct err){0};
	visit_release(visit);
	run_close(opened);
	return ok;
}

static void take_of_root(void *owner, const struct problem *p)
{
	struct findings *findings = owner;
	struct finding *f = finding_add(findings, finding_of_problem(p->kind), p->text);

	f->link = "runs";
	if (*p->file)
		f->file = f->subject = arena_fmt(&findings->mem, "%s", p->file);
	if (*p->file && is_of_file(p->kind) && problem_has_place(p))
		set_off(f, p->off);
}

/* A file beside the dump that could not be taken. */
static void take_other(struct findings *findings, const struct err *why)
{
	if (why->code)
		take_of_root(findings, &(struct problem){
			.file = path_name(why->src), .text = why->msg, .off = why->off,
			.kind = problem_of_err(why), .whole = !err_has_place(why) });
}

void findings_of_root(struct findings *findings, const struct shell *shell)
{
	const char *root = shell->runs       ? shell->runs->path
	                   : shell->programs ? programs_path(shell->programs)
	                   : shell->root     ? shell->root->path
	                                     : shell->target.path;

	for (size_t i = 0; shell->runs && i < shell->runs->problems.len; i++)
		take_of_root(findings, &shell->runs->problems.at[i]);
	if (root)
		runs_left_out(shell->runs, root, findings, take_of_root);
	take_other(findings, &shell->stacks_problem);
	take_other(findings, &shell->profile_problem);
}
