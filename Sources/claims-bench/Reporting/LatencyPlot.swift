// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Median latency against the size of the collection, both on logarithmic scales.
struct LatencyPlot {
    let results: Results

    private struct Line {
        let label: String
        let color: String
        let isPeer: Bool
        let points: [(records: Double, nanoseconds: Double)]
    }

    private static let width = 960.0
    private static let height = 560.0
    private static let left = 80.0
    private static let right = 300.0
    private static let top = 50.0
    private static let bottom = 60.0

    private static let wanted: [(server: String, what: String, label: String, color: String)] = [
        (EchoServer.name, "round trip", "echo, the limit", "#888888"),
        (Results.claimsd, "detail 1×1", "claimsd: one record", "#1b6ca8"),
        (Results.claimsd, QueryClass.terms.seriesName, "claimsd: words of any frequency", "#d1495b"),
        (Results.claimsd, QueryClass.tenPercent.seriesName, "claimsd: 10 % of the records", "#edae49"),
        (Results.claimsd, QueryClass.twoLetters.seriesName, "claimsd: two letters", "#66a182"),
        (Results.claimsd, QueryClass.filterSort.seriesName, "claimsd: filter, other order", "#8d6cab"),
        (Results.claimsd, QueryClass.phrase.seriesName, "claimsd: phrase", "#00798c"),
        (Redis.name, "detail 1×1", "redis: one record", "#1b6ca8"),
        (SQLitePeer.name, QueryClass.terms.seriesName, "sqlite FTS5: words", "#d1495b"),
        (SQLitePeer.name, QueryClass.phrase.seriesName, "sqlite FTS5: phrase", "#00798c"),
        (Postgres.name, QueryClass.terms.seriesName, "postgres pg_trgm: words", "#5c3d2e"),
        ("rg", QueryClass.terms.seriesName, "ripgrep: words", "#2e4057"),
        ("jq", QueryClass.terms.seriesName, "jq: words", "#7a7a00"),
    ]

    private var lines: [Line] {
        Self.wanted.compactMap { server, what, label, color in
            let points = results.series.filter { $0.key.server == server && $0.key.what == what }
                .filter { $0.key.collection == CollectionShape.name(of: $0.records) }
                .compactMap { series in
                    series.latencies.percentile(0.5).map { (records: Double(series.records), nanoseconds: $0) }
                }
            guard !points.isEmpty else { return nil }
            return Line(label: label, color: color, isPeer: server != Results.claimsd, points: points)
        }
    }

    var svg: String {
        let lines = lines
        let sizes = lines.flatMap { $0.points.map(\.records) }
        let times = lines.flatMap { $0.points.map(\.nanoseconds) }
        let x = Axis(
            sizes, from: Self.left, to: Self.width - Self.right)
        let y = Axis(times, from: Self.height - Self.bottom, to: Self.top)
        var parts = [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(Int(Self.width)) \(Int(Self.height))\" "
                + "font-family=\"sans-serif\" font-size=\"13\" fill=\"#222222\">",
            "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>",
            text(Self.left, 26, "Median latency against the number of records", size: 16),
        ]
        parts += grid(x, y)
        for (index, line) in lines.enumerated() { parts += draw(line, index: index, x: x, y: y) }
        return (parts + ["</svg>", ""]).joined(separator: "\n")
    }

    /// A logarithmic axis over whole decades.
    private struct Axis {
        let decades: ClosedRange<Int>
        private let start: Double
        private let scale: Double

        init(_ values: [Double], from start: Double, to end: Double) {
            let low = Int(log10(values.min() ?? 1).rounded(.down))
            let high = max(low + 1, Int(log10(values.max() ?? 10).rounded(.up)))
            decades = low...high
            self.start = start
            scale = (end - start) / Double(high - low)
        }

        /// The pixel of a value.
        func pixel(_ value: Double) -> Double { start + (log10(value) - Double(decades.lowerBound)) * scale }
    }

    private func grid(_ x: Axis, _ y: Axis) -> [String] {
        var parts: [String] = []
        let (left, right) = (Self.left, Self.width - Self.right)
        let (top, bottom) = (Self.top, Self.height - Self.bottom)
        for decade in y.decades {
            let height = y.pixel(pow(10, Double(decade)))
            parts.append(line(x: left...right, y: height...height))
            let units = ["ns", "µs", "ms", "s", "ks"]
            let unit = units[min(max(0, decade) / 3, units.count - 1)]
            let label = "\([1, 10, 100][max(0, decade) % 3]) \(unit)"
            parts.append(text(left - 8, height + 4, label, anchor: "end"))
        }
        for decade in x.decades {
            let across = x.pixel(pow(10, Double(decade)))
            parts.append(line(x: across...across, y: top...bottom))
            let label = CollectionShape.name(of: Int(pow(10, Double(decade))))
            parts.append(text(across, bottom + 20, label, anchor: "middle"))
        }
        parts.append(text((left + right) / 2, bottom + 44, "records", anchor: "middle"))
        return parts
    }

    private func draw(_ line: Line, index: Int, x: Axis, y: Axis) -> [String] {
        let points = line.points.map { (x: x.pixel($0.records), y: y.pixel($0.nanoseconds)) }
        let path = points.map { "\(Figures.fixed($0.x, 1)),\(Figures.fixed($0.y, 1))" }.joined(separator: " ")
        let style =
            "stroke=\"\(line.color)\" stroke-width=\"2\" fill=\"none\""
            + (line.isPeer ? " stroke-dasharray=\"6 4\"" : "")
        var parts = ["<polyline points=\"\(path)\" \(style)/>"]
        for point in points {
            parts.append(
                "<circle cx=\"\(Figures.fixed(point.x, 1))\" cy=\"\(Figures.fixed(point.y, 1))\" r=\"3.5\" "
                    + "fill=\"\(line.color)\"/>")
        }
        let (left, top) = (Self.width - Self.right + 24, Self.top + 10 + Double(index) * 24)
        parts.append("<polyline points=\"\(left),\(top) \(left + 30),\(top)\" \(style)/>")
        parts.append(text(left + 38, top + 4, line.label))
        return parts
    }

    private func line(x: ClosedRange<Double>, y: ClosedRange<Double>) -> String {
        let numbers = [x.lowerBound, y.lowerBound, x.upperBound, y.upperBound].map { Figures.fixed($0, 1) }
        return "<line x1=\"\(numbers[0])\" y1=\"\(numbers[1])\" x2=\"\(numbers[2])\" y2=\"\(numbers[3])\" "
            + "stroke=\"#dddddd\"/>"
    }

    private func text(_ x: Double, _ y: Double, _ text: String, anchor: String = "start", size: Int = 13) -> String {
        "<text x=\"\(Figures.fixed(x, 1))\" y=\"\(Figures.fixed(y, 1))\" text-anchor=\"\(anchor)\" font-size=\"\(size)\">"
            + "\(text)</text>"
    }
}
