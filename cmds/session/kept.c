#include "cmds/session/session.h"

#include <string.h>

void *shell_kept(const struct shell *shell, const char *key)
{
	for (size_t i = 0; i < shell->things.len; i++)
		if (!strcmp(shell->things.at[i].key, key))
			return shell->things.at[i].object;
	return NULL;
}

void shell_keep(struct shell *shell, const char *key, enum keep how, void *object,
                void (*release)(void *object))
{
	vec_push(&shell->things, ((struct kept){ key, how, object, release }));
}

void kept_make_room(struct shell *shell)
{
	size_t n = 0;

	for (size_t i = 0; i < shell->things.len; i++) {
		struct kept *kept = &shell->things.at[i];

		if (kept->how == KEEP_WHILE_THERE_IS_ROOM)
			kept->release(kept->object);
		else
			shell->things.at[n++] = *kept;
	}
	shell->things.len = n;
}

void kept_release(kept_things *kept)
{
	for (size_t i = 0; i < kept->len; i++)
		kept->at[i].release(kept->at[i].object);
	vec_release(kept);
}
