// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON

/// Arguments of messages that are texts themselves, in a form that is stored and translated when it is shown.
public enum MessageArgument {
    /// The argument for an error in JSON.
    public static func of(_ error: JSONError) -> String { "\(errorMark)\(error.code) \(error.offset)" }

    /// The argument for a kind of JSON value.
    public static func of(_ kind: JSONKind) -> String { "\(kindMark)\(kind)" }

    /// The argument for HTML, or other markup, in place of JSON.
    public static func markup(isHTML: Bool) -> String { isHTML ? htmlMark : xmlMark }

    /// The argument for another message.
    public static func of(_ message: Message) -> String {
        var writer = JSONWriter()
        message.stored.write(to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// The argument as a message of this key shows it.
    static func text(_ argument: String, of key: MessageKey, _ language: String) -> String {
        let isPolish = LocalizedText.primaryLanguage(of: language) == "pl"
        return switch key {
        case .notJSON: (error(argument)?.text ?? markup(argument))?.text(language) ?? argument
        case .rootNotArray, .pointerNotArray, .nextUnusable: kind(argument)?.text(language) ?? argument
        case .join, .writeUnanswered, .tokenFailed: message(argument)?.text(language) ?? argument
        // The phrases of HTTP are English.
        case .httpStatus where isPolish, .credentialRejected where isPolish, .tokenRefused where isPolish,
            .writeWithoutID where isPolish:
            String(argument.prefix { $0 != " " })
        default: argument
        }
    }

    private static let errorMark = "@json "
    private static let kindMark = "@kind "
    private static let htmlMark = "@html"
    private static let xmlMark = "@xml"

    private static func markup(_ argument: String) -> ErrorText? {
        switch argument {
        case htmlMark: ErrorText(en: "it is HTML, a page for people", pl: "to HTML, strona dla ludzi")
        case xmlMark: ErrorText(en: "it is XML", pl: "to XML")
        default: nil
        }
    }

    private static func error(_ argument: String) -> JSONError? {
        guard argument.hasPrefix(errorMark) else { return nil }
        let parts = argument.dropFirst(errorMark.count).split(separator: " ")
        let codes = (UInt8.min...UInt8.max).lazy.compactMap { JSONError.Code(rawValue: $0) }
        guard parts.count == 2, let offset = Int(parts[1]), let code = codes.first(where: { "\($0)" == parts[0] })
        else { return nil }
        return JSONError(code, at: offset)
    }

    private static func kind(_ argument: String) -> ErrorText? {
        guard argument.hasPrefix(kindMark) else { return nil }
        let name = argument.dropFirst(kindMark.count)
        let kinds = (UInt8.min...UInt8.max).lazy.compactMap { JSONKind(rawValue: $0) }
        return kinds.first { "\($0)" == name }.map(text)
    }

    private static func text(_ kind: JSONKind) -> ErrorText {
        switch kind {
        case .object: ErrorText(en: "object", pl: "obiekt")
        case .array: ErrorText(en: "array", pl: "tablica")
        case .string: ErrorText(en: "string", pl: "tekst")
        case .number: ErrorText(en: "number", pl: "liczba")
        case .true, .false: ErrorText(en: "bool", pl: "wartość logiczna")
        case .null: ErrorText(en: "null", pl: "null")
        }
    }

    private static func message(_ argument: String) -> Message? {
        (try? JSONValue.parse(argument)).flatMap { Message(stored: $0) }
    }
}
