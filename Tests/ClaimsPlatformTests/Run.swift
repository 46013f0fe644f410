// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Testing

/// The output of a program, which must end well.
func run(_ program: String, _ arguments: [String], environment: [String]?) throws -> String {
    let output = try FileDescriptor.temporary(in: "/tmp")
    let null = try FileDescriptor.open("/dev/null", .update)
    let child = try ChildProcess(
        program, arguments, environment: environment.map { $0 + ["PATH=/usr/bin:/bin:/usr/sbin:/sbin"] },
        input: null.raw, output: output.raw)
    let status = child.wait()
    try #require(status == .exited(0))
    return String(decoding: try output.read(try output.size(), at: 0), as: UTF8.self)
}
