#include "cmds/program/judged.h"

#include <inttypes.h>

#include "cmds/program/choose.h"

static void put_count(struct data *data, const char *key, uint64_t n)
{
	data_key(data, key);
	data_uint(data, n);
}

void judged_put_data(const struct judged *judged, const char *what, struct data *data)
{
	data_key(data, "summary");
	data_object(data);
	put_count(data, what, judged->all);
	put_count(data, "matched", judged->matched);
	put_count(data, "unknown", judged->unknown);
	data_end(data);
}

void judged_put_foot(struct call *call, const struct judged *judged, const char *what)
{
	struct str modes = {0};

	if (!judged->unknown)
		return;
	put_modes(call->shell->program, &modes);
	doc_newline(call->out);
	doc_line_put(call->out, ROLE_PLAIN, "%" PRIu64 " of %" PRIu64 " %s could not be judged %s.",
	             judged->unknown, judged->all, what, modes.text);
	str_release(&modes);
	warn_unread(call);
}
