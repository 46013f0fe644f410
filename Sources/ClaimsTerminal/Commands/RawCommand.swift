// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import Glibc

extension Verb {
    static let raw = Verb(
        "raw",
        summary: TranslatedText(
            en: "send protocol lines as they are",
            pl: "wysyła wiersze protokołu bez zmian"),
        synopsis: "(JSON… | -)",
        details: TranslatedText(
            en: """
                Sends lines of JSON to the daemon as they are and prints its answers as they are; - reads the lines
                from standard input.
                """,
            pl: """
                Wysyła wiersze JSON do demona bez zmian i bez zmian wypisuje jego odpowiedzi; - czyta wiersze ze
                standardowego wejścia.
                """),
        takesSelector: false)
}

/// `raw`: sends protocol lines as they are and prints the answers as they are. Ends with the last answer; with the
/// first error's code where there was one.
struct RawCommand {
    private let context: CommandContext
    private let connection: ClientConnection
    private var requests = RawRequests()
    /// The time for the next answer to one of the lines; it begins with the last line, and anew with each such answer.
    private var limit: TimeLimit
    private var code = ExitCode.done
    /// Events go on until the daemon ends them.
    private var isSubscribed = false

    /// The maximum size of a line of standard input, in bytes. No daemon takes one as long.
    private static let maxLine = 64 << 20

