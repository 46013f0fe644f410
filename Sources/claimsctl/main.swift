// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBrowse
import ClaimsPlatform
import ClaimsProtocol
import ClaimsTerminal
import ClaimsTriggers
import Glibc
import Synchronization

// A closed pipe is an error code of write(2), and not worth a word.
signal(SIGPIPE, SIG_IGN)
// The handlers below read state that is made by its first use.
BoundChildren.end()
UnfinishedFile.remove()
_ = Interruption.isHarmless.load(ordering: .relaxed)
_ = Interruption.harmlessWords
// An interrupt ends with the code that scripts know; a terminal's next line is the shell's.
signal(SIGINT) { _ in
    BoundChildren.end()
    UnfinishedFile.remove()
    if isatty(2) == 1 { _ = unsafe write(2, "\n", 1) }
    if Interruption.isHarmless.load(ordering: .relaxed) {
        let words = Interruption.harmlessWords
        _ = unsafe write(2, words.utf8Start, words.utf8CodeUnitCount)
    }
    _exit(130)
}
// The signal ends it as it always does, but not alone.
signal(SIGTERM) { number in
    BoundChildren.end()
    UnfinishedFile.remove()
    signal(number, SIG_DFL)
    raise(number)
}

let program = Program(
    version: Product.version, surroundings: .process, output: Output(descriptor: 1), errors: Output(descriptor: 2),
    commands: [
        ModuleCommand(.browse, BrowseEntry.run), CheckCommand.entry, MetricsCommand.entry,
        ModuleCommand(.trigger, TriggerCommand.run),
    ])
exit(program.run(Array(CommandLine.arguments.dropFirst())).rawValue)
