// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

// Mistakes that several verbs know.

extension UsageError {
    /// - Parameter example: a line that names a collection.
    static func needsCollection(_ verb: String, _ example: String) -> UsageError {
        UsageError(
            en: "'\(verb)' needs a collection", pl: "„\(verb)” wymaga kolekcji", hint: .example(example))
    }

    static func needsID(_ verb: String, _ hint: ErrorText) -> UsageError {
        UsageError(en: "'\(verb)' needs an id", pl: "„\(verb)” wymaga identyfikatora", hint: hint)
    }

    static let needsVerb = UsageError(
        en: "the line has no verb", pl: "w wierszu nie ma polecenia", hint: .example("claimsctl help"))

    /// The mistake of a word that is none of those there are.
    static func none(_ word: String, of known: [String], _ verb: Verb) -> UsageError {
        let list = known.joined(separator: ", ")
        return UsageError(
            en: "'\(word)' is none of \(list)", pl: "„\(word)” nie jest żadnym z: \(list)",
            hint: Suggestion.question(word, among: known) ?? verb.helpHint)
    }

    /// The mistake of two options that cannot stand together.
    static func contradiction(_ one: String, _ other: String) -> UsageError {
        UsageError(en: "\(one) and \(other) contradict each other", pl: "\(one) i \(other) wykluczają się")
    }

    static func twoCollections(_ one: String, _ other: String) -> UsageError {
        UsageError(en: "two collections: '\(one)' and '\(other)'", pl: "dwie kolekcje: „\(one)” i „\(other)”")
    }

    /// The mistake of a verb that asks first, without a terminal and without `--yes`.
    static func asksFirst(_ verb: String) -> UsageError {
        UsageError(
            en: "'\(verb)' asks first, and there is no terminal", pl: "„\(verb)” najpierw pyta, a nie ma terminala",
            hint: ErrorText(en: "add --yes, if you are sure", pl: "dodaj --yes, jeśli to na pewno"))
    }
}

extension CommandError {
    /// The end of a command whose user has said no.
    static func declined(en: String, pl: String) -> CommandError {
        .failed(.failure, kind: "declined", message: ErrorText(en: en, pl: pl))
    }

    /// The error of an input that cannot be read or used.
    static func input(en: String, pl: String) -> CommandError {
        .failed(.failure, kind: "input", message: ErrorText(en: en, pl: pl))
    }
}
