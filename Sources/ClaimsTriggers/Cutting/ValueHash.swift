// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsClient
import ClaimsJSON

/// Hashes JSON values so that equal values have equal hashes: the order of members, white space and escapes do not count,
/// digits do, and of members of one name the last counts (``JSONEquality``).
///
/// The key is random and stays with the state, so that no upstream can make a change that is not seen.
struct ValueHash: Sendable {
    private let hash: SipHash
    /// The first and the last eight bytes of the key.
    let key: (UInt64, UInt64)
    private var canonical: [UInt8] = []

    /// The hash of a field that a record does not have.
    static let absent: UInt64 = 0

    init(key: (UInt64, UInt64)) {
        self.key = key
        hash = SipHash(key0: key.0, key1: key.1)
    }

    /// The hash of a field of a record, together with its text as it came (`FIELD.raw`); never ``absent``, unless the
    /// record has neither.
    mutating func of(_ field: ComparedField, in record: AnswerValue) -> UInt64 {
        canonical.removeAll(keepingCapacity: true)
        let tape = record.document.tape
        let bytes = record.document.bytes
        var isAbsent = true
        for name in [field.name, field.rawName] {
            guard let node = tape.member(name, of: record.node, in: bytes.rawSpan), tape[node].kind != .null else {
                canonical.append(UInt8(ascii: "-"))
                continue
            }
            isAbsent = false
            Self.append(node, tape, bytes.rawSpan, to: &canonical)
        }
        if isAbsent { return Self.absent }
        return max(1, hash.tag(canonical))
    }

    /// Appends a value so that exactly equal values have equal bytes: each part begins with its kind and its length.
    static func append(_ node: Int, _ tape: JSONTape, _ bytes: RawSpan, to out: inout [UInt8]) {
        switch tape[node].kind {
        case .null: out.append(UInt8(ascii: "n"))
        case .true: out.append(UInt8(ascii: "t"))
        case .false: out.append(UInt8(ascii: "f"))
        case .number:
            out.append(UInt8(ascii: "#"))
            append(length: tape[node].range.count, to: &out)
            tape.appendSource(node, in: bytes, to: &out)
        case .string:
            out.append(UInt8(ascii: "s"))
            let start = out.count
            append(length: 0, to: &out)
            let text = out.count
            tape.appendString(node, in: bytes, to: &out)
            set(length: out.count - text, at: start, in: &out)
        case .array:
            out.append(UInt8(ascii: "["))
            var child = node + 1
            while child < tape[node].next {
                append(child, tape, bytes, to: &out)
                child = tape[child].next
            }
            out.append(UInt8(ascii: "]"))
        case .object:
            out.append(UInt8(ascii: "{"))
            for member in members(of: node, tape, bytes) {
                append(length: member.name.count, to: &out)
                out += member.name
                append(member.value, tape, bytes, to: &out)
            }
            out.append(UInt8(ascii: "}"))
        }
    }

    /// The members by name, the last of each.
    private static func members(
        of object: Int, _ tape: JSONTape, _ bytes: RawSpan
    ) -> [(name: [UInt8], value: Int)] {
        var members: [[UInt8]: Int] = [:]
        var key = object + 1
        while key < tape[object].next {
            var name: [UInt8] = []
            tape.appendString(key, in: bytes, to: &name)
            members[name] = key + 1
            key = tape[key + 1].next
        }
        return members.map { ($0.key, $0.value) }.sorted { $0.name.lexicographicallyPrecedes($1.name) }
    }

    private static func append(length: Int, to out: inout [UInt8]) {
        for shift in 0..<4 { out.append(UInt8(truncatingIfNeeded: length >> (8 * shift))) }
    }

    private static func set(length: Int, at offset: Int, in out: inout [UInt8]) {
        for shift in 0..<4 { out[offset + shift] = UInt8(truncatingIfNeeded: length >> (8 * shift)) }
    }
}

/// A field whose values are compared from one cut to the next.
struct ComparedField: Sendable, Equatable {
    /// The name in UTF-8.
    let name: [UInt8]
    /// The name of the member with the text of a value that is none of an enum's codes.
    let rawName: [UInt8]

    init(_ name: String) {
        self.name = Array(name.utf8)
        rawName = Array("\(name).raw".utf8)
    }

    /// The name as text.
    var text: String { String(decoding: name, as: UTF8.self) }
}
