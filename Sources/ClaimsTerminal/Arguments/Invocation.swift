// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsClient
public import ClaimsModel
public import ClaimsProtocol

/// A parsed command line: the verb, what it works on, and how its answer is shown.
///
/// ``ArgumentParser`` makes it. It holds no knowledge of collections and fields, which only the daemon has.
public struct Invocation: Equatable, Sendable {
    /// The verb, which decides the command that runs.
    public internal(set) var verb: Verb
    /// The collection that the line selects; nil if it names none.
    public var selector: Selector?
    /// The arguments after the verb that are no options, in their order.
    public var terms: [Term] = []

    /// The output format after `-o`; nil for `CLAIMSCTL_OUTPUT` or the default.
    public var output: OutputFormat?
    /// Whether remarks on standard error are left out (`--quiet`).
    public var isQuiet = false
    /// The use of colours (`--color`).
    public var color: ColorMode = .auto
    /// The language of labels and messages (`--lang`), such as `pl`; nil for the environment's.
    public var language: String?
    /// The maximum time to wait for the daemon; nil for the default.
    public var timeout: WrittenSpan?
    /// The purpose of the requests (`--purpose`); nil for `CLAIMSCTL_PURPOSE`, or none.
    public var purpose: Purpose?
    /// The host whose daemon is asked (`-H`); nil for this one.
    public var host: RemoteHost?
    /// The path of the daemon's socket (`--socket`); nil for the standard one.
    public var socket: String?

    /// The sort keys, in their order; empty for the collection's own order.
    public var sort: [String] = []
    /// The maximum number of records to list, from 1; nil for the default.
    public var limit: Int?
    /// Whether all records are listed (`--all`).
    public var wantsAll = false
    /// The names of the fields to show, in their order; empty for those of the definition's list.
    public var fields: [String] = []
    /// Whether the fields are listed instead of records (`--fields help`).
    public var wantsFieldHelp = false
    /// The name of the view that filters in addition; nil for none.
    public var view: String?
    /// The treatment of archived records; nil for the daemon's default.
    public var archived: ArchivedMode?
    /// Whether records come group by group.
    public var isGrouped = false
    /// The names of the fields whose values are counted; empty for none.
    public var facets: [String] = []
    /// The filter after `--filter`; nil if the terms alone make the filter.
    public var filter: String?
    /// Whether an empty result ends with exit code 3 (`--exists`).
    public var mustExist = false
    /// The maximum age of the data; older data ends with exit code 7. Nil accepts any age.
    public var maxAge: WrittenSpan?
    /// Whether the upstream's own object is shown with a record.
    public var wantsUpstream = false
    /// Whether a change is only described, and not made (`--dry-run`).
    public var isDryRun = false
    /// Whether a refresh is waited for (`--wait`).
    public var waits = false
    /// Whether a refresh ignores backoff and validators (`--force`).
    public var isForced = false
    /// The only site that is asked (`--site`); nil for all.
    public var site: String?
    /// Whether a refresh accepts changes that the guard holds (`--accept`).
    public var accepts = false
    /// Whether a command that asks first does not (`--yes`).
    public var isConfirmed = false
    /// The clock after which changes are asked for (`--since`); nil for none.
    public var since: String?
    /// The path of the file that keeps the clock (`--cursor-file`); nil for none.
    public var cursorFile: String?
    /// Whether the records are shown before their changes (`--initial`).
    public var isInitial = false
    /// The filter that is waited for (`--until`); nil if there is none.
    public var until: String?
    /// Whether it is waited until no record matches (`--none`).
    public var wantsNone = false
    /// The time for which a condition must hold unbroken (`--for`); nil if a moment will do.
    public var hold: WrittenSpan?
    /// The id of the record that a filter is explained with (`--id`); nil for none.
    public var id: String?

    /// The path of the file that gets the output (`--to`); nil for standard output.
    public var target: String?

    /// Whether plots and bars are drawn, into a pipe too (`--plot`).
    public var wantsPlot = false
    /// Whether collections are browsed in lines instead of on the whole terminal (`--plain`).
    public var isPlain = false

    /// The ranges of `check`.
    public var thresholds = ThresholdOptions()
    /// The options of verbs about definitions and their sources.
    public var sources = SourceOptions()
    /// The options of verbs that act on data.
    public var acting = ActingOptions()
    /// The options of verbs that write.
    public var writing = WritingOptions()
    /// Whether the verb is `act` because the line's own word is none: the first term may be an action, or a mistake.
    public var isActionImplied = false

    /// Makes an invocation of a verb without options or arguments.
    public init(verb: Verb) {
        self.verb = verb
    }
}

/// The ranges of `check`, as they were typed; nil for none.
public struct ThresholdOptions: Equatable, Sendable {
    /// The range outside of which a number is worth a warning (`-w`).
    public var warning: String?
    /// The range outside of which a number is critical (`-c`).
    public var critical: String?

    public init() {}
}

/// The options of the verbs about definitions and their sources.
public struct SourceOptions: Equatable, Sendable {
    /// The name of a collection that is drafted (`--name`); nil to make one.
    public var name: String?
    /// The pointer to the records that a draft is made from (`--root`); nil for the largest array.
    public var root: String?
    /// The files of credentials, each as `NAME=PATH` (`--credential`).
    public var credentials: [String] = []
    /// Whether only changes are asked for (`--incremental`).
    public var isIncremental = false

