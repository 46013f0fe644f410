// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ClaimsTerminal

struct AdviceTests {
    private func advice(_ kind: String, _ reason: String?, status: Int64? = nil, site: String? = nil) -> String {
        Advice.forFailure(
            AnswerMeta.Failure(kind: kind, reason: reason, status: status, site: site, message: ""),
            collections: ["things"], files: DaemonFiles(nil, unit: nil),
            .english) ?? ""
    }

    @Test func `a finer cause has finer advice`() {
        #expect(advice("tls", "client_certificate").contains("check source.tls in "))
        #expect(advice("tls", "untrusted").contains("name it in source.tls.ca in "))
        #expect(advice("tls", "name").contains("check source.url in "))
        #expect(advice("tls", "expired") == advice("tls", nil))
        #expect(advice("unreachable", "dns").contains("check source.url in "))
        #expect(advice("unreachable", "proxy").contains("https_proxy"))
        #expect(advice("unreachable", "refused") == advice("unreachable", nil))
        #expect(advice("timeout", "pause").contains("limits.pause"))
        #expect(advice("reported", nil).contains("source.body"))
        #expect(advice("late", "older").contains("caches before the server"))
        #expect(advice("late", "older").contains("stable: true"))
    }

    @Test func `a disk that is full and a database that is locked have advice of their own`() {
        #expect(
            advice("other", "storage_full").hasPrefix(
                "free room on the disk of /var/lib/claimsd and /var/cache/claimsd"))
        #expect(advice("other", "storage_locked").contains("fuser(1)"))
        #expect(advice("other", nil).isEmpty)
    }

    @Test func `old data of a collection without a source is not asked for`() throws {
        func advice(_ more: String) throws -> String? {
            let meta = #"{"collection":"things","state":"ready",\#(more)}"#
            return Advice.forOldData(AnswerMeta(try Example.value(meta)), .english)
        }
        let next = #""next_refresh":"2026-11-20T08:06:00.000Z""#
        #expect(try advice(#""freshness":"bundle","next_refresh":null"#)?.contains("no upstream to ask") == true)
        #expect(try advice(#""freshness":"bundle",\#(next)"#)?.contains("--collection things --wait") == true)
        #expect(try advice(#""freshness":"stale",\#(next)"#)?.contains("--collection things --wait") == true)
    }

    @Test func `what a site has is advised with its keys, and it alone is asked again`() {
        let html = advice("not_json", nil, site: "north")
        #expect(
            html.contains("source.sites.each.north.url") && html.contains("--collection things --site north --wait"))
        #expect(advice("http_status", nil, status: 404, site: "north").contains("source.sites.each.north.url in "))
        #expect(advice("http_status", nil, status: 401).contains("source.credential, source.auth and source.headers"))
    }

    @Test func `a join that a server cannot answer is no mistake of the definition`() {
        #expect(advice("join", nil, status: 500) == advice("http_status", nil, status: 500))
        #expect(advice("join", nil, status: 500).contains("the upstream has to be put right"))
        #expect(advice("join", nil, status: 404).contains("check source.join.url in "))
        #expect(advice("join", nil, status: 401).contains("source.join.credential"))
        #expect(advice("join", nil).contains("check source.join in "))
    }

    @Test func `a join that cannot be asked has the advice of its cause`() {
        for reason in ["refused", "no_route", "reset", "connect", "first_byte", "transfer"] {
            #expect(advice("join", reason) == advice("unreachable", nil))
        }
        #expect(advice("join", "dns").contains("check source.join.url in "))
        #expect(advice("join", "proxy").contains("https_proxy"))
        #expect(advice("join", "pause").contains("limits.pause"))
        #expect(advice("join", "untrusted").contains("source.join.tls.ca in "))
        #expect(advice("join", "expired") == advice("tls", nil))
        #expect(advice("join", "token").contains("check source.join.auth in "))
        #expect(advice("join", "missing").contains("put the credential that "))
        for reason in ["mode", "unusable", "rejected"] {
            #expect(advice("join", reason).contains("correct the credential in "))
        }
        #expect(advice("join", "of_tomorrow") == advice("join", nil))
    }

    @Test func `a cause that an older client does not know is no reason to be silent`() {
        #expect(advice("tls", "of_tomorrow") == advice("tls", nil))
    }
}
