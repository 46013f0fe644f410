// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// Reads records while a snapshot is built, by their places in its mapping: from its own file, or from that of the
/// snapshot that they are shared with.
struct RecordPlaces: Sendable {
    /// Where a record's id ends, mostly.
    private static let readTogether = 128

    let own: MappedFile
    /// Where the own file begins in the mapping.
    let origin: Int
    let base: Snapshot?

    /// The id of the record at `place`.
    @_lifetime(borrow self)
    @inline(__always)
    func id(_ place: Int) -> RawSpan {
        if place < origin, let base {
            let span = RecordBlock.id(base.bytes, at: place)
            return unsafe _overrideLifetime(span, borrowing: self)
        }
        let span = RecordBlock.id(own.bytes, at: place &- origin)
        return unsafe _overrideLifetime(span, borrowing: self)
    }

    /// Asks for the beginning of the record at `place`, which will be read soon.
    @inline(__always)
    func prefetch(_ place: Int) {
        if place < origin, let base {
            Prefetch.read(base.bytes, at: place, count: Self.readTogether)
        } else {
            Prefetch.read(own.bytes, at: place &- origin, count: Self.readTogether)
        }
    }

    func withDocument<Result>(_ place: Int, _ body: (RawSpan) -> Result) -> Result {
        if place < origin, let base { return body(RecordBlock.document(base.bytes, at: place)) }
        return body(RecordBlock.document(own.bytes, at: place &- origin))
    }
}
