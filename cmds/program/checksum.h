#ifndef CMDS_PROGRAM_CHECKSUM_H
#define CMDS_PROGRAM_CHECKSUM_H

#include "dump/model/program.h"

/*
 * The CRC-32 of a stored tensor's elements, that of zlib: row by row, little-endian; of a string
 * its length in four bytes, then its bytes. Equal tensors have equal ones. False: ERR_MISSING, no
 * value was stored; or what program_value and value_read say.
 */
bool value_checksum(struct program_reads *reads, const struct program_tensor *tensor,
                    uint32_t *sum, struct err *err);

#endif
