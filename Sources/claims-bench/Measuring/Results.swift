// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The unit of a series.
enum Unit: String {
    case perSecond = "per second"
    case nanoseconds = "ns"
    case bytes = "bytes"
    case count = "count"
}

/// One measurement, at one server and on one collection, round by round.
struct Series {
    /// The server, the measurement and the collection.
    struct Key: Hashable {
        let server: String
        let what: String
        let collection: String
    }

    let key: Key
    let records: Int
    let unit: Unit
    var values: [Double] = []
    /// The latencies of single answers, if they were timed.
    var latencies = Histogram()

    /// The median of the rounds.
    var median: Double? {
        guard !values.isEmpty else { return nil }
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}

/// All measurements, in the order of their first round.
struct Results {
    private(set) var series: [Series] = []
    private var indices: [Series.Key: Int] = [:]
    /// The measurements that failed, and why.
    private(set) var notes: [String] = []
    /// Wrong answers.
    private(set) var wrong: [String] = []

    static let claimsd = "claimsd"

    /// Adds the value of a round, and the latencies of its single answers.
    mutating func add(
        _ what: String, of server: String, on shape: CollectionShape, _ value: Double?, unit: Unit,
        latencies: Histogram? = nil
    ) {
        let key = Series.Key(server: server, what: what, collection: shape.name)
        let index = indices[key] ?? series.count
        if index == series.count {
            indices[key] = index
            series.append(Series(key: key, records: shape.records, unit: unit))
        }
        if let value { series[index].values.append(value) }
        if let latencies { series[index].latencies.add(latencies) }
    }

    /// Adds the duration of a round.
    mutating func add(_ what: String, of server: String, on shape: CollectionShape, _ duration: Duration) {
        add(what, of: server, on: shape, Double(Load.nanoseconds(duration)), unit: .nanoseconds)
    }

    mutating func note(_ text: String) {
        BenchConsole.note(text)
        notes.append(text)
    }

    mutating func addWrong(_ text: String) {
        BenchConsole.note("WRONG: \(text)")
        wrong.append(text)
    }

    func find(_ what: String, of server: String, on collection: String) -> Series? {
        indices[Series.Key(server: server, what: what, collection: collection)].map { series[$0] }
    }

    func median(_ what: String, of server: String, on collection: String) -> Double? {
        find(what, of: server, on: collection)?.median
    }

    /// A percentile of the single answers, in nanoseconds; `share` is 0.5 for the median.
    func percentile(_ share: Double, of what: String, at server: String, on collection: String) -> Double? {
        find(what, of: server, on: collection)?.latencies.percentile(share)
    }
}
