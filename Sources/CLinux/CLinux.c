// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <unistd.h>

_Static_assert(LINUX_EVENT_READ == EPOLLIN && LINUX_EVENT_WRITE == EPOLLOUT, "event bits are epoll's");
_Static_assert(LINUX_EVENT_ERROR == EPOLLERR && LINUX_EVENT_HANGUP == EPOLLHUP, "event bits are epoll's");
_Static_assert(LINUX_EVENT_PEER_CLOSED == EPOLLRDHUP, "event bits are epoll's");

int linux_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

int linux_epoll_control(int epoll, enum linux_control operation, int fd, uint32_t events, uint64_t data) {
    static const int operations[] = {EPOLL_CTL_ADD, EPOLL_CTL_MOD, EPOLL_CTL_DEL};
    struct epoll_event event = {.events = events, .data.u64 = data};
    return epoll_ctl(epoll, operations[operation], fd, &event);
}

// The three calls of each turn go straight to the kernel: no thread is ever cancelled (pthread_cancel(3)), and getting
// ready for that costs glibc's wrappers as much as the rest of them.

int linux_epoll_wait(int epoll, struct linux_event *events, int timeout_ms) {
    struct epoll_event packed[LINUX_EVENTS_MAX];
    int count = (int)syscall(SYS_epoll_pwait, epoll, packed, LINUX_EVENTS_MAX, timeout_ms, NULL, _NSIG / 8);
    for (int i = 0; i < count; i++) {
        events[i].data = packed[i].data.u64;
        events[i].events = packed[i].events;
    }
    return count;
}

int linux_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int linux_timerfd(void) { return timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK); }

int linux_timerfd_set(int fd, int64_t milliseconds) {
    struct itimerspec time = {.it_value = {milliseconds / 1000, milliseconds % 1000 * 1000000}};
    return timerfd_settime(fd, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &time, NULL);
}

int linux_timerfd_read(int fd) {
    uint64_t count;
    if (read(fd, &count, sizeof count) == (ssize_t)sizeof count) return 1;
    return errno == ECANCELED ? 2 : 0;
}

static sigset_t set_of(uint64_t signals) {
    sigset_t set;
    sigemptyset(&set);
    for (int number = 1; number < 64; number++)
        if (signals >> number & 1) sigaddset(&set, number);
    return set;
}

int linux_signalfd(uint64_t signals) {
    sigset_t set = set_of(signals);
    int error = pthread_sigmask(SIG_BLOCK, &set, NULL);
    if (error) {
        errno = error;
        return -1;
    }
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int linux_signalfd_read(int fd) {
    struct signalfd_siginfo info;
    ssize_t count = read(fd, &info, sizeof info);
    if (count == (ssize_t)sizeof info) return (int)info.ssi_signo;
    return count < 0 && errno != EAGAIN && errno != EINTR ? -1 : 0;
}

int linux_unix_socket(int nonblocking) {
    return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | (nonblocking ? SOCK_NONBLOCK : 0), 0);
}

/// The address of a path; its length, or 0 and ENAMETOOLONG.
static socklen_t address_of(const char *path, size_t length, struct sockaddr_un *address) {
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    if (length == 0 || length >= sizeof address->sun_path) {
        errno = length ? ENAMETOOLONG : EINVAL;
        return 0;
    }
    memcpy(address->sun_path, path, length);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length + 1);
}

int linux_unix_bind(int fd, const char *path, size_t length) {
    struct sockaddr_un address;
    socklen_t size = address_of(path, length, &address);
    return size ? bind(fd, (struct sockaddr *)&address, size) : -1;
}

int linux_unix_connect(int fd, const char *path, size_t length) {
    struct sockaddr_un address;
    socklen_t size = address_of(path, length, &address);
    return size ? connect(fd, (struct sockaddr *)&address, size) : -1;
}

int linux_unix_send(const char *path, size_t length, const void *bytes, size_t count) {
    struct sockaddr_un address;
    socklen_t size = address_of(path, length, &address);
    if (!size) return -1;
    // A name that begins with @ is in no folder (systemd.exec(5), NOTIFY_SOCKET).
    if (address.sun_path[0] == '@') {
        address.sun_path[0] = 0;
        size = offsetof(struct sockaddr_un, sun_path) + length;
    }
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return -1;
    ssize_t sent = sendto(fd, bytes, count, MSG_NOSIGNAL, (struct sockaddr *)&address, size);
    int failure = errno;
    close(fd);
    errno = failure;
    return sent < 0 ? -1 : 0;
}

int linux_unix_pair(int *fds) { return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, fds); }

int linux_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC); }

int linux_send_timeout(int fd, int64_t milliseconds) {
    struct timeval value = {.tv_sec = milliseconds / 1000, .tv_usec = milliseconds % 1000 * 1000};
    return setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &value, sizeof value);
}

int linux_peer_credentials(int fd, int32_t *pid, uint32_t *uid, uint32_t *gid) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0) return -1;
    *pid = peer.pid;
    *uid = peer.uid;
    *gid = peer.gid;
    return 0;
}

int linux_peer_groups(int fd, uint32_t *groups, int capacity) {
    _Static_assert(sizeof(gid_t) == sizeof *groups, "a gid has 32 bits");
    socklen_t size = (socklen_t)((size_t)capacity * sizeof(gid_t));
    if (getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, groups, &size) < 0 && errno != ERANGE) return -1;
    return (int)(size / sizeof(gid_t));
}

