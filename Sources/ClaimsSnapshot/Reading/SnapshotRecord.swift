// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// One record of a snapshot, found once and read in place.
public struct SnapshotRecord: ~Escapable {
    private let bytes: RawSpan
    private let offset: Int

    @_lifetime(copy bytes)
    init(_ bytes: RawSpan, at offset: Int) {
        self.offset = offset
        self.bytes = bytes
    }

    /// The record as one line of JSON: the fields that are present, in the definition's order.
    public var document: RawSpan {
        @_lifetime(copy self) get { RecordBlock.document(bytes, at: offset) }
    }

    /// The upstream's object as received, less white space outside strings.
    public var upstream: RawSpan {
        @_lifetime(copy self) get { RecordBlock.upstream(bytes, at: offset) }
    }

    /// The document and, right behind it, the upstream's object.
    public var bodies: RawSpan {
        @_lifetime(copy self) @inline(__always) get { RecordBlock.bodies(bytes, at: offset) }
    }

    /// The number of bytes of ``bodies`` that are the document.
    public var documentCount: Int {
        @inline(__always) get { min(Int(bytes.u32(at: offset &+ 4)), bodies.byteCount) }
    }

    /// When the record was first seen, in milliseconds since 1970.
    public var firstSeen: Int64 { RecordBlock.firstSeen(bytes, at: offset) }

    /// When the record last changed, in milliseconds since 1970.
    public var changedAt: Int64 { RecordBlock.changedAt(bytes, at: offset) }
}

/// The location of a record of one snapshot, so that it is looked up once.
public struct RecordLocation: Sendable {
    public let row: Int
    let offset: Int
}

/// An id that is about to be looked up in one snapshot.
///
/// A lookup touches memory twice, and the first access gives the address of the second. A caller that looks for several
/// records takes each step for all of them before the next, so that the waits for memory overlap.
public struct PreparedID: Sendable {
    let code: UInt64
    /// Whether the record has been asked for.
    var isFetched = false

    init(code: UInt64) {
        self.code = code
    }

    /// None that was prepared.
    public init() {
        code = 0
    }
}
