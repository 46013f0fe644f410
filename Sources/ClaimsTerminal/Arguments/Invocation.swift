// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A command line, understood: what to do, on what, and how to show it.
///
/// Made by ``ArgumentParser``; nothing here knows what collections or fields exist.
package struct Invocation: Equatable, Sendable {
    package var verb: Verb = .help
    package var selector: Selector?
    package var terms: [Term] = []

    package var output: OutputFormat?
    package var isQuiet = false
    package var color: ColorMode = .auto
    package var language: String?
    /// How long to wait for the daemon, in milliseconds.
    package var timeout: Int64?
    package var socket: String?

    package var sort: [String] = []
    package var limit: Int?
    package var wantsAll = false
    package var fields: [String] = []
    /// `--fields help`: list them instead.
    package var wantsFieldHelp = false
    package var view: String?
    package var archived: ArchivedMode?
    package var isGrouped = false
    package var facets: [String] = []
    package var filter: String?
    package var mustExist = false
    /// The age at which data counts as too old, in milliseconds.
    package var maxAge: Int64?
    package var wantsUpstream = false
    package var isDryRun = false
    package var waits = false
    package var isForced = false
    package var accepts = false

    package init() {}
}
