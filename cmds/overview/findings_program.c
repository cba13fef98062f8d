/* What is wrong with what a program recorded of itself. */
#include "cmds/overview/findings.h"

#include <inttypes.h>
#include <string.h>

#include "cmds/program/choose.h"
#include "cmds/session/program.h"
#include "dump/base/mem.h"
#include "dump/base/path.h"
#include "dump/programs.h"

#define KNOWN_VERSION "debug.Event:1"

struct looking {
	struct findings *f;
	const struct program *program;
	size_t number;           /* from 1 */
};

static struct finding *add(struct looking *l, enum finding_what what, const char *text)
{
	struct finding *f = finding_add(l->f, what, text);

	f->run = l->number;
	f->link = "ri";
	return f;
}

static void set_place(struct looking *l, struct finding *f, const struct program_place *at,
                      bool has_off)
{
	struct str file = {0};

	program_put_file(l->program, at, &file);
	f->file = arena_fmt(&l->f->mem, "%s", file.text);
	f->subject = f->file;
	f->off = at->off;
	f->has_off = has_off;
	str_release(&file);
}

static void add_fault(struct looking *l, const struct err *fault)
{
	struct finding *f = add(l, FINDING_UNREADABLE, arena_fmt(&l->f->mem, "%s", fault->msg));

	f->file = f->subject = arena_fmt(&l->f->mem, "%s", path_name(fault->src));
	f->off = fault->off;
	f->has_off = err_has_place(fault);
}

static void take_damage(struct looking *l)
{
	static const enum finding_what whats[] = {
		[PROGRAM_LENGTH_CHECKSUM] = FINDING_CHECKSUM,
		[PROGRAM_PAYLOAD_CHECKSUM] = FINDING_CHECKSUM,
		[PROGRAM_NOT_AN_EVENT] = FINDING_NOT_AN_EVENT,
		[PROGRAM_TRUNCATED] = FINDING_TRUNCATED, [PROGRAM_MISSING] = FINDING_UNREADABLE,
		[PROGRAM_EMPTY] = FINDING_EMPTY, [PROGRAM_UNREADABLE] = FINDING_UNREADABLE,
	};
	struct str text = {0};

	for (size_t i = 0; i < l->program->damage.len; i++) {
		const struct program_damage *damage = &l->program->damage.at[i];

		str_reset(&text);
		program_put_what(damage, &text);
		set_place(l, add(l, whats[damage->what], text.text), &damage->at,
		          program_damage_has_place(damage));
	}
	str_release(&text);
}

static void take_unresolved(struct looking *l)
{
	const struct program_unresolved *u = &l->program->unresolved;
	size_t most = (size_t)u->graphs + u->ops + u->frames + u->sources, n;
	struct program_missing *missing = mem_alloc((most + 1) * sizeof *missing);
	struct str text = {0};

	n = program_list_missing(l->program, missing, most);
	for (size_t i = 0; i < n && i < most; i++) {
		str_reset(&text);
		program_put_missing(l->program, &missing[i], &text);
		str_puts(&text, " is named here and not recorded");
		set_place(l, add(l, FINDING_UNRESOLVED, text.text), &missing[i].at, true);
	}
	free(missing);
	str_release(&text);
}

/* What a call becomes is recorded when it ends. */
static void look_at_open_calls(struct looking *l)
{
	uint32_t n = l->program->n_open_passes;
	const char *text = arena_fmt(&l->f->mem, "%" PRIu32 " call%s of functions came after the "
	                             "last step that was recorded", n, plural(n));

	add(l, FINDING_PARTIAL_RUN, text)->cure = "the program ended within them, or it still runs";
}

