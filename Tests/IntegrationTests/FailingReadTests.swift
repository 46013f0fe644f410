// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Testing

/// A disk that does not read some of state.db (EIO): a library between the daemon and the system's pread(2), which looks
/// up in a file what is to fail.
private final class FailingDisk: Sendable {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let source = try folder.write("disk.c", Self.source)
        let outcome = try SystemdMachine.command(
            "cc", ["-shared", "-fPIC", "-o", folder("disk.so"), source, "-ldl"], timeout: .seconds(60))
        guard outcome.status == .exited(0) else { throw TestFailure("no library: \(outcome.error)") }
    }

    var environment: [String: String] { ["LD_PRELOAD": folder("disk.so"), "FAILING_READS": folder("failing")] }

    /// Has reads of these bytes fail, after `skipped` that do not.
    func fail(_ bytes: Range<Int> = 0..<1 << 40, after skipped: Int = 0, times: Int) throws {
        try Files.writeAtomically(
            folder("failing"), Array("\(bytes.lowerBound) \(bytes.upperBound) \(skipped) \(times)".utf8))
    }

    func mend() { Files.remove(folder("failing")) }

    private static let source = #"""
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <errno.h>
        #include <pthread.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <unistd.h>

        static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

        static int fails(int descriptor, long offset, long size) {
            char link[64], path[4096];
            snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
            ssize_t length = readlink(link, path, sizeof path - 1);
            if (length < 9 || memcmp(path + length - 9, "/state.db", 9)) return 0;
            FILE *file = fopen(getenv("FAILING_READS"), "r+");
            if (!file) return 0;
            long first, end, skipped, times;
            int result = 0;
            if (fscanf(file, "%ld %ld %ld %ld", &first, &end, &skipped, &times) == 4 && offset < end && offset + size > first) {
                if (skipped > 0) skipped--;
                else if (times > 0) { times--; result = 1; }
                rewind(file);
                fprintf(file, "%ld %ld %20ld %20ld", first, end, skipped, times);
            }
            fclose(file);
            return result;
        }

        static ssize_t answer(const char *name, int descriptor, void *bytes, size_t size, off_t offset) {
            pthread_mutex_lock(&lock);
            int result = fails(descriptor, offset, size);
            pthread_mutex_unlock(&lock);
            if (result) { errno = EIO; return -1; }
            ssize_t (*call)(int, void *, size_t, off_t) = dlsym(RTLD_NEXT, name);
            return call(descriptor, bytes, size, offset);
        }

        ssize_t pread(int descriptor, void *bytes, size_t size, off_t offset) {
            return answer("pread", descriptor, bytes, size, offset);
        }

        ssize_t pread64(int descriptor, void *bytes, size_t size, off_t offset) {
            return answer("pread64", descriptor, bytes, size, offset);
        }
        """#
}

/// A disk that fails to read is not taken for a damaged state database: what is there stays, and is not made anew.
@Suite struct FailingReadTests {
    private let disk: FailingDisk
    private let site: Site

    init() throws {
        disk = try FailingDisk()
        site = try Site(["packs": Site.packs], environment: disk.environment)
        let marked = try site.daemon.connect().request("archive", #"{"collection":"packs","ids":["7"]}"#)
        #expect(marked.at("result", "changed", "0")?.string == "7")
        try site.daemon.stop()
    }

    private func requireWhole() throws {
        let client = try site.daemon.connect()
        #expect(try client.request("search", #"{"collection":"packs","archived":"only"}"#).ids == ["7"])
        let names = try Directory.list(site.daemon.folder("state"))
        #expect(!names.contains { $0.contains("damaged") }, "\(names)")
        #expect(!site.daemon.log.contains("damaged"), "\(site.daemon.log)")
    }

    private func awaitLog(_ text: String) throws {
        let deadline = SystemClock.monotonic &+ LineClient.timeout.wholeNanoseconds
        let client = try site.daemon.connect()
        while !site.daemon.log.contains(text) {
            _ = try client.request("ping")
            try #require(SystemClock.monotonic < deadline, "\(site.daemon.log)")
        }
    }

    @Test(arguments: [0, 1, 2, 5, 20, 40])
    func `a read that fails once is tried again`(reads: Int) throws {
        try disk.fail(after: reads, times: 1)
        try site.daemon.start()
        try requireWhole()
        _ = try site.daemon.connect().request("refreshes", #"{"collection":"packs"}"#)
        #expect(!site.daemon.log.contains("CRITICAL"), "\(site.daemon.log)")
    }

    @Test(arguments: [0, 5, 15])
    func `a start that cannot read the state database ends with 1, says why, and leaves it as it is`(
        reads: Int
    ) throws {
        let path = site.daemon.folder("state/state.db")
        let before = try Files.readAll(path, cap: 1 << 30)
        try disk.fail(after: reads, times: 1 << 40)
        try site.daemon.launch()
        #expect(try site.daemon.waitForEnd() == .exited(1), "\(site.daemon.log)")
        #expect(site.daemon.log.contains("the disk does not read it"), "\(site.daemon.log)")
        #expect(try Files.readAll(path, cap: 1 << 30) == before)
        disk.mend()
        try site.daemon.start()
        try requireWhole()
    }

    @Test func `a daemon that serves tells of reads that fail, and goes on`() throws {
        try site.daemon.start()
        let pid = site.daemon.pid
        try disk.fail(times: 1 << 40)
        let client = try site.daemon.connect()
        for (method, parameters) in [
            ("refreshes", ""), ("history", #","id":"7""#), ("changes", ""), ("quarantine", ""),
            ("outbox", #","action":"list""#),
        ] {
            let refused = try client.request(method, #"{"collection":"packs"\#(parameters)}"#)
            #expect(refused.at("error", "data", "kind")?.string == "internal", "\(method): \(refused)")
            #expect(refused.at("error", "message")?.string == "the state database cannot be read", "\(refused)")
        }
        try awaitLog("CRITICAL: the disk does not read the state database everywhere")
        #expect(try client.request("search", #"{"collection":"packs","archived":"include"}"#).ids.count == 6)
        disk.mend()
        #expect(try client.request("refreshes", #"{"collection":"packs"}"#)["result"] != nil)
        try requireWhole()
        #expect(site.daemon.pid == pid)
    }

    @Test func `a check that meets a page that cannot be read finds no damage`() throws {
        let path = site.daemon.folder("state/state.db")
        let found = try SystemdMachine.command(
            "sqlite3", [path, "SELECT rootpage FROM sqlite_schema WHERE name = 'removal'"], timeout: .seconds(20))
        let page = try #require(found.output.split(separator: "\n").first.flatMap { Int($0) })
        try disk.fail((page - 1) * 4096..<page * 4096, times: 1 << 40)
        try site.daemon.start()
        try awaitLog("CRITICAL: the disk does not read the state database everywhere")
        try requireWhole()
        #expect(try site.daemon.stop() == .exited(0))
        disk.mend()
        try site.daemon.start()
        try requireWhole()
    }
}
