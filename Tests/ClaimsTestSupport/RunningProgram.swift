// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Glibc

/// A child process with pipes to its standard input and from its standard output; killed with its owner.
public final class RunningProgram: Sendable {
    private let process: ChildProcess
    /// Held open: programs that watch their input end with this object, however that goes.
    private let input: FileDescriptor
    private let output: FileDescriptor

    /// Starts one of the built programs, or with a path any other program.
    public init(_ name: String, _ arguments: [String], environment: [String]) throws {
        let inputPipe = try FileDescriptor.pipe()
        let outputPipe = try FileDescriptor.pipe()
        process = try ChildProcess(
            name.hasPrefix("/") ? name : BuiltProgram.path(name), arguments, environment: environment,
            input: inputPipe.reading.raw, output: outputPipe.writing.raw)
        input = inputPipe.keepWriting()
        output = outputPipe.keepReading()
    }

    /// Writes to its standard input.
    public func write(_ text: String) throws { try input.write(Array(text.utf8)) }

    /// Sends it a signal.
    public func signal(_ number: Int32) { process.signal(number) }

    /// Whether it ends within a time.
    public func hasEnded(within time: Duration) throws -> Bool { try process.hasEnded(within: time) }

    /// The next line of standard output, without its newline.
    public func readLine() throws -> String {
        var line: [UInt8] = []
        var byte: [UInt8] = [0]
        while try output.wait(for: .read, timeout: LineClient.timeout), try output.read(into: &byte) == 1 {
            if byte[0] == 0x0a { return String(decoding: line, as: UTF8.self) }
            line.append(byte[0])
        }
        throw TestFailure("the program ended, or says nothing; so far: \(String(decoding: line, as: UTF8.self))")
    }
}
