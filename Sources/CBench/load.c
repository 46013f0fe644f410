// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "CBench.h"
#include "sockets.h"

enum { LOAD_BUFFER = 1 << 18 };

struct connection {
    int fd;
    /// The next request to send.
    uint32_t next;
    int in_flight;
    /// Newlines of an answer that has not ended.
    int newlines;
    /// When each request in flight was sent: a ring.
    unsigned head;
    uint64_t sent[BENCH_DEPTH_MAX];
};

struct run {
    struct connection *connections;
    char *buffer;
    int epoll;
    int open;
    int in_flight;
    /// Nothing more is sent: what comes from here on was asked while others were no longer, and is not counted.
    int is_ending;
};

static uint64_t clock_now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

int bench_bucket(uint64_t nanoseconds) {
    if (nanoseconds < 32) return (int)nanoseconds;
    int shift = 58 - __builtin_clzll(nanoseconds);
    int bucket = (shift << 5) + (int)(nanoseconds >> shift);
    return bucket < BENCH_BUCKETS ? bucket : BENCH_BUCKETS - 1;
}

double bench_bucket_value(int bucket) {
    if (bucket < 64) return bucket;
    int shift = (bucket >> 5) - 1;
    return ldexp((bucket & 31) + 32.5, shift);
}

/// Sends the next `count` requests, with one call for each stretch of the buffer.
static int send_requests(struct bench_load *load, struct connection *to, int count, uint64_t now) {
    while (count > 0) {
        uint32_t stretch = load->count - to->next;
        if (stretch > (uint32_t)count) stretch = (uint32_t)count;
        size_t start = to->next == 0 ? 0 : load->ends[to->next - 1];
        size_t end = load->ends[to->next + stretch - 1];
        for (uint32_t index = 0; index < stretch; index++) {
            to->sent[(to->head + (unsigned)to->in_flight++) % BENCH_DEPTH_MAX] = now;
        }
        while (start < end) {
            ptrdiff_t done = send(to->fd, load->requests + start, end - start, MSG_NOSIGNAL);
            if (done < 0 && errno == EINTR) continue;
            if (done < 0) return errno == EAGAIN ? ETIME : errno;
            start += (size_t)done;
        }
        to->next += stretch;
        if (to->next == load->count) to->next = 0;
        count -= (int)stretch;
    }
    return 0;
}

/// Receives what waits: how many answers ended, -1 and errno.
static int receive(struct bench_load *load, struct run *run, struct connection *from, uint64_t *now) {
    char *buffer = run->buffer;
    ptrdiff_t received;
    do received = recv(from->fd, buffer, LOAD_BUFFER, 0);
    while (received < 0 && errno == EINTR);
    if (received <= 0) {
        if (received == 0) errno = ECONNRESET;
        if (errno == EAGAIN) errno = ETIME;
        return -1;
    }
    *now = clock_now(CLOCK_MONOTONIC);
    if (!run->is_ending) load->bytes += (uint64_t)received;
    int answers = 0;
    for (const char *at = buffer, *end = buffer + received;
         (at = memchr(at, '\n', (size_t)(end - at))) != NULL; at++) {
        if (++from->newlines < load->newlines) continue;
        from->newlines = 0;
        if (answers == from->in_flight) {
            errno = EPROTO;  // more answers than requests
            return -1;
        }
        uint64_t sent = from->sent[(from->head + (unsigned)answers++) % BENCH_DEPTH_MAX];
        if (!run->is_ending) load->buckets[bench_bucket(*now - sent)]++;
    }
    from->head += (unsigned)answers;
    from->in_flight -= answers;
    if (!run->is_ending) load->answers += (uint64_t)answers;
    return answers;
}

static int connect_all(struct bench_load *load, struct run *run) {
    struct timeval timeout = {
        .tv_sec = (time_t)(load->timeout / 1000000000u),
        .tv_usec = (suseconds_t)(load->timeout % 1000000000u / 1000u)};
    for (; run->open < load->connections; run->open++) {
        struct connection *to = &run->connections[run->open];
        to->fd = bench_socket(load->path, SOCK_STREAM, 0);
        if (to->fd < 0) return errno;
        setsockopt(to->fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
        setsockopt(to->fd, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout);
        to->next = (load->first + (uint32_t)run->open * 997u) % load->count;
        struct epoll_event entry = {.events = EPOLLIN, .data.u32 = (uint32_t)run->open};
        if (epoll_ctl(run->epoll, EPOLL_CTL_ADD, to->fd, &entry) != 0) return errno;
    }
    return 0;
}

static int exchange(struct bench_load *load, struct run *run) {
    uint64_t start = clock_now(CLOCK_MONOTONIC), now = start;
    for (int index = 0; index < load->connections; index++) {
        int error = send_requests(load, &run->connections[index], load->depth, now);
        if (error != 0) return error;
    }
    run->in_flight = load->connections * load->depth;
    struct epoll_event events[BENCH_CONNECTIONS_MAX];
    while (run->in_flight > 0) {
        int ready = 1;
        if (load->connections == 1) {
            events[0].data.u32 = 0;  // alone: the blocking call that follows waits
        } else {
            ready = epoll_wait(run->epoll, events, BENCH_CONNECTIONS_MAX, (int)(load->timeout / 1000000u));
            if (ready == 0) return ETIME;
            if (ready < 0 && errno != EINTR) return errno;
        }
        for (int index = 0; index < ready; index++) {
            struct connection *one = &run->connections[events[index].data.u32];
            int answers = receive(load, run, one, &now);
            if (answers < 0) return errno;
            int is_done = now - start >= load->duration || (load->limit != 0 && load->answers >= load->limit);
            if (is_done && !run->is_ending) {
                run->is_ending = 1;
                load->elapsed = now - start;
            }
            if (run->is_ending) {
                run->in_flight -= answers;
            } else if (answers > 0) {
                int error = send_requests(load, one, answers, now);
                if (error != 0) return error;
            }
        }
    }
    return 0;
}

int bench_load_run(struct bench_load *load) {
    if (load->depth > BENCH_DEPTH_MAX || load->connections > BENCH_CONNECTIONS_MAX || load->count == 0) return EINVAL;
    uint64_t cpu = clock_now(CLOCK_THREAD_CPUTIME_ID);
    struct run run = {
        .connections = calloc((size_t)load->connections, sizeof(struct connection)),
        .buffer = malloc(LOAD_BUFFER),
        .epoll = epoll_create1(EPOLL_CLOEXEC),
    };
    int error = run.connections == NULL || run.buffer == NULL || run.epoll < 0 ? errno : connect_all(load, &run);
    if (error == 0) error = exchange(load, &run);
    for (int index = 0; index < run.open; index++) close(run.connections[index].fd);
    if (run.epoll >= 0) close(run.epoll);
    free(run.connections);
    free(run.buffer);
    load->client_cpu = clock_now(CLOCK_THREAD_CPUTIME_ID) - cpu;
    return error;
}
