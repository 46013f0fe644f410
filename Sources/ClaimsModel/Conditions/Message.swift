// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON

/// A message for people, kept as a key with arguments and translated only when it is shown.
///
/// An argument is data, such as a status or an address, or one of ``MessageArgument``, which is translated with the
/// message. The cause that a library gives is in English, and told in Polish where it is known: ``ReasonPhrase``.
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

    /// The message in `language`, or in English if it has no translation; see ``LocalizedText/text(_:)``.
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
        // A cause that nobody knows is not announced.
        return text.hasSuffix(": ") ? String(text.dropLast(2)) : text
    }

    /// An argument as the message shows it.
    private func shown(_ index: Int, _ language: String) -> String {
        let isCause = key.causeIndex == index && LocalizedText.primaryLanguage(of: language) == "pl"
        return isCause
            ? ReasonPhrase.polish(arguments[index]) : MessageArgument.text(arguments[index], of: key, language)
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
