// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsTestSupport
import Testing

@testable import ClaimsTerminal

@Suite struct PlotTests {
    @Test func `a bar is whole for the largest, an eighth for the least, and nothing for none`() {
        #expect(PlotStyle.blocks.bar(100, of: 100, cells: 3) == "███")
        #expect(PlotStyle.blocks.bar(50, of: 100, cells: 3) == "█▌")
        #expect(PlotStyle.blocks.bar(1, of: 1_000_000, cells: 3) == "▏")
        #expect(PlotStyle.blocks.bar(0, of: 100, cells: 3).isEmpty)
        #expect(PlotStyle.blocks.bar(.max, of: .max, cells: 2) == "██")
        #expect(PlotStyle.marks.bar(50, of: 100, cells: 3) == "@=")
    }

    @Test func `terminals without blocks get marks of ASCII`() {
        #expect(PlotStyle(terminal: "linux") == .marks)
        #expect(PlotStyle(terminal: "dumb") == .marks)
        #expect(PlotStyle(terminal: "xterm-256color") == .blocks)
        #expect(PlotStyle(terminal: nil) == .blocks)
    }

    private func attempt(_ at: Int64, took duration: Int64, _ records: Int64?, failed: Bool = false)
        -> RefreshPlot.Attempt
    {
        RefreshPlot.Attempt(at: at, duration: duration, isFailure: failed, records: records)
    }

    @Test func `records are carried on, from before the span too, and stand over zero`() {
        let plot = RefreshPlot(
            [attempt(50, took: 9, 40), attempt(130, took: 1, 80), attempt(131, took: 1, 10), attempt(175, took: 1, 0)],
            from: 100, to: 200, slots: 5)
        #expect(plot.records(.blocks) == "█▂▂  ")
        #expect(plot.lastRecords == 0)
        #expect(plot.maxRecords == 40)
    }

    @Test func `of several refreshes in a slot the longest counts, and one that failed is a cross`() {
        let plot = RefreshPlot(
            [
                attempt(100, took: 800, 1), attempt(101, took: 100, 1), attempt(140, took: 0, 1),
                attempt(170, took: 5, nil, failed: true), attempt(199, took: 400, 1),
            ], from: 100, to: 200, slots: 5)
        #expect(plot.durations(.blocks) == "█ ▁×▄")
        #expect(plot.durations(.marks) == "@ .x=")
        #expect(plot.lastDuration == 400)
        #expect(plot.maxDuration == 800)
    }

    @Test func `a span without a refresh is empty`() {
        let plot = RefreshPlot([attempt(10, took: 3, 7)], from: 100, to: 200, slots: 4)
        #expect(plot.isEmpty)
        #expect(plot.durations(.blocks) == "    ")
        #expect(plot.records(.blocks) == "████")
    }

    @Test func `no number of slots and no time leads out of the plot`() {
        let plot = RefreshPlot(
            [attempt(200, took: .max, .max), attempt(.min / 4, took: -5, -3), attempt(300, took: 1, 1)],
            from: 100, to: 200, slots: 100_000)
        #expect(plot.records(.blocks).count == RefreshPlot.maxSlots)
        #expect(plot.durations(.blocks).last == "█")
    }

    private static let counted =
        #"{"facets":{"status":[{"value":"ok","label":"OK","count":1200},{"value":"faulty","label":"Faulty","count":3},"#
        + #"{"value":"gone","label":"Gone","count":0}]},"total":1203,"meta":\#(Example.meta("units"))}"#

    @Test func `facets have a heading with the total, codes in parentheses, and bars where there is room`() throws {
        let daemon = try ScriptedDaemon.answering(["facets": Self.counted])
        #expect(
            Run(["facets", "--unit", "status", "--color", "never"], daemon, terminal: 60).output == """
                status: 1,203 records
                COUNT  VALUE
                1,200  OK      (ok)      ███████████████████████████████████
                    3  Faulty  (faulty)  ▏
                    0  Gone    (gone)

                """)
        #expect(
            Run(["facets", "--unit", "status", "--color", "never"], daemon, terminal: 36).output == """
                status: 1,203 records
                COUNT  VALUE
                1,200  OK      (ok)
                    3  Faulty  (faulty)
                    0  Gone    (gone)

                """)
    }

    @Test func `into a pipe there are bars only where they are asked for, and never in data`() throws {
        let daemon = try ScriptedDaemon.answering(["facets": Self.counted])
        #expect(Run(["facets", "--unit", "status"], daemon).output.hasPrefix("field\tvalue\tlabel\tcount\n"))
        #expect(!Run(["facets", "--unit", "status", "-o", "table"], daemon).output.contains("█"))
        let plot = Run(
            ["facets", "--unit", "status", "--plot"], daemon, environment: ["COLUMNS": "40", "TERM": "dumb"])
        #expect(plot.output.contains("OK      (ok)      @@@@@@@@@@@@@@@\n"))
        for format in ["json", "jsonl", "csv", "tsv", "name"] {
            #expect(Run(["facets", "--unit", "status", "--plot", "-o", format], daemon).code == .usage)
        }
        let environment = ["CLAIMSCTL_OUTPUT": "json"]
        #expect(Run(["facets", "--unit", "status", "--plot"], daemon, environment: environment).output.contains("█"))
    }
}

