#ifndef CMDS_LINK_H
#define CMDS_LINK_H

#include <stdbool.h>

#include "cmds/doc/doc.h"
#include "cmds/lang/cmd.h"
#include "dump/base/str.h"

/*
 * What a command line is about: that of a link, or the one that a screen answers. The row of its
 * command says what its first word names. Start with {0}; release it whatever link_read said.
 */
struct link {
	enum link_kind kind;         /* none of the two of which it may be either */
	bool for_detail;         /* of the command's row */
	struct str name;         /* as a command takes it: "a/b:0[1, :]", "a/b" */
	/* which of several: " -n 2" or " --trace 7", " -D gpu:0" and " -g ID"; "": not said */
	struct str number, device;
};

bool link_read(const char *command, struct link *out);   /* false: nothing with a name */
void link_release(struct link *link);

/* Of one about a tensor or a node: "a/b:0" without a slice, "a/b". */
void link_put_name(const struct link *link, struct str *out);

/* Command lines about that. A node's tensor is its output 0. */
void link_put_node(const struct link *link, struct str *out);            /* "ni -a -d -t a/b" */
void link_put_tensor(const struct link *link, struct str *out);          /* "pt a/b:0" */
void link_put_picture(const struct link *link, struct str *out);
/* "explain a/b:0 -e 1,2": the element that a row of an array begins with; line may be NULL */
void link_put_explain(const struct link *link, const struct line *line, struct str *out);

#endif
