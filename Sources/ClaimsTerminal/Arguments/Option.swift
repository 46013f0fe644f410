// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// An option of claimsctl; the raw value is its long name without the dashes.
///
/// A word that is none of these, such as `--book`, is a selector, which the daemon resolves. So no collection may have
/// one of these names as its singular.
public enum Option: String, CaseIterable, Sendable {
    case collection, output, quiet, color, lang, timeout, host, socket, help, version
    case sort, limit, all, fields, view, archived, group, facets, filter, text, exists
    case maxAge = "max-age"
    case raw
    case dryRun = "dry-run"
    case wait, force, accept, yes
    case since, initial, until, none, `for`, id
    case cursorFile = "cursor-file"
    case json, attach, detach, op, state, `as`, tar
    case plot, plain

    /// The option with this long name; nil for an unknown name.
    ///
    /// It compares one by one: `init(rawValue:)` first makes a dictionary of all names, an eighth of a short run.
    public init?(long name: some StringProtocol) {
        guard let option = Self.allCases.first(where: { $0.rawValue == name }) else { return nil }
        self = option
    }

    /// The option with this letter after a single dash; nil for an unknown letter.
    public init?(short: Character) {
        switch short {
        case "o": self = .output
        case "q": self = .quiet
        case "h": self = .help
        case "H": self = .host
        default: return nil
        }
    }

    /// The letter of the option after a single dash; nil for an option without one.
    public var short: Character? {
        switch self {
        case .output: "o"
        case .quiet: "q"
        case .help: "h"
        case .host: "H"
        default: nil
        }
    }

    /// The placeholder of the option's value on a help page; `nil` for a switch, which takes no value.
    public var value: String? {
        switch self {
        case .collection: "NAME"
        case .output: "FORMAT"
        case .color: "WHEN"
        case .lang: "LANG"
        case .timeout: "SPAN"
        case .host: "HOST"
        case .socket: "PATH"
        case .sort: "KEYS"
        case .limit: "N"
        case .fields: "A,B"
        case .view: "VIEW"
        case .archived: "WHICH"
        case .facets: "FIELDS"
        case .filter: "EXPR"
        case .text: "TEXT"
        case .maxAge, .for: "SPAN"
        case .since: "CLOCK"
        case .cursorFile: "FILE"
        case .until: "EXPR"
        case .id: "ID"
        case .json, .attach: "FILE"
        case .detach: "SHA256"
        case .op: "UUID"
        case .state: "STATE"
        case .as: "HOW"
        case .quiet, .help, .version, .all, .group, .exists, .raw, .dryRun, .wait, .force, .accept, .yes, .initial,
            .none, .tar, .plot, .plain:
            nil
        }
    }

    /// The effect of the option in one line, for help pages and completion scripts.
    public var summary: String {
        switch self {
        case .collection: "the collection, by name (or --SINGULAR, as in --book)"
        case .output: "table, wide, json, jsonl, csv, tsv or name"
        case .quiet: "no notices on standard error"
        case .color: "auto, always or never"
        case .lang: "the language of labels and messages"
        case .timeout: "give up after this long (30s)"
        case .host: "the daemon of [user@]host[:port], through ssh"
        case .socket: "the daemon's socket"
        case .help: "explain the verb"
        case .version: "print the version"
        case .sort: "the order: field, -field, field:desc, or a named order"
        case .limit: "at most this many records"
        case .all: "all there are, however many; wait: --until holds for all"
        case .fields: "these fields only; `--fields help` lists them"
        case .view: "only what this named view shows"
        case .archived: "exclude, only or include archived records"
        case .group: "in the collection's groups"
        case .facets: "count the values of these fields too"
        case .filter: "a filter, as one argument"
        case .text: "find this text, whatever is in it"
        case .exists: "exit with 3 where nothing is found"
        case .maxAge: "exit with 7 where data is older than this; wait: until it is younger"
        case .raw: "with the upstream's object"
        case .dryRun: "only say what would change"
        case .wait: "wait for the outcome"
        case .force: "now, whatever backoff or Retry-After say"
        case .accept: "take what the guard holds back"
        case .yes: "do not ask first"
        case .since: "only what came after this clock; status: the span of its plots (24h)"
        case .initial: "all records first, then their changes"
        case .until: "the filter that is waited for"
        case .none: "until no record matches"
        case .for: "unbroken for this long"
        case .id: "explain: each part of the filter, for this record; outbox: the upstream's id"
        case .cursorFile: "go on from the clock in this file, and keep the new one there"
        case .json: "an object of fields, from a file; - for standard input"
        case .attach: "attach this file; - for standard input"
        case .detach: "take the file with this SHA-256 away"
        case .op: "the operation's UUID, so that the command can be repeated"
        case .state: "operations in this state; stuck: those that wait for somebody"
        case .as: "mine, done or again"
        case .tar: "an archive on standard output"
        case .plot: "bars and plots of characters, into a pipe too"
        case .plain: "lines in and lines out, for screen readers and pipes"
        }
    }

    /// Whether every verb takes the option; ``host`` belongs to every verb that asks the daemon. A verb names the others
    /// in ``Verb/options``, and by ``Verb/takesSelector`` whether it takes `--collection`.
    public var isCommon: Bool {
        switch self {
        case .output, .quiet, .color, .lang, .timeout, .host, .socket, .help, .version: true
        case .collection, .sort, .limit, .all, .fields, .view, .archived, .group, .facets, .filter, .text, .exists,
            .maxAge, .raw, .dryRun, .wait, .force, .accept, .yes, .since, .initial, .until, .none, .for, .id,
            .cursorFile, .json, .attach, .detach, .op, .state, .as, .tar, .plot, .plain:
            false
        }
    }
}
