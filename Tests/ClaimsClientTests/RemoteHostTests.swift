// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import Testing

@Suite struct RemoteHostTests {
    @Test(arguments: [
        ("depot", ["-xT", "--", "depot", "claimsctl", "stdio"]),
        ("clerk@depot.example:2222", ["-xT", "-p", "2222", "--", "clerk@depot.example", "claimsctl", "stdio"]),
        ("[::1]:22", ["-xT", "-p", "22", "--", "::1", "claimsctl", "stdio"]),
        ("[fe80::1]", ["-xT", "--", "fe80::1", "claimsctl", "stdio"]),
        ("fe80::1", ["-xT", "--", "fe80::1", "claimsctl", "stdio"]),
        ("a@b@host", ["-xT", "--", "a@b@host", "claimsctl", "stdio"]),
    ])
    func `a host is split into what ssh takes`(text: String, arguments: [String]) throws {
        #expect(try RemoteHost(text).arguments == arguments)
    }

    @Test(arguments: [
        "", "-oProxyCommand=x", "a b", "a\tb", "a\n", "@host:x", "host:", "host:0", "host:65536", "host:+1", "user@",
        "@depot", "[::1", "[::1]22", "user@-oX", "a\u{7f}", "a\u{a0}b", ":22",
    ])
    func `a text that names no host is refused`(text: String) {
        #expect(throws: RemoteHost.InvalidHost.self) { try RemoteHost(text) }
    }
}
