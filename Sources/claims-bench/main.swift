// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Glibc

if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "--echo" {
    Console.note(EchoServer.serve(CommandLine.arguments[2]).message)
    exit(1)
}
do {
    let options = try Options(CommandLine.arguments.dropFirst())
    if options.wantsHelp {
        Console.report(Options.help)
        exit(0)
    }
    try Cleanup.onInterruption()
    let bench = try Bench(options)
    let isGood = bench.run()
    Cleanup.run()
    exit(isGood ? 0 : 1)
} catch {
    Cleanup.run()
    Console.note("claims-bench: \((error as? BenchError)?.message ?? "\(error)")")
    exit(1)
}
