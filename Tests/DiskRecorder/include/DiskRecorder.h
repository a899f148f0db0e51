#ifndef DISK_RECORDER_H
#define DISK_RECORDER_H

// What a process does to its disk, in order: every write, cut, sync, and every change of a folder's entries.
//
// Takes the place of the C library's calls in the program that it is linked into, and for the libraries that this one uses
// (SQLite, Foundation): they find the program's symbols first. Outside of a recording the calls only go through.

/// Whether this build records: a sanitizer wants the calls for itself.
int disk_recorder_is_available(void);

/// Begins to write events to `path`. 0, or -1 with errno.
int disk_recorder_start(const char *path);

/// Notes that what was done so far has been acknowledged to somebody.
void disk_recorder_mark(void);

/// Ends the recording.
void disk_recorder_stop(void);

#endif
