// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON

/// Which members of two flat JSON objects differ. Made to be reused.
struct DocumentDifference {
    private var oldTape = JSONTape()
    private var newTape = JSONTape()
    private var writer = JSONWriter()

    /// A JSON object with `"name": [old, new]` for each member that differs, null standing for one that is not there.
    mutating func compare(old: RawSpan, new: RawSpan) -> [UInt8] {
        writer.removeAll()
        writer.beginObject()
        if Self.parse(old, &oldTape), Self.parse(new, &newTape) {
            Self.forEachMember(of: newTape) { key in
                let name = Self.name(key, newTape, new)
                let counterpart = oldTape.member(name, of: 0, in: old)
                let isSame = counterpart.map { Self.value($0, oldTape, old).equals(Self.value(key + 1, newTape, new)) }
                if isSame != true {
                    writer.key(utf8: name)
                    writer.beginArray()
                    if let counterpart { writer.raw(Self.value(counterpart, oldTape, old)) } else { writer.null() }
                    writer.raw(Self.value(key + 1, newTape, new))
                    writer.endArray()
                }
            }
            Self.forEachMember(of: oldTape) { key in
                let name = Self.name(key, oldTape, old)
                if newTape.member(name, of: 0, in: new) == nil {
                    writer.key(utf8: name)
                    writer.beginArray()
                    writer.raw(Self.value(key + 1, oldTape, old))
                    writer.null()
                    writer.endArray()
                }
            }
        }
        writer.endObject()
        return writer.bytes
    }

    private static func parse(_ document: RawSpan, _ tape: inout JSONTape) -> Bool {
        let end = try? tape.parse(document, from: 0, depth: JSONElements.bodyDepth)
        return end != nil && tape.count > 0 && tape[0].kind == .object
    }

    private static func forEachMember(of tape: JSONTape, _ body: (Int) -> Void) {
        var key = 1
        while key < tape[0].next {
            body(key)
            key = tape[key + 1].next
        }
    }

    /// A member's name: those of documents need no escapes.
    @_lifetime(copy bytes)
    private static func name(_ key: Int, _ tape: JSONTape, _ bytes: RawSpan) -> RawSpan {
        bytes.extracting(tape[key].start + 1..<tape[key].end - 1)
    }

    @_lifetime(copy bytes)
    private static func value(_ node: Int, _ tape: JSONTape, _ bytes: RawSpan) -> RawSpan {
        bytes.extracting(tape[node].start..<tape[node].end)
    }
}
