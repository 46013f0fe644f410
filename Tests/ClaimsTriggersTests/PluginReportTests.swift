// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

@testable import ClaimsTriggers
import ClaimsTerminal
import Testing

struct PluginReportTests {
    @Test func `the worst of several is told in the order 2, 1, 3, 0`() {
        #expect(PluginStatus.allCases.map(\.rawValue) == [0, 1, 2, 3])
        #expect(PluginStatus.worst(of: []) == .ok)
        #expect(PluginStatus.worst(of: [.ok, .unknown]) == .unknown)
        #expect(PluginStatus.worst(of: [.unknown, .warning, .ok]) == .warning)
        #expect(PluginStatus.worst(of: [.warning, .critical, .unknown]) == .critical)
    }

    @Test func `the first line has what is wrong, the worst first, and the performance data`() {
        var report = PluginReport()
        report.findings = [
            PluginFinding(.warning, "books: stale"), PluginFinding(.ok, nil), PluginFinding(.critical, "films: failed"),
        ]
        report.lines = ["books: stale, 12 min old", "films: failed"]
        report.performance = [
            PluginValue("books.matches", 3, warning: "0"),
            PluginValue("books.age", 252, unit: "s", warning: "600", critical: "3600"),
        ]
        #expect(
            report.text(.english) == """
                CLAIMSD CRITICAL - films: failed; books: stale | books.matches=3;0;;0; books.age=252s;600;3600;0;
                books: stale, 12 min old
                films: failed

                """)
    }

    @Test func `where all is well it says what was found, or that all is well`() {
        var report = PluginReport()
        report.findings = [PluginFinding(.ok, nil)]
        report.summary = "2 collections are ok"
        #expect(report.text(.english) == "CLAIMSD OK - 2 collections are ok\n")
        report.findings.append(PluginFinding(.ok, "books: 0 match"))
        #expect(report.text(.english) == "CLAIMSD OK - books: 0 match\n")
    }

    @Test func `the first line stays short, and no text can end it or begin performance data`() {
        var report = PluginReport()
        report.findings = (1...10).map { PluginFinding(.warning, "c\($0): stale") }
        #expect(report.text(.english).hasSuffix("c8: stale; and 2 more\n"))
        #expect(report.text(.polish).hasSuffix("c8: stale; i jeszcze 2\n"))
        report.findings = [PluginFinding(.unknown, "a | b\nc")]
        let text = report.text(.english)
        #expect(text.split(separator: "\n").count == 1 && !text.contains("|"))
        #expect(text.hasPrefix("CLAIMSD UNKNOWN - a / b"))
    }
}
