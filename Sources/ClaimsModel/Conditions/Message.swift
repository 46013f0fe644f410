// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON

/// A sentence for people with its particulars, in whatever language it is asked for.
///
/// What comes from below, such as a library's own words, stays in the language it came in.
public struct Message: Sendable, Hashable {
    public let sentence: Sentence
    /// What takes the places of the sentence, in their order: `{0}`, `{1}`.
    public let particulars: [String]

    public init(_ sentence: Sentence, _ particulars: String...) {
        self.init(sentence, particulars: particulars)
    }

    public init(_ sentence: Sentence, particulars: [String]) {
        self.sentence = sentence
        self.particulars = particulars
    }

    /// The sentence in `language`; see `LocalizedText.text`.
    public func text(_ language: String) -> String {
        var text = ""
        var rest = sentence.wording.text(language)[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            text += rest[..<open]
            if let place = Int(rest[rest.index(after: open)..<close]), particulars.indices.contains(place) {
                text += particulars[place]
            }
            rest = rest[rest.index(after: close)...]
        }
        return text + rest
    }

    /// The form in which a message is kept: an array of the sentence's name and the particulars.
    public var stored: JSONValue {
        .array([.string(sentence.rawValue)] + particulars.map { .string($0) })
    }

    /// Reads the stored form; nil if it is none, or of a sentence that this version does not know.
    public init?(stored: JSONValue) {
        guard case .array(let parts) = stored, case .string(let name)? = parts.first,
            let sentence = Sentence(rawValue: name)
        else { return nil }
        var particulars: [String] = []
        for part in parts.dropFirst() {
            guard case .string(let particular) = part else { return nil }
            particulars.append(particular)
        }
        self.init(sentence, particulars: particulars)
    }
}
