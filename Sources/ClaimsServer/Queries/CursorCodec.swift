// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsProtocol
import ClaimsQuery
import ClaimsSnapshot
import ClaimsStore

/// The position at which a query goes on: the last record served, by its sort keys, and the query itself.
///
/// It pages by key, not by offset, so that a refresh between two pages neither skips nor repeats a record that stayed.
struct Cursor: Sendable, Equatable {
    /// The hash of the query and of the parts of the definitions that it depends on; a cursor of another query is
    /// refused.
    var query: UInt64
    /// The hash of the definitions as a whole. If `query` differs, it shows whether they are the reason.
    var definitions: UInt64
    /// The time that relative dates of the filter refer to, in milliseconds since 1970.
    var now: Int64
    /// The index of the last record's collection among the searched ones.
    var target: Int
    /// The generation that the page came from.
    var generation: UInt64
    /// The version of the archive marks and of the overlay that the page was served with.
    var marks: UInt64
    /// The last record served, or the first one if the cursor leads backward.
    ///
    /// Nil if the page begins with the first record of the target, or ends with the last one if the cursor leads
    /// backward.
    var position: PagePosition?
    var direction = Direction.onward

    /// The way on which a cursor leads. Its number is the first byte of the cursor's text.
    enum Direction: UInt8 {
        /// To the page after, for answers without a rank and a page before.
        case onward = 2
        /// To the page after, for answers with a rank and a page before.
        case forward = 3
        /// To the page before.
        case backward = 4
    }
}

/// Turns cursors into opaque text and back; a tag with the daemon's secret makes forging them pointless.
///
/// The secret lives in the state database: a cursor outlives a restart, but not the epoch.
struct CursorCodec: Sendable {
    private let seal: TextSeal

    init(key0: UInt64, key1: UInt64) {
        seal = TextSeal(SipHash(key0: key0, key1: key1))
    }

    /// The text of the cursor: base64url of its enciphered bytes and their tag.
    func encode(_ cursor: Cursor) -> [UInt8] {
        var bytes: [UInt8] = [cursor.direction.rawValue]
        Self.append(cursor.query, to: &bytes)
        Self.append(cursor.definitions, to: &bytes)
        Self.append(UInt64(bitPattern: cursor.now), to: &bytes)
        Self.append(UInt64(cursor.target), to: &bytes)
        Self.append(cursor.generation, to: &bytes)
        Self.append(cursor.marks, to: &bytes)
        if let position = cursor.position {
            bytes.append(1)
            Self.append(position.group.map { UInt64($0) + 1 } ?? 0, to: &bytes)
            Self.append(UInt64(position.row), to: &bytes)
            Self.append(position.id, to: &bytes)
            Self.append(UInt64(position.keys.count), to: &bytes)
            for key in position.keys {
                bytes.append(key == nil ? 0 : 1)
                if let key { Self.append(key, to: &bytes) }
            }
        } else {
            bytes.append(0)
        }
        return seal.text(bytes)
    }

    /// The cursor of a text.
    ///
    /// - Throws: `bad_cursor` for a text that was not signed with this daemon's secret.
    func decode(_ text: String) throws(RequestError) -> Cursor {
        guard let bytes = seal.bytes(text), let direction = bytes.first.flatMap({ Cursor.Direction(rawValue: $0) })
        else {
            throw Self.refusal
        }
        var reader = Reader(bytes: bytes.dropFirst())
        guard let query = reader.integer(), let definitions = reader.integer(), let now = reader.integer(),
            let target = reader.integer(Int.self), let generation = reader.integer(),
            let marks = reader.integer(), let hasPosition = reader.byte()
        else { throw Self.refusal }
        var cursor = Cursor(
            query: query, definitions: definitions, now: Int64(bitPattern: now), target: target,
            generation: generation, marks: marks, position: nil, direction: direction)
        if hasPosition == 1 {
            guard let position = Self.position(&reader, generation: generation) else { throw Self.refusal }
            cursor.position = position
        }
        return cursor
    }

    /// The text of a cursor in a list whose elements have numbers: the number of the last one served.
    ///
    /// - Parameter query: the hash of the list.
    func encode(number: UInt64, query: UInt64) -> String {
        var bytes: [UInt8] = [Self.numberVersion]
        Self.append(query, to: &bytes)
        Self.append(number, to: &bytes)
        return String(decoding: seal.text(bytes), as: UTF8.self)
    }

    /// The number in a cursor of such a list.
    ///
    /// - Throws: `bad_cursor` for a text that was not signed with this daemon's secret, or that belongs to another
    ///   list.
    func number(_ text: String, query: UInt64) throws(RequestError) -> UInt64 {
        guard let bytes = seal.bytes(text), bytes.count == 17, bytes[0] == Self.numberVersion,
            query == Reader.integer(bytes[1..<9])
        else { throw Self.refusal }
        return Reader.integer(bytes[9..<17])
    }

