// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The table of claimsctl's verbs, with the command that each runs.
///
/// A new verb is described in the file of its command, and has one line here.
public enum CommandTable {
    /// The command of a verb.
    public typealias Action = (CommandContext) throws(CommandError) -> ExitCode

    private static var commands: [(verb: Verb, run: Action)] {
        [
            (.browse, ModuleCommand.refuse), (.search, ListCommand.run), (.sort, ListCommand.run),
            (.detail, DetailCommand.run),
            (.archive, ArchiveCommand.run), (.unarchive, ArchiveCommand.run), (.refresh, RefreshCommand.run),
            (.add, AddCommand.run), (.edit, EditCommand.run), (.delete, DeleteCommand.run),
            (.act, { context throws(CommandError) in try ActCommand.run(context, verbs: verbs) }),
            (.open, OpenCommand.run), (.share, ShareCommand.run), (.outbox, OutboxCommand.run),
            (.status, StatusCommand.run), (.check, ModuleCommand.refuse), (.metrics, ModuleCommand.refuse),
            (.refreshes, RefreshesCommand.run), (.count, CountCommand.run),
            (.facets, FacetsCommand.run),
            (.changes, ChangesCommand.run), (.watch, WatchCommand.run), (.wait, WaitCommand.run),
            (.history, HistoryCommand.run), (.explain, ExplainCommand.run), (.quarantine, QuarantineCommand.run),
            (.forget, ForgetCommand.run), (.deal, DealCommand.run),
            (.describe, DescribeCommand.run), (.define, DefineCommand.run),
            (.attempt, TryCommand.run),
            (.trigger, ModuleCommand.refuse),
            (.raw, RawCommand.run), (.stdio, StdioCommand.run),
            (.completion, CompletionCommand.run),
            (.help, { context throws(CommandError) in try HelpCommand.run(context, verbs: verbs) }),
        ]
    }

    /// All verbs for people, in the order of the help pages and the manual.
    public static let verbs = commands.map(\.verb)

    /// The verbs that only the completion scripts call.
    private static var hidden: [(verb: Verb, run: Action)] {
        [(.complete, { context throws(CommandError) in try CompleteCommand.run(context, verbs: verbs) })]
    }

    /// Every word that the parser knows.
    static let parsed = verbs + hidden.map(\.verb)

    /// The action of the verb; nil for a verb that is not in the table.
    static func action(of verb: Verb) -> Action? {
        (commands + hidden).first { $0.verb == verb }?.run
    }
}
