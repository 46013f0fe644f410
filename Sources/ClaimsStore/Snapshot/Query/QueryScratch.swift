// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Memory that queries reuse. Each thread that runs queries has its own.
package final class QueryScratch {
    /// The most bitmaps that are kept.
    private static let kept = 8

    private var bitmaps: [[UInt64]] = []

    package init() {}

    /// A bitmap of so many words, all zero.
    func take(_ count: Int) -> [UInt64] {
        guard var bitmap = bitmaps.popLast() else { return [UInt64](repeating: 0, count: count) }
        if bitmap.count == count {
            for index in bitmap.indices { bitmap[index] = 0 }
            return bitmap
        }
        bitmap.removeAll(keepingCapacity: bitmap.capacity <= count * 4)
        bitmap.append(contentsOf: repeatElement(0, count: count))
        return bitmap
    }

    /// Takes a bitmap back.
    func give(_ bitmap: consuming [UInt64]) {
        if bitmaps.count < Self.kept { bitmaps.append(bitmap) }
    }
}