    static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        let terms = context.invocation.terms.map(\.text)
        guard !terms.isEmpty else {
            throw .usage(
                UsageError(
                    en: "'raw' needs a line, or - to read them", pl: "„raw” wymaga wiersza albo -, by je czytać",
                    hint: .example(#"claimsctl raw '{"id":1,"method":"ping"}'"#)))
        }
        if terms.contains("-"), terms.count > 1 {
            throw .usage(
                UsageError(en: "'raw' takes lines or -, not both", pl: "„raw” przyjmuje wiersze albo -, nie oba"))
        }
        var command = RawCommand(context: context, connection: try context.connection())
        return try terms == ["-"] ? command.pump() : command.sendAll(terms)
    }

    private init(context: CommandContext, connection: ClientConnection) {
        self.context = context
        self.connection = connection
        limit = TimeLimit(connection.timeout)
    }

    private mutating func sendAll(_ lines: [String]) throws(CommandError) -> ExitCode {
        for line in lines { send(Array(line.utf8)) }
        limit = TimeLimit(connection.timeout)
        while requests.areOpen || isSubscribed {
            guard try readLine() else { throw .client(connection.loss()) }
            // At once: an event may be the last for long.
            try context.flush()
        }
        return code
    }

    /// Standard input to the daemon, the daemon to standard output, until both are done.
    private mutating func pump() throws(CommandError) -> ExitCode {
        var input = LineBuffer(maxLength: Self.maxLine)
        var isOpen = true
        var isConnected = true
        while isConnected, isOpen || requests.areOpen || isSubscribed {
            var entries = [
                Readiness.entry(connection.descriptor, .read), Readiness.entry(isOpen ? 0 : -1, .read),
            ]
            let isReady: Bool
            do throws(SystemError) {
                isReady = try Readiness.wait(for: &entries, before: isOpen ? nil : limit.deadline)
            } catch {
                throw .failed(.failure, kind: "internal", message: error.text)
            }
            if entries[1].revents != 0 { isOpen = try readInput(&input) }
            if entries[0].revents != 0 { isConnected = try receive() }
            // The bytes that have come may be no answer.
            if !isOpen, requests.areOpen || !isReady { try checkLimit() }
        }
        if requests.areOpen { throw .client(connection.loss()) }
        return code
    }

    private mutating func readInput(_ input: inout LineBuffer) throws(CommandError) -> Bool {
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        let transfer: Transfer
        do throws(SystemError) { transfer = try BorrowedDescriptor(0).read(into: &chunk) } catch {
            throw .failed(.failure, kind: "input", message: error.text)
        }
        switch transfer {
        case .wouldBlock: return true
        // The last line may have no newline.
        case .closed: input.append([UInt8(ascii: "\n")])
        case .bytes(let count): input.append(chunk[..<count])
        }
        try sendLines(of: &input)
        limit = TimeLimit(connection.timeout)
        do throws(ClientError) { try connection.flush() } catch { throw .client(error) }
        return transfer != .closed
    }

    private mutating func sendLines(of input: inout LineBuffer) throws(CommandError) {
        while true {
            switch input.next() {
            case .incomplete: return
            case .line(let range): send(Array(input.bytes[range]))
            case .tooLong:
                throw .failed(
                    .usage, kind: "input",
                    message: TranslatedText(
                        en: "a line of standard input is longer than \(Self.maxLine >> 20) MiB",
                        pl: "wiersz standardowego wejścia ma ponad \(Self.maxLine >> 20) MiB"))
            }
        }
    }

    private mutating func send(_ line: [UInt8]) {
        // The daemon ignores blank lines.
        if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return }
        connection.send(line: line)
        requests.add(line)
    }

    private mutating func receive() throws(CommandError) -> Bool {
        let isOpen: Bool
        do throws(ClientError) { isOpen = try connection.receive() } catch { throw .client(error) }
        while let line = connection.lineAtHand() { try handle(line) }
        try context.flush()
        return isOpen
    }

    private mutating func readLine() throws(CommandError) -> Bool {
        let line: [UInt8]?
        do throws(ClientError) { line = try connection.line(within: limit) } catch { throw .client(error) }
        guard let line else { return false }
        try handle(line)
        if requests.areOpen { try checkLimit() }
        return true
    }

    private func checkLimit() throws(CommandError) {
        do throws(ClientError) { try limit.check() } catch { throw .client(error) }
    }

    private mutating func handle(_ line: [UInt8]) throws(CommandError) {
        if connection.address.host != nil {
            do throws(ClientError) { _ = try connection.document(of: line) } catch { throw .client(error) }
        }
        let shown = context.console.isTerminal ? JSONLayout.terminalSafe(line) : line
        try context.printing { () throws(OutputError) in
            try context.console.write { $0 += shown + [UInt8(ascii: "\n")] }
        }
        guard let root = try? AnswerDocument(line).root else { return }
        record(root)
        // An event says that the daemon is there; nothing else is waited for.
        if isSubscribed, !requests.areOpen { limit = TimeLimit(connection.timeout) }
    }

    private mutating func record(_ root: AnswerValue) {
        let arrival = requests.handle(root)
        if arrival == .answer || arrival == .part && connection.isProlongedByParts {
            limit = TimeLimit(connection.timeout)
        }
        guard root["method"] == nil else { return }
        if arrival == .answer, root["result"]?["subscription"] != nil { isSubscribed = true }
        if code == .done, let kind = root["error"]?["data"]?["kind"]?.string { code = ExitCode(kind: kind) }
    }
}

/// The lines of `raw` that have no answer yet, by their ids.
struct RawRequests {
    /// The concern of a line from the daemon.
    enum Arrival {
        /// One of the requests, which is answered now.
        case answer
        /// One of the requests, whose answer goes on.
        case part
        /// None of them.
        case other
    }

    private var count = 0
    private var ids: [String] = []

    /// Whether answers are still to come.
    var areOpen: Bool { count > 0 }

    /// Records a line that is sent.
    mutating func add(_ line: [UInt8]) {
        count += 1
        if let id = (try? AnswerDocument(line).root)?["id"].flatMap(Self.name) { ids.append(id) }
    }

    /// Handles a line that has come.
    mutating func handle(_ line: AnswerValue) -> Arrival {
        if line["method"] != nil {
            let request = line["params"]?["request"].flatMap(Self.name)
            return request.map { ids.contains($0) } == true ? .part : .other
        }
        guard areOpen else { return .other }
        // The daemon answers a line that is no request, and what is no answer at all, without an id.
        if let id = line["id"] {
            guard let index = Self.name(id).flatMap({ ids.firstIndex(of: $0) }) else { return .other }
            ids.remove(at: index)
        }
        count -= 1
        return .answer
    }

    /// The text of an id; one that is a string differs from a number of the same digits.
    private static func name(_ id: AnswerValue) -> String? {
        switch id.kind {
        case .string: id.string.map { "\"" + $0 }
        case .number: id.source
        default: nil
        }
    }
}
