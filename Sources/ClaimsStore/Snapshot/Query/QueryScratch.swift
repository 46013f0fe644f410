// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Memory that queries reuse. Each thread that runs queries has its own.
public final class QueryScratch {
    /// The most bitmaps that are kept.
    private static let kept = 8

    private var bitmaps: [[UInt64]] = []
    private var bytes: [UInt8] = []

    public init() {}

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

    /// So many bytes, all zero.
    func takeBytes(_ count: Int) -> [UInt8] {
        guard bytes.count == count else { return [UInt8](repeating: 0, count: count) }
        var taken: [UInt8] = []
        swap(&taken, &bytes)
        return taken
    }

    /// Takes bytes back that are all zero again.
    func giveBytes(_ zeros: consuming [UInt8]) { bytes = zeros }

    /// Takes a bitmap back.
    func give(_ bitmap: consuming [UInt64]) {
        if bitmaps.count < Self.kept { bitmaps.append(bitmap) }
    }
}
