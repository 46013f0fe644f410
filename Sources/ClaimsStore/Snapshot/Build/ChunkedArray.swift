// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// An array that grows without being moved: an array of a million elements that doubles is there twice meanwhile.
struct ChunkedArray<Element: BitwiseCopyable> {
    /// Elements of one chunk.
    static var chunkCount: Int { 1 << chunkBits }
    private static var chunkBits: Int { 16 }

    /// The chunks that are full, and the one that is being filled.
    private var full: [[Element]] = []
    private var last: [Element] = []

    var count: Int { full.count << Self.chunkBits + last.count }

    @inline(__always)
    subscript(index: Int) -> Element {
        let chunk = index >> Self.chunkBits
        let place = index & (Self.chunkCount &- 1)
        return chunk < full.count ? full[chunk][place] : last[place]
    }

    mutating func append(_ element: Element) {
        if last.count == Self.chunkCount {
            full.append(last)
            last = []
            last.reserveCapacity(Self.chunkCount)
        }
        last.append(element)
    }
}
