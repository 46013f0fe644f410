// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON
public import ClaimsModel

extension FieldType {
    /// The value that a text stands for in a field of this type; an empty text clears. The daemon refuses what does not
    /// fit.
    ///
    /// - Throws: `JSONError` for a field of JSON whose text is none.
    public func value(of text: String) throws(JSONError) -> JSONValue {
        if text.isEmpty { return .null }
        switch self {
        case .json: return try JSONValue.parse(text)
        case .integer, .decimal:
            guard let value = try? JSONValue.parse(text), value.number != nil else { return .string(text) }
            return value
        case .bool:
            switch text.lowercased() {
            case "true", "yes": return true
            case "false", "no": return false
            default: return .string(text)
            }
        case .id, .text, .enum, .instant, .date, .url: return .string(text)
        }
    }

    /// As ``value(of:)``, where a day or a moment is one that people type, as in filters: `+30d`, `tomorrow`.
    func value(typed text: String, _ time: LocalTime) throws(TypedMistake) -> JSONValue {
        if !text.isEmpty, self == .date || self == .instant {
            guard let exact = TypedTime.exact(text, of: self, in: time.zone, now: time.now) else { throw .time(self) }
            return .string(exact)
        }
        do throws(JSONError) { return try value(of: text) } catch { throw .json(error) }
    }
}

/// The reason why a text that people type stands for no value of a field. The daemon is not asked: it knows only the exact
/// form of a day or a moment.
enum TypedMistake: Error {
    case json(JSONError)
    case time(FieldType)

    func message(_ messages: Messages) -> String {
        switch self {
        case .json(let error): messages.text(.notJSON(error))
        case .time(let type): messages.noTime(type)
        }
    }

    /// The text about what would do; nil where the message has it.
    func hint(_ messages: Messages) -> String? {
        switch self {
        case .json: messages.takesJSON
        case .time: nil
        }
    }
}
