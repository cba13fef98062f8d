/*
 * Two steps of a recorded program. A tensor of one is a tensor of the other if graph, name, slot,
 * device and occurrence are the same, of outputs if the slot is. A function that was traced anew
 * has other graphs: those of a name are then taken for the same. Where values were not stored, what
 * the records tell of them is compared.
 */
#include "cmds/runs/diff.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/lang/python.h"
#include "cmds/lang/words.h"
#include "cmds/program/graph_names.h"
#include "cmds/program/tensor_rows.h"
#include "cmds/runs/retraced.h"
#include "dump/base/mem.h"

/* With another word for "unreadable", which in steps also means that nothing is known. */
static const char *const statuses[N_DIFF_STATUSES] = {
	[DIFF_SAME] = "same", [DIFF_CHANGED] = "changed", [DIFF_SHAPE] = "shape",
	[DIFF_DTYPE] = "dtype", [DIFF_ADDED] = "added", [DIFF_GONE] = "gone",
	[DIFF_UNREADABLE] = "unknown",
};

/* Positions in pairs are those of program_tensor(program, step, ...). */
struct steps {
	const struct program *program;
	uint32_t now, before;
	uint32_t *retraced;      /* of graphs of before: see retraced.h; NULL: both have the same */
	struct program_reads reads;
};

/* ---- tensors that are the same thing */

/* A position with what has to be the same in both steps. */
struct spot {
	uint32_t node;           /* PROGRAM_NONE: an output */
	int32_t slot;            /* of an output its row, where the slot is not known: below 0 */
	const char *device;
	uint32_t dump, at;
};

/* The node that stands for one of the step before; itself, if none does. */
static uint32_t node_now(const struct steps *s, uint32_t node)
{
	const struct program_node *n = &s->program->nodes.at[node];
	uint32_t graph = s->retraced[n->graph], found;

	if (graph == PROGRAM_NONE)
		return node;
	found = program_find_node(s->program, graph, n->name, strlen(n->name));
	return found == PROGRAM_NONE ? node : found;
}

static struct spot spot_of(const struct steps *s, uint32_t step, uint32_t at)
{
	const struct program *program = s->program;
	struct program_tensor tensor = program_tensor(program, step, at);
	const struct program_trace *trace;
	const struct program_key *key;
	int64_t slot;

	if (tensor.trace == PROGRAM_NONE) {
		slot = program_slot(program, &tensor);
		return (struct spot){ PROGRAM_NONE,
		                      slot >= 0 ? (int32_t)slot : -1 - (int32_t)tensor.row, "", 0,
		                      at };
	}
	trace = &program->traces.at[tensor.trace];
	key = &program->keys.at[trace->key];
	return (struct spot){
		step == s->before && s->retraced ? node_now(s, key->node) : key->node,
		key->slot, key->device, trace->dump, at,
	};
}

static int by_thing(const void *a, const void *b)
{
	const struct spot *x = a, *y = b;

	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	if (x->slot != y->slot)
		return x->slot < y->slot ? -1 : 1;
	if (x->dump != y->dump)
		return x->dump < y->dump ? -1 : 1;
	return strcmp(x->device, y->device);
}

/* The position in the step before of what is at this one now; DIFF_NONE: that has none. */
static uint32_t partner_of(const struct steps *s, uint32_t at)
{
	uint64_t n = program_n_tensors(s->program, s->before);
	struct spot spot = spot_of(s, s->now, at), other;

	for (uint32_t i = 0; i < n; i++) {
		other = spot_of(s, s->before, i);
		if (!by_thing(&spot, &other))
			return i;
	}
	return DIFF_NONE;
}

/* As partner_of, from the sorted spots of the other step. */
static uint32_t find_partner(const struct steps *s, uint32_t at, const struct spot *others,
                             size_t n)
{
	struct spot spot = spot_of(s, s->now, at);
	const struct spot *found = bsearch(&spot, others, n, sizeof *others, by_thing);

	return found ? found->at : DIFF_NONE;
}

