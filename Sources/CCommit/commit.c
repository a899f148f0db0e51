#include "commit.h"

const char *openhealthkit_commit(void) { return WORKOUT_COMMIT; }
