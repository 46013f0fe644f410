// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsClient
import ClaimsJSON

/// The entries of the log `told`, each with a checksum: the reported state, as bytes.
///
/// An entry is a mark of four bytes, the length of its content in four, the digest of the content in sixteen, and the
/// content: a letter for its kind, and its data. Numbers are little-endian.
enum ReportedCoding {
    /// The first bytes of each entry.
    static let mark: [UInt8] = Array("CtE1".utf8)
    /// The bytes of an entry before its content.
    static let headSize = 24
    /// The size after which an entry is ended, in bytes.
    static let entrySize = 64 << 10
    /// The maximal length of a content, in bytes: one id more than ``entrySize``.
    static let maxContent = entrySize + MemberTable.maxLength + (16 << 10)

    /// Gathers changes into entries.
    struct Encoder {
        private var content: [UInt8] = []

        /// The entries that a change completes.
        mutating func add(_ change: Reported.Change) -> [UInt8] {
            switch change {
            case .begin(let head): return flush() + ReportedCoding.entry(ReportedCoding.text(of: head))
            case .settle(let moment, let hasForgotten):
                return flush() + ReportedCoding.entry(ReportedCoding.text(of: moment, hasForgotten))
            case .put(let id, let hashes):
                begin(UInt8(ascii: "+"), id)
                ReportedCoding.append(UInt32(hashes.count), to: &content)
                for hash in hashes { ReportedCoding.append(hash, to: &content) }
            case .drop(let id): begin(UInt8(ascii: "-"), id)
            }
            return content.count >= ReportedCoding.entrySize ? flush() : []
        }

        private mutating func begin(_ op: UInt8, _ id: [UInt8]) {
            if content.isEmpty { content.append(UInt8(ascii: "M")) }
            content.append(op)
            ReportedCoding.append(UInt32(id.count), to: &content)
            content += id
        }

        /// The entry of the gathered changes; empty if there are none.
        mutating func flush() -> [UInt8] {
            defer { content.removeAll(keepingCapacity: true) }
            return content.isEmpty ? [] : ReportedCoding.entry(content)
        }
    }

    /// The changes in the content of an entry; nil for an invalid entry.
    static func changes(in content: [UInt8]) -> [Reported.Change]? {
        switch content.first {
        case UInt8(ascii: "H"): return head(content.dropFirst()).map { [.begin($0)] }
        case UInt8(ascii: "C"): return settled(content.dropFirst()).map { [$0] }
        case UInt8(ascii: "M"): return members(content)
        default: return nil
        }
    }

    private static func members(_ content: [UInt8]) -> [Reported.Change]? {
        let bytes = content.rawSpan
        var changes: [Reported.Change] = []
        var offset = 1
        while offset < content.count {
            let length = Int(bytes.u32(at: offset + 1))
            let start = offset + 5
            guard bytes.contains(start, length) else { return nil }
            let id = Array(content[start..<start + length])
            offset = start + length
            if bytes.byte(at: start - 5) == UInt8(ascii: "-") {
                changes.append(.drop(id))
                continue
            }
            let count = Int(bytes.u32(at: offset))
            guard bytes.contains(offset, 4 + count * 8) else { return nil }
            changes.append(.put(id, (0..<count).map { bytes.u64(at: offset + 4 + $0 * 8) }))
            offset += 4 + count * 8
        }
        return changes
    }

    /// The bytes that a member takes in a log, without entries' heads.
    static func size(of id: Int, columns: Int) -> Int { 9 + id + 8 * columns }

    fileprivate static func entry(_ content: [UInt8]) -> [UInt8] {
        var bytes = mark
        append(UInt32(content.count), to: &bytes)
        bytes += ContentHash.digest(of: content.rawSpan).bytes
        return bytes + content
    }

    fileprivate static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        for shift in 0..<(number.bitWidth / 8) { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * shift))) }
    }

    // MARK: - Texts

    fileprivate static func text(of head: Reported.Head) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("collection", head.collection)
        writer.key("fields")
        writer.beginArray()
        for field in head.fields { writer.string(field) }
        writer.endArray()
        writer.member("key", String(head.key.first, radix: 16) + "." + String(head.key.last, radix: 16))
        writer.endObject()
        return [UInt8(ascii: "H")] + writer.bytes
    }

    private static func head(_ text: ArraySlice<UInt8>) -> Reported.Head? {
        guard let root = root(text), let collection = root["collection"]?.string,
            let key = root["key"]?.string?.split(separator: ".").compactMap({ UInt64($0, radix: 16) }), key.count == 2
        else { return nil }
        return Reported.Head(
            collection: collection, fields: root["fields"]?.elements.compactMap(\.string) ?? [],
            key: Reported.Key(first: key[0], last: key[1]))
    }

    fileprivate static func text(of moment: Reported.Moment, _ hasForgotten: Bool) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("clock", moment.clock)
        writer.member("at", moment.at)
        writer.member("condition", moment.condition)
        writer.member("told_at", moment.reportedAt)
        if hasForgotten { writer.member("forgotten", true) }
        writer.endObject()
        return [UInt8(ascii: "C")] + writer.bytes
    }

    private static func settled(_ text: ArraySlice<UInt8>) -> Reported.Change? {
        guard let root = root(text), let at = root["at"]?.integer else { return nil }
        return .settle(
            Reported.Moment(
                clock: root["clock"]?.string, at: at, condition: root["condition"]?.string,
                reportedAt: root["told_at"]?.integer), hasForgotten: root["forgotten"]?.bool ?? false)
    }

    private static func root(_ text: ArraySlice<UInt8>) -> AnswerValue? {
        do throws(JSONError) { return try AnswerDocument(Array(text)).root } catch { return nil }
    }
}
