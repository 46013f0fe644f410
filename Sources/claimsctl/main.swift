// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsTerminal
import Glibc

// A closed pipe is an error code of write(2), and not worth a word; an interrupt ends with the code that scripts know.
signal(SIGPIPE, SIG_IGN)
signal(SIGINT) { _ in _exit(130) }

let program = Program(
    version: "0.1.0", surroundings: .process, output: Output(descriptor: 1), errors: Output(descriptor: 2))
exit(program.run(Array(CommandLine.arguments.dropFirst())).rawValue)
