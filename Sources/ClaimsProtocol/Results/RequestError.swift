// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON
public import ClaimsModel

/// The error that a request is answered with: its kind, a message for people, and data that helps to mend the request.
///
/// ```swift
/// throw RequestError(
///     .badFilter, TranslatedText(en: "unknown field 'statsu'", pl: "nieznane pole „statsu”"), position: 0, length: 6,
///     hint: Suggestion.question("status"))
/// ```
public struct RequestError: Error, Sendable {
    /// The kind of the error, which decides its code and which programs branch on.
    public var kind: ErrorKind
    /// The reason as one sentence for people; it never holds text of a record.
    public var text: TranslatedText
    /// The byte offset in the filter at which the problem begins; nil if the error is not about a filter.
    public var position: Int?
    /// The number of bytes of the filter that the problem covers, from ``position``.
    public var length: Int?
    /// A suggestion how to mend the request, for people.
    public var advice: TranslatedText?
    /// The problems of submitted values and files, in an error of the kind ``ErrorKind/invalid``.
    public var problems: [FieldProblem] = []
    /// Further members of `data`, each with its value as finished JSON, such as `("role", "\"admin\"")`.
    public var details: [(name: String, json: [UInt8])]
    /// The facts about the error for the journal of looks; clients do not get them.
    public var look: FailedLook?

    /// Makes an error; `position` and `length` are in bytes of the filter, and `details` hold finished JSON.
    public init(
        _ kind: ErrorKind, _ text: TranslatedText, position: Int? = nil, length: Int? = nil,
        hint: TranslatedText? = nil,
        details: [(name: String, json: [UInt8])] = []
    ) {
        self.kind = kind
        self.text = text
        self.position = position
        self.length = length
        advice = hint
        self.details = details
    }

    /// The reason in English.
    public var message: String { text.english }
    /// The suggestion in English.
    public var hint: String? { advice?.english }

    /// A member of ``details`` with a string, which is escaped as JSON requires.
    public static func detail(_ name: String, _ value: String) -> (name: String, json: [UInt8]) {
        var writer = JSONWriter()
        writer.string(value)
        return (name, writer.bytes)
    }

    /// A member of ``details`` with an integer.
    public static func detail(_ name: String, _ value: Int64) -> (name: String, json: [UInt8]) {
        (name, Array(String(value).utf8))
    }

    /// Writes the `error` object of JSON-RPC 2.0: `{"code":…,"message":…,"data":{"kind":…}}`.
    ///
    /// - Parameter language: the language of the message and the hint, such as `pl`.
    public func write(in language: String, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("code")
        writer.integer(Int64(kind.code))
        writer.key("message")
        writer.string(text.text(language))
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
        if let advice {
            writer.key("hint")
            writer.string(advice.text(language))
        }
        if !problems.isEmpty {
            writer.key(OperationErrorData.errors)
            writer.beginArray()
            for problem in problems { problem.write(in: language, to: &writer) }
            writer.endArray()
        }
        for detail in details {
            writer.key(detail.name)
            writer.raw(detail.json)
        }
        writer.endObject()
        writer.endObject()
    }

    /// The whole answer line with this error, its newline included.
    ///
    /// - Parameters:
    ///   - id: the JSON of the request's id; nil writes `"id":null`, for a line whose id could not be read.
    ///   - language: the language of the message and the hint, such as `pl`.
    public func line(id: [UInt8]?, in language: String) -> [UInt8] {
        var writer = JSONWriter()
        write(in: language, to: &writer)
        return Array("{\"jsonrpc\":\"2.0\",\"id\":".utf8) + (id ?? Array("null".utf8))
            + Array(",\"error\":".utf8) + writer.bytes + Array("}\n".utf8)
    }
}

/// The reason why a request was refused, which programs branch on (`data.kind`).
///
/// The raw value is the name on the wire. Names and codes never change.
public enum ErrorKind: String, Sendable, CaseIterable {
    /// The line is not JSON, or nests too deeply. The answer has `"id":null`.
    case parseError = "parse_error"
    /// The line is JSON but no request: a batch, a notification, or a request whose id is in use.
    case invalidRequest = "invalid_request"
    /// The protocol has no such method.
    case unknownMethod = "unknown_method"
    /// A parameter is unknown, missing or of another shape; `data.parameter` names it.
    case badParams = "bad_params"
    /// A defect of the daemon prevented the answer; the journal has more information.
    case `internal` = "internal"
    /// The filter cannot be parsed, or does not fit the fields.
    case badFilter = "bad_filter"
    /// A sort key is unknown, or its field has no order.
    case badSort = "bad_sort"
    /// The cursor is not genuine, belongs to another query, or is from before a change of the definition that the query
    /// depends on.
    case badCursor = "bad_cursor"
    /// The peer lacks a role, which `data.role` names.
    case forbidden = "forbidden"
    /// The record or request does not exist.
    case notFound = "not_found"
    /// The collection does not exist.
    case unknownCollection = "unknown_collection"
    /// The query took longer than `timeout_ms` or the setting `limits.request` allows.
    case timeout = "timeout"
    /// The request does not fit the state of the collection or of the record, such as a refresh without a source.
    case conflict = "conflict"
    /// The definition of the collection does not allow archiving.
    case notArchivable = "not_archivable"
    /// The definition does not offer the action, or not for the record in its state; `data.filter` names the records.
    case notAllowed = "not_allowed"
    /// The line, or the answer to it, is longer than the limits allow.
    case tooLarge = "too_large"
    /// Submitted values or files break rules of the definition; `data.errors` lists every problem.
    case invalid = "invalid"
    /// The data is older than `max_age_ms`; `data.meta` has its age.
    case notFresh = "not_fresh"
    /// There are too many connections or requests. The client may try again after `data.retry_after_ms`.
    case busy = "busy"
    /// The collection has as many unsettled operations as the limits allow.
    case outboxFull = "outbox_full"
    /// The request was cancelled before its answer.
    case cancelled = "cancelled"
    /// The upstream could not be read.
    case upstreamFailed = "upstream_failed"
    /// The collection has no data to serve; `data.meta` has the reason.
    case noData = "no_data"
    /// The disk has no room for the change. Reads still work.
    case storageFull = "storage_full"

