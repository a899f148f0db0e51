#define _GNU_SOURCE
#include "DiskRecorder.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int log_descriptor = -1;

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

#ifdef SANITIZED

int disk_recorder_is_available(void) { return 0; }
int disk_recorder_start(const char *path) {
    (void)path;
    errno = ENOTSUP;
    return -1;
}
void disk_recorder_mark(void) {}
void disk_recorder_stop(void) {}

#else

// One call at a time while a recording is on: the order of the events is that of the calls.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int disk_recorder_is_available(void) { return 1; }

int disk_recorder_start(const char *path) {
    int descriptor = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (descriptor < 0) return -1;
    atomic_store(&log_descriptor, descriptor);
    return 0;
}

void disk_recorder_stop(void) {
    pthread_mutex_lock(&lock);
    int descriptor = atomic_exchange(&log_descriptor, -1);
    if (descriptor >= 0) syscall(SYS_close, descriptor);
    pthread_mutex_unlock(&lock);
}

// MARK: Events

struct event {
    uint32_t kind;
    uint32_t first_length;
    uint32_t second_length;
    uint32_t data_length;
    uint64_t inode;
    int64_t offset;
};

static void put(const void *bytes, size_t count) {
    const char *rest = bytes;
    while (count > 0) {
        long written = syscall(SYS_write, atomic_load(&log_descriptor), rest, count);
        if (written <= 0) _exit(99);
        rest += written;
        count -= (size_t)written;
    }
}

static void note(
    char kind, const char *first, const char *second, uint64_t inode, int64_t offset, const void *data, size_t count) {
    int error = errno;
    struct event event = {
        (uint32_t)kind, first ? (uint32_t)strlen(first) : 0, second ? (uint32_t)strlen(second) : 0, (uint32_t)count,
        inode, offset};
    put(&event, sizeof event);
    put(first, event.first_length);
    put(second, event.second_length);
    put(data, count);
    errno = error;
}

static int is_recording(void) { return atomic_load_explicit(&log_descriptor, memory_order_relaxed) >= 0; }

static uint64_t inode_at(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0 ? (uint64_t)status.st_ino : 0;
}

/// Of a regular file or a folder; 0 of anything else.
static uint64_t inode_of(int descriptor, struct stat *status) {
    if (fstat(descriptor, status) != 0) return 0;
    return S_ISREG(status->st_mode) || S_ISDIR(status->st_mode) ? (uint64_t)status->st_ino : 0;
}

void disk_recorder_mark(void) {
    pthread_mutex_lock(&lock);
    if (is_recording()) note('A', NULL, NULL, 0, 0, NULL, 0);
    pthread_mutex_unlock(&lock);
}

// MARK: The calls

static int opening(const char *path, int flags, mode_t mode) {
    if (!is_recording() || !(flags & (O_CREAT | O_TRUNC))) {
        return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    }
    pthread_mutex_lock(&lock);
    uint64_t before = inode_at(path);
    int descriptor = (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    if (descriptor >= 0 && before == 0) note('C', path, NULL, inode_at(path), 0, NULL, 0);
    if (descriptor >= 0 && before != 0 && (flags & O_TRUNC)) note('T', NULL, NULL, before, 0, NULL, 0);
    pthread_mutex_unlock(&lock);
    return descriptor;
}

int open(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return opening(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return opening(path, flags, mode);
}

static ssize_t writing(int descriptor, const void *bytes, size_t count, int64_t offset, int has_offset) {
    struct stat status;
    if (!is_recording()) {
        return has_offset ? syscall(SYS_pwrite64, descriptor, bytes, count, offset)
                          : syscall(SYS_write, descriptor, bytes, count);
    }
    pthread_mutex_lock(&lock);
    uint64_t inode = inode_of(descriptor, &status);
    if (!has_offset && inode != 0) {
        int appends = fcntl(descriptor, F_GETFL) & O_APPEND;
        offset = appends ? status.st_size : lseek(descriptor, 0, SEEK_CUR);
    }
    ssize_t written = has_offset ? syscall(SYS_pwrite64, descriptor, bytes, count, offset)
                                 : syscall(SYS_write, descriptor, bytes, count);
    if (written > 0 && inode != 0) note('W', NULL, NULL, inode, offset, bytes, (size_t)written);
    pthread_mutex_unlock(&lock);
    return written;
}

ssize_t write(int descriptor, const void *bytes, size_t count) { return writing(descriptor, bytes, count, 0, 0); }
ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    return writing(descriptor, bytes, count, offset, 1);
}
ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
    return writing(descriptor, bytes, count, offset, 1);
}

static int noting(long result, char kind, int descriptor, int64_t offset) {
    struct stat status;
    if (result == 0 && is_recording()) {
        uint64_t inode = inode_of(descriptor, &status);
        if (inode != 0) note(kind, NULL, NULL, inode, offset, NULL, 0);
    }
    return (int)result;
}

static int cutting(int descriptor, int64_t size) {
    if (!is_recording()) return (int)syscall(SYS_ftruncate, descriptor, size);
    pthread_mutex_lock(&lock);
    int result = noting(syscall(SYS_ftruncate, descriptor, size), 'T', descriptor, size);
    pthread_mutex_unlock(&lock);
    return result;
}

int ftruncate(int descriptor, off_t size) { return cutting(descriptor, size); }
int ftruncate64(int descriptor, off64_t size) { return cutting(descriptor, size); }

static int syncing(int descriptor, long call) {
    if (!is_recording()) return (int)syscall(call, descriptor);
    pthread_mutex_lock(&lock);
    int result = noting(syscall(call, descriptor), 'S', descriptor, 0);
    pthread_mutex_unlock(&lock);
    return result;
}

int fsync(int descriptor) { return syncing(descriptor, SYS_fsync); }
int fdatasync(int descriptor) { return syncing(descriptor, SYS_fdatasync); }

int rename(const char *from, const char *to) {
    if (!is_recording()) return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
    pthread_mutex_lock(&lock);
    int result = (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
    if (result == 0) note('R', from, to, inode_at(to), 0, NULL, 0);
    pthread_mutex_unlock(&lock);
    return result;
}

int link(const char *from, const char *to) {
    if (!is_recording()) return (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
    pthread_mutex_lock(&lock);
    int result = (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
    if (result == 0) note('L', from, to, inode_at(to), 0, NULL, 0);
    pthread_mutex_unlock(&lock);
    return result;
}

static int removing(const char *path, int flags) {
    if (!is_recording()) return (int)syscall(SYS_unlinkat, AT_FDCWD, path, flags);
    pthread_mutex_lock(&lock);
    uint64_t inode = inode_at(path);
    int result = (int)syscall(SYS_unlinkat, AT_FDCWD, path, flags);
    if (result == 0) note('U', path, NULL, inode, 0, NULL, 0);
    pthread_mutex_unlock(&lock);
    return result;
}

int unlink(const char *path) { return removing(path, 0); }
int rmdir(const char *path) { return removing(path, AT_REMOVEDIR); }

int mkdir(const char *path, mode_t mode) {
    if (!is_recording()) return (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
    pthread_mutex_lock(&lock);
    int result = (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
    if (result == 0) note('M', path, NULL, inode_at(path), 0, NULL, 0);
    pthread_mutex_unlock(&lock);
    return result;
}

#endif
