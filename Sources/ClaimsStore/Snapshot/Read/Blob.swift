// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A section of bytes: only its place.
struct Blob: Sendable {
    var offset = 0
    var size = 0

    /// A range of the section; empty where it is not all inside.
    @inline(__always)
    @_lifetime(copy bytes)
    func part(_ range: Range<Int>, _ bytes: RawSpan) -> RawSpan {
        guard range.lowerBound >= 0, range.upperBound <= size else { return bytes.part(0, 0) }
        return bytes.part(offset &+ range.lowerBound, range.count)
    }

    @_lifetime(copy bytes)
    func all(_ bytes: RawSpan) -> RawSpan { bytes.part(offset, size) }
}
