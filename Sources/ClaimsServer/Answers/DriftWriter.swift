// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel

/// Writes what was seen upstream that a definition does not know.
enum DriftWriter {
    /// Writes `{"values":[…],"members":[…],"types":[…],"unlisted":N}`.
    static func write(_ drift: DriftReport, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("values")
        writer.beginArray()
        for entry in drift.newValues {
            writer.beginObject()
            writer.member("field", entry.field)
            writer.member("value", entry.value)
            writer.member("count", entry.count)
            writer.endObject()
        }
        writer.endArray()
        writer.key("members")
        writer.beginArray()
        for entry in drift.newMembers {
            writer.beginObject()
            writer.member("name", entry.name)
            writer.member("count", entry.count)
            writer.endObject()
        }
        writer.endArray()
        writer.key("types")
        writer.beginArray()
        for entry in drift.typeChanges {
            writer.beginObject()
            writer.member("field", entry.field)
            writer.member("expected", entry.expected.rawValue)
            writer.member("found", kind(entry.found))
            writer.member("count", entry.count)
            writer.endObject()
        }
        writer.endArray()
        writer.member("unlisted", drift.unlisted)
        writer.endObject()
    }

    /// The JSON type of a value, as JSON Schema names it.
    private static func kind(_ kind: JSONKind) -> String {
        switch kind {
        case .object: "object"
        case .array: "array"
        case .string: "string"
        case .number: "number"
        case .true, .false: "boolean"
        case .null: "null"
        }
    }
}
