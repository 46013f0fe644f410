// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON

/// One method: everything that people and programs can be told about it.
public struct MethodDescription: Sendable {
    public let method: Method
    /// What it does, in one sentence.
    public let summary: String
    public let parameters: [ParameterDescription]
    /// The members of its result by name, with what each is.
    public let result: [(name: String, summary: String)]
    /// A request that works against any daemon that has the collections it names, as one line of JSON.
    public let example: String
    /// The role that every call needs.
    public let role: Role

    public init(
        _ method: Method, _ summary: String, role: Role = .read, parameters: [ParameterDescription],
        result: [(name: String, summary: String)], example: String
    ) {
        self.method = method
        self.summary = summary
        self.role = role
        self.parameters = parameters
        self.result = result
        self.example = example
    }

    /// What stands in ``example`` for the name of a collection.
    public static let placeholder = "EXAMPLE"

    /// Writes `{"name","summary","role","params":SCHEMA,"result":SCHEMA,"example":REQUEST}`.
    ///
    /// - Parameter collection: the collection that the example asks.
    public func write(to writer: inout JSONWriter, collection: String) {
        writer.beginObject()
        writer.key("name")
        writer.string(method.rawValue)
        writer.key("summary")
        writer.string(summary)
        writer.key("role")
        writer.string(role.rawValue)
        writer.key("params")
        writeSchema(parameters.map { ($0.name, $0.summary, $0.type.schema) }, to: &writer)
        writer.key("result")
        writeSchema(result.map { ($0.name, $0.summary, nil) }, to: &writer)
        writer.key("example")
        writer.raw(
            Array(
                example.split(separator: Self.placeholder, omittingEmptySubsequences: false).joined(
                    separator: collection
                ).utf8))
        writer.endObject()
    }

    private func writeSchema(_ members: [(String, String, String?)], to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("type")
        writer.string("object")
        writer.key("properties")
        writer.beginObject()
        for (name, summary, schema) in members {
            writer.key(name)
            var description = JSONWriter()
            description.string(summary)
            // A schema is an object; the description goes before its first member.
            let rest = schema.map { "," + $0.dropFirst() } ?? "}"
            writer.raw(Array("{\"description\":".utf8) + description.bytes + Array(rest.utf8))
        }
        writer.endObject()
        let required = members.isEmpty ? [] : parameters.filter(\.isRequired).map(\.name)
        if !required.isEmpty, members.contains(where: { $0.2 != nil }) {
            writer.key("required")
            writer.beginArray()
            for name in required { writer.string(name) }
            writer.endArray()
        }
        writer.key("additionalProperties")
        writer.bool(members.allSatisfy { $0.2 == nil } && !members.isEmpty)
        writer.endObject()
    }
}
