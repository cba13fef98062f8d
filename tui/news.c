#include "tui/news.h"

#include <inttypes.h>

#include "tui/keys.h"
#include "tui/quiet.h"

static void put_job(const struct app *app, struct str *out)
{
	const struct progress *p = worker_progress(app->worker);
	uint64_t done = atomic_load(&p->done), total = atomic_load(&p->total);
	const char *what = atomic_load(&p->what);

	if (!app->running.line || app->running.use == ORDER_REREAD)
		str_puts(out, "reading: ");
	else
		str_fmt(out, "%.*s: ", (int)strcspn(app->running.line, " "), app->running.line);
	if (atomic_load(&p->runs)) {
		str_fmt(out, "tested %" PRIu64 " run%s, %" PRIu64 " tensor%s, %" PRIu64 " bytes, "
		        "%.1f s (Ctrl-C stops)", (uint64_t)atomic_load(&p->runs),
		        plural(atomic_load(&p->runs)), done, plural(done),
		        (uint64_t)atomic_load(&p->bytes), worker_seconds(app->worker));
		return;
	}
	if (total)
		str_fmt(out, "%d%% of %" PRIu64, (int)((double)done * 100 / (double)total), total);
	else
		str_fmt(out, "%" PRIu64, done);
	str_fmt(out, " %s, %.1f s (Ctrl-C stops)", what ? what : "steps",
	        worker_seconds(app->worker));
}

/* How far a filter or a sort is, and what the filters leave. */
static void put_rows_work(struct app *app, struct str *out)
{
	const struct rows *rows = &app_pane(app)->shown;
	uint64_t all, kept = rows_kept(rows, &all);

	if (app->bad_filter)
		str_puts(out, "no pattern yet");
	else if (rows->live.pattern || rows_filter_works(rows))
		str_fmt(out, "%" PRIu64 " of %" PRIu64 "%s", kept, all,
		        rows_filter_works(rows) ? " so far" : "");
	else if (rows->sort.working)
		str_puts(out, "sorting");
}

/* What the next key is about. */
void news_put_urgent(struct app *app, struct str *out)
{
	if (app->asks_to_leave)
		str_puts(out, "Leave tensordbg? (y/n)");
	else if (app->hints.len)
		str_fmt(out, "type the letters of a link: %s", str_text(&app->hint_typed));
	else if (app->first_key && !app_is_modern(app))
		key_put_seconds(out, app_scope(app), view_doc(app_view(app)), app->first_key);
}

static void put_search(const struct search *search, struct str *out)
{
	if (search->places)
		str_fmt(out, "searching: %d%% (Ctrl-C stops)",
		        100 - (int)((double)search->left * 100 / (double)search->places));
	else
		str_fmt(out, "searching: %" PRIu64 " row%s left (Ctrl-C stops)", search->left,
		        plural(search->left));
}

void news_put(struct app *app, struct str *out)
{
	struct pane *pane = app_pane(app);

	if (app->typed_count)
		str_fmt(out, "%" PRIu64, app->typed_count);
	else if (worker_busy(app->worker) && !app->running.detail && !quiet_runs(app) &&
	         worker_seconds(app->worker) > 0.2)
		put_job(app, out);
	else if (app->waiting)
		str_fmt(out, "waiting for %s ... (Ctrl-C to stop waiting)",
		        str_text(&app->waits_for));
	else if (pane->search.state == SEARCH_WORKING)
		put_search(&pane->search, out);
	else
		put_rows_work(app, out);
	if (app->early.len)
		str_fmt(out, "%s%zu key%s wait%s", out->len ? "  " : "", app->early.len,
		        plural(app->early.len), app->early.len == 1 ? "s" : "");
	if (!out->len && pane->focus)
		pane_put_match(pane, out);
}
