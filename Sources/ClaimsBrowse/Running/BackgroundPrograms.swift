// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsTerminal
import Glibc

/// The programs that were started for a person, beside the screen: none of them gets keys or writes on it.
final class BackgroundPrograms {
    /// The maximum number that is watched at a time; a further one is left to itself.
    private static let maxCount = 8

    private final class Entry {
        /// Readable when it has ended.
        let descriptor: Int32
        private var process: ChildProcess?
        let outcome: (ExitStatus) -> CommandOutcome?

        init(_ process: consuming ChildProcess, _ outcome: @escaping (ExitStatus) -> CommandOutcome?) {
            descriptor = process.endDescriptor
            self.process = consume process
            self.outcome = outcome
        }

        /// The outcome, where the program has ended.
        func end() -> ExitStatus? {
            let hasEnded = try? process?.hasEnded(within: .zero)
            return hasEnded == true ? process.take()?.wait() : nil
        }

        func abandon() { process.take()?.abandon() }
    }

    private var entries: [Entry] = []

    deinit {
        // Programs that still run, such as a browser, go on.
        for entry in entries { entry.abandon() }
    }

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - input: the bytes of its standard input.
    ///   - outcome: what its end means; nil for nothing.
    /// - Throws: the error of a program that cannot be started.
    func start(
        _ name: String, _ arguments: [String], input bytes: [UInt8] = [],
        outcome: @escaping (ExitStatus) -> CommandOutcome?
    ) throws(SystemError) {
        let input = try FileDescriptor.memory(name: "claimsctl")
        try input.write(bytes)
        lseek(input.raw, 0, SEEK_SET)
        let nothing = try FileDescriptor.open("/dev/null", .update)
        let process = try ChildProcess(
            name, arguments, input: input.raw, output: nothing.raw, error: nothing.raw)
        let entry = Entry(process, outcome)
        if entries.count < Self.maxCount { entries.append(entry) } else { entry.abandon() }
    }

    /// The descriptors that are readable when a program has ended.
    var descriptors: [Int32] { entries.map(\.descriptor) }

    /// The outcomes of the programs that have ended.
    func ended() -> [CommandOutcome] {
        var outcomes: [CommandOutcome] = []
        entries.removeAll { entry in
            guard let status = entry.end() else { return false }
            if let outcome = entry.outcome(status) { outcomes.append(outcome) }
            return true
        }
        return outcomes
    }
}
