#include "cmds/doc/again.h"

#include <inttypes.h>
#include <string.h>

#include "cmds/lang/words.h"

struct args again_keep(const struct call *call, struct arena *mem)
{
	struct args args = call->args;

	for (size_t i = 0; i < call->cmd->n_opts; i++)
		if (args.opt[i].word)
			args.opt[i].word =
				arena_copy(mem, args.opt[i].word, strlen(args.opt[i].word));
	for (size_t i = 0; i < call->cmd->n_pos; i++)
		if (args.pos[i])
			args.pos[i] = arena_copy(mem, args.pos[i], strlen(args.pos[i]));
	return args;
}

void again_toggle(struct opt_value *flag)
{
	flag->given = !flag->given;
}

void again_next_word(struct opt_value *opt, const char *const *words, size_t n)
{
	size_t i = 0;

	while (opt->given && i < n && strcmp(words[i], opt->word))
		i++;
	i += opt->given;
	*opt = (struct opt_value){ .given = i < n, .word = i < n ? words[i] : NULL };
}

void again_put_options(const struct cmd *cmd, const struct args *args, size_t first, size_t last,
                       struct str *out)
{
	for (size_t i = first; i <= last && i < cmd->n_opts; i++) {
		if (!args->opt[i].given)
			continue;
		str_fmt(out, " --%s", cmd->opts[i].name);
		if (cmd->opts[i].kind == OPT_WORD)
			words_put_with(out, "", args->opt[i].word);
		else if (cmd->opts[i].kind == OPT_INT)
			str_fmt(out, " %" PRId64, args->opt[i].number);
	}
}

void again_put_words(const struct cmd *cmd, const struct args *args, struct str *out)
{
	for (size_t i = 0; i < cmd->n_pos; i++)
		if (args->pos[i])
			words_put_with(out, "", args->pos[i]);
}

void again_put(const struct cmd *cmd, const struct args *args, struct str *out)
{
	str_puts(out, cmd->name);
	again_put_words(cmd, args, out);
	again_put_options(cmd, args, 0, cmd->n_opts - 1, out);
}