static void find_pairs(const struct steps *s, struct run_diff *diff)
{
	uint32_t n_now = (uint32_t)program_n_tensors(s->program, s->now);
	uint32_t n_before = (uint32_t)program_n_tensors(s->program, s->before);
	struct spot *others = mem_alloc((n_before + 1) * sizeof *others);
	unsigned char *taken = mem_alloc(n_before + 1);

	for (uint32_t i = 0; i < n_before; i++)
		others[i] = spot_of(s, s->before, i);
	qsort(others, n_before, sizeof *others, by_thing);
	for (uint32_t i = 0; i < n_now; i++) {
		struct diff_pair pair = { i, find_partner(s, i, others, n_before), .form = NULL };

		if (pair.before != DIFF_NONE)
			taken[pair.before] = true;
		vec_push(&diff->pairs, pair);
	}
	for (uint32_t i = 0; i < n_before; i++)
		if (!taken[i])
			vec_push(&diff->pairs, ((struct diff_pair){ DIFF_NONE, i, .form = NULL }));
	free(others);
	free(taken);
}

/* ---- what is known without values */

/* Of a type and shape that are known whole. */
static const struct tensor_form *form_of(const struct health *health, struct arena *mem)
{
	const struct dtype_info *type = dtype_on_wire(health->dtype);
	struct tensor_form *form;

	if (!(health->known & HEALTH_DTYPE) || !(health->known & HEALTH_SHAPE) || !type)
		return NULL;
	for (uint32_t i = 0; i < health->shape.rank; i++)
		if (health->shape.dim[i] < 0)
			return NULL;
	form = arena_alloc(mem, sizeof *form + health->shape.rank * sizeof *form->dim);
	form->type = type;
	form->rank = health->shape.rank;
	memcpy(form->dim, health->shape.dim, form->rank * sizeof *form->dim);
	return form;
}

static enum diff_status compare_health(const struct health *a, const struct health *b)
{
	unsigned known = a->known & b->known;

	if (!(known & ~(unsigned)HEALTH_TENSOR_ID))
		return DIFF_UNREADABLE;
	if (known & HEALTH_DTYPE && a->dtype != b->dtype)
		return DIFF_DTYPE;
	if ((known & HEALTH_RANK && a->rank != b->rank) ||
	    (known & HEALTH_SHAPE && !shape_equal(&a->shape, &b->shape)) ||
	    (known & HEALTH_SIZE && a->size != b->size))
		return DIFF_SHAPE;
	if ((known & HEALTH_BAD && a->bad != b->bad) ||
	    (known & HEALTH_COUNTS && (a->nan != b->nan || a->neg_inf != b->neg_inf ||
	                               a->pos_inf != b->pos_inf)) ||
	    (known & HEALTH_SIGNS && (a->negative != b->negative || a->zero != b->zero ||
	                              a->positive != b->positive)))
		return DIFF_CHANGED;
	return DIFF_SAME;
}

/* Compares by what the records say. */
static void settle_by_health(struct steps *s, struct run_diff *diff, struct diff_pair *pair)
{
	const uint32_t at[] = { pair->now, pair->before }, step[] = { s->now, s->before };
	struct health health[2] = { { 0 }, { 0 } };

	for (int i = 0; i < 2; i++) {
		struct program_tensor tensor;
		struct err err = {0};

		if (at[i] == DIFF_NONE)
			continue;
		tensor = program_tensor(s->program, step[i], at[i]);
		if (!program_health(&s->reads, &tensor, &health[i], NULL, &err)) {
			run_diff_problem(diff, &err);
			health[i] = (struct health){ 0 };
		}
	}
	pair->status = pair->before == DIFF_NONE ? DIFF_ADDED
	               : pair->now == DIFF_NONE  ? DIFF_GONE
	                                         : compare_health(&health[0], &health[1]);
	pair->form = form_of(&health[0], &diff->mem);
	pair->old_form = form_of(&health[1], &diff->mem);
	diff->count[pair->status]++;
}

/* ---- pairs */

