/*
 * Command lines, cut into words, then read by the options of the command that the first byte picks.
 */
#include "cmds/lang/words.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/array/slice.h"
#include "cmds/lang/args.h"
#include "cmds/lang/registry.h"
#include "tests/input.h"

static void read_tensor(const char *word, struct arena *mem)
{
	struct node_word node = {0};
	const char *tensor, *slice;
	struct err err = {0};

	slice_cut(word, mem, &tensor, &slice);
	MUST(strlen(tensor) + (slice ? strlen(slice) : 0) == strlen(word));
	MUST(node_word_parse(tensor, mem, &node, &err) ? node.node != NULL : err.code);
}

static void read_args(const struct cmd *cmd, const struct words *words, struct arena *mem)
{
	struct err err = {0};
	bool help = false;
	struct args args;

	if (!args_parse(cmd, words->at, words->len, mem, &args, &help, &err)) {
		MUST(err.code == ERR_SYNTAX && (help || *err.msg));
		return;
	}
	for (size_t i = 0; i < cmd->n_opts; i++)
		MUST(!args.opt[i].given || cmd->opts[i].kind != OPT_WORD || args.opt[i].word);
	for (size_t i = 0; i < cmd->n_pos; i++) {
		MUST(args.pos[i] || cmd->pos[i].optional);
		if (args.pos[i])
			read_tensor(args.pos[i], mem);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct cmd *cmd = registry_at(size ? *data % registry_len() : 0);
	char *line = input_text(size ? data + 1 : data, size ? size - 1 : 0);
	struct words words = {0};
	struct arena mem = {0};
	struct err err = {0};

	if (!words_split(line, &mem, &words, &err)) {
		MUST(err.code == ERR_SYNTAX && *err.msg);
	} else {
		for (size_t i = 0; i < words.len; i++)
			MUST(strlen(words.at[i]) <= strlen(line));
		if (!cmd->raw)
			read_args(cmd, &words, &mem);
	}
	arena_release(&mem);
	free(line);
	return 0;
}
