// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsPlatform
import Glibc

extension Verb {
    static let stdio = Verb(
        "stdio",
        summary: TranslatedText(
            en: "connect standard input and output with the daemon",
            pl: "łączy standardowe wejście i wyjście z demonem"),
        details: TranslatedText(
            en: """
                Copies bytes both ways, so that a program on another host can ask the daemon here through ssh. The
                option -H runs it there. With `command="claimsctl stdio",restrict` before it in authorized_keys, a key
                does this and nothing else. The roles are those of the account.
                """,
            pl: """
                Kopiuje bajty w obie strony, by program na innym hoście mógł pytać tutejszego demona przez ssh.
                Uruchamia to tam opcja -H. Z `command="claimsctl stdio",restrict` przed kluczem w authorized_keys klucz
                robi to i nic więcej. Obowiązują role tego konta.
                """),
        takesSelector: false, maxArguments: 0,
        takesHost: false)
}

/// `stdio`: copies standard input to the daemon, and the daemon's lines to standard output, as they come.
enum StdioCommand {
    /// The time that connecting may take while the daemon's queue is full.
    private static let maxConnectTime = Duration.seconds(30)

    static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        let path = context.socketPath
        do throws(SystemError) {
            let socket = try UnixSocket.connect(path: path, timeout: maxConnectTime)
            var bridge = StdioBridge(socket: socket.raw)
            bridge.run()
            _ = consume socket
            return .done
        } catch {
            throw .client(.unreachable(path: path, error))
        }
    }
}

/// Copies standard input to a socket, and the socket to standard output, on one thread: a second one would have to be
/// woken for each answer, which takes longer than the copying.
///
/// Neither direction waits for the other. What its destination does not take stays in its buffer, and nothing more is
/// read for it meanwhile.
struct StdioBridge {
    private let socket: Int32
    private let output: BridgeOutput
    private var requests = BridgeBuffer()
    private var answers = BridgeBuffer()
    private var isInputOpen = true
    /// Whether the socket's sending side was shut down: no more requests come.
    private var isShutDown = false

    private static let readable = Int16(POLLIN)
    private static let writable = Int16(POLLOUT)

    /// - Parameter socket: a connected socket, which must stay open until ``run()`` has returned.
    init(socket: Int32) {
        self.socket = socket
        output = BridgeOutput()
    }

    /// Copies until the socket has ended, or the reader of the output has gone.
    mutating func run() {
        var entries = [0, socket, output.raw].map { pollfd(fd: $0, events: 0, revents: 0) }
        while true {
            // A descriptor below 0 is passed over: there is nothing to do about its end now.
            entries[0].fd = isInputOpen && requests.isEmpty ? 0 : -1
            entries[0].events = Self.readable
            entries[1].fd = answers.isEmpty || !requests.isEmpty ? socket : -1
            entries[1].events = (answers.isEmpty ? Self.readable : 0) | (requests.isEmpty ? 0 : Self.writable)
            entries[2].events = answers.isEmpty ? 0 : Self.writable
            guard (try? Readiness.wait(for: &entries, before: nil)) != nil else { return }
            if entries[0].revents != 0 { readInput() }
            if !requests.isEmpty { sendRequests() }
            if !isInputOpen, requests.isEmpty, !isShutDown {
                UnixSocket.shutDown(socket, .writing)
                isShutDown = true
            }
            if answers.isEmpty, entries[1].revents & ~Self.writable != 0, !receive() { return }
            if !answers.isEmpty, !writeAnswers() { return }
            if entries[2].revents & ~Self.writable != 0 { return }
        }
    }

    private mutating func readInput() {
        switch try? BorrowedDescriptor(0).read(into: &requests.bytes) {
        case .bytes(let count): requests.range = 0..<count
        case .wouldBlock: break
        // An input that cannot be read has ended.
        case .closed, nil: isInputOpen = false
        }
    }

    private mutating func sendRequests() {
        while !requests.isEmpty {
            switch try? UnixSocket.send(socket, requests.bytes, in: requests.range) {
            case .bytes(let count): requests.take(count)
            case .wouldBlock: return
            case .closed, nil:
                // The daemon takes no more; its last answers are still to come.
                requests.range = 0..<0
                isInputOpen = false
            }
        }
    }

    /// Returns false at the end of the socket.
    private mutating func receive() -> Bool {
        switch try? UnixSocket.receive(socket, into: &answers.bytes, at: 0) {
        case .bytes(let count):
            answers.range = 0..<count
            return true
        case .wouldBlock: return true
        case .closed, nil: return false
        }
    }

    /// Returns false if the reader of the output has gone.
    private mutating func writeAnswers() -> Bool {
        while !answers.isEmpty {
            switch output.write(answers.bytes, in: answers.range) {
            case .bytes(let count): answers.take(count)
            case .wouldBlock: return true
            case .closed: return false
            }
        }
        return true
    }
}

/// The bytes of one direction that have been read and not been written.
private struct BridgeBuffer {
    /// The size of a buffer, in bytes.
    static let size = 64 << 10

    var bytes = [UInt8](repeating: 0, count: size)
    /// The bytes that are still to be written.
    var range = 0..<0

    var isEmpty: Bool { range.isEmpty }

    /// Records that so many bytes were written.
    mutating func take(_ count: Int) { range = (range.lowerBound + count)..<range.upperBound }
}

/// Standard output, written without waiting where that can be done without changing it for other processes.
private struct BridgeOutput {
    let raw: Int32
    private let isSocket: Bool

    init() {
        // A pipe or a terminal that is opened again has its own flags; a file would have its own position, too.
        var status = stat()
        let isKnown = unsafe fstat(1, &status) == 0
        let kind = isKnown ? status.st_mode & S_IFMT : 0
        isSocket = kind == S_IFSOCK
        let hasFlags = kind == S_IFIFO || kind == S_IFCHR
        let again = hasFlags ? unsafe open(Self.path, O_WRONLY | O_NONBLOCK | O_CLOEXEC) : -1
        raw = again >= 0 ? again : 1
    }

    private static let path = "/proc/self/fd/1"

    /// Writes as far as the output takes it. An output that fails is as good as closed: the bridge ends with either.
    func write(_ bytes: [UInt8], in range: Range<Int>) -> Transfer {
        if isSocket { return (try? UnixSocket.send(raw, bytes, in: range)) ?? .closed }
        return (try? BorrowedDescriptor(raw).write(bytes, in: range)) ?? .closed
    }
}