/* The value; NULL: no tensor, not stored, or unreadable. */
static struct value *open_at(struct steps *s, struct run_diff *diff, uint32_t step, uint32_t at,
                             bool *stored, bool *readable)
{
	struct program_tensor tensor;
	struct err err = {0};
	struct value *value;

	if (at == DIFF_NONE)
		return NULL;
	tensor = program_tensor(s->program, step, at);
	value = program_value(&s->reads, &tensor, &err);
	if (!value && err.code == ERR_MISSING) {
		*stored = false;
	} else if (!value) {
		*readable = false;
		run_diff_problem(diff, &err);
	}
	return value;
}

/* False after a cancel. */
static bool compare_pair(struct steps *s, struct run_diff *diff, struct diff_pair *pair,
                         const struct tolerance *tolerance, uint64_t *n_by_health,
                         struct progress *progress)
{
	bool stored = true, readable = true, ok = true;
	struct value *now = open_at(s, diff, s->now, pair->now, &stored, &readable);
	struct value *before = open_at(s, diff, s->before, pair->before, &stored, &readable);

	if (stored) {
		ok = run_diff_settle(diff, pair, now, before, readable, tolerance, false, progress);
	} else {
		settle_by_health(s, diff, pair);
		*n_by_health += pair->now != DIFF_NONE && pair->before != DIFF_NONE;
	}
	value_close(now);
	value_close(before);
	return ok;
}

static struct run_diff *compare_all(struct steps *s, const struct tolerance *tolerance,
                                    uint64_t *n_by_health, struct progress *progress,
                                    struct err *err)
{
	struct run_diff *diff = mem_alloc(sizeof *diff);

	find_pairs(s, diff);
	for (size_t i = 0; i < diff->pairs.len; i++) {
		if (progress_step(progress, i, diff->pairs.len) &&
		    compare_pair(s, diff, &diff->pairs.at[i], tolerance, n_by_health, progress))
			continue;
		err_fill(err, ERR_CANCELLED, "command", 0, "stopped after %zu of %zu tensors", i,
		         diff->pairs.len);
		run_diff_free(diff);
		return NULL;
	}
	return diff;
}

/* ---- rows */

/* The tensor that stands for the pair. */
static struct program_tensor told_of(const struct steps *s, const struct diff_pair *pair)
{
	return pair->now != DIFF_NONE ? program_tensor(s->program, s->now, pair->now)
	                              : program_tensor(s->program, s->before, pair->before);
}

static void put_name(const struct diff_list *list, const struct diff_pair *pair, struct str *out)
{
	const struct steps *s = list->owner;
	struct program_tensor tensor = told_of(s, pair);

	program_put_name(s->program, &tensor, out);
}

static int compare_names(const struct diff_list *list, const struct diff_pair *x,
                         const struct diff_pair *y)
{
	struct str a = {0}, b = {0};
	int order;

	put_name(list, x, &a);
	put_name(list, y, &b);
	order = strcmp(a.text, b.text);
	str_release(&a);
	str_release(&b);
	return order;
}

static uint64_t dump_of(const struct diff_list *list, const struct diff_pair *pair)
{
	const struct steps *s = list->owner;
	struct program_tensor tensor = told_of(s, pair);

	return tensor.trace == PROGRAM_NONE ? 0 : s->program->traces.at[tensor.trace].dump;
}

static const char *device_of(const struct diff_list *list, const struct diff_pair *pair)
{
	const struct steps *s = list->owner;
	struct program_tensor tensor = told_of(s, pair);

	return tensor_device(s->program, &tensor);
}

static const char *no_debug_op(const struct diff_list *list, const struct diff_pair *pair)
{
	(void)list, (void)pair;
	return NULL;
}

static const char *graph_of(const struct diff_list *list, const struct diff_pair *pair)
{
	const struct steps *s = list->owner;
	struct program_tensor tensor = told_of(s, pair);

	return name_of_graph(s->program, tensor_graph(s->program, &tensor));
}

static void put_health_of(const struct diff_list *list, const struct diff_pair *pair, bool old,
                          struct str *out)
{
	struct steps *s = list->owner;
	uint32_t at = old ? pair->before : pair->now;
	struct health health = {0};
	struct program_tensor tensor;
	struct err err = {0};

