#include "cmds/profile/tfprof/tfprof_session.h"

#include <inttypes.h>
#include <stdlib.h>

#include "cmds/session/session.h"
#include "cmds/session/steps.h"
#include "dump/base/mem.h"

#define KEY "tfprof"

struct tfprof_session {
	struct tfprof *tfprof;           /* NULL: not read yet */
	struct err damage;
	struct tfprof_options options;
	struct arena mem;                /* of the options */
	bool has_options;
};

static void release(void *object)
{
	struct tfprof_session *session = object;

	tfprof_close(session->tfprof);
	arena_release(&session->mem);
	free(session);
}

static struct tfprof_session *session_of(struct call *call)
{
	struct tfprof_session *session = shell_kept(call->shell, KEY);

	if (!session) {
		session = mem_alloc(sizeof *session);
		shell_keep(call->shell, KEY, KEEP_ON, session, release);
	}
	return session;
}

/*
 * An open ProfileProto has everything; else steps are numbered as tfprof numbers its input files.
 */
static struct tfprof *open_files(struct tfprof_session *session, struct profile *profile,
                                 struct call *call)
{
	struct tfprof_files files = { .graph = profile->graph, .op_log = profile->op_log };
	VEC(struct tfprof_step) steps = {0};
	struct tfprof *tfprof;

	for (size_t i = 0; i < profile->steps.len; i++) {
		const struct step *step = &profile->steps.at[i];

		vec_push(&steps, ((struct tfprof_step){ step->path, (int64_t)i, step->source }));
	}
	files.steps = steps.at;
	files.n_steps = steps.len;
	files.profile = profile->proto;
	session->damage = profile->graph_damage;
	tfprof = tfprof_open(&files, call->progress, &session->damage, &call->err);
	vec_release(&steps);
	return tfprof;
}

struct tfprof *tfprof_session_open(struct call *call)
{
	struct tfprof_session *session = session_of(call);
	struct profile *profile = call->shell->profile;

	if (!session->tfprof &&
	    (!profile || (!profile->steps.len && !profile->proto && !profile->graph))) {
		call_error(call, "ERROR: tfprof needs a profile: RunMetadata, or a file that "
		           "tfprof wrote.");
		return NULL;
	}
	if (!session->tfprof && !need_statistics(call, profile))
		return NULL;
	if (!session->tfprof) {
		steps_make_room(call->shell);
		session->tfprof = open_files(session, profile, call);
	}
	if (session->tfprof && session->damage.code)
		call_damage(call, session->damage.src, &session->damage);
	return session->tfprof;
}

int64_t tfprof_session_step(const struct shell *shell, size_t i)
{
	return shell->profile->proto ? shell->profile->steps.at[i].number : (int64_t)i;
}

void tfprof_session_options(struct call *call, struct tfprof_options *options, struct arena *mem)
{
	struct tfprof_session *session = session_of(call);

	if (session->has_options)
		tfprof_options_copy(options, &session->options, mem);
	else
		tfprof_options_default(options, mem);
}

void tfprof_session_keep(struct call *call, const struct tfprof_options *options)
{
	struct tfprof_session *session = session_of(call);
	struct tfprof_options kept;
	struct arena mem = {0};

	tfprof_options_copy(&kept, options, &mem);
	arena_release(&session->mem);
	session->mem = mem;
	session->options = kept;
	session->has_options = true;
}
