/*
 * Kinds of offers are parts: a graph's nodes, the run's tensors. A part knows how many it has and
 * makes the name of any of them when it is asked for.
 */
#include "cmds/session/offers.h"

#include <inttypes.h>
#include <string.h>

#include "cmds/lang/cmd.h"
#include "cmds/lang/format.h"
#include "cmds/lang/registry.h"
#include "cmds/session/complete_parts.h"
#include "cmds/session/session.h"

static void add(struct offers *out, enum offer_kind kind, uint64_t n, const void *of)
{
	if (n)
		vec_push(&out->parts, ((struct offers_part){ kind, n, of }));
}

/* Nodes and tensors. A recorded program has all its own in one part. */

static void add_nodes(struct offers *out, const struct offered *o)
{
	if (o->program)
		add(out, OFFER_NODE, o->program->nodes.len, NULL);
	for (size_t i = 0; o->run && i < o->run->devices.len; i++) {
		const struct graph *graph = o->run->devices.at[i].graph;

		if (graph)
			add(out, OFFER_NODE, graph_len(graph), graph);
	}
}

static void add_tensors(struct offers *out, const struct offered *o)
{
	if (o->run)
		add(out, OFFER_TENSOR, o->run->tensors.len, NULL);
	else if (o->program && o->step == PROGRAM_NONE)
		add(out, OFFER_TENSOR, o->program->keys.len, NULL);
	else if (o->program)
		add(out, OFFER_TENSOR, program_n_tensors(o->program, o->step), NULL);
}

static void add_runs(struct offers *out, const struct offered *o)
{
	if (o->runs && o->runs->list.len > 1)
		add(out, OFFER_RUN, o->runs->list.len, NULL);
}

/* Of a recorded program. */
static void add_steps(struct offers *out, const struct offered *o)
{
	if (o->program)
		add(out, OFFER_STEP, o->program->steps.len, NULL);
}

static void add_named(struct offers *out, const struct offered *o, enum link_kind names)
{
	if (names == LINK_NODE || names == LINK_TENSOR_OR_NODE)
		add_nodes(out, o);
	if (names == LINK_TENSOR || names == LINK_TENSOR_OR_NODE || names == LINK_TENSOR_OR_RUN)
		add_tensors(out, o);
	if (names == LINK_RUN || names == LINK_TENSOR_OR_RUN)
		add_runs(out, o);
}

static bool takes_commands(const struct cmd *cmd)
{
	return cmd && !strcmp(cmd->name, "help");
}

/* Words behind a command. */

static const struct cmd *command_of(const struct offered *o, const char *line, size_t len)
{
	struct str name = {0};
	const struct cmd *cmd;

	len = strcspn(line, " \t") < len ? strcspn(line, " \t") : len;
	str_put(&name, line, len);
	cmd = cmd_find_of(str_text(&name), o->what);
	str_release(&name);
	return cmd;
}

static void add_behind(struct offers *out, struct candidates *c, const struct completed_word *word,
                       const struct cmd *cmd, bool dashed)
{
	const struct offered *o = candidates_offered(c);
	const struct words_list *list;

	switch (word->context) {
	case CONTEXT_NODES: add_nodes(out, o); break;
	case CONTEXT_TENSORS: add_tensors(out, o); break;
	case CONTEXT_STEPS: add_steps(out, o); break;
	case CONTEXT_WORDS:
	case CONTEXT_FILTERS:
	case CONTEXT_RUNS:
	case CONTEXT_GRAPHS:
	case CONTEXT_SETTINGS:
	case CONTEXT_THEMES:
	case CONTEXT_ALIASES:
		if (word->context == CONTEXT_RUNS && o->program) {
			add_steps(out, o);
			break;
		}
		list = candidates_list(c, word);
		add(out, OFFER_WORD, list->at.len, list);
		break;
	default:
		if (takes_commands(cmd) && !dashed)
			add(out, OFFER_COMMAND, registry_len(), NULL);
		else if (cmd && !dashed)
			add_named(out, o, cmd->names);
		break;
	}
	if (cmd && (dashed || !out->parts.len))
		add(out, OFFER_OPTION, cmd->n_opts, cmd);
}

void offers_at(struct shell *shell, const char *line, size_t cursor, struct offers *out)
{
	struct candidates *c = shell_candidates(shell);
	const struct offered *o = candidates_offered(c);
	struct completed_word word = candidates_word(c, line, cursor);
	size_t begin = strspn(line, " \t");

	out->parts.len = 0;
	out->offered = o;
	out->word_begin = word.begin;
	out->begins_line = word.context == CONTEXT_COMMANDS;
	if (strcspn(line, "|>") < cursor)
		return;
	if (out->begins_line) {
		add(out, OFFER_COMMAND, registry_len(), NULL);
		add(out, OFFER_COMMAND, o->aliases->list.len, o->aliases);
		add_nodes(out, o);
		add_tensors(out, o);
		add_runs(out, o);
		add_steps(out, o);
	} else {
		add_behind(out, c, &word, command_of(o, line + begin, cursor - begin),
		           line[word.begin] == '-');
	}
}

void offers_release(struct offers *offers)
{
	vec_release(&offers->parts);
}

/* Names. */

