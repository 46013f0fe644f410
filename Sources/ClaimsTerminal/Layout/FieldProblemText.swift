// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsClient
import ClaimsJSON
import ClaimsProtocol

/// A problem with a submitted value, as the daemon reported it or the command line found it.
public struct FieldProblemText: Equatable, Sendable {
    public let field: String
    /// The kind, which programs branch on, such as `required`.
    public let kind: String
    public let message: String
    public let hint: String?

    public init(field: String, kind: String, message: String, hint: String? = nil) {
        self.field = field
        self.kind = kind
        self.message = message
        self.hint = hint
    }

    /// The problems in the `data` of an error of the kind `invalid`; empty for any other error.
    public static func all(in data: AnswerValue?) -> [FieldProblemText] {
        (data?["\(OperationErrorData.errors)"]?.elements ?? []).map { problem in
            FieldProblemText(
                field: problem["\(OperationErrorData.field)"]?.string ?? "",
                kind: problem["\(OperationErrorData.kind)"]?.string ?? "",
                message: problem["\(OperationErrorData.message)"]?.string ?? "",
                hint: problem["\(OperationErrorData.hint)"]?.string)
        }
    }

    /// The problem on one line: field, message, hint.
    public var line: String { Escaping.line(field.isEmpty ? "" : "\(field): ") + lineOfField }

    /// The problem on one line where its field is known from elsewhere: message, hint.
    public var lineOfField: String { Escaping.line(message + (hint.map { " (\($0))" } ?? "")) }

    /// Writes the problem as the daemon does.
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(OperationErrorData.field, field)
        writer.member(OperationErrorData.kind, kind)
        writer.member(OperationErrorData.message, message)
        if let hint { writer.member(OperationErrorData.hint, hint) }
        writer.endObject()
    }
}

/// A field of a record that is not as it was expected.
public struct ValueDifference: Equatable, Sendable {
    public let field: String
    /// The value that was expected and the one that is served, as JSON.
    let expected: String
    let served: String
    /// The difference on one line.
    public let line: String

    /// The differences in the `data` of an error of the kind `conflict`; empty for any other conflict.
    public static func all(in data: AnswerValue?, _ messages: Messages) -> [ValueDifference] {
        let served = data?["\(OperationErrorData.served)"]?.members ?? []
        return (data?["\(OperationErrorData.expected)"]?.members ?? []).map { name, expected in
            ValueDifference(field: name, expected: expected, served: served.first { $0.name == name }?.value, messages)
        }
    }

    private init(field: String, expected: AnswerValue, served: AnswerValue?, _ messages: Messages) {
        self.field = field
        self.expected = expected.source
        self.served = served?.source ?? "null"
        func shown(_ value: AnswerValue?) -> String? { value.flatMap { $0.kind == .null ? nil : $0.text } }
        line = Escaping.line(messages.difference(field, expected: shown(expected), now: shown(served)))
    }

    /// Writes both kinds of values as the daemon does: as two members of an object that is open.
    static func write(_ differences: [ValueDifference], to writer: inout JSONWriter) {
        for (name, isServed) in [(OperationErrorData.expected, false), (OperationErrorData.served, true)] {
            writer.key(name)
            writer.beginObject()
            for difference in differences {
                writer.key(difference.field)
                writer.raw(Array((isServed ? difference.served : difference.expected).utf8))
            }
            writer.endObject()
        }
    }
}
