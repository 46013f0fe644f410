// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON
public import ClaimsModel

/// The names of the members that `data` has in errors about operations.
public enum OperationErrorData {
    /// The problems of an `invalid` operation, each an object with the four members below.
    public static let errors: StaticString = "errors"
    public static let field: StaticString = "field"
    /// The kind of the problem, a ``FieldProblemKind``.
    public static let kind: StaticString = "kind"
    public static let message: StaticString = "message"
    public static let hint: StaticString = "hint"

    /// Of `conflict`: the values that the request expects, by field; null is an absent one.
    public static let expected: StaticString = "expected"
    /// Of `conflict`: the values that are served, of the same fields; null is an absent one.
    public static let served: StaticString = "served"

    /// Of `not_allowed`: the action that was asked for.
    public static let action: StaticString = "action"
    /// Of `not_allowed`: the filter that a record must match for the action; absent where it is not offered at all.
    public static let filter: StaticString = "filter"
}

extension RequestError {
    /// The error about values and files that break rules: `invalid`, with all problems.
    ///
    /// - Parameter problems: at least one.
    public static func invalid(_ problems: [FieldProblem]) -> RequestError {
        var text = ErrorText(en: "not valid", pl: "niepoprawne dane")
        if let first = problems.first {
            text = text.joined(": ", ErrorText(en: first.field, pl: first.field)).joined(": ", first.message)
        }
        if problems.count > 1 {
            let rest = problems.count - 1
            text = text.joined(" ", ErrorText(en: "(and \(rest) more)", pl: "(i jeszcze: \(rest))"))
        }
        var error = RequestError(.invalid, text)
        error.problems = problems
        return error
    }

    /// The error about a record that is not as the request expects: `conflict`, with the values of the fields that
    /// differ.
    ///
    /// - Parameters:
    ///   - expected: the values that the request expects, null for an absent one.
    ///   - served: the values that are served, of the same fields.
    public static func unexpected(expected: JSONObject, served: JSONObject) -> RequestError {
        let fields = expected.members.map(\.key).joined(separator: ", ")
        return RequestError(
            .conflict,
            ErrorText(
                en: "the record has changed meanwhile: \(fields)", pl: "rekord zmienił się w międzyczasie: \(fields)"),
            hint: ErrorText(
                en: "look at the values that are served now, and submit again",
                pl: "sprawdź wartości, które są teraz, i wyślij ponownie"),
            details: [
                ("\(OperationErrorData.expected)", JSONValue.object(expected).compactBytes),
                ("\(OperationErrorData.served)", JSONValue.object(served).compactBytes),
            ])
    }

    /// The error about an action that the definition does not offer, or not for the record as it is: `not_allowed`.
    ///
    /// - Parameters:
    ///   - action: the name of the action.
    ///   - filter: the filter that a record must match for it; nil if the action is not offered at all.
    ///   - hint: what can be done instead.
    public static func notAllowed(_ action: String, filter: String?, hint: ErrorText? = nil) -> RequestError {
        guard let filter else {
            return RequestError(
                .notAllowed,
                ErrorText(
                    en: "'\(action)' is not offered for this collection",
                    pl: "ta kolekcja nie pozwala na „\(action)”"),
                hint: hint, details: [detail("\(OperationErrorData.action)", action)])
        }
        return RequestError(
            .notAllowed,
            ErrorText(
                en: "'\(action)' is only for records that match \(filter)",
                pl: "„\(action)” dotyczy tylko rekordów, które spełniają warunek \(filter)"),
            hint: hint,
            details: [detail("\(OperationErrorData.action)", action), detail("\(OperationErrorData.filter)", filter)])
    }
}

extension FieldProblem {
    /// Writes the problem as an item of `data.errors`.
    func write(in language: String, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(OperationErrorData.field, field)
        writer.member(OperationErrorData.kind, kind.rawValue)
        writer.member(OperationErrorData.message, message.text(language))
        if let hint { writer.member(OperationErrorData.hint, hint.text(language)) }
        writer.endObject()
    }
}
