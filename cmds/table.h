#ifndef CMDS_TABLE_H
#define CMDS_TABLE_H

/* All commands, a row each: the roof of cmds/. Makes them known to cmds/lang/registry.h; main() does so first. */
void table_register(void);

#endif
