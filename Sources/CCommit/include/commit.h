#ifndef OPENHEALTHKIT_COMMIT_H
#define OPENHEALTHKIT_COMMIT_H

/// The commit that was built, as whoever started the build said it (WORKOUT_COMMIT); empty where nobody did.
///
/// By itself, and in C, where a value from outside needs no file that is written in the build.
const char *openhealthkit_commit(void);

#endif
