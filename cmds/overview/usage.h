#ifndef CMDS_USAGE_H
#define CMDS_USAGE_H

#include "cmds/session/by_entry.h"
#include "cmds/session/session.h"
#include "dump/base/map.h"

/*
 * What dumped tensors take in files, of runs and of recorded programs. It is kept between commands:
 * what is not changed is not read again.
 */
#define USAGE_UNKNOWN UINT32_MAX

/* Of one dumped tensor: numbers of texts in struct usage, and bytes. */
struct usage_item {
	uint32_t name, device;
	uint32_t op;             /* USAGE_UNKNOWN: it is in no graph; or it was not asked for */
	uint32_t dtype;          /* USAGE_UNKNOWN: not to be read or recorded; or the same */
	uint64_t bytes;
};

/* A run, or all that a program recorded. */
struct usage_part {
	const char *name;        /* of the run's directory; the program's run id, or "" */
	size_t number;           /* from 1 */
	VEC(struct usage_item) items;
	VEC(uint32_t) devices;   /* of a run, all: numbers as in an item */
	bool has_ops, has_dtypes;
	uint64_t n_unread;       /* tensors whose type could not be read, */
	struct err first_unread; /* and why that of the first could not */
	/* Other files that could not be read, of a run that was not open. */
	VEC(struct problem) lost;
	int64_t first_us, last_us;       /* times of its tensors; -1: it has none */
	bool is_foreign;         /* no recorder of TensorFlow made it: its filters say nothing */
	struct run_entry *entry;         /* NULL: it is a program */
	/* Private: what it was made of, to see whether that has changed. */
	const struct run_info *info;
	const struct program *program;
	unsigned generation;
	uint64_t n_tensors;
};

struct usage {
	struct map names, devices, ops, dtypes;  /* of nodes; of a step the op or function */
	struct by_entry numbers;         /* private */
	VEC(struct usage_part *) parts;  /* private: by number; NULL: none is known */
	struct arena mem;
};

/* What is asked for besides names, devices and bytes. */
enum { USAGE_OPS = 1, USAGE_DTYPES = 2 };

struct usage *usage_of(struct shell *shell);
/*
 * The session keeps what it returns until the next command. open: the run, if the caller has it
 * open and all of it could be read; NULL: it is opened, unless it is known. For dtypes the heads of
 * all files are read; progress counts tensors then. NULL with *err: the run can't be read, or the
 * user cancelled ("stopped after 3 of 7 tensors").
 */
const struct usage_part *usage_of_run(struct shell *shell, struct run_entry *entry,
                                      const struct run *open, unsigned what,
                                      struct progress *progress, struct err *err);
const struct usage_part *usage_of_program(struct shell *shell, size_t i, unsigned what,
                                          struct progress *progress, struct err *err);

#endif
