#include "cmds/graph/node_text.h"

#include <inttypes.h>

void node_text_begin(struct doc *doc, const char *name, const char *op)
{
	doc_put(doc, ROLE_PLAIN, "Node ");
	doc_line_put(doc, ROLE_STRONG, "%s", name);
	doc_newline(doc);
	doc_line_put(doc, ROLE_PLAIN, "  Op: %s", op);
}

void node_text_neighbour(struct doc *doc, const char *op, const char *name, const char *link,
                         const char *note)
{
	doc_put(doc, ROLE_PLAIN, "      [%s] ", op);
	if (link && *link)
		doc_link(doc, ROLE_PLAIN, name, "ni -a -d -t %s", link);
	else
		doc_put(doc, ROLE_PLAIN, "%s", name);
	if (note && *note)
		doc_put(doc, ROLE_PLAIN, " (%s)", note);
	doc_newline(doc);
}

void node_text_dumps(struct doc *doc, uint64_t n)
{
	doc_line_put(doc, ROLE_PLAIN, "%" PRIu64 " dumped tensor(s):", n);
	doc_newline(doc);
}
