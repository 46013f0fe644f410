// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsTestSupport
import ClaimsUpstream
import Glibc
import Testing

struct ProxyTests {
    /// In a process of its own, because the environment is the whole process's.
    @Test func `the environment's proxies are asked, but for what it excludes`() async {
        await #expect(processExitsWith: .success) {
            let proxy = try UpstreamProcess(["records.json": Fixture.records])
            let other = try UpstreamProcess(["records.json": "[]"])
            unsafe setenv("http_proxy", "http://127.0.0.1:\(proxy.port)", 1)
            unsafe setenv("no_proxy", "localhost", 1)
            let spool = try TemporaryFolder()
            let client = try HTTPClient(spoolDirectory: spool.path)
            let asked = try client.perform(HTTPRequest(url: "http://nobody.invalid/records.json"))
            #expect(asked.body.text == Fixture.records)
            #expect(try proxy.requests("records.json").first?.headers["host"] == "nobody.invalid")
            let direct = try client.perform(HTTPRequest(url: "http://localhost:\(other.port)/records.json"))
            #expect(direct.body.text == "[]")
            proxy.stop()
            let error = failure { () throws(HTTPError) in
                _ = try client.perform(HTTPRequest(url: "http://nobody.invalid/records.json"))
            }
            #expect(error?.kind == .unreachable)
        }
    }
}
