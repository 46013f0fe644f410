// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "CBench.h"
#include "sockets.h"

enum { ECHO_EVENTS = 256, ECHO_BUFFER = 1 << 16 };

/// Reads what waits and answers each whole line; 0 when the connection has ended.
static int serve(int fd, char *in, char *out, size_t count) {
    for (;;) {
        ptrdiff_t received = recv(fd, in, ECHO_BUFFER, MSG_DONTWAIT);
        if (received < 0 && errno == EAGAIN) return 1;
        if (received <= 0) return 0;
        size_t lines = 0;
        for (const char *at = in, *end = in + received; (at = memchr(at, '\n', (size_t)(end - at))) != NULL; at++) lines++;
        // From anywhere in the first answer on, `out` has that many bytes.
        for (size_t total = lines * count, sent = 0; sent < total;) {
            size_t part = total - sent;
            if (part > ECHO_BUFFER * 4) part = ECHO_BUFFER * 4;
            ptrdiff_t done = send(fd, out + sent % count, part, MSG_NOSIGNAL);
            if (done < 0) return 0;
            sent += (size_t)done;
        }
        if (received < ECHO_BUFFER) return 1;
    }
}

int bench_echo(const char *path, const void *answer, size_t count) {
    int listener = bench_socket(path, SOCK_STREAM, 1);
    if (listener < 0 || listen(listener, 1024) != 0) return errno;
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    size_t room = ECHO_BUFFER * 4 + count;
    char *in = malloc(ECHO_BUFFER), *out = malloc(room);
    if (epoll < 0 || in == NULL || out == NULL) return errno;
    for (size_t done = 0; done < room; done++) out[done] = ((const char *)answer)[done % count];
    struct epoll_event entry = {.events = EPOLLIN, .data.fd = listener}, events[ECHO_EVENTS];
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &entry) != 0) return errno;
    for (;;) {
        int ready = epoll_wait(epoll, events, ECHO_EVENTS, -1);
        if (ready < 0 && errno != EINTR) return errno;
        for (int index = 0; index < ready; index++) {
            int fd = events[index].data.fd;
            if (fd == listener) {
                entry.data.fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
                if (entry.data.fd >= 0) epoll_ctl(epoll, EPOLL_CTL_ADD, entry.data.fd, &entry);
            } else if (!serve(fd, in, out, count)) {
                close(fd);
            }
        }
    }
}
