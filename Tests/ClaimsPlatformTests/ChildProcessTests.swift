// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Glibc
import Testing

@Suite struct ChildProcessTests {
    @Test func `a program's output, environment and folder are as told`() throws {
        #expect(try run("sh", ["-c", "echo $A \"$1\"", "sh", "b  c"], environment: ["A=x"]) == "x b  c\n")
        let output = try FileDescriptor.temporary(in: "/tmp")
        let child = try ChildProcess("pwd", directory: "/usr", output: output.raw)
        #expect(child.wait() == .exited(0))
        #expect(String(decoding: try output.read(100, at: 0), as: UTF8.self) == "/usr\n")
    }

    @Test func `exit codes and signals are told apart`() throws {
        #expect(try ChildProcess("sh", ["-c", "exit 7"]).wait() == .exited(7))
        let child = try ChildProcess("sleep", ["1000"])
        #expect(try !child.hasEnded(within: .zero))
        let isSent = child.signal(SIGTERM)
        #expect(isSent)
        #expect(try child.hasEnded(within: nil))
        let status = child.wait()
        #expect(status == .killed(signal: SIGTERM))
        #expect(status.code == 143)
    }

    @Test func `a child is killed and reaped with its owner`() throws {
        let pid: Int32
        do {
            let child = try ChildProcess("sleep", ["1000"])
            pid = child.pid
        }
        #expect(kill(pid, 0) == -1)
    }

    @Test func `a program that is not there is an error`() {
        let error = #expect(throws: SystemError.self) { _ = try ChildProcess("/no/such/program").pid }
        #expect(error?.message == "cannot start /no/such/program: No such file or directory")
    }

    @Test func `a child has no blocked and no ignored signals`() throws {
        let masks = try run("grep", ["-E", "SigBlk|SigIgn", "/proc/self/status"], environment: nil)
        for line in masks.split(separator: "\n") {
            let mask = try #require(UInt64(line.split(separator: "\t")[1], radix: 16))
            #expect(mask & ~(3 << 31) == 0, "32 and 33 are libc's own")
        }
    }

    @Test func `the environment is read`() {
        #expect(Environment["PATH"] == Environment.nonempty("PATH"))
        #expect(Environment["NO_SUCH_VARIABLE"] == nil)
        #expect(Environment.all.contains("PATH=\(Environment["PATH"] ?? "")"))
        #expect(Files.executable != nil)
    }

    @Test func `accounts are read from their files`() throws {
        let folder = try TemporaryFolder()
        try Directory.create(folder("etc"))
        try Files.writeAtomically(
            folder("etc/passwd"), Array("# c\nroot:x:0:0::/:/bin/sh\nann:x:1000:7::/:\nbad\n".utf8))
        try Files.writeAtomically(folder("etc/group"), Array("root:x:0:\nclaims:x:990:ann,bob\n".utf8))
        #expect(Accounts.user(named: "ann", root: folder.path) == 1000)
        #expect(Accounts.user(named: "bad", root: folder.path) == nil)
        #expect(Accounts.userName(1000, root: folder.path) == "ann")
        #expect(Accounts.group(named: "claims", root: folder.path) == 990)
        #expect(Accounts.groupName(990, root: folder.path) == "claims")
        #expect(Accounts.groupName(991, root: folder.path) == nil)
        #expect(Accounts.group(named: "claims", root: folder("none")) == nil)
        #expect(Accounts.userName(0) == "root")
    }
}
