// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel

/// A verb of claimsctl: its words, its options and the texts of its help page.
///
/// The parser, the help pages, the completion scripts and the manual use it. A verb is described in the file of its
/// command:
/// ```swift
/// extension Verb {
///     static let deal = Verb(
///         "deal", summary: TranslatedText(en: "advertise a record", pl: "pokazuje ofertę"),
///         synopsis: "[SELECTOR]", details: TranslatedText(en: "…", pl: "…"))
/// }
/// ```
public struct Verb: Sendable {
    /// The word on the command line; no other verb has it.
    public let word: String
    /// Further words for the verb, each with the same effect.
    public let aliases: [String]
    /// The effect of the verb in one line, for the list of verbs.
    public let summary: TranslatedText
    /// The arguments on the verb's usage line.
    public let synopsis: String
    /// The text of the verb's help page, after the usage line.
    public let details: TranslatedText
    /// Command lines that work, without the program's name.
    public let examples: [String]
    /// The options that the verb takes in addition to the common ones.
    public let options: [Option]
    /// Whether the verb is about one collection or several, which a selector names.
    public let takesSelector: Bool
    /// The maximum number of arguments beside options; `Int.max` for any number.
    public let maxArguments: Int
    /// The arguments that are no options, as completion offers them.
    let terms: VerbTerms
    /// Whether the verb can be about the daemon of another host.
    public let takesHost: Bool
    /// Whether only scripts call the verb, so that no list shows it.
    public let isHidden: Bool

    init(
        _ word: String, aliases: [String] = [], summary: TranslatedText, synopsis: String = "", details: TranslatedText,
        options: [Option] = [], takesSelector: Bool = true, maxArguments: Int = .max, terms: VerbTerms = .nothing,
        takesHost: Bool = true, isHidden: Bool = false
    ) {
        self.word = word
        self.aliases = aliases
        self.summary = summary
        self.synopsis = synopsis
        self.details = details
        examples = Examples.lines(of: word)
        self.options = options
        self.takesSelector = takesSelector
        self.maxArguments = maxArguments
        self.terms = terms
        self.takesHost = takesHost
        self.isHidden = isHidden
    }

    /// Its terms are sort keys, so that `-` with two or more letters is one of them and no option.
    var takesKeys: Bool { terms == .keys }

    /// Its first term is the name of an action, which stands for the verb where it is none.
    var takesActionNames: Bool { terms == .actions }

    /// Every word that calls the verb: ``word`` and the aliases.
    public var words: [String] { [word] + aliases }

    /// Whether the verb takes the option, as a common one or as one of its own.
    public func takes(_ option: Option) -> Bool {
        switch option {
        case .collection: takesSelector
        case .host: takesHost
        default: option.isCommon || options.contains(option)
        }
    }

    /// The hint of a mistake that has no better one.
    var helpHint: TranslatedText {
        TranslatedText(en: "what it takes: claimsctl help \(word)", pl: "co przyjmuje: claimsctl help \(word)")
    }
}

extension Verb: Equatable {
    /// Whether both are the same verb, by their word.
    public static func == (one: Verb, other: Verb) -> Bool { one.word == other.word }
}

/// The arguments of a verb that are no options, as completion offers them.
enum VerbTerms: Equatable, Sendable {
    case nothing
    /// Parts of a filter.
    case filters
    /// Names of fields, and then parts of a filter.
    case fields
    /// Sort keys.
    case keys
    case ids
    /// Verbs and other topics of help.
    case topics
    /// The name of an action, then ids.
    case actions
    /// Ids, then fields with values.
    case edits
    /// Fields with values.
    case assignments
    /// One of these words.
    case words([String])
}