    /// The numeric code of the kind: a reserved code of JSON-RPC 2.0 (section 5.1), or 1000 more than the HTTP status
    /// of a similar meaning.
    public var code: Int {
        switch self {
        case .parseError: -32700
        case .invalidRequest: -32600
        case .unknownMethod: -32601
        case .badParams: -32602
        case .internal: -32603
        case .badFilter, .badSort, .badCursor: 1400
        case .forbidden: 1403
        case .notFound, .unknownCollection: 1404
        case .timeout: 1408
        case .conflict, .notArchivable, .notAllowed: 1409
        case .tooLarge: 1413
        case .invalid: 1422
        case .notFresh: 1425
        case .busy, .outboxFull: 1429
        case .cancelled: 1499
        case .upstreamFailed: 1502
        case .noData: 1503
        case .storageFull: 1507
        }
    }
}

/// The names of the members that `data` has in errors about operations.
public enum OperationErrorData {
    /// The problems of an `invalid` operation, each an object with the four members below.
    public static let errors: StaticString = "errors"
    public static let field: StaticString = "field"
    /// The kind of the problem, a ``FieldProblemKind``.
    public static let kind: StaticString = "kind"
    public static let message: StaticString = "message"
    public static let hint: StaticString = "hint"

    /// A member of `conflict`: the values that the request expects, by field; null for an absent one.
    public static let expected: StaticString = "expected"
    /// A member of `conflict`: the served values of the same fields; null for an absent one.
    public static let served: StaticString = "served"

    /// A member of `not_allowed`: the requested action.
    public static let action: StaticString = "action"
    /// A member of `not_allowed`: the filter that a record must match for the action; absent if the action is not
    /// offered at all.
    public static let filter: StaticString = "filter"
}

extension RequestError {
    /// The error about values and files that break rules: `invalid`, with all problems.
    ///
    /// - Parameter problems: at least one.
    public static func invalid(_ problems: [FieldProblem]) -> RequestError {
        var text = TranslatedText(en: "not valid", pl: "niepoprawne dane")
        if let first = problems.first {
            text = text.joined(": ", TranslatedText(en: first.field, pl: first.field)).joined(": ", first.message)
        }
        if problems.count > 1 {
            let rest = problems.count - 1
            text = text.joined(" ", TranslatedText(en: "(and \(rest) more)", pl: "(i jeszcze: \(rest))"))
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
            TranslatedText(
                en: "the record has changed meanwhile: \(fields)", pl: "rekord zmienił się w międzyczasie: \(fields)"),
            hint: TranslatedText(
                en: "look at the values that are served now, and submit again",
                pl: "sprawdź wartości, które są teraz, i wyślij ponownie"),
            details: [
                ("\(OperationErrorData.expected)", JSONValue.object(expected).compactBytes),
                ("\(OperationErrorData.served)", JSONValue.object(served).compactBytes),
            ])
    }

    /// The error about an action that the definition does not offer, or not for the record in its state: `not_allowed`.
    ///
    /// - Parameters:
    ///   - action: the name of the action.
    ///   - filter: the filter that a record must match for it; nil if the action is not offered at all.
    ///   - hint: the alternative.
    public static func notAllowed(_ action: String, filter: String?, hint: TranslatedText? = nil) -> RequestError {
        guard let filter else {
            return RequestError(
                .notAllowed,
                TranslatedText(
                    en: "'\(action)' is not offered for this collection",
                    pl: "ta kolekcja nie pozwala na „\(action)”"),
                hint: hint, details: [detail("\(OperationErrorData.action)", action)])
        }
        return RequestError(
            .notAllowed,
            TranslatedText(
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

/// The reason of a failed request for the journal of looks, with the name of the collection.
public enum FailedLook: Sendable, Hashable {
    /// Rules of access refuse it, or hide the collection.
    case refused(String)
    /// A record is not there, or not to be seen.
    case missed(String)
    /// The error reveals values of a record.
    case shown(String, id: [UInt8])
}
