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
        /// The time at which the filter was typed, in milliseconds since 1970; nil where that makes no difference.
        var time: Int64?
        /// The hash of the collections' names; nil where the feed names its collection.
        var names: UInt64?
    }

    var revision: Revision
    /// nil of a bare clock.
    var bound: Bound?
}

/// Turns clocks of feeds into text and back; a tag with the daemon's secret finds any changed character.
struct FeedClockCodec: Sendable {
    private let hash: SipHash

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
    /// The secret goes with the epoch. So of another epoch's clock only the revision is read.
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

    /// The tag of the bytes of a cursor, whose first byte is not that of a clock.
    func tag(_ bytes: [UInt8]) -> UInt64 { hash.tag(bytes) }

    private func tag(_ bytes: [UInt8], of revision: Revision) -> UInt64 {
        var all = bytes
        all.append(littleEndian: revision.epoch)
        all.append(littleEndian: revision.seq)
        return hash.tag(all)
    }

    private static let version: UInt8 = 1

    private static let refusal = RequestError(
        .badCursor, ErrorText(en: "this clock is not one of ours", pl: "ten zegar nie pochodzi z tej usługi"),
        hint: ErrorText(
            en: "give a clock that an answer had in its meta, or now; without since all records are listed",
            pl: "podaj zegar (clock) z meta którejś odpowiedzi albo now; bez since podawane są wszystkie rekordy"))
}
