// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "sockets.h"

#include <errno.h>
#include <linux/securebits.h>
#include <poll.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "CBench.h"

static int address_of(const char *path, struct sockaddr_un *address) {
    size_t length = strlen(path);
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    if (length >= sizeof address->sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(address->sun_path, path, length);
    return 0;
}

/// The user that connections of this thread are made as; 0: the program's own.
static _Thread_local uint32_t connecting_user;

int bench_connect_as(uint32_t user) {
    connecting_user = user;
    // The thread keeps its rights, so that it opens the socket and can be itself again.
    return user == 0 ? 0 : prctl(PR_SET_SECUREBITS, SECBIT_NO_SETUID_FIXUP);
}

/// Changes the effective user of this thread alone; the calls of the C library change that of all threads.
static void become(uint32_t user) { syscall(SYS_setresuid, -1, user, -1); }

int bench_socket(const char *path, int type, int is_bound) {
    struct sockaddr_un address;
    if (address_of(path, &address) != 0) return -1;
    int fd = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);
    if (fd < 0) return -1;
    const struct sockaddr *name = (const struct sockaddr *)&address;
    if (connecting_user != 0) become(connecting_user);
    int result = is_bound ? bind(fd, name, sizeof address) : connect(fd, name, sizeof address);
    int error = errno;
    if (connecting_user != 0) become(0);
    if (result != 0) {
        close(fd);
        errno = error;
        return -1;
    }
    return fd;
}

ptrdiff_t bench_ask(
    const char *path, const void *request, size_t request_count, int newlines, void *answer, size_t capacity,
    uint64_t timeout) {
    int fd = bench_socket(path, SOCK_STREAM, 0);
    if (fd < 0) return -1;
    size_t sent = 0, received = 0;
    int error = 0;
    while (sent < request_count) {
        ptrdiff_t part = send(fd, (const char *)request + sent, request_count - sent, MSG_NOSIGNAL);
        if (part < 0 && errno == EINTR) continue;
        if (part < 0) { error = errno; break; }
        sent += (size_t)part;
    }
    while (error == 0 && newlines > 0) {
        struct pollfd entry = {.fd = fd, .events = POLLIN};
        if (received == capacity) { error = EMSGSIZE; break; }
        if (poll(&entry, 1, (int)(timeout / 1000000)) == 0) { error = ETIME; break; }
        ptrdiff_t part = recv(fd, (char *)answer + received, capacity - received, 0);
        if (part < 0 && errno == EINTR) continue;
        if (part <= 0) { error = part == 0 ? ECONNRESET : errno; break; }
        for (ptrdiff_t index = 0; index < part; index++) {
            if (((const char *)answer)[received + (size_t)index] == '\n') newlines--;
        }
        received += (size_t)part;
    }
    close(fd);
    errno = error;
    return error == 0 ? (ptrdiff_t)received : -1;
}

int bench_notify_socket(const char *path) { return bench_socket(path, SOCK_DGRAM, 1); }

ptrdiff_t bench_notify_receive(int fd, void *buffer, size_t capacity, int timeout_ms) {
    struct pollfd entry = {.fd = fd, .events = POLLIN};
    int count = poll(&entry, 1, timeout_ms);
    if (count == 0) errno = EAGAIN;
    return count <= 0 ? -1 : recv(fd, buffer, capacity, MSG_DONTWAIT);
}