ptrdiff_t linux_send2(int fd, const void *first, size_t first_count, const void *second, size_t second_count) {
    if (second_count == 0) return syscall(SYS_sendto, fd, first, first_count, MSG_NOSIGNAL | MSG_DONTWAIT, NULL, 0);
    struct iovec parts[] = {
        {.iov_base = (void *)first, .iov_len = first_count},
        {.iov_base = (void *)second, .iov_len = second_count},
    };
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    return sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

ptrdiff_t linux_receive(int fd, void *buffer, size_t count) {
    return syscall(SYS_recvfrom, fd, buffer, count, MSG_DONTWAIT, NULL, NULL);
}

int linux_open(const char *path, int flags, uint32_t mode) { return open(path, flags | O_CLOEXEC, (mode_t)mode); }

void linux_begin_writing(int fd, int64_t offset, int64_t count) {
    sync_file_range(fd, offset, count, SYNC_FILE_RANGE_WRITE);
}

int linux_open_temporary(const char *directory) {
    int fd = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR)) return fd;
    char path[4096];  // a file system without O_TMPFILE
    if (strlen(directory) + sizeof "/.XXXXXX" > sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcat(strcpy(path, directory), "/.XXXXXX");
    fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0) unlink(path);
    return fd;
}

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U
#endif

int linux_open_memory(const char *name) {
    int fd = memfd_create(name, MFD_CLOEXEC | MFD_NOEXEC_SEAL);
    if (fd >= 0 || errno != EINVAL) return fd;
    return memfd_create(name, MFD_CLOEXEC);  // before Linux 6.3
}

int linux_pipe(int *fds) { return pipe2(fds, O_CLOEXEC); }

int linux_fcntl(int fd, int command, int argument) { return fcntl(fd, command, argument); }

ptrdiff_t linux_read_link(const char *path, void *buffer, size_t count) { return readlink(path, buffer, count); }

int linux_is_socket(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0 && S_ISSOCK(status.st_mode);
}

int linux_terminal_size(int fd, int *columns, int *rows) {
    struct winsize size;
    if (ioctl(fd, TIOCGWINSZ, &size) < 0) return -1;
    *columns = size.ws_col;
    *rows = size.ws_row;
    return 0;
}

ptrdiff_t linux_random(void *buffer, size_t count) { return getrandom(buffer, count, 0); }

ptrdiff_t linux_find(const void *haystack, size_t haystack_count, const void *needle, size_t needle_count) {
    if (needle_count == 0) return 0;
    if (haystack_count < needle_count) return -1;
    const char *found = memmem(haystack, haystack_count, needle, needle_count);
    return found ? found - (const char *)haystack : -1;
}

void linux_thread_name(const char *name) { pthread_setname_np(pthread_self(), name); }

int linux_thread_schedule(int nicer, uint64_t slice) {
    int policy = sched_getscheduler(0);
    /* Whoever set another policy for the whole process knows better. */
    if (policy != SCHED_OTHER) return EINVAL;
    int nice = getpriority(PRIO_PROCESS, 0) + nicer;
    /* struct sched_attr of sched_setattr(2), which glibc before 2.41 does not declare; its first version. */
    struct {
        uint32_t size, policy;
        uint64_t flags;
        int32_t nice;
        uint32_t priority;
        uint64_t runtime, deadline, period;
    } attributes = {.size = 48, .policy = SCHED_OTHER, .nice = nice < 19 ? nice : 19, .runtime = slice};
    return syscall(SYS_sched_setattr, 0, &attributes, 0) < 0 ? errno : 0;
}

int linux_raise_file_limit(uint64_t *soft) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) < 0) return -1;
    limit.rlim_cur = limit.rlim_max;
    int result = setrlimit(RLIMIT_NOFILE, &limit);
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) *soft = limit.rlim_cur;
    return result;
}

void linux_limit_arenas(int count) {
#ifdef __GLIBC__
    mallopt(M_ARENA_MAX, count);
    mallopt(M_MMAP_THRESHOLD, 256 << 10);
#endif
}

void linux_trim_heap(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

char **linux_environment(void) { return environ; }

int linux_spawn(
    int32_t *pid, const char *program, char **arguments, char **environment, const char *directory, int input,
    int output, int error, int leads_group) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int failure = posix_spawn_file_actions_init(&actions);
    if (failure) return failure;
    failure = posix_spawnattr_init(&attributes);
    if (failure) {
        posix_spawn_file_actions_destroy(&actions);
        return failure;
    }
    posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (leads_group ? POSIX_SPAWN_SETPGROUP : 0));
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    // By way of high numbers, so that no source is overwritten before it is used.
    int sources[3] = {input, output, error}, high[3] = {-1, -1, -1};
    for (int i = 0; i < 3 && !failure; i++) {
        high[i] = fcntl(sources[i], F_DUPFD_CLOEXEC, 10);
        failure = high[i] < 0 ? errno : posix_spawn_file_actions_adddup2(&actions, high[i], i);
    }
    if (!failure && directory) failure = posix_spawn_file_actions_addchdir_np(&actions, directory);
    if (!failure) failure = posix_spawnp(pid, program, &actions, &attributes, arguments, environment);
    for (int i = 0; i < 3; i++)
        if (high[i] >= 0) close(high[i]);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failure;
}

int linux_pidfd(int32_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

void linux_prefetch(const void *start, size_t count) {
    enum { CACHE_LINE = 64 };
    for (size_t offset = 0; offset < count; offset += CACHE_LINE) __builtin_prefetch((const char *)start + offset);
}