    private static let numberVersion: UInt8 = 0x41

    private static func position(_ reader: inout Reader, generation: UInt64) -> PagePosition? {
        guard let group = reader.integer(Int.self), let row = reader.integer(Int.self), let id = reader.text(),
            let count = reader.integer(), count <= 64
        else { return nil }
        var keys: [[UInt8]?] = []
        for _ in 0..<count {
            guard let isPresent = reader.byte() else { return nil }
            guard isPresent == 1 else {
                keys.append(nil)
                continue
            }
            guard let key = reader.text() else { return nil }
            keys.append(key)
        }
        return PagePosition(
            group: group == 0 ? nil : group - 1, keys: keys, id: id, generation: generation, row: row)
    }

    private static let refusal = RequestError(
        .badCursor,
        TranslatedText(en: "this cursor is not one of ours", pl: "ten kursor nie pochodzi z tej usługi"),
        hint: askAgain)

    /// The advice to begin again.
    static let askAgain = TranslatedText(
        en: "ask for the first page again, without a cursor", pl: "poproś ponownie o pierwszą stronę, bez kursora")

    private static func append(_ value: UInt64, to bytes: inout [UInt8]) {
        for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift))) }
    }

    private static func append(_ text: [UInt8], to bytes: inout [UInt8]) {
        append(UInt64(text.count), to: &bytes)
        bytes.append(contentsOf: text)
    }

    /// Reads what `append` wrote; nil if it ends too early.
    private struct Reader {
        var bytes: ArraySlice<UInt8>

        mutating func byte() -> UInt8? {
            bytes.popFirst()
        }

        mutating func integer() -> UInt64? {
            guard bytes.count >= 8 else { return nil }
            defer { bytes = bytes.dropFirst(8) }
            return Self.integer(bytes.prefix(8))
        }

        /// An integer that is not too large for the type.
        mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type) -> Value? {
            integer().flatMap { Value(exactly: $0) }
        }

        mutating func text() -> [UInt8]? {
            guard let count = integer(), count <= UInt64(bytes.count) else { return nil }
            defer { bytes = bytes.dropFirst(Int(count)) }
            return Array(bytes.prefix(Int(count)))
        }

        static func integer(_ bytes: ArraySlice<UInt8>) -> UInt64 {
            bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
    }
}

/// Turns bytes into text that only this daemon can read or make, and back.
///
/// Cursors have row numbers and ids, which reveal records that a peer may not see. The key stream is made from the
/// secret and the tag of the bytes, so that equal bytes give equal texts, and different bytes give unrelated texts.
struct TextSeal: Sendable {
    private let hash: SipHash

    /// - Parameter hash: with the daemon's secret.
    init(_ hash: SipHash) {
        self.hash = hash
    }

    /// The text of bytes, whose first one is not ``streamMark``: base64url of the enciphered bytes and their tag.
    func text(_ bytes: [UInt8]) -> [UInt8] {
        let tag = hash.tag(bytes)
        var text = bytes
        apply(tag, to: &text)
        text.append(littleEndian: tag)
        return Base64URL.encode(text)
    }

    /// The bytes of a text; nil for a text that was not made with the secret.
    func bytes(_ text: String) -> [UInt8]? {
        guard var bytes = Base64URL.decode(text.utf8), bytes.count > Self.tagBytes else { return nil }
        let tag = bytes.rawSpan.u64(at: bytes.count - Self.tagBytes)
        bytes.removeLast(Self.tagBytes)
        apply(tag, to: &bytes)
        return hash.tag(bytes) == tag ? bytes : nil
    }

    /// Enciphers bytes, or deciphers them: combines them with the key stream of a tag.
    private func apply(_ tag: UInt64, to bytes: inout [UInt8]) {
        for start in stride(from: 0, to: bytes.count, by: 8) {
            // No bytes begin with the mark, so no part of the stream equals their tag.
            var block = [Self.streamMark]
            block.append(littleEndian: tag)
            block.append(littleEndian: UInt64(start))
            var key = hash.tag(block)
            for index in start..<min(start + 8, bytes.count) {
                bytes[index] ^= UInt8(truncatingIfNeeded: key)
                key >>= 8
            }
        }
    }

    static let streamMark: UInt8 = 0xFF
    private static let tagBytes = 8
}

extension QueryHash {
    /// The hash of a list whose elements have numbers, for its cursors. It is made from the name of the list and the
    /// parameters that select its elements.
    static func list(_ parts: String...) -> UInt64 {
        var hash = QueryHash()
        for part in parts { hash.add(part) }
        return hash.value
    }
}
