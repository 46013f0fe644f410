// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsTerminal
import Glibc

/// `trigger skip NAME`: the batch that waits counts as reported.
enum TriggerSkip {
    static func run(
        _ context: CommandContext, _ name: String, _ folders: TriggerFolders
    ) throws(CommandError) -> ExitCode {
        let folder = folders.state(of: name)
        guard let waiting = try skip(folder) else { throw nothing(name) }
        try context.write(Array((context.messages.skipped(waiting.id, lines: waiting.count) + "\n").utf8))
        try context.flush()
        return .done
    }

    /// Commits the batch that waits, and returns it; nil if none waits.
    private static func skip(_ folder: String) throws(CommandError) -> TriggerState.Waiting? {
        do throws(SystemError) {
            try enter(folder)
            let state = try TriggerState(".")
            guard let waiting = state.waiting else { return nil }
            try state.markReported()
            try state.commitWaiting(at: nil)
            return waiting
        } catch {
            if error.isNotFound { return nil }
            throw .state(error)
        }
    }

    /// Enters the folder, and takes the rights of its owner, who alone may change its contents. Root enters first,
    /// because the owner may not be allowed to pass the folders above it.
    private static func enter(_ folder: String) throws(SystemError) {
        guard unsafe chdir(folder) == 0 else { throw .last("enter \(folder)") }
        guard let owner = Files.owner("."), owner.user != ProcessUser.number else { return }
        guard ProcessUser.number == 0 else { throw SystemError("change \(folder)", errno: EPERM) }
        try ProcessUser.become(user: owner.user, group: owner.group, name: nil)
    }

    private static func nothing(_ name: String) -> CommandError {
        .failed(
            .notFound, kind: "not_found",
            message: TranslatedText(
                en: "no batch of '\(name)' waits", pl: "żadna paczka wyzwalacza „\(name)” nie czeka"))
    }
}
