// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Glibc
import Testing

/// A snapshot that cannot be read ends no start, and at most one run.
@Suite struct UnreadableSnapshotTests {
    private static let ids = ["1", "2", "3", "4", "5", "6", "10"]

    /// The file of the units; there are others, of bundles.
    private func snapshot(of site: Site) throws -> String {
        let path = try site.daemon.snapshots().first { path in
            String(decoding: try Files.readAll(path, cap: 1 << 20), as: UTF8.self).contains("Pump north")
        }
        return try #require(path)
    }

    /// Has it run as the service does, without Swift's crash reporter, which goes on after a signal that is no crash.
    private func restart(_ site: Site) throws {
        try site.daemon.stop()
        try site.daemon.start(environment: ["SWIFT_BACKTRACE": "enable=no"])
    }

    private func startsAgain(_ site: Site, without path: String) throws {
        site.upstream.stop()
        try site.daemon.start()
        let answer = try site.daemon.connect().request("search", #"{"collection":"units"}"#)
        #expect(answer.ids == Self.ids)
        #expect(!Files.exists(path) && site.daemon.log.contains("was built again"), "\(site.daemon.log)")
    }

    @Test(arguments: ["search", "detail"])
    func `a snapshot that is cut while it is served is named and removed, and made anew`(method: String) throws {
        let site = try Site(["units": Site.units])
        let path = try snapshot(of: site)
        #expect(unsafe truncate(path, 0) == 0)
        let parameters = method == "search" ? #""filter":"pump""# : #""id":"3""#
        _ = try? site.daemon.connect().request(method, #"{"collection":"units",\#(parameters)}"#)
        #expect(try site.daemon.waitForEnd() == .killed(signal: SIGBUS))
        #expect(!Files.exists(path))
        #expect(site.daemon.log.contains("CRITICAL: a snapshot cannot be read; it was removed"), "\(site.daemon.log)")
        #expect(site.daemon.log.contains("(path=\(path))\n"))
        try startsAgain(site, without: path)
    }

    @Test(.enabled(if: !BuiltProgram.isSanitized))
    func `a bus error in the index of the state database removes nothing`() throws {
        let site = try Site(["packs": Site.packs])
        try restart(site)
        let before = try site.daemon.snapshots()
        #expect(unsafe truncate(site.daemon.folder("state/state.db-shm"), 0) == 0)
        let client = try site.daemon.connect()
        _ = try? client.request("archive", #"{"collection":"packs","ids":["7"]}"#)
        #expect(try site.daemon.waitForEnd() == .killed(signal: SIGBUS))
        #expect(try site.daemon.snapshots() == before && !before.isEmpty)
        #expect(!site.daemon.log.contains("cannot be read"), "\(site.daemon.log)")
        try site.daemon.start()
        #expect(try site.daemon.connect().request("search", #"{"collection":"packs"}"#).ids.count == 6)
    }

    @Test(.enabled(if: !BuiltProgram.isSanitized))
    func `a bus error that somebody sends removes nothing`() throws {
        let site = try Site(["units": Site.units])
        try restart(site)
        let before = try site.daemon.snapshots()
        site.daemon.signal(SIGBUS)
        #expect(try site.daemon.waitForEnd() == .killed(signal: SIGBUS))
        #expect(try site.daemon.snapshots() == before && !before.isEmpty)
        #expect(!site.daemon.log.contains("cannot be read"), "\(site.daemon.log)")
    }

    @Test(.timeLimit(.minutes(1)), arguments: ["folder", "pipe", "link"])
    func `what is no file in the place of a snapshot is an error of reading, and the snapshot is made anew`(
        kind: String
    ) throws {
        let site = try Site(["units": Site.units])
        let path = try snapshot(of: site)
        site.daemon.kill()
        let other = site.daemon.folder("other")
        try Files.rename(path, to: other)
        switch kind {
        case "folder": try Directory.create(path)
        case "pipe": try #require(unsafe mkfifo(path, 0o600) == 0)
        default: try #require(unsafe symlink(other, path) == 0)
        }
        site.upstream.stop()
        try site.daemon.start()
        #expect(try site.daemon.connect().request("search", #"{"collection":"units"}"#).ids == Self.ids)
        #expect(Files.exists(other))
    }

    @Test(.enabled(if: UnreadableBlock.isPossible), arguments: [0, 1])
    func `a block that the disk cannot read is found by the start, which makes the snapshot anew`(page: Int) throws {
        let site = try Site(["units": Site.units])
        let path = try snapshot(of: site)
        try site.daemon.stop()
        site.upstream.stop()
        let disk = try UnreadableBlock(of: path, page: page)
        try site.daemon.start(environment: disk.environment)
        #expect(try site.daemon.connect().request("search", #"{"collection":"units"}"#).ids == Self.ids)
        #expect(site.daemon.log.contains("cannot open \(path): error \(EIO)"), "\(site.daemon.log)")
        #expect(!Files.exists(path))
    }
}

/// A disk that cannot read one block of a file: read(2) fails with EIO, and touching a mapping of it is a bus error.
///
/// It is a library that the daemon is started with, and stands before the calls of libc.
private final class UnreadableBlock {
    private static let compiler = ["/usr/bin/cc", "/usr/bin/clang", "/opt/swift/usr/bin/clang"].first {
        Files.exists($0)
    }
    static var isPossible: Bool { compiler != nil && !BuiltProgram.isSanitized }

    let environment: [String: String]
    private let folder: TemporaryFolder

    init(of path: String, page: Int) throws {
        folder = try TemporaryFolder()
        try folder.write("block.c", Self.source)
        let child = try ChildProcess(
            try #require(Self.compiler), ["-shared", "-fPIC", "-o", folder("block.so"), folder("block.c")],
            environment: BuiltProgram.environment([:]))
        #expect(child.wait() == .exited(0))
        environment = ["LD_PRELOAD": folder("block.so"), "BAD_FILE": path, "BAD_PAGE": "\(page)"]
    }

    private static let source = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <errno.h>
        #include <fcntl.h>
        #include <limits.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/mman.h>
        #include <sys/syscall.h>
        #include <unistd.h>

        enum { PAGE = 4096 };

        static int is_bad(int fd) {
            char name[64], path[PATH_MAX + 1];
            snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
            ssize_t count = readlink(name, path, PATH_MAX);
            const char *bad = getenv("BAD_FILE");
            if (count < 0 || !bad) return 0;
            path[count] = 0;
            return !strcmp(path, bad);
        }

        static off_t bad_page(void) { return (off_t)atol(getenv("BAD_PAGE")) * PAGE; }

        static int holds(off_t offset, size_t count) {
            return offset < bad_page() + PAGE && offset + (off_t)count > bad_page();
        }

        ssize_t pread(int fd, void *buffer, size_t count, off_t offset) {
            if (count && is_bad(fd) && holds(offset, count)) return errno = EIO, -1;
            return syscall(SYS_pread64, fd, buffer, count, offset);
        }
        ssize_t pread64(int fd, void *buffer, size_t count, off_t offset) { return pread(fd, buffer, count, offset); }

        void *mmap(void *address, size_t count, int protection, int flags, int fd, off_t offset) {
            char *map = (char *)syscall(SYS_mmap, address, count, protection, flags, fd, offset);
            if (map == MAP_FAILED || fd < 0 || !is_bad(fd) || !holds(offset, count)) return map;
            int empty = memfd_create("empty", MFD_CLOEXEC);
            syscall(SYS_mmap, map + (bad_page() - offset), PAGE, protection, MAP_SHARED | MAP_FIXED, empty, 0);
            close(empty);
            return map;
        }
        void *mmap64(void *address, size_t count, int protection, int flags, int fd, off_t offset) {
            return mmap(address, count, protection, flags, fd, offset);
        }
        """
}
