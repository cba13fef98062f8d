#ifndef CMDS_ORIGINS_ANSWER_H
#define CMDS_ORIGINS_ANSWER_H

#include "cmds/doc/call.h"
#include "dump/model/origins.h"

struct run_viewer;

/* The options of `origins`, the same for all kinds of dumps. */
enum { ORIGINS_ALL, ORIGINS_N, ORIGINS_EXIT_CODE, ORIGINS_MAX_BYTES, N_ORIGINS_OPTIONS };
extern const struct opt origins_options[N_ORIGINS_OPTIONS];
extern const struct pos origins_positionals[1];

/*
 * What is open searched, unless that was done before, or more would have to be read than `most`
 * says (not given: no matter how much); then the answer says so. viewer is shown each run that is
 * searched, unless there is only one or they are of several workers; NULL: nobody is. The report is
 * kept for the caller. NULL: call has an error.
 */
struct origins_report *origins_of_runs(struct call *call, const struct opt_value *most,
                                       const struct run_viewer *viewer);
/* Of shards no origin can be told: what it came of may be in another. */
struct origins_report *origins_refused(const char *lacks);
struct origins_report *origins_of_program(struct call *call, const struct opt_value *most);

/* For these. False: it is more, and the answer says so. */
bool origins_may_read(struct call *call, const struct opt_value *most, uint64_t bytes);

/* Answers with the report, and takes it over. */
void origins_answer(struct call *call, struct origins_report *report);

/* "run 4 (step 3)": the program's own number of the run follows where it is known. */
void origins_put_run(const struct origins_report *report, uint32_t run, struct str *out);
/* For other pages: the head line, and the first line of a row. */
void origins_put_head(struct doc *doc, const struct origins_report *report);
void origins_put_row(struct doc *doc, const struct origins_report *report, size_t at);

#endif
