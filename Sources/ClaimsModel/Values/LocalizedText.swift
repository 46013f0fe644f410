// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A short text of a definition, in one or more languages, which keep the order in which they were written.
///
/// A definition may have any languages. A text of this program has both of its own: ``TranslatedText``.
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
