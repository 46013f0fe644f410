// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension JSON5Node {
    /// The value as JSON5 on one line, without comments: JSON, but for numbers such as `Infinity`.
    ///
    /// Parsing it gives the same value. Files, lines and columns are lost.
    public var text: String {
        var writer = JSONWriter()
        write(to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private func write(to writer: inout JSONWriter) {
        switch value {
        case .null: writer.null()
        case .bool(let value): writer.bool(value)
        case .number(let digits): writer.raw(Array(digits.utf8))
        case .string(let text): writer.string(text)
        case .array(let elements):
            writer.beginArray()
            for element in elements { element.write(to: &writer) }
            writer.endArray()
        case .object(let members):
            writer.beginObject()
            for member in members {
                writer.key(member.key)
                member.node.write(to: &writer)
            }
            writer.endObject()
        }
    }
}
