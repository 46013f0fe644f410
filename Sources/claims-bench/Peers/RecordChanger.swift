// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform

/// Makes random records change at an upstream, and waits until a daemon serves them.
struct RecordChanger {
    private let source: IncrementalSource
    private let control: DaemonControl
    private let generator: RecordGenerator
    private var random: Randomness
    private var round = 0

    private static let maxWait: UInt64 = 60_000_000_000
    private static let pollInterval: Duration = .microseconds(200)

    init(_ source: IncrementalSource, _ control: DaemonControl, _ generator: RecordGenerator, seed: UInt64) {
        self.source = source
        self.control = control
        self.generator = generator
        random = Randomness(seed: CollectionShape.seed ^ seed)
    }

    /// Makes `count` random records change, and returns the time from the last byte of the upstream's answer to the first
    /// answer of the daemon that has them, in nanoseconds.
    mutating func change(_ count: Int) throws -> UInt64 {
        round += 1
        let wanted = "round \(round)"
        let (objects, last) = Self.objects(count, party: wanted, of: generator, &random)
        let position = source.change(objects)
        let sentAt = try source.waitUntilSent(position) { try control.ask("refresh", #""wait":false"#) }
        while true {
            let record = try control.ask("detail", #""id":"\#(RecordGenerator.id(last))""#)["result"]?["record"]
            let now = SystemClock.monotonic
            if record?["party"]?.string == wanted { return now &- min(now, sentAt) }
            guard now &- min(now, sentAt) < Self.maxWait else { throw BenchError("what has changed is not served") }
            _ = Monitor(false).wait(upTo: Self.pollInterval) { $0 ? true : nil }
        }
    }

    /// Different random records with another party, as objects with commas between; and the index of the last one.
    static func objects(
        _ count: Int, party: String, of generator: RecordGenerator, _ random: inout Randomness
    ) -> (bytes: [UInt8], last: Int) {
        var text = RecordGenerator.Text()
        var bytes: [UInt8] = []
        var ids: Set<Int> = []
        var last = 0
        while ids.count < min(count, generator.shape.records) {
            let record = random.below(generator.shape.records)
            guard ids.insert(record).inserted else { continue }
            if !bytes.isEmpty { bytes.append(UInt8(ascii: ",")) }
            bytes += generator.document(record, party: party, text: &text)
            last = record
        }
        return (bytes, last)
    }
}
