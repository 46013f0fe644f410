// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsTerminal

/// `claimsctl browse`: the command, which claimsctl hands to the table of verbs.
public enum BrowseEntry {
    /// Runs `browse` to its end.
    ///
    /// - Throws: a usage error where the terminal cannot show it; the daemon's errors before anything is shown.
    public static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        guard context.invocation.output == nil else {
            throw .usage(UsageError("'browse' has no formats", hint: "for data: claimsctl search -o json"))
        }
        return context.invocation.isPlain ? try PlainBrowser.run(context) : try ScreenBrowser.run(context)
    }
}