	if (at == DIFF_NONE)
		return;
	tensor = program_tensor(s->program, old ? s->before : s->now, at);
	if (!program_health(&s->reads, &tensor, &health, NULL, &err))
		health = (struct health){0};
	put_health(out, &health);
}

/* If both steps have it, the comparison of the two. */
static void put_command(const struct diff_list *list, const struct diff_pair *pair, struct str *out)
{
	const struct steps *s = list->owner;
	struct program_tensor tensor = told_of(s, pair);
	struct str name = {0};

	if (pair->now == DIFF_NONE || pair->before == DIFF_NONE) {
		tensor_put_link(s->program, &tensor, out);
		return;
	}
	if (tensor.trace != PROGRAM_NONE) {
		str_fmt(out, "diff %" PRIu32 " --trace %" PRIu32, s->before, tensor.trace);
		return;
	}
	program_put_name(s->program, &tensor, &name);
	words_put_with(out, "diff", name.text);
	str_fmt(out, " %" PRIu32, s->before);
	str_release(&name);
}

static const struct diff_kind of_steps = {
	.put_name = put_name, .compare_names = compare_names, .dump = dump_of, .device = device_of,
	.debug_op = no_debug_op, .graph = graph_of, .put_health = put_health_of,
	.put_command = put_command, .statuses = statuses, .of_program = true,
};

/* ---- what was typed */

static void free_steps(void *what)
{
	struct steps *s = what;

	program_reads_release(&s->reads);
	free(s->retraced);
	free(s);
}

/*
 * The step before with the same op, and with the same graph if it is a function's; if there is none
 * the last call of the function as it was traced before. False: the answer says that there is none.
 */
static bool step_before(struct call *call, uint32_t step, uint32_t *before)
{
	const struct program *program = call->shell->program;
	uint32_t graph = program_probable_graph(program, step), other = PROGRAM_NONE;
	const char *op = program->steps.at[step].op;

	for (*before = step; (*before)-- > 0;) {
		bool same_op = !strcmp(program->steps.at[*before].op, op);

		if (!same_op && !program_same_function(program, step, *before))
			continue;
		if (program_probable_graph(program, *before) == graph &&
		    (same_op || graph != PROGRAM_NONE))
			return true;
		if (other == PROGRAM_NONE)
			other = *before;
	}
	*before = other;
	if (other != PROGRAM_NONE)
		return true;
	call_error(call, "ERROR: There is no %s before step #%" PRIu32 ": give the other step by "
	                 "its number.", op, step);
	return false;
}

static bool choose_other(struct call *call, const char *word, uint32_t step, uint32_t *other)
{
	struct opt_value number = { .given = true };

	if (!word)
		return step_before(call, step, other);
	word += *word == '#';
	if (!python_int(word, strlen(word), &number.number)) {
		call_error(call, "ERROR: \"%s\" is no step: the other one's number is needed.",
		           word);
		return false;
	}
	return choose_step(call, &number, other);
}

static const char *step_text(struct call *call, uint32_t step)
{
	struct str text = {0};
	const char *out;

	str_fmt(&text, "step #%" PRIu32, step);
	out = arena_copy(doc_mem(call->out), text.text, text.len);
	str_release(&text);
	return out;
}

static struct steps *steps_new(struct call *call, uint32_t now, uint32_t before)
{
	const struct program *program = call->shell->program;
	uint32_t graph = program_probable_graph(program, now);
	uint32_t graph_before = program_probable_graph(program, before);
	struct steps *s = mem_alloc(sizeof *s);

	*s = (struct steps){ .program = program, .now = now, .before = before,
	                     .reads.program = program };
	if (graph != PROGRAM_NONE && graph_before != PROGRAM_NONE && graph != graph_before)
		s->retraced = retraced_graphs(program, graph, graph_before);
	doc_keep(call->out, free_steps, s);
	return s;
}

