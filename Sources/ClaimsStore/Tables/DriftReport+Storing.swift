// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel

/// The report is stored as a JSON object of three arrays.
extension DriftReport {
    init(stored text: String) {
        let value = (try? JSONValue.parse(text)) ?? .null
        func entries(_ name: String) -> [JSONValue] { value[name]?.array ?? [] }
        func sight(_ entry: JSONValue) -> DriftSight {
            DriftSight(
                count: entry["count"]?.integer.map(Int.init) ?? 0, example: entry["example"]?.string,
                firstSeen: entry["first_seen"]?.integer, lastSeen: entry["last_seen"]?.integer,
                isCurrent: entry["current"] != false)
        }
        self.init(
            newValues: entries("values").compactMap { entry in
                guard let field = entry["field"]?.string, let value = entry["value"]?.string else { return nil }
                return NewValue(field: field, value: value, sight: sight(entry))
            },
            newMembers: entries("members").compactMap { entry in
                entry["name"]?.string.map { NewMember(name: $0, sight: sight(entry)) }
            },
            typeChanges: entries("types").compactMap { entry in
                guard let field = entry["field"]?.string,
                    let expected = entry["expected"]?.string.flatMap({ FieldType(rawValue: $0) }),
                    let found = entry["found"]?.integer.flatMap({ JSONKind(rawValue: UInt8(clamping: $0)) })
                else { return nil }
                return TypeChange(
                    field: field, expected: expected, found: found, isAhead: entry["ahead"] == true,
                    sight: sight(entry))
            },
            unlisted: value["unlisted"]?.integer.map(Int.init) ?? 0)
    }

    /// nil if the report is empty.
    var stored: String? {
        if isEmpty { return nil }
        var writer = JSONWriter()
        writer.beginObject()
        Self.write("values", newValues, to: &writer) { entry, writer in
            writer.member("field", entry.field)
            writer.member("value", entry.value)
            Self.write(entry.sight, to: &writer)
        }
        Self.write("members", newMembers, to: &writer) { entry, writer in
            writer.member("name", entry.name)
            Self.write(entry.sight, to: &writer)
        }
        Self.write("types", typeChanges, to: &writer) { entry, writer in
            writer.member("field", entry.field)
            writer.member("expected", entry.expected.rawValue)
            writer.member("found", entry.found.rawValue)
            if entry.isAhead { writer.member("ahead", true) }
            Self.write(entry.sight, to: &writer)
        }
        writer.member("unlisted", unlisted)
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private static func write(_ sight: DriftSight, to writer: inout JSONWriter) {
        writer.member("count", sight.count)
        if let example = sight.example { writer.member("example", example) }
        if let time = sight.firstSeen { writer.member("first_seen", time) }
        if let time = sight.lastSeen { writer.member("last_seen", time) }
        if !sight.isCurrent { writer.member("current", false) }
    }

    private static func write<Entry>(
        _ name: StaticString, _ entries: [Entry], to writer: inout JSONWriter, _ body: (Entry, inout JSONWriter) -> Void
    ) {
        writer.key(name)
        writer.beginArray()
        for entry in entries {
            writer.beginObject()
            body(entry, &writer)
            writer.endObject()
        }
        writer.endArray()
    }
}
