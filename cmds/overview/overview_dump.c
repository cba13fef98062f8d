#include "cmds/overview/overview.h"

#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"

static const char key[] = "findings";

struct kept_dump {
	struct overview_dump dump;
	unsigned changes;                /* of the session: what was looked at */
};

static void forget_problems(struct kept_dump *kept)
{
	while (kept->dump.n_problems)
		free(kept->dump.problem[--kept->dump.n_problems]);
}

static void release(void *what)
{
	forget_problems(what);
	free(what);
}

static void take_problem(struct overview_dump *out, const struct finding *f)
{
	struct str text = {0};

	if (f->subject || f->file)
		str_fmt(&text, "%s: ", f->subject ? f->subject : f->file);
	str_puts(&text, finding_words[f->what]);
	if (f->text)
		str_fmt(&text, ": %s", f->text);
	out->problem[out->n_problems++] = mem_copy(text.text, text.len);
	str_release(&text);
}

/* Of each level as they were found. */
static void take_problems(struct overview_dump *out, const struct findings *findings)
{
	for (enum finding_level level = 0; level < LEVEL_NOTE; level++)
		for (size_t i = 0; i < findings->list.len; i++)
			if (findings->list.at[i].level == level && out->n_problems < OVERVIEW_TOP)
				take_problem(out, &findings->list.at[i]);
}

void overview_note_dump(struct shell *shell, const struct findings *findings)
{
	struct kept_dump *kept = shell_kept(shell, key);

	if (!kept) {
		kept = mem_alloc(sizeof *kept);
		shell_keep(shell, key, KEEP_ON, kept, release);
	}
	forget_problems(kept);
	kept->changes = shell->changes;
	kept->dump = (struct overview_dump){ .damaged = findings->count[LEVEL_DAMAGE] };
	for (size_t i = 0; i < findings->list.len; i++) {
		const struct finding *f = &findings->list.at[i];

		kept->dump.missing += f->what == FINDING_MISSING_SHARDS ||
		                      (f->what == FINDING_MISSING_TENSOR && f->level == LEVEL_LOSS);
		kept->dump.partial += f->what == FINDING_PARTIAL_RUN;
		kept->dump.left_out += f->what == FINDING_LEFT_OUT;
	}
	take_problems(&kept->dump, findings);
}

const struct overview_dump *overview_known_dump(const struct shell *shell)
{
	const struct kept_dump *kept = shell_kept(shell, key);

	return kept && kept->changes == shell->changes ? &kept->dump : NULL;
}