/* NULL: it is an alias, or a name of another kind of session. */
static const struct cmd *command_at(const struct offered *o, const struct offers_part *part,
                                    uint64_t i)
{
	return part->of ? NULL : registry_of(i, o->what);
}

static bool command_name(const struct offered *o, const struct offers_part *part, uint64_t i,
                         struct str *name, const char **alias)
{
	const struct cmd *cmd = command_at(o, part, i);

	if (part->of)
		str_puts(name, o->aliases->list.at[i].name);
	if (!cmd)
		return part->of;
	str_puts(name, cmd->name);
	if (alias)
		*alias = cmd->alias;
	return true;
}

static void node_name(const struct offered *o, const struct offers_part *part, uint64_t i,
                      struct str *name)
{
	str_puts(name, part->of ? graph_name(part->of, (uint32_t)i)
	                        : o->program->nodes.at[i].name);
}

/* The short form is put behind the long one. */
static void option_name(const struct opt *opt, struct str *name, const char **alias)
{
	size_t len;

	str_fmt(name, "--%s", opt->name);
	len = name->len;
	if (!opt->flag || !alias)
		return;
	str_putc(name, '\0');
	str_fmt(name, "-%s", opt->flag);
	*alias = name->text + len + 1;
}

/* Of dumps of one output the first. */
static bool tensor_name(const struct offered *o, uint64_t i, struct str *name)
{
	if (o->run) {
		const struct tensor *t = &o->run->tensors.at[i];

		str_puts(name, t->node);
		str_putc(name, ':');
		str_int(name, t->slot);
		return !t->number;
	}
	if (o->step == PROGRAM_NONE) {
		const struct program_key *key = &o->program->keys.at[i];

		str_puts(name, o->program->nodes.at[key->node].name);
		str_putc(name, ':');
		str_int(name, key->slot);
	} else {
		struct program_tensor t = program_tensor(o->program, o->step, i);

		program_put_name(o->program, &t, name);
	}
	return true;
}

bool offers_name(const struct offers *offers, size_t part, uint64_t i, struct str *name,
                 const char **alias)
{
	const struct offered *o = offers->offered;
	const struct offers_part *p = &offers->parts.at[part];

	str_reset(name);
	if (alias)
		*alias = NULL;
	switch (p->kind) {
	case OFFER_COMMAND:
		return command_name(o, p, i, name, alias);
	case OFFER_OPTION:
		option_name(&((const struct cmd *)p->of)->opts[i], name, alias);
		break;
	case OFFER_WORD:
		str_puts(name, ((const struct words_list *)p->of)->at.at[i]);
		break;
	case OFFER_NODE:
		node_name(o, p, i, name);
		break;
	case OFFER_TENSOR:
		return tensor_name(o, i, name);
	case OFFER_STEP:
		str_int(name, (int64_t)i);
		break;
	default:
		str_puts(name, o->runs->list.at[i]->name);
		break;
	}
	return true;
}

/* What is said about them. */

static const char *node_op(const struct offered *o, const struct offers_part *part, uint64_t i)
{
	uint32_t op;

	if (part->of)
		return graph_op(part->of, (uint32_t)i);
	op = o->program->nodes.at[i].op;
	return op == PROGRAM_NONE ? "" : o->program->ops.at[op].type;
}

static void tell_tensor(const struct offered *o, uint64_t i, struct str *out)
{
	str_puts(out, "tensor");
	if (!o->run || o->run->tensors.at[i].size_bytes < 0)
		return;
	str_puts(out, "  ");
	put_size(out, o->run->tensors.at[i].size_bytes);
}

void offers_tell(const struct offers *offers, size_t part, uint64_t i, struct str *out)
{
	const struct offered *o = offers->offered;
	const struct offers_part *p = &offers->parts.at[part];

	switch (p->kind) {
	case OFFER_COMMAND:
		if (p->of)
			str_fmt(out, "alias  %s", o->aliases->list.at[i].line);
		else
			str_puts(out, registry_of(i, o->what)->summary);
		break;
	case OFFER_OPTION:
		opt_put_help(&((const struct cmd *)p->of)->opts[i], out);
		break;
	case OFFER_WORD:
		break;
	case OFFER_NODE:
		str_fmt(out, "node  %s", node_op(o, p, i));
		break;
	case OFFER_TENSOR:
		tell_tensor(o, i, out);
		break;
	case OFFER_STEP:
		str_fmt(out, "step  %s", o->program->steps.at[i].op);
		break;
	default:
		str_fmt(out, "run  %zu", o->runs->list.at[i]->position);
		break;
	}
}

const char *offers_before(const struct offers *offers, size_t part)
{
	if (!offers->begins_line)
		return "";
	switch (offers->parts.at[part].kind) {
	case OFFER_NODE: return "ni ";
	case OFFER_TENSOR: return "pt ";
	case OFFER_RUN:
	case OFFER_STEP: return "run --to ";
	default: return "";
	}
}

bool offers_wants_more(const struct offers *offers, size_t part, uint64_t i)
{
	const struct offered *o = offers->offered;
	const struct offers_part *p = &offers->parts.at[part];
	bool is_command = offers->begins_line && p->kind == OFFER_COMMAND;
	const struct cmd *cmd = is_command ? command_at(o, p, i) : NULL;

	return cmd && cmd->n_pos && !cmd->pos[0].optional;
}
