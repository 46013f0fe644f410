// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel

/// The names and singulars of collections that there are already, which a draft gets none of.
public struct TakenNames: Sendable {
    /// The collections by their singulars.
    private var singulars: [String: String] = [:]
    private var names: Set<String> = []

    public init() {}

    /// Adds a collection.
    ///
    /// - Parameter singular: nil where it is not known.
    public mutating func insert(_ name: String, singular: String?) {
        names.insert(name)
        if let singular { singulars[singular] = name }
    }

    /// Adds the collections of a configuration, those with mistakes too.
    public mutating func insert(_ configuration: Configuration) {
        for name in configuration.names { insert(name, singular: nil) }
        for definition in configuration.definitions { insert(definition.name, singular: definition.singular) }
    }

    /// Why a word cannot be the name of another collection, as a sentence; nil where it can.
    func objection(to word: String) -> ErrorText? {
        if names.contains(word) {
            return ErrorText(en: "there is a collection '\(word)' already", pl: "kolekcja „\(word)” już istnieje")
        }
        guard let name = singulars[word] else { return nil }
        return ErrorText(
            en: "'\(word)' is what one record of '\(name)' is called",
            pl: "„\(word)” oznacza pojedynczy rekord kolekcji „\(name)”")
    }

    /// The word, or the word with the first number that makes it free.
    func free(_ word: String, isFit: (String) -> Bool = { _ in true }) -> String {
        if isFit(word), objection(to: word) == nil { return word }
        let stem = word.prefix(ReservedNames.maxNameLength - 8)
        var number = 2
        while objection(to: "\(stem)_\(number)") != nil { number += 1 }
        return "\(stem)_\(number)"
    }
}
