// What glibc 2.34 has beyond POSIX, and shows to GNU sources only: where a process that is started begins, and with which
// descriptors. Nothing is linked but the C library.
#include <spawn.h>

int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
