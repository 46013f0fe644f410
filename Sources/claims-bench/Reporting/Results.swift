// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// What the numbers of a series count.
enum Unit: String {
    case perSecond = "per second"
    case nanoseconds = "ns"
    case bytes = "bytes"
}

/// One thing, measured at one server and one size, round by round.
struct Series {
    /// Which: the server, the thing, the collection.
    struct Key: Hashable {
        let server: String
        let what: String
        let collection: String
    }

    let key: Key
    let records: Int
    let unit: Unit
    var values: [Double] = []
    /// Of single answers, where they were timed.
    var latencies = Histogram()

    /// The middle of the rounds.
    var median: Double? {
        guard !values.isEmpty else { return nil }
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}

/// All that was measured, in the order in which it was first.
struct Results {
    private(set) var series: [Series] = []
    private var places: [Series.Key: Int] = [:]
    /// What could not be measured, and why.
    private(set) var notes: [String] = []
    /// Answers that were not what they had to be.
    private(set) var wrong: [String] = []

    static let claimsd = "claimsd"

    mutating func add(
        _ server: String, _ what: String, _ shape: CollectionShape, _ unit: Unit, _ value: Double?,
        latencies: Histogram? = nil
    ) {
        let key = Series.Key(server: server, what: what, collection: shape.name)
        let place = places[key] ?? series.count
        if place == series.count {
            places[key] = place
            series.append(Series(key: key, records: shape.records, unit: unit))
        }
        if let value { series[place].values.append(value) }
        if let latencies { series[place].latencies.add(latencies) }
    }

    mutating func add(_ server: String, _ what: String, _ shape: CollectionShape, _ duration: Duration) {
        add(server, what, shape, .nanoseconds, Double(Load.nanoseconds(duration)))
    }

    mutating func note(_ text: String) {
        Console.note(text)
        notes.append(text)
    }

    mutating func isWrong(_ text: String) {
        Console.note("WRONG: \(text)")
        wrong.append(text)
    }

    func find(_ server: String, _ what: String, _ collection: String) -> Series? {
        places[Series.Key(server: server, what: what, collection: collection)].map { series[$0] }
    }

    func median(_ server: String, _ what: String, _ collection: String) -> Double? {
        find(server, what, collection)?.median
    }

    func percentile(_ share: Double, _ server: String, _ what: String, _ collection: String) -> Double? {
        find(server, what, collection)?.latencies.percentile(share)
    }
}
