#ifndef CMDS_LINK_H
#define CMDS_LINK_H

#include <stdbool.h>

#include "cmds/doc/doc.h"
#include "cmds/lang/cmd.h"
#include "dump/base/str.h"

/*
 * What a command line is about, be it that of a link or the one a screen answers. What its first
 * word names is said by the command's row in the table of commands. Start with {0}; release it even
 * if link_read said false.
 */
struct link {
	enum link_kind kind;         /* none of the two of which it may be either */
	bool for_detail;         /* as in the command's row */
	struct str name;         /* as a command takes it: "a/b:0[1, :]", "a/b" */
	/* options that pick one of several: " -n 2" or " --trace 7"; " -D gpu:0" and " -g ID" */
	struct str number, device;
};

bool link_read(const char *command, struct link *out);   /* false: about nothing with a name */
void link_release(struct link *link);

/* The name of a tensor without its slice, "a/b:0", or of a node, "a/b". */
void link_put_name(const struct link *link, struct str *out);

/* Command lines about the same. A node's tensor is its output 0. */
void link_put_node(const struct link *link, struct str *out);            /* "ni -a -d -t a/b" */
void link_put_tensor(const struct link *link, struct str *out);          /* "pt a/b:0" */
void link_put_picture(const struct link *link, struct str *out);
/* "diff a/b:0 3 --dump 1", run as a word, "": the one before */
void link_put_diff(const struct link *link, const char *run, struct str *out);
/* "explain a/b:0 -e 1,2", of the first element in the line of an array; line may be NULL */
void link_put_explain(const struct link *link, const struct line *line, struct str *out);

#endif
