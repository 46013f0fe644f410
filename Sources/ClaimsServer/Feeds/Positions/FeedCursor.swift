// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsProtocol

/// The point at which the pages of `changes` go on: a position for each collection.
struct FeedCursor: Sendable, Equatable {
    /// How far one collection has been told.
    struct Part: Sendable, Equatable {
        var collection: String
        /// The hash of its feed.
        var feed: UInt64
        var position: FeedPosition
    }

    /// The hash of the request.
    var request: UInt64
    var epoch: UInt64
    /// The names hash of the collections; nil where the request names its collection.
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
        bytes.append(littleEndian: tag(bytes))
        return String(decoding: Base64URL.encode(bytes), as: UTF8.self)
    }

    /// The cursor of a text.
    ///
    /// - Throws: `bad_cursor` for a text that was not signed with this daemon's secret.
    func cursor(_ text: String) throws(RequestError) -> FeedCursor {
        guard let bytes = Base64URL.decode(text.utf8), bytes.count >= Self.headSize + 8,
            bytes[0] == Self.cursorVersion,
            tag(Array(bytes.dropLast(8))) == bytes.rawSpan.u64(at: bytes.count - 8)
        else { throw Self.cursorRefusal }
        let span = bytes.rawSpan
        var cursor = FeedCursor(
            request: span.u64(at: 2), epoch: span.u64(at: 10), names: bytes[1] == 1 ? span.u64(at: 18) : nil,
            time: Int64(bitPattern: span.u64(at: 26)), parts: [])
        var offset = Self.headSize
        while offset < bytes.count - 8 {
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
        ErrorText(en: "this cursor is not one of ours", pl: "ten kursor nie pochodzi z tej usługi"),
        hint: ErrorText(
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
