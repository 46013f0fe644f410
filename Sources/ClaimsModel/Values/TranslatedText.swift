// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON

/// A text of this program, in English and in Polish. It cannot be made without either of them, so a new text does not
/// compile untranslated.
///
/// Names, codes and other data are the same in both languages. A noun after a number is a ``Plural``. A text that is
/// stored, and translated when it is shown, is a ``Message``. The labels of definitions are ``LocalizedText``.
///
/// ```swift
/// let text = TranslatedText(en: "unknown field '\(name)'", pl: "nieznane pole „\(name)”")
/// text.text("pl-PL")
/// ```
public struct TranslatedText: Sendable, Hashable {
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
    public func joined(_ separator: String, _ other: TranslatedText) -> TranslatedText {
        TranslatedText(en: english + separator + other.english, pl: polish + separator + other.polish)
    }
}

extension Suggestion {
    /// A question for people, such as `did you mean 'status'?`; nil if no candidate is near enough.
    public static func question(_ name: String, among candidates: some Sequence<String>) -> TranslatedText? {
        nearest(name, among: candidates).map(question)
    }

    /// The question whether `name` was meant.
    public static func question(_ name: String) -> TranslatedText {
        TranslatedText(en: "did you mean '\(name)'?", pl: "czy chodziło o „\(name)”?")
    }
}

extension JSONError {
    /// The error as a phrase for people, such as "unexpected end at byte 4096".
    public var text: TranslatedText {
        TranslatedText(en: message, pl: "\(polishPhrase) w bajcie \(offset)")
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
