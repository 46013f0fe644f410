// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsProtocol
import ClaimsStore

/// The clock of a feed, `EPOCH.SEQ-MORE`: a revision, and the feed that it belongs to. Without MORE it is a bare clock.
struct FeedClock: Sendable, Equatable {
    /// The part of a clock that ties it to its feed.
    struct Bound: Sendable, Equatable {
        /// The hash of the feed.
        var feed: UInt64
        /// The time at which the filter was typed, in milliseconds since 1970; nil if that makes no difference.
        var time: Int64?
        /// The hash of the collections' names; nil if the feed names its collection.
        var names: UInt64?
    }

    var revision: Revision
    /// nil if the clock has no bound.
    var bound: Bound?
}

/// Turns clocks of feeds into text and back; a tag with the daemon's secret finds any changed character.
struct FeedClockCodec: Sendable {
    private let hash: SipHash
    private var seal: TextSeal { TextSeal(hash) }

    /// - Parameter key: the daemon's secret.
    init(key: (UInt64, UInt64)) {
        hash = SipHash(key0: key.0, key1: key.1)
    }

    /// The text of a clock.
    func encode(_ clock: FeedClock) -> String {
        guard let bound = clock.bound else { return clock.revision.text }
        var bytes: [UInt8] = [Self.version, (bound.time == nil ? 0 : 1) | (bound.names == nil ? 0 : 2)]
        bytes.append(littleEndian: bound.feed)
        if let time = bound.time { bytes.append(littleEndian: time) }
        if let names = bound.names { bytes.append(littleEndian: names) }
        bytes.append(littleEndian: tag(bytes, of: clock.revision))
        return "\(clock.revision.text)-\(String(decoding: Base64URL.encode(bytes), as: UTF8.self))"
    }

    /// The clock of a text.
    ///
    /// Each epoch has its own secret, so only the revision is read from a clock of another epoch.
    ///
    /// - Parameter epoch: the current one.
    /// - Throws: `bad_cursor` for a text that is no clock of this daemon.
    func decode(_ text: String, epoch: UInt64) throws(RequestError) -> FeedClock {
        let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let revision = Revision(String(first)) else { throw Self.refusal }
        guard parts.count == 2 else { return FeedClock(revision: revision, bound: nil) }
        guard let bytes = Base64URL.decode(parts[1].utf8), bytes.count >= 18, bytes[0] == Self.version else {
            throw Self.refusal
        }
        if revision.epoch != epoch { return FeedClock(revision: revision, bound: nil) }
        let content = Array(bytes.dropLast(8))
        let span = bytes.rawSpan
        guard tag(content, of: revision) == span.u64(at: content.count) else { throw Self.refusal }
        var offset = 10
        var bound = FeedClock.Bound(feed: span.u64(at: 2), time: nil, names: nil)
        if bytes[1] & 1 != 0 {
            bound.time = Int64(bitPattern: span.u64(at: offset))
            offset += 8
        }
        if bytes[1] & 2 != 0 { bound.names = span.u64(at: offset) }
        return FeedClock(revision: revision, bound: bound)
    }

    /// Reads `since`: a clock, or `now`.
    func since(_ text: String, epoch: UInt64) throws(RequestError) -> FeedStart.Since {
        if text == "now" { return .now }
        return .clock(try decode(text, epoch: epoch))
    }

    /// The tag of the bytes of a cursor, whose first byte differs from a clock's first byte.
    func tag(_ bytes: [UInt8]) -> UInt64 { hash.tag(bytes) }

    private func tag(_ bytes: [UInt8], of revision: Revision) -> UInt64 {
        var all = bytes
        all.append(littleEndian: revision.epoch)
        all.append(littleEndian: revision.seq)
        return hash.tag(all)
    }

    private static let version: UInt8 = 1

    private static let refusal = RequestError(
        .badCursor, TranslatedText(en: "this clock is not one of ours", pl: "ten zegar nie pochodzi z tej usługi"),
        hint: TranslatedText(
            en: "give a clock that an answer had in its meta, or now; without since all records are listed",
            pl: "podaj zegar (clock) z meta którejś odpowiedzi albo now; bez since podawane są wszystkie rekordy"))
}

/// The point from which a feed is sent, and the first reason why it cannot be sent from there.
struct FeedStart: Sendable {
    /// The beginning as the reader names it.
    enum Since: Sendable, Equatable {
        /// The client holds nothing: the set is sent.
        case nothing
        /// Only changes from now on are sent.
        case now
        case clock(FeedClock)
    }

    var since: Since
    /// The names hash of the collections that the feed covers; nil if the feed names its collection.
    var names: UInt64?

    /// The reason for a fresh set of one collection; nil if the feed continues exactly.
    ///
    /// - Parameters:
    ///   - hash: the hash in a clock of this feed. Over several collections its upper half is the hash of the request
    ///     alone.
    ///   - dependsOnTime: whether the filter of this collection depends on time.
    ///   - isLimited: whether a rule leaves out records of this collection; a clock must name it.
    ///   - revision: the revision of the catalog.
    func reason(
        hash: UInt64, dependsOnTime: Bool, isLimited: Bool, in view: CollectionView, revision: Revision
    ) -> FreshReason? {
        let clock: FeedClock
        switch since {
        case .now: return nil
        case .nothing: return .start
        case .clock(let given): clock = given
        }
        if clock.revision.epoch != revision.epoch { return .epoch }
        let seq = clock.revision.seq
        if seq > revision.seq { return .ahead }
        let reason = FreshReason.ofCollection(view, since: seq)
        if reason == .start { return reason }
        guard let bound = clock.bound else { return dependsOnTime || isLimited ? .filter : reason }
        if bound.names == names {
            if bound.feed != hash || dependsOnTime && bound.time == nil { return .filter }
            return reason
        }
        // Collections that came or went also change the half of the hash that rests on definitions.
        let isSameRequest = bound.names != nil && names != nil && (bound.feed ^ hash) >> 32 == 0
        return isSameRequest ? .definition : .filter
    }
}

