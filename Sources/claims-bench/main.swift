// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CBench
import ClaimsPlatform
import Glibc

if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "--echo" {
    BenchConsole.note(EchoServer.serve(CommandLine.arguments[2]).message)
    exit(1)
}
if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "--copy" {
    exit(unsafe bench_copy(CommandLine.arguments[2]) == 0 ? 0 : 1)
}
do {
    let options = try BenchOptions(CommandLine.arguments.dropFirst())
    if options.wantsHelp {
        BenchConsole.report(BenchOptions.help)
        exit(0)
    }
    try Cleanup.onInterruption()
    let isGood = try BenchRun(options).run()
    Cleanup.run()
    exit(isGood ? 0 : 1)
} catch {
    Cleanup.run()
    BenchConsole.note("claims-bench: \((error as? BenchError)?.message ?? "\(error)")")
    exit(1)
}
