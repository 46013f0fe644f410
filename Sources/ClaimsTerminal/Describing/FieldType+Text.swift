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

    /// As ``value(of:)``, where a day or a moment is one that people type, as in filters: `+30d`, `tomorrow`. A text
    /// that is none stays, for the daemon to refuse.
    func value(typed text: String, _ time: LocalTime) throws(JSONError) -> JSONValue {
        let isTime = self == .date || self == .instant
        return try value(of: (isTime ? TypedTime.exact(text, of: self, in: time.zone, now: time.now) : nil) ?? text)
    }
}