static void look_at_steps(struct looking *l)
{
	const struct program *p = l->program;
	uint32_t before = p->n_passes - p->n_open_passes;
	size_t cut = 0;

	for (size_t i = 0; i < p->steps.len; i++)
		cut += p->steps.at[i].is_cut;
	if (program_lacks_beginning(p))
		add(l, FINDING_WINDOW,
		    arena_fmt(&l->f->mem, "the beginning was dropped: %zu step%s lack%s tensors, %"
		              PRIu32 " call%s of functions lack%s their step", cut, plural(cut),
		              cut == 1 ? "s" : "", before, plural(before),
		              before == 1 ? "s" : ""));
	if (p->n_open_passes && !p->lacks && !p->ended)
		look_at_open_calls(l);
	if (p->graphs.len && !p->steps.len && !p->traces.len && !p->lacks)
		add(l, FINDING_GRAPH_WITHOUT_RUN, "graphs were recorded, and nothing that ran");
	if (p->late.traces)
		set_place(l, add(l, FINDING_CLOCK,
		                 arena_fmt(&l->f->mem, "%" PRIu64 " trace%s recorded after a "
		                           "later one", p->late.traces,
		                           p->late.traces == 1 ? " was" : "s were")),
		          &p->late.first, true);
	if (p->unread.tensors)
		add_fault(l, &p->unread.first);
	if (p->batches_fault.code)
		add_fault(l, &p->batches_fault);
}

static void look_at_modes(struct looking *l)
{
	for (size_t i = 0; i < l->program->modes.len; i++) {
		const char *mode = program_mode_name(l->program->modes.at[i]);

		if (!mode || !strcmp(mode, "FULL_TENSOR"))
			continue;
		add(l, FINDING_NO_VALUES,
		    arena_fmt(&l->f->mem, "mode %s keeps no values", mode))->cure =
			"record with tensor_debug_mode=\"FULL_TENSOR\"";
		if (!strcmp(mode, "NO_TENSOR") || !strcmp(mode, "SHAPE"))
			add(l, FINDING_NO_HEALTH,
			    arena_fmt(&l->f->mem, "mode %s does not record NaN and Inf",
			              mode))->cure =
				"record with tensor_debug_mode=\"CONCISE_HEALTH\"";
	}
}

static void look_at_sets(struct looking *l)
{
	for (size_t i = 0; i < l->program->sets.len; i++) {
		const struct program_set *set = &l->program->sets.at[i];
		struct program_place metadata = { 0, (uint16_t)i, PROGRAM_FILE_METADATA };

		for (int kind = 0; kind < PROGRAM_FILE_KINDS; kind++)
			l->f->files += !set->file[kind].missing;
		if (set->file_version && strcmp(set->file_version, KNOWN_VERSION) != 0)
			set_place(l, add(l, FINDING_VERSION,
			                 arena_fmt(&l->f->mem, "written as version %s; "
			                           KNOWN_VERSION " is known",
			                           set->file_version)),
			          &metadata, true);
	}
}

bool findings_of_program(struct findings *findings, struct shell *shell, size_t i,
                         struct progress *progress, struct err *err)
{
	const struct err *fault;
	const struct problem *problem;
	struct looking l = { .f = findings, .number = i + 1 };

	l.program = programs_load(shell->programs, i, progress, err);
	if (!l.program)
		return false;
	findings->runs++;
	findings->tensors += l.program->n_tensors;
	if (!l.program->lacks) {
		take_damage(&l);
		take_unresolved(&l);
	}
	look_at_sets(&l);
	look_at_steps(&l);
	look_at_modes(&l);
	if (!i && l.program->lacks)
		finding_add(findings, FINDING_MISSING_SHARDS,
		            arena_fmt(&findings->mem, "only %s", l.program->lacks))->link = "runs";
	for (size_t k = 0; !i && (problem = programs_problem(shell->programs, k)); k++) {
		struct finding *f = add(&l, finding_of_problem(problem->kind), problem->text);

		f->file = f->subject = problem->file;
		f->off = problem->off;
		f->has_off = problem_has_place(problem);
	}
	for (size_t k = 0; !i && (fault = programs_fault(shell->programs, k)); k++)
		if (err_of_reading(fault))       /* others are damage of their run */
			add_fault(&l, fault);
	return true;
}
