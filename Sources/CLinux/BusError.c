// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

// In C, because a signal handler must find all of it without the Swift runtime: no lock, no first use, no allocation.

/// More mappings than this are not entered, and a bus error in them removes nothing.
enum { DISPOSABLE_MAPPINGS_MAX = 4096 };

static struct {
    atomic_int is_taken;
    // Set last and cleared first: 0 while the other members change. A mapping that a thread reads stays entered, so the
    // handler sees the entry that it looks for as a whole.
    _Atomic(uintptr_t) start;
    _Atomic(size_t) count;
    _Atomic(char *) path;
} mappings[DISPOSABLE_MAPPINGS_MAX];

static struct {
    int output;
    const char *removed, *kept, *end;
    struct sigaction before;
    atomic_int is_caught, is_dying;
} bus_error;

int linux_bus_error_enter(const void *start, size_t count, const char *path) {
    char *copy = strdup(path);
    if (!copy) return -1;
    for (int slot = 0; slot < DISPOSABLE_MAPPINGS_MAX; slot++) {
        if (atomic_load_explicit(&mappings[slot].is_taken, memory_order_relaxed)) continue;
        if (atomic_exchange(&mappings[slot].is_taken, 1)) continue;
        atomic_store(&mappings[slot].count, count);
        atomic_store(&mappings[slot].path, copy);
        atomic_store(&mappings[slot].start, (uintptr_t)start);
        return slot;
    }
    free(copy);
    return -1;
}

void linux_bus_error_leave(int slot) {
    if (slot < 0) return;
    atomic_store(&mappings[slot].start, 0);
    free(atomic_exchange(&mappings[slot].path, NULL));
    atomic_store(&mappings[slot].is_taken, 0);
}

/// The path of the file that is mapped at the address, NULL where none of the table is.
static const char *disposable_at(uintptr_t address) {
    for (int slot = 0; slot < DISPOSABLE_MAPPINGS_MAX; slot++) {
        uintptr_t start = atomic_load(&mappings[slot].start);
        if (!start || address < start || address - start >= atomic_load(&mappings[slot].count)) continue;
        const char *path = atomic_load(&mappings[slot].path);
        if (path && atomic_load(&mappings[slot].start) == start) return path;
    }
    return NULL;
}

static void tell(const char *head, const char *path) {
    struct iovec parts[] = {
        {(void *)head, strlen(head)},
        {(void *)path, strlen(path)},
        {(void *)bus_error.end, strlen(bus_error.end)},
    };
    if (writev(bus_error.output, parts, sizeof parts / sizeof *parts) < 0) return;
}

static void unblock_and_raise(int number) {
    raise(number);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

// It needs no stack of its own: a thread that reads a mapping has room on the one that it runs on.
static void die_of_bus_error(int number, siginfo_t *info, void *context) {
    (void)context;
    // A signal that a process has sent has its sender where the kernel's have an address.
    int is_fault = info->si_code > 0;
    const char *path = is_fault ? disposable_at((uintptr_t)info->si_addr) : NULL;
    if (!path) {
        // The instruction runs again, and fails as if nobody had caught it.
        sigaction(number, &bus_error.before, NULL);
        if (!is_fault || info->si_code == BUS_MCEERR_AO) raise(number);
        return;
    }
    // Other threads that read the same file wait for the end of the process.
    if (atomic_exchange(&bus_error.is_dying, 1))
        for (;;) pause();
    // First, because writing may have to wait for a reader.
    int is_removed = unlink(path) == 0 || errno == ENOENT;
    tell(is_removed ? bus_error.removed : bus_error.kept, path);
    struct sigaction usual = {.sa_handler = SIG_DFL};
    sigaction(number, &usual, NULL);
    unblock_and_raise(number);
}

void linux_bus_error_catch(int output, const char *removed, const char *kept, const char *end) {
    if (atomic_exchange(&bus_error.is_caught, 1)) return;
    bus_error.output = output;
    bus_error.removed = strdup(removed);
    bus_error.kept = strdup(kept);
    bus_error.end = strdup(end);
    if (!bus_error.removed || !bus_error.kept || !bus_error.end) return;
    struct sigaction action = {.sa_sigaction = die_of_bus_error, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigaction(SIGBUS, NULL, &bus_error.before);
    sigaction(SIGBUS, &action, NULL);
}
