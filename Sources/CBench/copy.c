// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "CBench.h"
#include "sockets.h"

enum { COPY_BUFFER = 1 << 17 };

static int write_all(int fd, const char *bytes, ptrdiff_t count) {
    for (ptrdiff_t done = 0; done < count;) {
        ptrdiff_t part = write(fd, bytes + done, (size_t)(count - done));
        if (part < 0 && errno == EINTR) continue;
        if (part < 0) return -1;
        done += part;
    }
    return 0;
}

int bench_copy(const char *path) {
    int fd = bench_socket(path, SOCK_STREAM, 0);
    char *buffer = malloc(COPY_BUFFER);
    if (fd < 0 || !buffer) return errno;
    struct pollfd ends[2] = {{.fd = 0, .events = POLLIN}, {.fd = fd, .events = POLLIN}};
    for (;;) {
        if (poll(ends, 2, -1) < 0 && errno != EINTR) return errno;
        for (int i = 0; i < 2; i++) {
            if (!ends[i].revents) continue;
            ptrdiff_t count = read(ends[i].fd, buffer, COPY_BUFFER);
            if (count < 0) return errno;
            if (count == 0 && i == 1) return 0;
            if (count == 0) {
                ends[0].fd = -1;
                shutdown(fd, SHUT_WR);
            } else if (write_all(i == 0 ? fd : 1, buffer, count) != 0) {
                return errno;
            }
        }
    }
}

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

int bench_round_trips(
    int output, int input, const void *request, size_t count, uint64_t *latencies, size_t rounds, int timeout_ms) {
    char *buffer = malloc(COPY_BUFFER);
    if (!buffer) return errno;
    int error = 0;
    for (size_t round = 0; round < rounds && error == 0; round++) {
        uint64_t start = now();
        if (write_all(output, request, (ptrdiff_t)count) != 0) error = errno;
        for (int has_ended = 0; !has_ended && error == 0;) {
            struct pollfd entry = {.fd = input, .events = POLLIN};
            if (poll(&entry, 1, timeout_ms) == 0) {
                error = ETIME;
                break;
            }
            ptrdiff_t received = read(input, buffer, COPY_BUFFER);
            if (received < 0 && errno == EINTR) continue;
            if (received <= 0) error = received == 0 ? ECONNRESET : errno;
            else has_ended = buffer[received - 1] == '\n';
        }
        latencies[round] = now() - start;
    }
    free(buffer);
    return error;
}

int bench_connect(const char *path) { return bench_socket(path, SOCK_STREAM, 0); }
