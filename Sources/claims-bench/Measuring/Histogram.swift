// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CBench

/// Counts of latencies, in buckets that are 3 % wide.
struct Histogram {
    fileprivate(set) var buckets = [UInt64](repeating: 0, count: Int(BENCH_BUCKETS))

    var count: UInt64 { buckets.reduce(0, +) }

    mutating func add(nanoseconds: UInt64) {
        buckets[Int(bench_bucket(nanoseconds))] += 1
    }

    mutating func add(_ other: Histogram) {
        for index in buckets.indices { buckets[index] += other.buckets[index] }
    }

    /// A percentile in nanoseconds; `share` is 0.5 for the median. Nil for an empty histogram.
    func percentile(_ share: Double) -> Double? {
        let total = count
        guard total > 0 else { return nil }
        let wanted = max(1, UInt64((Double(total) * share).rounded(.up)))
        var seen: UInt64 = 0
        for (index, count) in buckets.enumerated() {
            seen += count
            if seen >= wanted { return bench_bucket_value(Int32(index)) }
        }
        return nil
    }

    /// Lets the load client count straight into the buckets.
    mutating func withBuckets<Value>(_ body: (UnsafeMutablePointer<UInt64>) -> Value) -> Value {
        var copy = buckets
        defer { buckets = copy }
        return unsafe copy.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { preconditionFailure("there are always buckets") }
            return unsafe body(base)
        }
    }
}
