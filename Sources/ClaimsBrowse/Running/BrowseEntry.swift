// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
public import ClaimsTerminal

/// `claimsctl browse`: the command, which claimsctl hands to the table of verbs.
public enum BrowseEntry {
    /// Runs `browse` to its end.
    ///
    /// - Throws: a usage error where the terminal cannot show it; the daemon's errors before anything is shown.
    public static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        guard context.invocation.output == nil else {
            throw .usage(
                UsageError(
                    en: "'browse' has no formats", pl: "„browse” nie ma formatów",
                    hint: ErrorText(en: "for data: claimsctl search -o json", pl: "dane daje: claimsctl search -o json")
                ))
        }
        return context.invocation.isPlain ? try PlainBrowser.run(context) : try ScreenBrowser.run(context)
    }
}