/* "step #9 has graph f (5209667a), step #3 another one, f (8d1c0d5b): ..." */
static const char *retraced_text(struct call *call, const struct steps *s)
{
	const struct program *program = s->program;
	struct str text = {0};
	const char *out;

	if (!s->retraced)
		return NULL;
	str_fmt(&text, "The graphs differ: that of step #%" PRIu32 " is ", s->now);
	put_graph_path(&text, program, program_probable_graph(program, s->now));
	str_fmt(&text, " (%.8s), that of step #%" PRIu32 " is ",
	        program->graphs.at[program_probable_graph(program, s->now)].id, s->before);
	put_graph_path(&text, program, program_probable_graph(program, s->before));
	str_fmt(&text, " (%.8s); tensors are paired by the names of their ops.",
	        program->graphs.at[program_probable_graph(program, s->before)].id);
	out = arena_copy(doc_mem(call->out), text.text, text.len);
	str_release(&text);
	return out;
}

/* ---- all tensors */

static bool diff_all(struct call *call, const struct step_words *words,
                     const struct tolerance *tolerance, const struct diff_rows *rows,
                     struct diff_found *found)
{
	uint32_t now, before;
	struct run_diff *diff;
	struct diff_list *list;
	uint64_t n_by_health = 0;
	struct steps *s;

	if (!choose_step(call, words->tensor.step, &now) ||
	    !choose_other(call, words->step, now, &before))
		return false;
	s = steps_new(call, now, before);
	diff = compare_all(s, tolerance, &n_by_health, call->progress, &call->err);
	if (!diff)
		return false;
	list = diff_list_of(call->out, diff, &of_steps, s, n_by_health);
	list->tolerance = *tolerance;
	list->old.name = step_text(call, before);
	list->new_name = step_text(call, now);
	list->note = retraced_text(call, s);
	found->differs = diff->count[DIFF_SAME] + diff->count[DIFF_UNREADABLE] < diff->pairs.len;
	found->unjudged = diff->count[DIFF_UNREADABLE] || !diff->pairs.len;
	return diff_list_answer(call, list, rows);
}

/* ---- one tensor */

/* A tensor whose value was not stored in at least one of the steps. */
struct known {
	struct steps *steps;
	struct diff_pair pair;
	struct diff_names names;
};

static bool put_known_data(void *context, struct data *data, struct progress *progress,
                           struct err *err)
{
	const struct known *known = context;
	struct program_reads reads = { .program = known->steps->program };
	struct program_tensor tensor;

	(void)progress;
	data_object(data);
	tensor = program_tensor(reads.program, known->steps->now, known->pair.now);
	tensor_put_keys(&reads, &tensor, data, err);
	data_key(data, "status");
	data_str(data, statuses[known->pair.status]);
	data_key(data, "new");
	data_str(data, known->names.now);
	data_key(data, "old");
	data_str(data, known->names.before);
	data_key(data, "old_tensor");
	if (known->pair.before == DIFF_NONE) {
		data_null(data);
	} else {
		tensor = program_tensor(reads.program, known->steps->before, known->pair.before);
		data_object(data);
		tensor_put_keys(&reads, &tensor, data, err);
		data_end(data);
	}
	data_end(data);
	program_reads_release(&reads);
	return !err->code;
}

static void put_known_line(struct call *call, struct steps *s, const char *what, uint32_t step,
                           uint32_t at)
{
	struct program_tensor tensor;
	struct health health = {0};
	struct str text = {0};
	struct err err = {0};

	if (at == DIFF_NONE)
		return;
	tensor = program_tensor(s->program, step, at);
	if (program_health(&s->reads, &tensor, &health, NULL, &err))
		put_health(&text, &health);
	else
		str_puts(&text, err.msg);
	doc_line_put(call->out, ROLE_PLAIN, "  %s: %s", what, text.text);
	str_release(&text);
}

