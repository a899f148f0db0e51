// Tells the thread sanitizer what a Mutex of Swift's Synchronization does where threads meet at it.
//
// A lock that nobody else holds is taken and left by an atomic instruction in our own code, which the sanitizer sees. One that
// somebody waits for is taken and left inside libswiftSynchronization, by the kernel's FUTEX_LOCK_PI and FUTEX_UNLOCK_PI, and
// that library is not instrumented: the sanitizer would take every such meeting for a race. So these two functions of the library
// are called through here (`make test-tsan` preloads it).
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

// Of the sanitizer, in programs that have it.
extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));

SWIFT void lock_slow(uint32_t thread, SELF void *mutex) __asm__(LOCK);
SWIFT void unlock_slow(SELF void *mutex) __asm__(UNLOCK);

SWIFT void lock_slow(uint32_t thread, SELF void *mutex) {
    static SWIFT void (*next)(uint32_t, SELF void *);
    if (!next) next = (SWIFT void (*)(uint32_t, SELF void *))dlsym(RTLD_NEXT, LOCK);
    next(thread, mutex);
    if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT void unlock_slow(SELF void *mutex) {
    static SWIFT void (*next)(SELF void *);
    if (!next) next = (SWIFT void (*)(SELF void *))dlsym(RTLD_NEXT, UNLOCK);
    if (__tsan_release) __tsan_release(mutex);
    next(mutex);
}
