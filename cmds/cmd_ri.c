#include <string.h>

#include "cmds/session.h"
#include "cmds/version.h"
#include "dump/run_names.h"

static const char *const logo[] = {
	"", "TTTTTT FFFF DDD  BBBB   GGG ", "  TT   F    D  D B   B G    ", "  TT   FFF  D  D BBBB  G  GG",
	"  TT   F    D  D B   B G   G", "  TT   F    DDD  BBBB   GGG ", "",
};
static const char bar[] = "======================================";

static void put_logo(struct doc *doc)
{
	for (size_t i = 0; i < sizeof logo / sizeof *logo; i++)
		doc_line_put(doc, ROLE_PLAIN, "%s", logo[i]);
	doc_line_put(doc, ROLE_PLAIN, "tensordbg version: %s", TENSORDBG_VERSION);
	doc_newline(doc);
}

static void put_names(struct doc *doc, const char *heading, const struct names *names, bool are_feeds)
{
	doc_newline(doc);
	doc_line_put(doc, ROLE_PLAIN, "%s", heading);
	for (size_t i = 0; i < names->list.len; i++) {
		doc_put(doc, ROLE_PLAIN, "  ");
		if (are_feeds)
			doc_link(doc, ROLE_PLAIN, names->list.at[i], "pf '%s'", names->list.at[i]);
		else
			doc_put(doc, ROLE_PLAIN, "%s", names->list.at[i]);
		doc_newline(doc);
	}
	if (!names->list.len)
		doc_line_put(doc, ROLE_PLAIN, "  (Empty)");
}

static void put_run(struct doc *doc, const struct run_names *names)
{
	doc_line_put(doc, ROLE_PLAIN, "%s", bar);
	if (names->callable) {
		doc_line_put(doc, ROLE_PLAIN, "Running a runner returned by Session.make_callable()");
	} else {
		doc_line_put(doc, ROLE_PLAIN, "Session.run() call #1:");
		put_names(doc, "Fetch(es):", &names->fetches, false);
		put_names(doc, "Feed dict:", &names->feeds, true);
	}
	doc_line_put(doc, ROLE_PLAIN, "%s", bar);
}

static void put_name_data(struct data *data, const char *key, const struct names *names)
{
	data_key(data, key);
	data_list(data);
	for (size_t i = 0; i < names->list.len; i++)
		data_str(data, names->list.at[i]);
	data_end(data);
}

static bool run_put_data(void *context, struct data *data, struct progress *progress, struct err *err)
{
	const struct run *run = ((struct shell *)context)->run;
	struct run_names names;
	struct arena mem = {0};

	(void)progress, (void)err;
	run_names_read(run, &mem, &names);
	data_object(data);
	data_key(data, "directory");
	data_str(data, run->path);
	put_name_data(data, "fetches", &names.fetches);
	data_key(data, "fetches_text");
	data_str(data, run->fetches);
	put_name_data(data, "feeds", &names.feeds);
	data_key(data, "feeds_text");
	data_str(data, run->feeds);
	data_key(data, "callable");
	data_bool(data, names.callable);
	data_key(data, "devices");
	data_list(data);
	for (size_t i = 0; i < run->devices.len; i++)
		data_str(data, run->devices.at[i].name);
	data_end(data);
	data_key(data, "tensors");
	data_uint(data, run->tensors.len);
	data_key(data, "t0_us");
	data_int(data, run->t0_us);
	data_end(data);
	run_names_release(&names);
	arena_release(&mem);
	return true;
}

static void ri_exec(struct call *call)
{
	struct run_names names;

	run_names_read(call->shell->run, call->mem, &names);
	if (names.known) {
		put_logo(call->out);
		put_run(call->out, &names);
		doc_typed(call->out, DATA_VALUE, run_put_data, call->shell);
		doc_menu_item(call->out, "list_tensors", "list_tensors", true);
		doc_menu_item(call->out, "help", "help", true);
	} else {
		call_error(call, "ERROR: This dump does not say what was fetched and fed.");
	}
	run_names_release(&names);
}

const struct cmd cmd_ri = {
	.name = "run_info", .alias = "ri", .summary = "What the run fetched and was fed", .raw = true, .exec = ri_exec,
};
