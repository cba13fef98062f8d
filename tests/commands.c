/* What main() does first, for every test program. */
#include "cmds/table.h"

static void __attribute__((constructor)) know_commands(void)
{
	table_register();
}
