// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Glibc

let options: UpstreamOptions
do throws(UpstreamError) {
    options = try UpstreamOptions(CommandLine.arguments.dropFirst())
} catch {
    FileDescriptor.print("claims-upstream: \(error.message)\n", to: STDERR_FILENO)
    exit(64)
}
if options.wantsHelp {
    FileDescriptor.print(UpstreamOptions.help, to: STDOUT_FILENO)
    exit(0)
}
signal(SIGTERM) { _ in _exit(0) }
signal(SIGINT) { _ in _exit(0) }
do throws(UpstreamError) {
    let upstream = try Upstream.start(options)
    FileDescriptor.print("listening on 127.0.0.1:\(upstream.port)\n", to: STDOUT_FILENO)
    if options.untilEOF { upstream.alsoRun(exitAtEndOfInput) }
    try upstream.run()
} catch {
    FileDescriptor.print("claims-upstream: \(error.message)\n", to: STDERR_FILENO)
    exit(1)
}

/// Ends the process when standard input ends: when the process that started it is gone.
func exitAtEndOfInput() {
    let input = FileDescriptor(owning: STDIN_FILENO)
    var buffer = [UInt8](repeating: 0, count: 512)
    while let count = try? input.read(into: &buffer), count > 0 {}
    _exit(0)
}

extension FileDescriptor {
    /// Writes text for people; a closed descriptor is no error.
    static func print(_ text: String, to raw: Int32) {
        let output = FileDescriptor(owning: raw)
        try? output.write(Array(text.utf8))
        _ = output.release()
    }
}
