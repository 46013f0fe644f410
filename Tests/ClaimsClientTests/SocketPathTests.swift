// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import Testing

struct SocketPathTests {
    private func path(_ environment: [String: String], existing: [String] = []) -> String {
        SocketPath.standard({ environment[$0] }, exists: existing.contains)
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
