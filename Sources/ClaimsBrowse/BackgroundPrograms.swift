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

/// The ways in which this terminal opens and copies. Pure: variables are passed in.
struct Desktop {
    /// A way to open something.
    enum Way: Equatable {
        /// A program with its arguments; no shell reads them.
        case program(String, [String])
        /// Nothing can be opened here, so that it is copied.
        case copying
        /// It is no address that is opened.
        case refused
    }

    private static let opener = "xdg-open"

    private let environment: (String) -> String?

    init(environment: @escaping (String) -> String?) { self.environment = environment }

    /// The way to open an address of the web.
    func way(toOpen address: String) -> Way {
        let start = address.prefix(8).lowercased()
        // A blank or a control character is no part of an address, and a browser may take it for another argument.
        guard start.hasPrefix("http://") || start.hasPrefix("https://"),
            address.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F })
        else { return .refused }
        if isRemote { return .copying }
        if let browser = value("BROWSER") {
            // A list is separated by colons; %s stands for the address.
            let words = browser.split(separator: ":").first?.split(separator: " ").map(String.init) ?? []
            guard let program = words.first else { return .copying }
            let arguments = words.dropFirst().map { $0.replacing("%s", with: address) }
            let isPlaced = words.dropFirst().contains { $0.contains("%s") }
            return .program(program, isPlaced ? arguments : arguments + [address])
        }
        return hasDisplay ? .program(Self.opener, [address]) : .copying
    }

    /// The way to open a file of this host.
    func way(toOpenFile path: String) -> Way {
        isRemote || !hasDisplay ? .copying : .program(Self.opener, [path])
    }

    /// Whether the terminal is one of tmux, which takes no text for the clipboard from a program.
    var isTmux: Bool { value("TMUX") != nil }

    private var isRemote: Bool { value("SSH_CONNECTION") != nil || value("SSH_TTY") != nil }
    private var hasDisplay: Bool { value("DISPLAY") != nil || value("WAYLAND_DISPLAY") != nil }

    private func value(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
}
