#ifndef CMDS_PROGRAM_CHECKSUM_H
#define CMDS_PROGRAM_CHECKSUM_H

#include "dump/model/program.h"

/*
 * The CRC-32, as in zlib, of a stored tensor's elements in row-major order, little-endian; a string
 * is its length in four bytes, then its bytes. False with ERR_MISSING: no value was stored; or with
 * errors of program_value and value_read.
 */
bool value_checksum(struct program_reads *reads, const struct program_tensor *tensor,
                    uint32_t *sum, struct err *err);

#endif
