// The C side of the Swift module OSForLinux: os_unfair_lock on a futex that knows its owner and lends it the priority of those who wait
// (futex(2), FUTEX_LOCK_PI). Taking and giving back a free lock stays in user space.
#pragma once
#include <errno.h>
#include <linux/futex.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef struct os_unfair_lock_s {
    uint32_t owner_and_waiters;
} os_unfair_lock, *os_unfair_lock_t;

#define OS_UNFAIR_LOCK_INIT ((os_unfair_lock){0})

long syscall(long number, ...);

static inline uint32_t os_unfair_lock_this_thread(void) {
    // Asking the kernel takes longer than all the rest. (After a fork without exec the number is the parent's.)
    static _Thread_local uint32_t thread = 0;
    if (thread == 0) thread = (uint32_t)syscall(SYS_gettid);
    return thread;
}

static inline bool os_unfair_lock_trylock(os_unfair_lock_t _Nonnull lock) {
    uint32_t unowned = 0;
    return __atomic_compare_exchange_n(
        &lock->owner_and_waiters, &unowned, os_unfair_lock_this_thread(), false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static inline void os_unfair_lock_lock(os_unfair_lock_t _Nonnull lock) {
    if (os_unfair_lock_trylock(lock)) return;
    while (syscall(SYS_futex, &lock->owner_and_waiters, FUTEX_LOCK_PI | FUTEX_PRIVATE_FLAG, 0, 0, 0, 0) != 0) {
        // A thread that waits for itself, or for one that has ended, would wait for ever. It stops here, as on Apple's systems.
        if (errno == EDEADLK || errno == ESRCH) __builtin_trap();
        // A kernel without such futexes.
        if (os_unfair_lock_trylock(lock)) return;
    }
    // The kernel gave the lock. What its last owner wrote is read after this.
    (void)__atomic_fetch_or(&lock->owner_and_waiters, 0, __ATOMIC_ACQUIRE);
}

static inline bool os_unfair_lock_is_mine(const os_unfair_lock *_Nonnull lock) {
    return (__atomic_load_n(&lock->owner_and_waiters, __ATOMIC_RELAXED) & FUTEX_TID_MASK) == os_unfair_lock_this_thread();
}

static inline void os_unfair_lock_unlock(os_unfair_lock_t _Nonnull lock) {
    uint32_t owner = os_unfair_lock_this_thread();
    if (__atomic_compare_exchange_n(&lock->owner_and_waiters, &owner, 0, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) return;
    // Threads wait, so the kernel chooses the next owner. One who does not own the lock cannot give it back: the answer is EPERM.
    (void)__atomic_fetch_or(&lock->owner_and_waiters, 0, __ATOMIC_RELEASE);
    if (syscall(SYS_futex, &lock->owner_and_waiters, FUTEX_UNLOCK_PI | FUTEX_PRIVATE_FLAG, 0, 0, 0, 0) != 0) __builtin_trap();
}

static inline void os_unfair_lock_assert_owner(const os_unfair_lock *_Nonnull lock) {
    if (!os_unfair_lock_is_mine(lock)) __builtin_trap();
}

static inline void os_unfair_lock_assert_not_owner(const os_unfair_lock *_Nonnull lock) {
    if (os_unfair_lock_is_mine(lock)) __builtin_trap();
}
