// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON

/// A text about an error, in English and in Polish. It cannot be made without either of them, so a new error does not
/// compile untranslated.
///
/// Names, codes and other data are the same in both languages.
///
/// ```swift
/// let text = ErrorText(en: "unknown field '\(name)'", pl: "nieznane pole „\(name)”")
/// text.text("pl-PL")
/// ```
public struct ErrorText: Sendable, Hashable {
    /// The text in English, which journals and configuration errors use.
    public let english: String
    /// The text in Polish.
    public let polish: String

    public init(en english: String, pl polish: String) {
        self.english = english
        self.polish = polish
    }

    /// The text in a language: Polish for a tag such as `pl` or `pl_PL.UTF-8`, and English for any other.
    public func text(_ language: String) -> String {
        LocalizedText.primaryLanguage(of: language) == "pl" ? polish : english
    }

    /// This text and another one, with `separator` between them.
    public func joined(_ separator: String, _ other: ErrorText) -> ErrorText {
        ErrorText(en: english + separator + other.english, pl: polish + separator + other.polish)
    }
}

extension Suggestion {
    /// A question for people, such as `did you mean 'status'?`; nil if no candidate is near enough.
    public static func question(_ name: String, among candidates: some Sequence<String>) -> ErrorText? {
        nearest(name, among: candidates).map(question)
    }

    /// The question whether `name` was meant.
    public static func question(_ name: String) -> ErrorText {
        ErrorText(en: "did you mean '\(name)'?", pl: "czy chodziło o „\(name)”?")
    }
}

extension JSONError {
    /// The error as a phrase for people, such as "unexpected end at byte 4096".
    public var text: ErrorText {
        ErrorText(en: message, pl: "\(polishPhrase) w bajcie \(offset)")
    }

    private var polishPhrase: StaticString {
        switch code {
        case .unexpectedEnd: "nieoczekiwany koniec"
        case .expectedValue: "oczekiwano wartości"
        case .expectedKey: "oczekiwano nazwy składowej w cudzysłowie"
        case .expectedColon: "oczekiwano „:”"
        case .expectedCommaOrBracket: "oczekiwano „,” lub „]”"
        case .expectedCommaOrBrace: "oczekiwano „,” lub „}”"
        case .badNumber: "niepoprawna liczba"
        case .badEscape: "nieznana sekwencja po ukośniku odwrotnym"
        case .loneSurrogate: "połowa pary zastępczej"
        case .badUTF8: "niepoprawne UTF-8"
        case .controlCharacter: "znak sterujący w tekście"
        case .tooDeep: "zbyt głębokie zagnieżdżenie"
        case .tooLarge: "zbyt wiele wartości"
        case .trailingBytes: "nieoczekiwane dane po wartości"
        case .badPointer: "niepoprawny wskaźnik JSON"
        }
    }
}

/// A short text in one or more languages, which keep the order in which they were written.
public struct LocalizedText: Sendable, Hashable {
    /// The text in one language.
    public struct Translation: Sendable, Hashable {
        /// The primary language in lower case, such as `en` or `pl` (RFC 5646).
        public let language: String
        /// The text in that language.
        public let text: String

        public init(language: String, text: String) {
            self.language = language
            self.text = text
        }
    }

    /// The translations in written order; at least one, unless the text was made from none.
    public let translations: [Translation]

    public init(_ translations: [Translation]) {
        self.translations = translations
    }

    /// A text in English only.
    public init(_ english: String) {
        translations = [Translation(language: "en", text: english)]
    }

    /// A text in English and Polish.
    public init(en: String, pl: String) {
        translations = [Translation(language: "en", text: en), Translation(language: "pl", text: pl)]
    }

    /// The translation in `language`, or else in English, or else the first; empty if there is none.
    ///
    /// - Parameter language: A language tag or locale name, such as `pl-PL` or `pl_PL.UTF-8`, of which only the primary
    ///   language counts.
    public func text(_ language: String) -> String {
        let tag = Self.primaryLanguage(of: language)
        let translation =
            translations.first { $0.language == tag } ?? translations.first { $0.language == "en" }
            ?? translations.first
        return translation?.text ?? ""
    }

    /// The primary language of a tag or locale name, in lower case, such as `pl` for `pl_PL.UTF-8`.
    public static func primaryLanguage(of tag: String) -> String {
        tag.prefix { $0.isASCII && $0.isLetter }.lowercased()
    }

    /// A name or code as words for people, for names without a label.
    ///
    /// `SENT_TO_PRESS` and `sent-to-press` both become "Sent to press".
    public static func humanized(_ name: String) -> String {
        let isShouted = !name.utf8.contains { $0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "z") }
        let words = (isShouted ? name.lowercased() : name).split { $0 == "_" || $0 == "-" || $0 == " " }
        let text = words.joined(separator: " ")
        return text.prefix(1).uppercased() + text.dropFirst()
    }
}
