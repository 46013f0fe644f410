// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsPlatform
import Glibc

/// Runs `claimsctl` as a person would.
public enum ControlProgram {
    /// The result of one run.
    public struct Outcome: Sendable {
        public let status: ExitStatus
        public let output: String
        public let error: String

        public init(status: ExitStatus, output: String, error: String) {
            self.status = status
            self.output = output
            self.error = error
        }

        /// The exit code, or 128 and the signal.
        public var code: Int32 { status.code }
    }

    /// Runs it to its end.
    ///
    /// - Parameters:
    ///   - socket: where the daemon listens.
    ///   - environment: over a small, fixed one (UTC, C.UTF-8).
    ///   - input: its standard input, whole.
    public static func run(
        _ arguments: [String], socket: String? = nil, environment: [String: String] = [:], input: String = ""
    ) throws -> Outcome {
        var changes = environment
        if let socket { changes["CLAIMSD_SOCKET"] = changes["CLAIMSD_SOCKET"] ?? socket }
        return try run("claimsctl", arguments, environment: changes, input: input)
    }

    /// Runs any of the built programs to its end, or with a path any other program.
    public static func run(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], input: String = ""
    ) throws -> Outcome {
        let standardInput = try FileDescriptor.temporary(in: "/tmp")
        try standardInput.write(Array(input.utf8))
        lseek(standardInput.raw, 0, SEEK_SET)
        let output = try FileDescriptor.temporary(in: "/tmp")
        let error = try FileDescriptor.temporary(in: "/tmp")
        let process = try ChildProcess(
            program.hasPrefix("/") ? program : BuiltProgram.path(program), arguments,
            environment: BuiltProgram.environment(environment),
            input: standardInput.raw, output: output.raw, error: error.raw)
        let ended = try process.hasEnded(within: .seconds(60))
        if !ended { process.signal(SIGKILL) }
        let status = process.wait()
        let outcome = Outcome(status: status, output: try text(output), error: try text(error))
        guard ended else { throw TestFailure("\(program) \(arguments) does not end: \(outcome.error)") }
        return outcome
    }

    private static func text(_ file: borrowing FileDescriptor) throws -> String {
        String(decoding: try file.read(file.size(), at: 0), as: UTF8.self)
    }
}
