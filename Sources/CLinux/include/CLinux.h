// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0
//
// Complements Swift's Glibc module: calls it lacks, variadic ones, and structs it cannot read.
// Each function does one system or library call and reports as that call does: -1 and errno.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// One readiness report; `data` is what was given when the descriptor was added.
struct linux_event {
    uint64_t data;
    uint32_t events;
};

enum {
    LINUX_EVENT_READ = 0x001,    // EPOLLIN
    LINUX_EVENT_WRITE = 0x004,   // EPOLLOUT
    LINUX_EVENT_ERROR = 0x008,   // EPOLLERR
    LINUX_EVENT_HANGUP = 0x010,  // EPOLLHUP
    LINUX_EVENT_PEER_CLOSED = 0x2000,  // EPOLLRDHUP
};

enum linux_control { LINUX_CONTROL_ADD, LINUX_CONTROL_MODIFY, LINUX_CONTROL_REMOVE };

/// The most events one `linux_epoll_wait` reports.
enum { LINUX_EVENTS_MAX = 256 };

int linux_epoll_create(void);
int linux_epoll_control(int epoll, enum linux_control operation, int fd, uint32_t events, uint64_t data);
int linux_epoll_wait(int epoll, struct linux_event *_Nonnull events, int timeout_ms);
int linux_eventfd(void);
/// A timer of the wall clock.
int linux_timerfd(void);
/// Lets the timer expire at that time, in milliseconds since 1970, and when the wall clock is set before.
int linux_timerfd_set(int fd, int64_t milliseconds);
/// 1 when the timer has expired, 2 when the wall clock was set, 0 otherwise.
int linux_timerfd_read(int fd);
/// Blocks the signals of the bit set (bit N: signal N) in this thread and returns a descriptor that reports them.
int linux_signalfd(uint64_t signals);
/// The next signal's number, 0 when none waits.
int linux_signalfd_read(int fd);

int linux_unix_socket(int nonblocking);
int linux_unix_bind(int fd, const char *_Nonnull path, size_t length);
int linux_unix_connect(int fd, const char *_Nonnull path, size_t length);
/// Sends one datagram to a socket by its path, or by its name after @; 0, or -1 and errno.
int linux_unix_send(const char *_Nonnull path, size_t length, const void *_Nullable bytes, size_t count);
int linux_unix_pair(int *_Nonnull fds);
int linux_accept(int listener);
int linux_send_timeout(int fd, int64_t milliseconds);
int linux_peer_credentials(int fd, int32_t *_Nonnull pid, uint32_t *_Nonnull uid, uint32_t *_Nonnull gid);
/// Fills `groups` and returns how many there are; more than `capacity`: ask again with that many.
int linux_peer_groups(int fd, uint32_t *_Nonnull groups, int capacity);
/// Sends both ranges with one call, without SIGPIPE and without waiting.
ptrdiff_t linux_send2(
    int fd, const void *_Nullable first, size_t first_count, const void *_Nullable second, size_t second_count);
ptrdiff_t linux_receive(int fd, void *_Nonnull buffer, size_t count);

int linux_open(const char *_Nonnull path, int flags, uint32_t mode);
/// An unlinked file in `directory`, 0600.
int linux_open_temporary(const char *_Nonnull directory);
/// A file in memory, without a name in any folder.
int linux_open_memory(const char *_Nonnull name);
/// Has the kernel begin to write a range of the file to the disk, without waiting for it.
void linux_begin_writing(int fd, int64_t offset, int64_t count);
int linux_pipe(int *_Nonnull fds);
int linux_fcntl(int fd, int command, int argument);
ptrdiff_t linux_read_link(const char *_Nonnull path, void *_Nullable buffer, size_t count);
int linux_is_socket(const char *_Nonnull path);
/// Columns and rows of the terminal; -1 where `fd` is none.
int linux_terminal_size(int fd, int *_Nonnull columns, int *_Nonnull rows);

ptrdiff_t linux_random(void *_Nonnull buffer, size_t count);
/// Offset of `needle` in `haystack`, -1 when it is not there.
ptrdiff_t linux_find(
    const void *_Nullable haystack, size_t haystack_count, const void *_Nullable needle, size_t needle_count);
/// Asks for the cache lines of `count` bytes, which need not be there and are not waited for.
void linux_prefetch(const void *_Nullable start, size_t count);
void linux_thread_name(const char *_Nonnull name);
/// Makes the calling thread so much nicer, and sets the time that it may run before others get a turn, in nanoseconds;
/// kernels before 6.12 pay no heed to the time. 0 or an error number.
int linux_thread_schedule(int nicer, uint64_t slice);
int linux_raise_file_limit(uint64_t *_Nonnull soft);
/// Keeps glibc from one heap per thread, and large blocks out of heaps, so that they go back at once; hands free memory
/// back. No-ops in another libc.
void linux_limit_arenas(int count);
void linux_trim_heap(void);

char *_Nullable *_Nullable linux_environment(void);
/// Starts `program` with default signals and no blocked ones; 0 or an error number. `pid` is its id.
int linux_spawn(
    int32_t *_Nonnull pid, const char *_Nonnull program, char *_Nullable *_Nonnull arguments,
    char *_Nullable *_Nonnull environment, const char *_Nullable directory, int input, int output, int error, int leads_group);
int linux_pidfd(int32_t pid);
/// Enters a mapping of a file that a bus error in it removes; its number for `linux_bus_error_leave`, which must come
/// before it is unmapped. Negative where there are too many; then nothing is removed. Safe from any thread.
int linux_bus_error_enter(const void *_Nonnull start, size_t count, const char *_Nonnull path);
void linux_bus_error_leave(int mapping);
/// From now on a SIGBUS in an entered mapping removes the file, writes `removed` or `kept`, its path and `end` to
/// `output`, and ends the process. Any other does what it did before.
void linux_bus_error_catch(
    int output, const char *_Nonnull removed, const char *_Nonnull kept, const char *_Nonnull end);
/// Makes the terminal raw. From now on `leaving` is written to `output`, and the terminal is as it was before, when a
/// deadly signal comes, of which the process then dies; `dying` is called before that. All must stay there for good.
int linux_terminal_enter(
    int input, int output, const void *_Nonnull leaving, size_t count, void (*_Nonnull dying)(void));
/// Writes `leaving` and makes the terminal what it was; does nothing where that is done.
void linux_terminal_leave(void);
/// Stops the process, or its whole group, by SIGTSTP, which must be blocked; returns when it goes on.
void linux_terminal_stop(int whole_group);