    public init() {}
}

/// The options of the verbs that act on data: folders, where they are not the usual ones.
public struct ActingOptions: Equatable, Sendable {
    /// The folder of the site's files (`--config-dir`); nil for the usual one, as below.
    public var configDirectory: String?
    /// The folder of the shipped files (`--data-dir`).
    public var dataDirectory: String?
    /// The folder of what triggers have reported (`--state-dir`).
    public var stateDirectory: String?
    /// The folder in which running triggers report their status (`--run-dir`).
    public var runDirectory: String?
    /// Whether a batch becomes a whole message (`--mail`).
    public var isMail = false

    public init() {}
}

/// The options of the verbs that write records and look after operations.
public struct WritingOptions: Equatable, Sendable {
    /// The path of a file with an object of fields (`--json`); `-` for standard input, nil for none.
    public var json: String?
    /// The paths of files to attach (`--attach`); `-` for standard input.
    public var attach: [String] = []
    /// The files to take away, each by SHA-256, name or number (`--detach`).
    public var detach: [String] = []
    /// The UUID of the operation (`--op`); nil for a new one.
    public var op: String?
    /// The state of the operations that are listed (`--state`); nil for all.
    public var state: String?
    /// The way in which an operation is resolved (`--as`).
    public var resolution: OutboxResolution?
    /// Whether an archive is written to standard output (`--tar`).
    public var isTar = false

    public init() {}

    /// Whether values or files are given by options.
    var isEmpty: Bool { json == nil && attach.isEmpty && detach.isEmpty }
}

/// A span of time with the text that it was written as, which messages repeat.
public struct WrittenSpan: Equatable, Sendable {
    /// The span as it was typed, such as `1500ms`.
    public let text: String
    /// The length of the span; `TimeSpan.infinity` for a span without an end.
    public let duration: Duration

    /// Makes a span from what was typed and what it means.
    public init(text: String, duration: Duration) {
        self.text = text
        self.duration = duration
    }
}

/// The collection that a command line selects, by name or singular; the daemon resolves it.
public struct Selector: Equatable, Sendable {
    /// The name or singular, as it was typed.
    public let name: String
    /// Whether the selector was typed as an option (`--book`). A misspelt option of the program looks the same.
    public let isOption: Bool

    /// The arguments that select the collection, as they were typed.
    var argument: String { isOption ? "--\(name)" : "--collection \(name)" }

    /// Makes a selector from a name as it was typed.
    public init(_ name: String, isOption: Bool) {
        self.name = name
        self.isOption = isOption
    }
}

/// An argument that is no option. The verb decides whether it is part of a filter, an id or a name.
public enum Term: Equatable, Sendable {
    case argument(String)
    /// The value of `--text`: a phrase to search for, and never a filter.
    case literal(String)

    /// The text of the argument, as it was typed.
    public var text: String {
        switch self {
        case .argument(let text), .literal(let text): text
        }
    }
}

/// An output format; the raw value is its name after `-o`.
public enum OutputFormat: String, CaseIterable, Sendable {
    case table, wide, json, jsonl, csv, tsv, spreadsheet, name

    /// Whether the format is laid out for people: with labels, local times, and columns that fit the terminal.
    public var isForPeople: Bool { self == .table || self == .wide }

    /// Whether the format is JSON. An error is then one JSON object on standard error.
    public var isJSON: Bool { self == .json || self == .jsonl }
}

/// The use of colours; the raw value is its name after `--color`.
public enum ColorMode: String, CaseIterable, Sendable {
    case auto, always, never
}

/// A command line that the program cannot follow. The program prints the message and exits with code 2.
public struct UsageError: Error, Equatable {
    /// The reason in one phrase.
    public let message: TranslatedText
    /// A suggestion how to correct the line; nil if there is none.
    ///
    /// `--collection NAME` in it stands for a selector; where the daemon can be asked, people read one that exists.
    public let hint: TranslatedText?

    /// Whether the hint names a word that may have been meant.
    let isSuggestion: Bool

    /// Makes an error from its reason in both languages and, if there is one, a suggestion.
    public init(en: String, pl: String, hint: TranslatedText? = nil) {
        self.init(en: en, pl: pl, isSuggestion: false, hint: hint)
    }

    init(en: String, pl: String, isSuggestion: Bool, hint: TranslatedText?) {
        self.isSuggestion = isSuggestion
        message = TranslatedText(en: en, pl: pl)
        self.hint = hint
    }
}

extension TranslatedText {
    /// The suggestion to write a line like this one.
    static func example(_ line: String) -> TranslatedText {
        TranslatedText(en: "for example: \(line)", pl: "na przykład: \(line)")
    }

    /// A text of names and commands, which are the same in both languages.
    static func same(_ text: String) -> TranslatedText { TranslatedText(en: text, pl: text) }
}

// Mistakes that several verbs know.

extension UsageError {
    /// - Parameter example: a line that names a collection.
    static func needsCollection(_ verb: String, _ example: String) -> UsageError {
        UsageError(
            en: "'\(verb)' needs a collection", pl: "„\(verb)” wymaga kolekcji", hint: .example(example))
    }

    static func needsID(_ verb: String, _ hint: TranslatedText) -> UsageError {
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
            hint: TranslatedText(en: "add --yes, if you are sure", pl: "dodaj --yes, jeśli to na pewno"))
    }
}
