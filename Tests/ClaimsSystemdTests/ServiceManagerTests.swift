// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsSystemd
import ClaimsTestSupport
import Glibc
import Testing

/// Each in a process of its own, because what the manager says comes by the environment.
@Suite struct ServiceManagerTests {
    @Test func `the manager is told what happens`() async {
        await #expect(processExitsWith: .success) {
            let socket = try NotifySocket()
            unsafe setenv("NOTIFY_SOCKET", socket.path, 1)
            #expect(ServiceManager.ready(status: "5 collections;\nall fresh"))
            #expect(ServiceManager.status("packs stale for 12 min"))
            #expect(ServiceManager.alive())
            #expect(ServiceManager.stopping(status: "finishing 2 requests"))
            #expect(ServiceManager.extendTimeout(.seconds(3)))
            #expect(ServiceManager.forget(name: "listener"))
            let received = socket.received()
            #expect(
                received == [
                    "READY=1\nSTATUS=5 collections; all fresh", "STATUS=packs stale for 12 min", "WATCHDOG=1",
                    "STOPPING=1\nSTATUS=finishing 2 requests", "EXTEND_TIMEOUT_USEC=3000000",
                    "FDSTOREREMOVE=1\nFDNAME=listener",
                ])
        }
    }

    @Test func `reloading comes with the time it began`() async {
        await #expect(processExitsWith: .success) {
            let socket = try NotifySocket()
            unsafe setenv("NOTIFY_SOCKET", socket.path, 1)
            let before = SystemClock.monotonic / 1000
            #expect(ServiceManager.reloading())
            let lines = try #require(socket.received().first).split(separator: "\n")
            try #require(lines.count == 2)
            #expect(lines[0] == "RELOADING=1")
            let time = try #require(UInt64(lines[1].dropFirst("MONOTONIC_USEC=".count)))
            #expect(time >= before && time <= SystemClock.monotonic / 1000)
        }
    }

    @Test func `a stored descriptor reaches the manager`() async {
        await #expect(processExitsWith: .success) {
            let socket = try NotifySocket()
            unsafe setenv("NOTIFY_SOCKET", socket.path, 1)
            let pipe = try FileDescriptor.pipe()
            #expect(ServiceManager.store(pipe.reading.raw, name: "listener"))
            let message = try #require(socket.next())
            #expect(message.text == "FDSTORE=1\nFDNAME=listener")
            let copy = FileDescriptor(owning: message.descriptor)
            try pipe.writing.write([42])
            var buffer: [UInt8] = [0]
            let count = try copy.read(into: &buffer)
            #expect(count == 1 && buffer == [42])
        }
    }

    @Test func `without a manager nothing is told`() async {
        await #expect(processExitsWith: .success) {
            unsafe unsetenv("NOTIFY_SOCKET")
            #expect(!ServiceManager.ready(status: "x"))
            #expect(!ServiceManager.store(0, name: "x"))
            #expect(Watchdog.interval == nil)
            #expect(InheritedDescriptor.all() == [])
        }
    }

    @Test func `the watchdog's interval is for this process only`() async {
        await #expect(processExitsWith: .success) {
            unsafe setenv("WATCHDOG_USEC", "30000000", 1)
            unsafe setenv("WATCHDOG_PID", "\(getpid())", 1)
            #expect(Watchdog.interval == .seconds(30))
            unsafe setenv("WATCHDOG_PID", "1", 1)
            #expect(Watchdog.interval == nil)
        }
    }

    @Test func `sockets are handed over by name`() async {
        await #expect(processExitsWith: .success) {
            let folder = try Directory.temporary(prefix: "claimsd-listen")
            let listener = try UnixSocket.listen(path: Paths.join(folder, "s"))
            let pipe = try FileDescriptor.pipe()
            // The descriptors 3 and 4 of this process are put aside for as long.
            let (three, four) = (fcntl(3, F_DUPFD, 10), fcntl(4, F_DUPFD, 10))
            // Neither of ours, and of what is put aside, may be in the way of another.
            let (first, second) = (fcntl(listener.raw, F_DUPFD, 10), fcntl(pipe.reading.raw, F_DUPFD, 10))
            try #require(first >= 10 && second >= 10)
            unsafe setenv("LISTEN_PID", "\(getpid())", 1)
            unsafe setenv("LISTEN_FDS", "2", 1)
            unsafe setenv("LISTEN_FDNAMES", "claimsd.socket:other", 1)
            var names: [String] = []
            var listening: [Bool] = []
            var raw: Int32?
            var isClosedOnExec = false
            // Another thread of this process that had something at 3 or 4 may close it in the middle of this.
            for _ in 0..<100 where listening != [true, false] || !isClosedOnExec {
                dup2(first, 3)
                dup2(second, 4)
                let inherited = InheritedDescriptor.all()
                names = inherited.map(\.name)
                listening = inherited.map(\.isListener)
                raw = inherited.first.map { $0.take().release() }
                isClosedOnExec = fcntl(3, F_GETFD) & FD_CLOEXEC != 0
            }
            if three >= 0 { dup2(three, 3) }
            if four >= 0 { dup2(four, 4) }
            close(first)
            close(second)
            try Directory.remove(folder)
            #expect(names == ["claimsd.socket", "other"])
            #expect(listening == [true, false])
            #expect(raw == 3)
            #expect(isClosedOnExec)
        }
    }

    @Test func `this machine is known by the same bytes each time`() throws {
        guard Files.exists("/etc/machine-id") else { return }
        let bytes = MachineIdentity.bytes()
        #expect(bytes == MachineIdentity.bytes())
        #expect(bytes == nil || bytes?.count == 16)
    }
}
