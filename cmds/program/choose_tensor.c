#include "cmds/program/choose_tensor.h"

#include <inttypes.h>
#include <string.h>

#include "cmds/lang/words.h"
#include "cmds/program/graph_names.h"
#include "cmds/program/tensor_rows.h"

static bool is_given(const struct opt_value *opt)
{
	return opt && opt->given;
}

/* Does the word name this trace, "node:slot", or is it ""? */
static bool is_name_of(const struct program *program, const char *word, int64_t trace)
{
	struct program_tensor tensor = { .trace = (uint32_t)trace };
	struct str name = {0};
	bool is_it;

	if (!word || !*word)
		return true;
	if (trace < 0 || trace >= (int64_t)program->traces.len)
		return false;
	program_put_name(program, &tensor, &name);
	is_it = !strcmp(name.text, word);
	str_release(&name);
	return is_it;
}

/* --trace I, which needs no name. */
static bool choose_trace(struct call *call, const struct tensor_words *words,
                         struct program_tensor *out)
{
	const struct program *program = call->shell->program;
	int64_t i = words->trace->number;
	const struct program_trace *trace;

	if (!is_name_of(program, words->word, i)) {
		call_error(call, "ERROR: Two tensors are named: \"%s\" and --trace %" PRId64 ".",
		           words->word, i);
		return false;
	}
	if (i < 0 || i >= (int64_t)program->traces.len) {
		call_error(call, "ERROR: There is no trace %" PRId64 ": there are %zu.", i,
		           program->traces.len);
		return false;
	}
	trace = &program->traces.at[i];
	*out = (struct program_tensor){ .trace = (uint32_t)i, .step = trace->owner };
	if (trace->attribution == PROGRAM_UNATTRIBUTED)
		out->step = PROGRAM_NONE;
	return true;
}

/* ---- outputs of steps */

static void no_output(struct call *call, const char *word, const struct step_name *name)
{
	const struct program_step *step = &call->shell->program->steps.at[name->step];
	uint32_t n = program_step_rows(step);

	if (name->slot < 0)
		call_error(call, "ERROR: Step #%" PRIu32 " %s has %" PRIu32 " output%s: name one, "
		                 "%s#%" PRIu32 ":0.", name->step, step->op, n, plural(n), step->op,
		           name->step);
	else if (!name->is_row && step->n_entries && step->n_entries != step->n_outputs)
		call_error(call, "ERROR: Which outputs of step #%" PRIu32 " were stored is not "
		                 "known: %s#%" PRIu32 ":?0 is the first of them.", name->step,
		           step->op, name->step);
	else
		call_error(call, "ERROR: There is no \"%s\": step #%" PRIu32 " %s has %" PRIu32
		                 " output%s.", word, name->step, step->op, n, plural(n));
}

static bool choose_output(struct call *call, const struct tensor_words *words,
                          const struct step_name *name, struct program_tensor *out)
{
	const struct program *program = call->shell->program;
	uint32_t n = program_step_rows(&program->steps.at[name->step]);

	if (is_given(words->number) && words->number->number) {
		call_error(call, "ERROR: Invalid number (%" PRId64 ") for tensor %s, which "
		                 "generated one dump.", words->number->number, words->word);
		return false;
	}
	for (uint32_t row = 0; row < n; row++) {
		int64_t slot;

		*out = (struct program_tensor){ PROGRAM_NONE, name->step, row };
		slot = name->is_row ? row : program_slot(program, out);
		if (name->slot < 0 ? n == 1 : slot == name->slot)
			return true;
	}
	no_output(call, words->word, name);
	return false;
}

/* ---- tensors of graphs */

/* Dumps of a node in a step: indexes for program_tensor(program, step, ...). */
struct dumps_of_step {
	uint32_t step;
	VEC(uint32_t) at;
};

static const struct program_trace *trace_at(const struct program *program,
                                            const struct dumps_of_step *dumps, size_t i)
{
	struct program_tensor tensor = program_tensor(program, dumps->step, dumps->at.at[i]);

	return &program->traces.at[tensor.trace];
}

static const struct program_key *key_at(const struct program *program,
                                        const struct dumps_of_step *dumps, size_t i)
{
	return &program->keys.at[trace_at(program, dumps, i)->key];
}

/* slot -1: any. */
static void find_dumps(const struct program *program, uint32_t node, int64_t slot,
                       const char *device, struct dumps_of_step *out)
{
	uint64_t n = program_n_tensors(program, out->step);

	for (uint32_t i = 0; i < n; i++) {
		struct program_tensor tensor = program_tensor(program, out->step, i);
		const struct program_key *key;

		if (tensor.trace == PROGRAM_NONE)
			continue;
		key = &program->keys.at[program->traces.at[tensor.trace].key];
		if (key->node == node && (slot < 0 || key->slot == slot) &&
		    (!device || strstr(key->device, device)))
			vec_push(&out->at, i);
	}
}

/* Are all dumps of one slot? If not, the answer asks which. */
static bool is_one_slot(struct call *call, const char *word, const struct dumps_of_step *dumps)
{
	const struct program *program = call->shell->program;

	for (size_t i = 1; i < dumps->at.len; i++)
		if (key_at(program, dumps, i)->slot != key_at(program, dumps, 0)->slot) {
			call_error(call, "ERROR: Several output slots of \"%s\" were dumped: say "
			                 "which, %s:%d.", word, word,
			           key_at(program, dumps, 0)->slot);
			return false;
		}
	return true;
}

static void keep_number(const struct program *program, int64_t number,
                        struct dumps_of_step *dumps)
{
	size_t kept = 0;

