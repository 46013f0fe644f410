// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

@testable import ClaimsTriggers
import Testing

struct ExpositionTextTests {
    @Test func `a family has its help, its type and its samples`() {
        var text = ExpositionText()
        text.add(.records) { family in
            family.add(["collection": "books"], 12)
            family.add(["collection": "films", "view": "new"], 0)
        }
        text.add(.requests) { $0.add(7) }
        #expect(
            text.text == """
                # HELP claimsd_records How many records are served, without archived ones.
                # TYPE claimsd_records gauge
                claimsd_records{collection="books"} 12
                claimsd_records{collection="films",view="new"} 0
                # HELP claimsd_requests_total How many requests the daemon has answered since its start.
                # TYPE claimsd_requests_total counter
                claimsd_requests_total 7

                """)
    }

    @Test func `what is not known has no sample, and a family without samples is left out`() {
        var text = ExpositionText()
        text.add(.clients) { $0.add(nil as Int64?) }
        text.add(.ttl) { $0.add(ms: nil) }
        #expect(text.text.isEmpty)
    }

    @Test func `labels may have any characters`() {
        var text = ExpositionText()
        text.add(.buildInfo) { $0.add(["version": "1\"2\\3\n4 ł"], 1) }
        #expect(text.text.hasSuffix(#"claimsd_build_info{version="1\"2\\3\n4 ł"} 1"# + "\n"))
    }

    @Test(
        arguments: [
            (0, "0"), (1, "0.001"), (1000, "1"), (1500, "1.5"), (1_764_109_000_120, "1764109000.12"), (-1500, "-1.5"),
            (10_000, "10"), (.min, "-9223372036854775.808"),
        ] as [(Int64, String)])
    func `milliseconds are told in seconds`(_ ms: Int64, _ text: String) {
        #expect(ExpositionText.seconds(ms) == text)
    }
}
