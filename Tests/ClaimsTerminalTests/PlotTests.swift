// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

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
