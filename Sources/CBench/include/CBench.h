// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0
//
// The two ends between which the benchmark measures: a load client that costs next to nothing, the same for every
// server, and a server that does nothing at all, which is the limit of the machine's sockets.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// Latencies are counted in buckets of 1/32 of a power of two, in nanoseconds.
enum { BENCH_BUCKETS = 32 * 40, BENCH_DEPTH_MAX = 256, BENCH_CONNECTIONS_MAX = 256 };

/// One run: what to send, and what came of it.
struct bench_load {
    const char *_Nonnull path;
    int connections;
    /// Requests in flight on each connection.
    int depth;
    /// The requests, end to end; request I ends before `ends[I]`. They are sent in turn, over and over.
    const uint8_t *_Nonnull requests;
    const uint32_t *_Nonnull ends;
    uint32_t count;
    /// The index of the request with which the first connection begins.
    uint32_t first;
    /// How many newlines an answer has.
    int newlines;
    /// Ends after this long, or after so many answers (0: no such limit), whichever comes first.
    uint64_t duration;
    uint64_t limit;
    /// Gives up when nothing was answered for this long.
    uint64_t timeout;

    // Results
    uint64_t answers;
    uint64_t bytes;
    uint64_t elapsed;
    /// The client thread's own processor time.
    uint64_t client_cpu;
    /// `BENCH_BUCKETS` counts, added to.
    uint64_t *_Nonnull buckets;
};

/// Runs it on the calling thread: 0, or an error number. ETIME: no answer within `timeout`.
int bench_load_run(struct bench_load *_Nonnull load);

/// Sends one request and reads its answer, of `newlines` newlines, into `answer`: its length, or -1 and errno.
ptrdiff_t bench_ask(
    const char *_Nonnull path, const void *_Nonnull request, size_t request_count, int newlines,
    void *_Nonnull answer, size_t capacity, uint64_t timeout);

/// The latency, in nanoseconds, in the middle of a bucket.
double bench_bucket_value(int bucket);
int bench_bucket(uint64_t nanoseconds);

/// Answers each line at `path` with the same `answer`, on one thread, for ever; an error number where it cannot begin.
int bench_echo(const char *_Nonnull path, const void *_Nonnull answer, size_t count);

/// A datagram socket bound to `path`: what NOTIFY_SOCKET names (sd_notify(3)). -1 and errno.
int bench_notify_socket(const char *_Nonnull path);
/// The next datagram's length, -1 and errno (EAGAIN: none within the time).
ptrdiff_t bench_notify_receive(int fd, void *_Nonnull buffer, size_t capacity, int timeout_ms);

/// Copies standard input to the socket at `path`, and its bytes to standard output, as barely as can be: poll, read,
/// write. 0 when the socket has ended, or an error number.
int bench_copy(const char *_Nonnull path);
/// Makes the connections of the calling thread those of another user, as the kernel tells it to the other side; 0: of the
/// program's own again. Only root may: 0, or -1 and errno.
int bench_connect_as(uint32_t user);
/// A connection to `path`; -1 and errno.
int bench_connect(const char *_Nonnull path);
/// Writes a request and reads its answer, up to a newline at the end of what has come, again and again: 0, or an error
/// number. The time of each goes to `latencies`, in nanoseconds.
int bench_round_trips(
    int output, int input, const void *_Nonnull request, size_t count, uint64_t *_Nonnull latencies, size_t rounds,
    int timeout_ms);

/// A socket that listens at a free port of 127.0.0.1, which is stored; -1 and errno.
int bench_listen(uint16_t *_Nonnull port);
/// The next connection; -1 and errno (EAGAIN: none within the time).
int bench_accept(int fd, int timeout_ms);

/// Makes a pseudo-terminal of that size. Returns the end that a terminal emulator has, and stores the one that programs
/// have; -1 and errno.
int bench_terminal(int rows, int columns, int *_Nonnull terminal);
