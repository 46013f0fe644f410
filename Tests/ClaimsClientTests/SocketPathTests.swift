// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsPlatform
import ClaimsTestSupport
import Glibc
import Testing

struct SocketPathTests {
    private func path(
        _ environment: [String: String], existing: [String] = [], isPrivate: Bool = true
    ) -> String {
        SocketPath.standard({ environment[$0] }, exists: existing.contains, isPrivate: { _ in isPrivate })
    }

    @Test func `a session's folder in which others could put a socket does not count`() throws {
        let own = "/r/claimsd/claimsd.sock"
        #expect(path(["XDG_RUNTIME_DIR": "/r"], existing: [own], isPrivate: false) == "/run/claimsd/claimsd.sock")
        let folder = try TemporaryFolder()
        let socket = try folder.write("claimsd/claimsd.sock", "")
        let variables = ["XDG_RUNTIME_DIR": folder.path]
        #expect(SocketPath.standard { variables[$0] } == socket)
        try Files.setPermissions(folder.path, 0o750)
        #expect(SocketPath.standard { variables[$0] } == SocketPath.system)
        try Files.setPermissions(folder.path, 0o700)
        if geteuid() == 0 {
            try #require(unsafe chown(folder.path, 65534, 65534) == 0)
            #expect(SocketPath.standard { variables[$0] } == SocketPath.system)
        }
    }

    @Test func `the variable goes before all else`() {
        #expect(path(["CLAIMSD_SOCKET": "/x", "XDG_RUNTIME_DIR": "/r"], existing: ["/r/claimsd/claimsd.sock"]) == "/x")
    }

    @Test func `a user's own daemon goes before the machine's`() {
        let own = "/r/claimsd/claimsd.sock"
        #expect(path(["XDG_RUNTIME_DIR": "/r"], existing: [own]) == own)
        #expect(path(["XDG_RUNTIME_DIR": "/r"]) == "/run/claimsd/claimsd.sock")
    }

    @Test func `empty variables and relative folders say nothing`() {
        let relative = "r/claimsd/claimsd.sock"
        #expect(
            path(["CLAIMSD_SOCKET": "", "XDG_RUNTIME_DIR": "r"], existing: [relative]) == "/run/claimsd/claimsd.sock")
    }
}