	for (size_t i = 0; i < dumps->at.len; i++)
		if (trace_at(program, dumps, i)->dump == number)
			dumps->at.at[kept++] = dumps->at.at[i];
	dumps->at.len = kept;
}

static void put_choice_link(void *context, uint64_t row, struct str *out)
{
	const struct tensor_rows *rows = context;
	struct program_tensor tensor = program_tensor(rows->program, rows->of, rows->rows.at[row]);

	str_fmt(out, "%s --trace %" PRIu32, (const char *)rows->owner, tensor.trace);
}

/* Lists the dumps to choose from. */
static void show_choices(struct call *call, const struct dumps_of_step *dumps, const char *word)
{
	const struct cmd *cmd = call->cmd;
	const char *name = cmd->alias ? cmd->alias : cmd->name;
	struct tensor_rows *rows = tensor_rows_new(call->out, call->shell->program, dumps->step);
	struct str line = {0};
	struct table *table;

	for (size_t i = 0; i < dumps->at.len; i++)
		vec_push(&rows->rows, dumps->at.at[i]);
	rows->owner = arena_copy(doc_mem(call->out), name, strlen(name));
	doc_line_put(call->out, ROLE_PLAIN, "Tensor \"%s\" generated %zu dumps in step #%" PRIu32
	             ":", word, dumps->at.len, dumps->step);
	doc_newline(call->out);
	table = tensor_rows_table(call->out, rows);
	table->link = put_choice_link;
	tensor_rows_measure(table, 0);
	table_put_list(call, table);
	doc_newline(call->out);
	doc_line_put(call->out, ROLE_PLAIN,
	             "You can use the -n (--number) flag to specify which dump to print.");
	doc_line_put(call->out, ROLE_PLAIN, "For example:");
	str_fmt(&line, "  %s", name);
	for (size_t i = 0; i < call->n_words; i++)
		words_put_with(&line, "", call->words[i]);
	doc_line_put(call->out, ROLE_PLAIN, "%s -n %" PRIu32, line.text,
	             trace_at(rows->program, dumps, 0)->dump);
	str_release(&line);
}

static void bad_number(struct call *call, const struct tensor_words *words, size_t n)
{
	int64_t number = words->number->number;

	if (n == 1)
		call_error(call, "ERROR: Invalid number (%" PRId64 ") for tensor %s, which "
		                 "generated one dump.", number, words->word);
	else
		call_error(call, "ERROR: Specified number (%" PRId64 ") exceeds the number of "
		                 "available dumps (%zu) for tensor %s", number, n, words->word);
}

/* Chooses one of the dumps, by the typed number. */
static bool choose_dump(struct call *call, const struct tensor_words *words,
                        struct dumps_of_step *dumps, struct program_tensor *out, bool *several)
{
	const struct program *program = call->shell->program;
	size_t n = dumps->at.len;

	if (!n)
		call_error(call, "ERROR: Tensor \"%s\" did not generate any dumps in step #%" PRIu32
		                 " %s.", words->word, dumps->step,
		           program->steps.at[dumps->step].op);
	if (!n || !is_one_slot(call, words->word, dumps))
		return false;
	*several = n > 1;
	if (is_given(words->number))
		keep_number(program, words->number->number, dumps);
	if (!dumps->at.len)
		bad_number(call, words, n);
	else if (dumps->at.len > 1 && is_given(words->number))
		call_error(call, "ERROR: Tensor \"%s\" was dumped on %zu devices: -D says which.",
		           words->word, dumps->at.len);
	else if (dumps->at.len > 1)
		show_choices(call, dumps, words->word);
	if (dumps->at.len != 1)
		return false;
	*out = program_tensor(program, dumps->step, dumps->at.at[0]);
	return true;
}

static bool choose_traced(struct call *call, const struct tensor_words *words,
                          struct program_tensor *out, bool *several)
{
	static const struct opt_value none;
	const struct opt_value *step = words->step ? words->step : &none;
	struct dumps_of_step dumps = {0};
	uint32_t node;
	int64_t slot;
	bool ok;

	if (!choose_step(call, step, &dumps.step) ||
	    !choose_node(call, words->word, words->graph ? words->graph->word : NULL, dumps.step,
	                 &node, &slot))
		return false;
	find_dumps(call->shell->program, node, slot, words->device ? words->device->word : NULL,
	           &dumps);
	ok = choose_dump(call, words, &dumps, out, several);
	vec_release(&dumps.at);
	return ok;
}

bool choose_tensor(struct call *call, const struct tensor_words *words, struct program_tensor *out,
                   bool *several)
{
	struct step_name name;

	*several = false;
	if (is_given(words->trace))
		return choose_trace(call, words, out);
	if (!words->word || !*words->word) {
		call_error(call, "ERROR: Which tensor? Its name is missing, or --trace N.");
		return false;
	}
	if (step_name_read(call->shell->program, words->word, &name))
		return choose_output(call, words, &name, out);
	return choose_traced(call, words, out, several);
}

void put_not_stored(struct str *out, const struct program *program,
                    const struct program_tensor *tensor)
{
	const char *name = program_mode_name(program_mode(program, tensor));

	if (name && !strcmp(name, "FULL_TENSOR")) {
		str_puts(out, "No value was stored: a resource, or left out by op_regex or "
		              "tensor_dtypes.");
		return;
	}
	str_puts(out, "Values were not stored (tensor_debug_mode=");
	put_mode_name(out, program_mode(program, tensor));
	str_puts(out, "). Re-run with FULL_TENSOR to see them.");
}