static bool show_known(struct call *call, const struct request *req, struct steps *s,
                       const struct diff_pair *pair, const struct diff_names *names,
                       const char *why, struct diff_found *found)
{
	struct known *known = arena_alloc(doc_mem(call->out), sizeof *known);
	struct run_diff none = {0};
	struct str label = {0};

	if (req->slice) {
		call_error(call, "ERROR: %s", why);
		return false;
	}
	*known = (struct known){ s, *pair, *names };
	settle_by_health(s, &none, &known->pair);
	found->unjudged = known->pair.status == DIFF_UNREADABLE;
	found->differs = known->pair.status != DIFF_SAME && !found->unjudged;
	request_label(call, req, &label);
	doc_put(call->out, ROLE_PLAIN, "Tensor \"%s\", %s against %s: ", label.text, names->now,
	        names->before);
	doc_put(call->out, found->differs ? ROLE_DIFFERS : ROLE_PLAIN, "%s",
	        statuses[known->pair.status]);
	doc_newline(call->out);
	put_known_line(call, s, names->now, s->now, known->pair.now);
	put_known_line(call, s, names->before, s->before, known->pair.before);
	doc_newline(call->out);
	doc_line_put(call->out, ROLE_PLAIN, "Only what is known without values was compared.");
	doc_line_put(call->out, ROLE_PLAIN, "%s", why);
	doc_typed(call->out, DATA_VALUE, put_known_data, known);
	str_release(&label);
	known->pair.form = known->pair.old_form = NULL;
	vec_release(&none.problems);
	arena_release(&none.mem);
	return true;
}

static void close_value(void *value)
{
	value_close(value);
}

/* Compares the values of a tensor; the other step may not have one. */
static bool diff_pair(struct call *call, const struct request *req, struct steps *s,
                      const struct diff_pair *pair, const struct diff_options *options,
                      struct diff_found *found)
{
	struct diff_names names = { step_text(call, s->now), step_text(call, s->before) };
	struct value *now, *before = NULL;
	struct request old = *req;
	struct err err = {0};

	now = request_value(call, req, &err);
	if (now && pair->before != DIFF_NONE) {
		old.traced = program_tensor(s->program, s->before, pair->before);
		before = request_value(call, &old, &err);
		if (before)
			doc_keep(call->out, close_value, before);
	}
	if (!err.code)
		return diff_tensor(call, req, now, before, &names, options, found);
	value_close(now);
	if (err.code != ERR_MISSING)
		return diff_put_unreadable(call, &err);
	return show_known(call, req, s, pair, &names, err.msg, found);
}

/* The position of a tensor in its step. */
static uint32_t position_of(const struct program *program, const struct program_tensor *tensor)
{
	uint64_t n = program_n_tensors(program, tensor->step);

	for (uint32_t i = 0; i < n; i++) {
		struct program_tensor other = program_tensor(program, tensor->step, i);

		if (other.trace == tensor->trace &&
		    (tensor->trace != PROGRAM_NONE || other.row == tensor->row))
			return i;
	}
	return DIFF_NONE;
}

static bool diff_one(struct call *call, const struct step_words *words,
                     const struct diff_options *options, struct diff_found *found)
{
	const struct program *program = call->shell->program;
	struct diff_pair pair = { .form = NULL };
	struct request req;
	struct steps *s;
	uint32_t other;

	if (!request_find(call, &words->tensor, &req))
		return false;
	if (req.traced.step == PROGRAM_NONE) {
		call_error(call, "ERROR: This tensor belongs to no step.");
		return false;
	}
	if (!choose_other(call, words->step, req.traced.step, &other))
		return false;
	s = steps_new(call, req.traced.step, other);
	pair.now = position_of(program, &req.traced);
	pair.before = partner_of(s, pair.now);
	if (s->retraced)
		doc_line_put(call->out, ROLE_PLAIN, "%s", retraced_text(call, s));
	return diff_pair(call, &req, s, &pair, options, found);
}

bool diff_steps(struct call *call, const struct step_words *words,
                const struct diff_options *options, const struct diff_rows *rows,
                struct diff_found *found)
{
	bool is_one = words->tensor.trace->given || (words->tensor.word && *words->tensor.word);

	return is_one ? diff_one(call, words, options, found)
	              : diff_all(call, words, &options->tolerance, rows, found);
}
