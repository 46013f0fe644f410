// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// What claimsctl can be asked to do. `list` is another word for `search`.
public enum Verb: String, CaseIterable, Sendable {
    case search, sort, detail, archive, unarchive, refresh, status, count, facets, deal, describe, raw, completion
    case help

    public static let aliases: [String: Verb] = ["list": .search]

    public init?(word: String) {
        guard let verb = Verb(rawValue: word) ?? Verb.aliases[word] else { return nil }
        self = verb
    }

    /// Every word that may stand in a verb's place.
    public static var words: [String] { allCases.map(\.rawValue) + aliases.keys.sorted() }

    /// One line for the list of verbs.
    public var summary: String {
        switch self {
        case .search: "find records: filter, sort, page (also: list)"
        case .sort: "show a whole collection in an order"
        case .detail: "show everything about records"
        case .archive: "hide records from lists"
        case .unarchive: "bring archived records back"
        case .refresh: "ask the upstream now"
        case .status: "show the daemon and its collections at a glance"
        case .count: "count records"
        case .facets: "count records by the values of fields"
        case .deal: "show the deal of the day"
        case .describe: "show what collections hold, or what methods take"
        case .raw: "send protocol lines as they are"
        case .completion: "print a completion script for bash, zsh or fish"
        case .help: "explain a verb, the exit codes or filters"
        }
    }

    /// What follows the verb on its usage line.
    public var synopsis: String {
        switch self {
        case .search, .count: "[SELECTOR] [TERMS…]"
        case .sort: "SELECTOR [KEYS…]"
        case .detail: "SELECTOR ID…"
        case .archive, .unarchive: "SELECTOR (ID… | --filter EXPR)"
        case .refresh: "[SELECTOR]"
        case .status: ""
        case .facets: "SELECTOR FIELD… [TERMS…]"
        case .deal: "[SELECTOR]"
        case .describe: "[SELECTOR | METHOD]"
        case .raw: "(JSON… | -)"
        case .completion: "(bash | zsh | fish)"
        case .help: "[VERB | exit-codes | filters]"
        }
    }
}
