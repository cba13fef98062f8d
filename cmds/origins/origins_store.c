#include "cmds/origins/origins_store.h"

#include <stdlib.h>

#include "cmds/lang/format.h"
#include "dump/base/mem.h"

static const char key[] = "origins";

struct kept_origins {
	struct origins_found found;
	struct health_search *search;    /* that was interrupted; NULL: none was */
	unsigned changes;                /* of the session: what was searched */
};

/* Leaves nothing. */
static void forget(struct kept_origins *kept)
{
	origins_report_free(kept->found.report);
	health_search_free(kept->search);
	*kept = (struct kept_origins){0};
}

static void release(void *what)
{
	forget(what);
	free(what);
}

struct origins_found origins_found_in(const struct shell *shell)
{
	const struct kept_origins *kept = shell_kept(shell, key);

	return kept && kept->changes == shell->changes ? kept->found : (struct origins_found){0};
}

/* Of what is open now; made empty if there was nothing, or something else was open. */
static struct kept_origins *kept_in(struct shell *shell)
{
	struct kept_origins *kept = shell_kept(shell, key);

	if (!kept) {
		kept = mem_alloc(sizeof *kept);
		shell_keep(shell, key, KEEP_ON, kept, release);
	}
	if (kept->changes != shell->changes)
		forget(kept);
	kept->changes = shell->changes;
	return kept;
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
	struct kept_origins *kept = kept_in(shell);

	origins_report_free(kept->found.report);
	kept->found = (struct origins_found){ .report = origins_report_keep(report) };
	put_signs(shell, report);
}

void origins_note_too_much(struct shell *shell, uint64_t bytes)
{
	kept_in(shell)->found.too_much_bytes = bytes;
}

void origins_keep_search(struct shell *shell, struct health_search *search)
{
	struct kept_origins *kept = kept_in(shell);

	health_search_free(kept->search);
	kept->search = search;
}

struct health_search *origins_take_search(struct shell *shell)
{
	struct kept_origins *kept = kept_in(shell);
	struct health_search *search = kept->search;

	kept->search = NULL;
	return search;
}

void origins_put_too_much(struct str *out, uint64_t bytes)
{
	str_puts(out, "not searched: ");
	put_size(out, bytes > INT64_MAX ? INT64_MAX : (int64_t)bytes);
	str_putc(out, 'B');
}
