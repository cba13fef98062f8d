#include "cmds/overview/stopped.h"

void call_put_stopped(struct call *call)
{
	if (call->err.code != ERR_CANCELLED)
		return;
	doc_line_put(call->out, ROLE_ERROR, "%s", call->err.msg);
	str_fmt(call->error, "%s", call->err.msg);
	doc_typed_failure(call->out);
	call->failed = true;
	call->err = (struct err){0};
}
