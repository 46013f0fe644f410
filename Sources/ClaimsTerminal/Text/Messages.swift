// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
public import ClaimsPlatform

/// The table of what claimsctl says to people, in one of its languages.
///
/// Its members stand in the files of this folder, by topic. A member is made with ``text(en:pl:)``, so none can be
/// without a translation. Values that come from records or upstreams are escaped before they are given to a member.
///
/// A text that is made where no language is known, such as that of an error or of a row of a table, is a
/// `TranslatedText`, and ``text(_:)`` gives it in this language. A noun after a number is a `Plural`, and
/// ``count(_:_:)`` writes both.
///
/// ```swift
/// let messages = Messages("pl_PL.UTF-8")
/// messages.count(1000, .records)  // 1 000 rekordów
/// messages.relative(-180_000, to: 0)  // 3 min temu
/// ```
public struct Messages: Sendable, Hashable {
    /// Whether the texts are Polish; they are English otherwise.
    public let isPolish: Bool

    /// The table in English.
    public static let english = Messages(nil)
    /// The table in Polish.
    public static let polish = Messages("pl")

    /// Makes the table for a language.
    ///
    /// - Parameter language: a tag or the name of a locale, such as `pl` or `pl_PL.UTF-8`. Any other language than
    ///   Polish, and nil, gives English.
    public init(_ language: String?) {
        isPolish = language.map { LocalizedText.primaryLanguage(of: $0) == "pl" } ?? false
    }

    /// The code of the language: `en` or `pl`.
    public var language: String { isPolish ? "pl" : "en" }

    /// The one of two texts that is in this language.
    public func text(en english: @autoclosure () -> String, pl polish: @autoclosure () -> String) -> String {
        isPolish ? polish() : english()
    }

    /// A text of this program in this language.
    public func text(_ text: TranslatedText) -> String { isPolish ? text.polish : text.english }
}

extension TranslatedText {
    /// A text that is made of members of ``Messages``, in both languages.
    init(_ text: (Messages) -> String) {
        self.init(en: text(.english), pl: text(.polish))
    }
}

// Words that stand alone.

extension Messages {
    public var yes: String { text(en: "yes", pl: "tak") }
    public var no: String { text(en: "no", pl: "nie") }

    /// The end of a question that is answered with no unless yes is typed.
    var yesOrNo: String { text(en: "[y/N]", pl: "[t/N]") }

    /// Whether an answer that was typed means yes: `y` or `yes` in every language, and the same in this one.
    public func isYes(_ answer: String) -> Bool {
        let answer = answer.trimmingSpaces().lowercased()
        return ["y", "yes", yes, String(yes.prefix(1))].contains(answer)
    }

    /// The items as a list, with the conjunction before the last one: `a, b or c`.
    public func alternatives(_ items: [String]) -> String {
        joined(items, text(en: "or", pl: "lub"))
    }

    /// The items as a list, with the conjunction before the last one: `a, b and c`.
    public func list(_ items: [String]) -> String {
        joined(items, text(en: "and", pl: "i"))
    }

    private func joined(_ items: [String], _ conjunction: String) -> String {
        guard items.count > 1, let last = items.last else { return items.first ?? "" }
        return items.dropLast().joined(separator: ", ") + " \(conjunction) " + last
    }

    /// The text in quotation marks: `'books'`, `„książki”`.
    public func quoted(_ content: String) -> String { text(en: "'\(content)'", pl: "„\(content)”") }
}

/// The user's language, from the environment variables of locale(7).
public enum Language {
    /// The language of messages: that of the first of LC_ALL, LC_MESSAGES and LANG that is set.
    ///
    /// - Returns: a code such as `pl`; `nil` for the locales C and POSIX, and if none is set.
    public static func ofMessages(_ environment: (String) -> String?) -> String? {
        for name in ["LC_ALL", "LC_MESSAGES", "LANG"] {
            if let value = environment(name), !value.isEmpty { return code(value) }
        }
        return nil
    }

    /// The language code of a locale's name, such as `pl` of `pl_PL.UTF-8`; `nil` if the name has none.
    public static func code(_ locale: String) -> String? {
        let letters = locale.utf8.prefix { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        }
        let code = String(letters)?.lowercased() ?? ""
        return (2...3).contains(code.utf8.count) ? code : nil
    }
}

extension SystemError {
    /// The error as a phrase for people. The attempt is described in English, as in the journal.
    public var text: TranslatedText {
        TranslatedText(en: message, pl: "\(ReasonPhrase.polish(failed: operation)): \(reasonText.polish)")
    }

    /// The cause without the attempt, such as "Permission denied".
    public var reasonText: TranslatedText {
        ReasonPhrase.text(reason)
    }
}
