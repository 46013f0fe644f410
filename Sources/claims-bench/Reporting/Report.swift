// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform

/// The output of a run: tables for people, results.json with all measurements, and a plot.
struct Report {
    let results: Results
    /// The sizes of the collections, ascending.
    let sizes: [Int]
    /// The folder that the files go to.
    let output: String

    func write() throws {
        try replace("results.json", json)
        try replace("latency.svg", Array(LatencyPlot(results: results).svg.utf8))
        let text = text
        try replace("report.md", Array(text.utf8))
        BenchConsole.report(text)
        BenchConsole.note("also written to \(output): report.md, results.json, latency.svg")
    }

    private func replace(_ name: String, _ bytes: [UInt8]) throws {
        try Files.writeAtomically(Paths.join(output, name), bytes)
    }

    private var biggest: String { CollectionShape(records: sizes.last ?? 0).name }

    private var text: String {
        var text = "\(Machine.description)\n\n"
        let verdicts = Targets(results, sizes: sizes).verdicts
        text += "Targets, \(biggest) records (\(verdicts.count { $0.isMet }) of \(verdicts.count) met):\n\n"
        text += targets(verdicts)
        for (title, table) in [
            ("Records by their id, \(biggest) records: answers a second, at CONNECTIONS×REQUESTS IN FLIGHT", details),
            ("Searches, median (and 99th percentile)", searches), ("Everything else, median", others),
        ] where !table.isEmpty { text += "\n\(title):\n\n\(table.text)" }
        for note in results.notes { text += "\nNot measured: \(note)\n" }
        for wrong in results.wrong { text += "\nWRONG: \(wrong)\n" }
        return text
    }

    private func targets(_ verdicts: [Verdict]) -> String {
        var table = MarkdownTable(["what", "claimsd", "beside", "ratio", "target", ""], right: [1, 3, 4])
        for verdict in verdicts {
            table.append([
                verdict.what, verdict.measured, verdict.reference, verdict.ratio, verdict.target,
                verdict.isMet ? "met" : "MISSED",
            ])
        }
        return table.text
    }

    private static let servers = [Results.claimsd, EchoServer.name, Redis.name, Watchman.name]
    private static let engines = [Results.claimsd, SQLitePeer.name, Postgres.name, "rg", "jq"]

    private var details: MarkdownTable {
        let servers = Self.servers.filter { results.find("detail 1×1", of: $0, on: biggest) != nil }
        var table = MarkdownTable(["connections"] + servers, right: Set(1...4))
        for mode in LoadMode.all {
            let cells = servers.map { server in
                results.median("detail \(mode.name)", of: server, on: biggest).map(Figures.rate) ?? "–"
            }
            if cells.contains(where: { $0 != "–" }) { table.append([mode.name] + cells) }
        }
        return table
    }

    private var searches: MarkdownTable {
        let kinds = QueryClass.allCases.map(\.seriesName)
        let engines = Self.engines.filter { engine in
            results.series.contains { $0.key.server == engine && kinds.contains($0.key.what) }
        }
        var table = MarkdownTable(["search", "records"] + engines, right: Set(1...engines.count + 1))
        for kind in QueryClass.allCases {
            for collection in collections {
                let cells = engines.map { engine in
                    let name = kind.seriesName
                    guard let middle = results.percentile(0.5, of: name, at: engine, on: collection),
                        let late = results.percentile(0.99, of: name, at: engine, on: collection)
                    else { return "–" }
                    return "\(Figures.duration(middle)) (\(Figures.duration(late)))"
                }
                if cells.contains(where: { $0 != "–" }) { table.append([kind.rawValue, collection] + cells) }
            }
        }
        return table
    }

    private var collections: [String] {
        var seen: [String] = []
        for series in results.series where !seen.contains(series.key.collection) { seen.append(series.key.collection) }
        return seen
    }

    private var others: MarkdownTable {
        var table = MarkdownTable(["what", "records", "server", "median", "rounds"], right: [1, 3, 4])
        for series in results.series
        where !series.key.what.hasPrefix("detail ") && !series.key.what.hasPrefix("search: ") {
            guard let median = series.median else { continue }
            table.append([
                series.key.what, series.key.collection, series.key.server, Figures.value(median, series.unit),
                "\(series.values.count)",
            ])
        }
        return table
    }

    private var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("machine", Machine.description)
        writer.key("series")
        writer.beginArray()
        for series in results.series { write(series, to: &writer) }
        writer.endArray()
        writer.key("targets")
        writer.beginArray()
        for verdict in Targets(results, sizes: sizes).verdicts { write(verdict, to: &writer) }
        writer.endArray()
        for (name, texts) in [("notes", results.notes), ("wrong", results.wrong)] {
            writer.key(name)
            writer.beginArray()
            for text in texts { writer.string(text) }
            writer.endArray()
        }
        writer.endObject()
        writer.newline()
        return writer.bytes
    }

    private func write(_ series: Series, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("server", series.key.server)
        writer.member("what", series.key.what)
        writer.member("collection", series.key.collection)
        writer.member("records", series.records)
        writer.member("unit", series.unit.rawValue)
        writer.key("values")
        writer.beginArray()
        for value in series.values { writer.raw(Self.number(value)) }
        writer.endArray()
        if let median = series.median { writer.member("median", raw: Self.number(median)) }
        if series.latencies.count > 0 {
            writer.key("latency_ns")
            writer.beginObject()
            writer.member("count", series.latencies.count)
            for (name, share) in [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p999", 0.999), ("max", 1.0)] {
                writer.key(name)
                writer.raw(Self.number(series.latencies.percentile(share) ?? 0))
            }
            writer.endObject()
        }
        writer.endObject()
    }

    private func write(_ verdict: Verdict, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("what", verdict.what)
        writer.member("measured", verdict.measured)
        writer.member("beside", verdict.reference)
        writer.member("ratio", verdict.ratio)
        writer.member("target", verdict.target)
        writer.member("met", verdict.isMet)
        writer.endObject()
    }

    private static func number(_ value: Double) -> [UInt8] {
        let text = Figures.fixed(value, 1)
        return Array(text.utf8.filter { $0 != 0x2C })
    }
}
