// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A short text in one or more languages, in the order in which they were written.
public struct LocalizedText: Sendable, Hashable {
    /// One language's wording.
    public struct Wording: Sendable, Hashable {
        /// A primary language tag in lower case: `en`, `pl`.
        public let language: String
        public let text: String

        public init(language: String, text: String) {
            self.language = language
            self.text = text
        }
    }

    /// The wordings, at least one unless the text was made of none.
    public let wordings: [Wording]

    public init(_ wordings: [Wording]) {
        self.wordings = wordings
    }

    /// A text known in English only.
    public init(_ english: String) {
        wordings = [Wording(language: "en", text: english)]
    }

    public init(en: String, pl: String) {
        wordings = [Wording(language: "en", text: en), Wording(language: "pl", text: pl)]
    }

    /// The wording in `language`, else the English one, else the first, else nothing.
    ///
    /// - Parameter language: a tag or locale name; what follows its primary language is ignored (`pl-PL`, `pl_PL.UTF-8`).
    public func text(_ language: String) -> String {
        let tag = Self.primaryLanguage(of: language)
        let wording =
            wordings.first { $0.language == tag } ?? wordings.first { $0.language == "en" } ?? wordings.first
        return wording?.text ?? ""
    }

    /// The primary language of a tag or locale name, in lower case: `pl` of `pl_PL.UTF-8`.
    public static func primaryLanguage(of tag: String) -> String {
        tag.prefix { $0.isASCII && $0.isLetter }.lowercased()
    }
}
