// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON

/// A message for people, kept as a key with arguments and translated only when it is shown.
///
/// A text that is not stored needs no key: it is a ``TranslatedText``.
///
/// An argument is data, such as a status or an address, or one of ``MessageArgument``, which is translated with the
/// message. The cause that a library gives is in English, and shown in Polish if it is known: ``ReasonPhrase``.
///
/// ```swift
/// let message = Message(.httpStatus, "404 Not Found")
/// message.text("pl")      // Serwer odpowiedział 404
/// ```
public struct Message: Sendable, Hashable {
    /// The key of the text, which has placeholders such as `{0}`.
    public let key: MessageKey
    /// The values of the placeholders `{0}`, `{1}` and so on, in this order.
    public let arguments: [String]

    public init(_ key: MessageKey, _ arguments: String...) {
        self.init(key, arguments: arguments)
    }

    public init(_ key: MessageKey, arguments: [String]) {
        self.key = key
        self.arguments = arguments
    }

    /// The message in `language`, or in English if it has no translation; see ``TranslatedText/text(_:)``.
    public func text(_ language: String) -> String {
        var text = ""
        var rest = key.message.text(language)[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            text += rest[..<open]
            if let index = Int(rest[rest.index(after: open)..<close]), arguments.indices.contains(index) {
                text += shown(index, language)
            }
            rest = rest[rest.index(after: close)...]
        }
        text += rest
        // An unknown cause is not announced.
        return text.hasSuffix(": ") ? String(text.dropLast(2)) : text
    }

    /// An argument as the message shows it.
    private func shown(_ index: Int, _ language: String) -> String {
        key.causeIndex == index
            ? ReasonPhrase.text(arguments[index], language)
            : MessageArgument.text(arguments[index], of: key, language)
    }

    /// The form in which a message is stored: an array of the key's name and the arguments, all strings.
    public var stored: JSONValue {
        .array([.string(key.rawValue)] + arguments.map { .string($0) })
    }

    /// Reads the stored form of a message; nil if it is malformed or has a key that this version does not know.
    public init?(stored: JSONValue) {
        guard case .array(let parts) = stored, case .string(let name)? = parts.first,
            let key = MessageKey(rawValue: name)
        else { return nil }
        var arguments: [String] = []
        for part in parts.dropFirst() {
            guard case .string(let argument) = part else { return nil }
            arguments.append(argument)
        }
        self.init(key, arguments: arguments)
    }
}

extension TranslatedText {
    /// A message, in both languages.
    public init(_ message: Message) {
        self.init(en: message.text("en"), pl: message.text("pl"))
    }
}

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
        switch key {
        case .notJSON: (error(argument)?.text ?? markup(argument))?.text(language) ?? argument
        case .rootNotArray, .pointerNotArray, .nextUnusable: kind(argument)?.text(language) ?? argument
        case .join, .writeUnanswered, .tokenFailed: message(argument)?.text(language) ?? argument
        // The phrases of HTTP are English.
        case .httpStatus, .credentialRejected, .tokenRefused, .writeWithoutID:
            TranslatedText(en: argument, pl: String(argument.prefix { $0 != " " })).text(language)
        default: argument
        }
    }

    private static let errorMark = "@json "
    private static let kindMark = "@kind "
    private static let htmlMark = "@html"
    private static let xmlMark = "@xml"

    private static func markup(_ argument: String) -> TranslatedText? {
        switch argument {
        case htmlMark: TranslatedText(en: "it is HTML, a page for people", pl: "to HTML, strona dla ludzi")
        case xmlMark: TranslatedText(en: "it is XML", pl: "to XML")
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

    private static func kind(_ argument: String) -> TranslatedText? {
        guard argument.hasPrefix(kindMark) else { return nil }
        let name = argument.dropFirst(kindMark.count)
        let kinds = (UInt8.min...UInt8.max).lazy.compactMap { JSONKind(rawValue: $0) }
        return kinds.first { "\($0)" == name }.map(text)
    }

    private static func text(_ kind: JSONKind) -> TranslatedText {
        switch kind {
        case .object: TranslatedText(en: "object", pl: "obiekt")
        case .array: TranslatedText(en: "array", pl: "tablica")
        case .string: TranslatedText(en: "string", pl: "tekst")
        case .number: TranslatedText(en: "number", pl: "liczba")
        case .true, .false: TranslatedText(en: "bool", pl: "wartość logiczna")
        case .null: TranslatedText(en: "null", pl: "null")
        }
    }

    private static func message(_ argument: String) -> Message? {
        (try? JSONValue.parse(argument)).flatMap { Message(stored: $0) }
    }
}
