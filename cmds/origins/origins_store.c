#include "cmds/origins/origins_store.h"

#include <stdlib.h>

#include "cmds/lang/format.h"
#include "dump/base/mem.h"

static const char key[] = "origins";

struct kept_origins {
	struct origins_found found;
	unsigned changes;                /* of the session: what was searched */
};

static void release(void *what)
{
	struct kept_origins *kept = what;

	origins_report_free(kept->found.report);
	free(kept);
}

struct origins_found origins_found_in(const struct shell *shell)
{
	const struct kept_origins *kept = shell_kept(shell, key);

	return kept && kept->changes == shell->changes ? kept->found : (struct origins_found){0};
}

static void note(struct shell *shell, struct origins_found found)
{
	struct kept_origins *kept = shell_kept(shell, key);

	if (!kept) {
		kept = mem_alloc(sizeof *kept);
		shell_keep(shell, key, KEEP_ON, kept, release);
	}
	origins_report_free(kept->found.report);
	*kept = (struct kept_origins){ found, shell->changes };
}

static void put_signs(struct shell *shell, const struct origins_report *report)
{
	VEC(struct tensor_note) notes = {0};

	for (size_t i = 0; shell->runs && i < report->marks.len; i++) {
		const struct origin_mark *mark = &report->marks.at[i];

		vec_push(&notes, ((struct tensor_note){
			runs_at(shell->runs, mark->run), mark->device, mark->node, mark->slot,
			mark->exec, mark->harmless ? SIGN_HARMLESS : SIGN_ORIGIN }));
	}
	visits_note(shell->visits, notes.at, notes.len);
	vec_release(&notes);
}

void origins_note(struct shell *shell, struct origins_report *report)
{
	note(shell, (struct origins_found){ .report = origins_report_keep(report) });
	put_signs(shell, report);
}

void origins_note_too_much(struct shell *shell, uint64_t bytes)
{
	note(shell, (struct origins_found){ .too_much_bytes = bytes });
}

void origins_put_too_much(struct str *out, uint64_t bytes)
{
	str_puts(out, "not searched: ");
	put_size(out, bytes > INT64_MAX ? INT64_MAX : (int64_t)bytes);
	str_putc(out, 'B');
}
