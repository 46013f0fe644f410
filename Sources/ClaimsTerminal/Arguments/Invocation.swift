// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A command line, understood: what to do, on what, and how to show it.
///
/// Made by ``ArgumentParser``; nothing here knows what collections or fields exist.
public struct Invocation: Equatable, Sendable {
    public var verb: Verb = .help
    public var selector: Selector?
    public var terms: [Term] = []

    public var output: OutputFormat?
    public var isQuiet = false
    public var color: ColorMode = .auto
    public var language: String?
    /// How long to wait for the daemon, in milliseconds.
    public var timeout: Int64?
    public var socket: String?

    public var sort: [String] = []
    public var limit: Int?
    public var wantsAll = false
    public var fields: [String] = []
    /// `--fields help`: list them instead.
    public var wantsFieldHelp = false
    public var view: String?
    public var archived: ArchivedMode?
    public var isGrouped = false
    public var facets: [String] = []
    public var filter: String?
    public var mustExist = false
    /// The age at which data counts as too old, in milliseconds.
    public var maxAge: Int64?
    public var wantsUpstream = false
    public var isDryRun = false
    public var waits = false
    public var isForced = false
    public var accepts = false

    public init() {}
}