/// The attempts to refresh, as a list and as plots of `status`.
@Suite struct RefreshesCommandTests {
    private static let attempts =
        #"{"refreshes":[{"number":3,"collection":"units","at":"2026-11-20T08:00:00.000Z","duration_ms":1500,"#
        + #""outcome":"failed","kind":"timeout","site":null,"bytes":0,"records":null,"added":0,"updated":0,"#
        + #""removed":0,"quarantined":0},{"number":2,"collection":"units","at":"2026-11-19T20:00:00.000Z","#
        + #""duration_ms":400,"outcome":"updated","kind":null,"site":null,"bytes":2048,"records":1200,"added":12,"#
        + #""updated":3,"removed":0,"quarantined":1}]}"#

    @Test func `refreshes are a table at 80 columns in both languages`() throws {
        func attempt(_ outcome: String, _ more: String) -> String {
            #"{"number":3,"collection":"documents","at":"2026-11-18T08:00:00.000Z","duration_ms":61500,"#
                + #""outcome":"\#(outcome)","bytes":12582912,"records":100000\#(more)}"#
        }
        let attempts = [
            attempt("updated", #","added":12,"updated":3"#),
            attempt("failed", #","kind":"timeout""#), attempt("held", #","kind":"held""#),
        ]
        let daemon = try ScriptedDaemon.answering([
            "refreshes": #"{"refreshes":[\#(attempts.joined(separator: ","))]}"#
        ])
        for language in ["en", "pl"] {
            let lines = Run(["refreshes", "--lang", language, "--color", "never"], daemon, terminal: 80).output
                .split(separator: "\n")
            #expect(lines.count == 4, "\(lines)")
            #expect(lines.allSatisfy { DisplayWidth.cells(of: String($0)) <= 80 }, "\(lines)")
        }
    }

    @Test func `attempts are a table on a terminal, and data with every column elsewhere`() throws {
        let daemon = try ScriptedDaemon.answering(["refreshes": Self.attempts])
        let text = Run(["refreshes", "--unit", "--color", "never"], daemon, terminal: 100).output
        let lines = text.split(separator: "\n").map { $0.split(separator: " ") }
        try #require(lines.count == 3)
        #expect(lines[0] == ["BEGAN", "COLLECTION", "OUTCOME", "TOOK", "SIZE", "RECORDS", "CHANGES"])
        #expect(lines[1].suffix(6) == ["failed", "(timeout)", "1.5", "s", "0", "B"])
        #expect(lines[2].suffix(9) == ["updated", "400", "ms", "2.0", "KiB", "1,200", "+12", "~3", "!1"])
        let data = Run(["refreshes", "--limit", "2"], daemon).output
        #expect(data.hasPrefix("number\tcollection\tat\tduration_ms\toutcome\tkind\tsite\tbytes\trecords\tadded\t"))
        #expect(data.contains("\n2\tunits\t2026-11-19T20:00:00.000Z\t400\tupdated\t\t\t2048\t1200\t12\t3\t0\t1\n"))
        #expect(daemon.parameters(of: "refreshes").last == #"{"limit":2}"#)
        let none = try ScriptedDaemon.answering(["refreshes": #"{"refreshes":[]}"#])
        #expect(Run(["refreshes", "--lang", "pl"], none, terminal: 80).output == "niczego jeszcze nie odświeżano\n")
    }

    @Test func `status draws what was refreshed, a cross where it failed`() throws {
        let status =
            #"{"version":"1","collections":[{"name":"units","title":"Units","meta":\#(Example.meta("units"))}]}"#
        let daemon = try ScriptedDaemon.answering(["status": status, "refreshes": Self.attempts])
        let text = Run(["status", "--plot", "--since", "24h", "-o", "table"], daemon, environment: ["COLUMNS": "60"])
            .output
        let plot = text.split(separator: "\n").drop { !$0.hasPrefix("Refreshes of the last 24h") }
        #expect(plot.count == 4)
        #expect(plot.dropFirst().first == "units")
        #expect(plot.contains { $0.hasPrefix("  records   ") && $0.hasSuffix("█  1,200, at most 1,200") })
        #expect(
            plot.contains { $0.hasPrefix("  duration  ") && $0.hasSuffix("1.5 s, at most 1.5 s") && $0.contains("×") })
        #expect(plot.allSatisfy { $0.count <= 60 })
        #expect(!Run(["status"], daemon).output.contains("Refreshes"))
        #expect(Run(["status", "--since", "24h"], daemon).code == .usage)
        #expect(Run(["status", "--plot", "--since", "never"], daemon).code == .usage)
        #expect(Run(["status", "--plot", "-o", "json"], daemon).code == .usage)
    }
}