/// The point at which the pages of `changes` continue: a position for each collection.
struct FeedCursor: Sendable, Equatable {
    /// The part of one collection that has been sent.
    struct Part: Sendable, Equatable {
        var collection: String
        /// The hash of its feed.
        var feed: UInt64
        var position: FeedPosition
    }

    /// The hash of the request.
    var request: UInt64
    var epoch: UInt64
    /// The names hash of the collections; nil if the request names its collection.
    var names: UInt64?
    /// The time for which the filters are typed at the end, in milliseconds since 1970.
    var time: Int64
    var parts: [Part]
}

extension FeedClockCodec {
    /// The text of a cursor.
    func encode(_ cursor: FeedCursor) -> String {
        var bytes: [UInt8] = [Self.cursorVersion, cursor.names == nil ? 0 : 1]
        bytes.append(littleEndian: cursor.request)
        bytes.append(littleEndian: cursor.epoch)
        bytes.append(littleEndian: cursor.names ?? 0)
        bytes.append(littleEndian: cursor.time)
        for part in cursor.parts {
            Self.append(Array(part.collection.utf8), to: &bytes)
            bytes.append(littleEndian: part.feed)
            Self.append(part.position, to: &bytes)
        }
        return String(decoding: seal.text(bytes), as: UTF8.self)
    }

    /// The cursor of a text.
    ///
    /// - Throws: `bad_cursor` for a text that was not signed with this daemon's secret.
    func cursor(_ text: String) throws(RequestError) -> FeedCursor {
        guard let bytes = seal.bytes(text), bytes.count >= Self.headSize, bytes[0] == Self.cursorVersion else {
            throw Self.cursorRefusal
        }
        let span = bytes.rawSpan
        var cursor = FeedCursor(
            request: span.u64(at: 2), epoch: span.u64(at: 10), names: bytes[1] == 1 ? span.u64(at: 18) : nil,
            time: Int64(bitPattern: span.u64(at: 26)), parts: [])
        var offset = Self.headSize
        while offset < bytes.count {
            guard let name = Self.text(bytes, &offset) else { throw Self.cursorRefusal }
            let feed = span.u64(at: offset)
            offset += 8
            guard let position = Self.position(bytes, &offset) else { throw Self.cursorRefusal }
            cursor.parts.append(
                FeedCursor.Part(collection: String(decoding: name, as: UTF8.self), feed: feed, position: position))
        }
        return cursor
    }

    private static let cursorVersion: UInt8 = 0x81
    private static let headSize = 34

    private static let cursorRefusal = RequestError(
        .badCursor,
        TranslatedText(en: "this cursor is not one of ours", pl: "ten kursor nie pochodzi z tej usługi"),
        hint: TranslatedText(
            en: "begin again from the last clock, in since", pl: "zacznij ponownie od ostatniego zegara, w since"))

    private static func append(_ text: [UInt8], to bytes: inout [UInt8]) {
        bytes.append(littleEndian: UInt32(truncatingIfNeeded: text.count))
        bytes += text
    }

    private static func append(_ position: FeedPosition, to bytes: inout [UInt8]) {
        bytes.append(littleEndian: position.since)
        bytes.append(littleEndian: position.processed)
        bytes.append(littleEndian: position.forcedAfter)
        bytes.append(littleEndian: position.time)
        bytes.append(littleEndian: position.target)
        switch position.phase {
        case .rest: bytes.append(0)
        case .delta: bytes.append(1)
        case .set(let after):
            bytes.append(after == nil ? 2 : 3)
            if let after { append(after, to: &bytes) }
        case .time(let after):
            bytes.append(after == nil ? 4 : 5)
            if let after { append(after, to: &bytes) }
        }
    }

    private static func text(_ bytes: [UInt8], _ offset: inout Int) -> [UInt8]? {
        let count = Int(bytes.rawSpan.u32(at: offset))
        let start = offset + 4
        guard count <= bytes.count - start else { return nil }
        offset = start + count
        return Array(bytes[start..<offset])
    }

    private static func position(_ bytes: [UInt8], _ offset: inout Int) -> FeedPosition? {
        guard offset + 41 <= bytes.count else { return nil }
        let numbers = (0..<5).map { bytes.rawSpan.u64(at: offset + $0 * 8) }
        let kind = bytes[offset + 40]
        offset += 41
        let phase: FeedPosition.Phase
        switch kind {
        case 0: phase = .rest
        case 1: phase = .delta
        case 2: phase = .set(after: nil)
        case 3: phase = .set(after: text(bytes, &offset))
        case 4: phase = .time(after: nil)
        case 5: phase = .time(after: text(bytes, &offset))
        default: return nil
        }
        return FeedPosition(
            since: numbers[0], processed: numbers[1], forcedAfter: numbers[2],
            time: Int64(bitPattern: numbers[3]), target: Int64(bitPattern: numbers[4]), phase: phase)
    }
}
