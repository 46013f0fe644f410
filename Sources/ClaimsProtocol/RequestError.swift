// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON

/// What is answered instead of a result: kind, sentence and the data that helps to mend the request.
public struct RequestError: Error, Sendable {
    /// The contract of the error.
    public var kind: ErrorKind
    /// One sentence for people; it never holds text of a record.
    public var message: String
    /// Where in the filter the problem begins, in bytes.
    public var position: Int?
    /// How many bytes of the filter it covers.
    public var length: Int?
    /// What to do instead.
    public var hint: String?
    /// Further members of `data`, each a finished JSON value, such as `("role", "\"admin\"")`.
    public var details: [(name: String, json: [UInt8])]

    public init(
        _ kind: ErrorKind, _ message: String, position: Int? = nil, length: Int? = nil, hint: String? = nil,
        details: [(name: String, json: [UInt8])] = []
    ) {
        self.kind = kind
        self.message = message
        self.position = position
        self.length = length
        self.hint = hint
        self.details = details
    }

    /// A member of `data` that is a string.
    public static func detail(_ name: String, _ value: String) -> (name: String, json: [UInt8]) {
        var writer = JSONWriter()
        writer.string(value)
        return (name, writer.bytes)
    }

    /// A member of `data` that is an integer.
    public static func detail(_ name: String, _ value: Int64) -> (name: String, json: [UInt8]) {
        (name, Array(String(value).utf8))
    }

    /// Writes the `error` object: `{"code":…,"message":…,"data":{"kind":…}}`.
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("code")
        writer.integer(Int64(kind.code))
        writer.key("message")
        writer.string(message)
        writer.key("data")
        writer.beginObject()
        writer.key("kind")
        writer.string(kind.rawValue)
        if let position {
            writer.key("position")
            writer.integer(Int64(position))
        }
        if let length {
            writer.key("length")
            writer.integer(Int64(length))
        }
        if let hint {
            writer.key("hint")
            writer.string(hint)
        }
        for detail in details {
            writer.key(detail.name)
            writer.raw(detail.json)
        }
        writer.endObject()
        writer.endObject()
    }

    /// The error as a whole answer, newline included; without an id it answers what was no request.
    public func line(id: [UInt8]?) -> [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return Array("{\"jsonrpc\":\"2.0\",\"id\":".utf8) + (id ?? Array("null".utf8))
            + Array(",\"error\":".utf8) + writer.bytes + Array("}\n".utf8)
    }
}
