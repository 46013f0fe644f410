// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// An option of claimsctl; the raw value is its long name without the dashes. All that is said about it is its ``row``.
///
/// A word that is none of these, such as `--book`, is a selector, which the daemon resolves. So no collection may have
/// one of these names as its singular.
public enum Option: String, CaseIterable, Sendable {
    case collection, output, quiet, color, lang, timeout, purpose, host, socket, help, version
    case sort, limit, all, fields, view, archived, group, facets, filter, text, exists
    case maxAge = "max-age"
    case raw
    case dryRun = "dry-run"
    case wait, force, accept, yes
    case since, initial, until, none, `for`, id
    case cursorFile = "cursor-file"
    case json, attach, detach, op, state, `as`, tar
    case plot, plain
    case name, root, credential, site, incremental
    case warning, critical, to
    case configDir = "config-dir"
    case dataDir = "data-dir"
    case stateDir = "state-dir"
    case runDir = "run-dir"
    case mail

    /// The option with this long name; nil for an unknown name.
    ///
    /// It compares one by one: `init(rawValue:)` first makes a dictionary of all names, an eighth of a short run.
    public init?(long name: some StringProtocol) {
        guard let option = Self.allCases.first(where: { $0.rawValue == name }) else { return nil }
        self = option
    }
}
