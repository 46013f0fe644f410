// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension Targets {
    /// The targets of `claimsctl browse`.
    var browse: [Verdict] {
        let keys = [
            (BrowsePart.selection, 50e6), (BrowsePart.page, 50e6), (BrowsePart.letter, 50e6),
            (BrowsePart.search, 150e6),
            (BrowsePart.filter, 150e6),
        ]
        let times = keys.map { what, limit in
            value(
                "\(what), p99", results.percentile(0.99, of: what, at: Results.claimsd, on: biggest), within: limit,
                unit: .nanoseconds)
        }
        let others = [
            value(
                BrowsePart.start, results.median(BrowsePart.start, of: Results.claimsd, on: biggest), within: 60e6,
                unit: .nanoseconds),
            value(BrowsePart.frame, maximum(BrowsePart.frame), within: 1024, unit: .bytes),
            value(BrowsePart.memory, maximum(BrowsePart.memory), within: 48 * 1_048_576, unit: .bytes),
        ]
        return (times + others).compactMap { $0 }
    }

    private func maximum(_ what: String) -> Double? {
        results.find(what, of: Results.claimsd, on: biggest)?.values.max()
    }
}
