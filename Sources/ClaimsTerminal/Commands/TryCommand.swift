// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import Glibc

extension Verb {
    static let attempt = Verb(
        "try",
        summary: TranslatedText(
            en: "fetch by a definition, and keep nothing",
            pl: "pobiera według definicji i niczego nie zachowuje"),
        synopsis: "(NAME | FILE.json5)",
        details: TranslatedText(
            en: """
                Fetches what the files of a definition ask for, as a reload would read them, and tells what a refresh
                would do: the requests, the fields that are filled, what would go to quarantine, some records, and the
                changes against what is served. Nothing is kept. A FILE needs no daemon: it is tried with your own
                rights, and --credential names the files of its credentials. It ends with 8 if the definition has a
                mistake or no source, with 9 if the answer would be held back, and with 11 if the upstream fails.
                """,
            pl: """
                Pobiera to, o co proszą pliki definicji czytane tak jak przy przeładowaniu, i mówi, co zrobiłoby
                odświeżenie: jakie są żądania, które pola mają wartości, co trafiłoby do kwarantanny, jak wyglądają
                rekordy i co zmieniłoby się względem obecnych danych. Niczego nie zachowuje. FILE nie potrzebuje
                demona: próba ma twoje prawa, a --credential podaje pliki z tajnymi danymi. Kończy się kodem 8, gdy
                definicja zawiera błąd albo nie ma źródła, 9, gdy odpowiedź zostałaby wstrzymana, i 11, gdy serwer
                zawodzi.
                """),
        options: [.site, .incremental, .credential], maxArguments: 1)
}

/// `try`: asks the daemon to try a collection's files, or the claimsd beside this program to try one file.
enum TryCommand {
    static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        let term = context.invocation.terms.first?.text
        if let term, term.hasSuffix(".json5") || term.contains("/") {
            return try conclude(tryFile(term, context), context, isFile: true)
        }
        guard let name = context.invocation.selector?.name ?? term, !name.isEmpty else {
            throw .usage(
                UsageError(
                    en: "'try' needs a collection or a file", pl: "„try” wymaga kolekcji albo pliku",
                    hint: .example("claimsctl try machines, claimsctl try machines.json5")))
        }
        guard context.invocation.sources.credentials.isEmpty else {
            throw .usage(
                UsageError(
                    en: "--credential is for a file: the daemon has its own credentials",
                    pl: "--credential dotyczy pliku: demon ma własne tajne dane"))
        }
        var parameters = TryParameters()
        parameters.collection = name
        parameters.site = context.invocation.site
        parameters.isIncremental = context.invocation.sources.isIncremental
        parameters.isWatching = context.showsProgress
        let connection = try context.connection(timeout: nil)
        let number = connection.request(.attempt, parameters)
        guard parameters.isWatching else { return try conclude(context.answer(to: number, isLong: true), context) }
        let progress = RefreshProgressLine(context) { context.messages.trying(name, seconds: $0) }
        return try conclude(context.answer(to: number, tellingProgress: progress), context)
    }

    /// Remarks on what the caller may want to do otherwise.
    private static func advice(_ answer: AnswerValue, _ context: CommandContext, isFile: Bool) -> [String] {
        let error = answer[TryResult.error]
        var advice: [String] = []
        if let site = answer[TryResult.site], context.invocation.site == nil {
            advice.append(context.messages.triedFirstSite(site))
        }
        if isFile, error?[TryResult.Refusal.kind] == "credential", error?[TryResult.Refusal.reason] == "missing" {
            advice.append(context.messages.giveCredential)
        }
        return advice
    }

    /// Runs the claimsd beside this program, and reads its result.
    private static func tryFile(_ file: String, _ context: CommandContext) throws(CommandError) -> AnswerValue {
        let options = context.invocation.sources
        if context.invocation.host != nil {
            throw .usage(
                UsageError(
                    en: "a file is tried on this host: it takes no -H",
                    pl: "plik jest sprawdzany na tym komputerze: bez -H"))
        }
        if options.isIncremental {
            throw .usage(
                UsageError(
                    en: "a file is tried as a whole: --incremental needs the name of a collection",
                    pl: "plik jest sprawdzany w całości: --incremental wymaga nazwy kolekcji"))
        }
        var arguments = ["--try=\(file)"]
        if let site = context.invocation.site { arguments.append("--site=\(site)") }
        for credential in options.credentials { arguments.append("--credential=\(credential)") }
        if let language = context.language { arguments.append("--lang=\(language)") }
        var progress = ProgressLine(context)
        defer { progress.clear() }
        let (output, errors, status) = try DaemonBeside.run(arguments) { errors in
            if let remark = Self.reason(errors) { progress.show(remark) }
        }
        guard status == .exited(0) else {
            let reason = Self.reason(errors).map { ": \($0)" } ?? ""
            throw .failed(
                ExitCode(rawValue: status.code) ?? .failure, kind: "program",
                message: TranslatedText(
                    en: "the trial did not take place" + reason, pl: "próba się nie odbyła" + reason))
        }
        progress.clear()
        let warning = "\(DaemonBeside.name): warning: "
        for line in String(decoding: errors, as: UTF8.self).split(separator: "\n") where line.hasPrefix(warning) {
            context.notice(Escaping.line(String(line.dropFirst(warning.count))))
        }
        do throws(JSONError) { return try AnswerDocument(output).root } catch {
            throw .failed(.failure, kind: "program", message: error.text)
        }
    }

    /// The last line of the program on standard error, without its name; nil if there is none.
    private static func reason(_ output: [UInt8]) -> String? {
        let line = String(decoding: output, as: UTF8.self).split(separator: "\n").last.map(String.init) ?? ""
        let mark = "\(DaemonBeside.name): "
        let reason = line.hasPrefix(mark) ? String(line.dropFirst(mark.count)) : line
        return reason.isEmpty ? nil : reason
    }

    /// Prints the result, and decides the exit code.
    private static func conclude(
        _ answer: AnswerValue, _ context: CommandContext, isFile: Bool = false
    ) throws(CommandError) -> ExitCode {
        var rows = TableRows(
            ["field", "filled", "wrong"].map { ($0, LayoutColumn(heading: $0, isRight: $0 != "field")) })
        for (name, field) in answer[TryResult.fields]?.members ?? [] {
            let numbers = [field[TryResult.Field.filled], field[TryResult.Field.wrong]].map { String($0 ?? 0) }
            rows.append([(name, Cell(name))] + numbers.map { ($0, Cell($0)) })
        }
        var presentation = Presentation(answer, rows: rows)
        presentation.text = { TrialReportText(answer, options: $0).text }
        try context.print(presentation)
        try context.flush()
        // People and readers of JSON have been answered already.
        if !context.format.isForPeople, !context.format.isJSON {
            for remark in TrialReportText.remarks(answer, context.messages) { context.notice(remark) }
        }
        if !context.format.isJSON {
            for remark in advice(answer, context, isFile: isFile) { context.notice(remark) }
        }
        switch answer.trialOutcome {
        case .invalid: return .invalid
        case .held: return .conflict
        case .failed: return .upstreamFailed
        case .wouldUpdate, .unchanged, nil: return .done
        }
    }
}

extension DaemonBeside {
    /// The maximum size of the result, and that of what stands on standard error, in bytes.
    private static let maxOutput = 16 << 20
    /// The time between two looks at what the program says, in nanoseconds.
    private static let interval: UInt64 = 100_000_000

    /// Runs the daemon's program to its end.
    ///
    /// - Parameter whileRunning: called about ten times a second with its words on standard error so far.
    /// - Returns: its result, its words on standard error, and how it has ended.
    static func run(
        _ arguments: [String], whileRunning: ([UInt8]) -> Void = { _ in }
    ) throws(CommandError) -> (output: [UInt8], errors: [UInt8], status: ExitStatus) {
        do throws(SystemError) {
            let results = try FileDescriptor.pipe()
            let remarks = try FileDescriptor.pipe()
            let process = try ChildProcess(
                ProcessImage.neighbor(name), arguments, output: results.writing.raw, error: remarks.writing.raw)
            let pid = process.pid
            BoundChildren.add(pid)
            defer { BoundChildren.remove(pid) }
            let output = results.keepReading()
            let errors = remarks.keepReading()
            let texts = try read(output.raw, errors.raw, whileRunning)
            // The id stays reserved until the process is reaped.
            BoundChildren.remove(pid)
            return (texts.output, texts.errors, process.wait())
        } catch {
            throw missing(error)
        }
    }

    /// Reads both pipes to their ends, or until one of them has brought too much.
    private static func read(
        _ output: Int32, _ errors: Int32, _ whileRunning: ([UInt8]) -> Void
    ) throws(SystemError) -> (output: [UInt8], errors: [UInt8]) {
        var texts: [[UInt8]] = [[], []]
        var entries = [Readiness.entry(output, .read), Readiness.entry(errors, .read)]
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while entries.contains(where: { $0.fd >= 0 }), texts.allSatisfy({ $0.count <= maxOutput }) {
            guard try Readiness.wait(for: &entries, before: SystemClock.monotonic + interval) else {
                whileRunning(texts[1])
                continue
            }
            for index in entries.indices where entries[index].revents != 0 {
                switch try BorrowedDescriptor(entries[index].fd).read(into: &chunk) {
                case .bytes(let count): texts[index] += chunk[..<count]
                case .wouldBlock: break
                case .closed: entries[index].fd = -1
                }
            }
        }
        return (texts[0], texts[1])
    }
}

/// The result of `try` as people read it, part by part; parts without content are left out.
struct TrialReportText {
    private let answer: AnswerValue
    private let options: TextOptions

    private var messages: Messages { options.messages }

    init(_ answer: AnswerValue, options: TextOptions) {
        self.answer = answer
        self.options = options
    }

    var text: String {
        let (verdict, style) = Self.verdict(answer, messages)
        let parts = [line(verdict, style), problems, requests, error, fields, quarantined, changes, sample]
        return parts.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// The outcome and the counts in one sentence.
    private static func verdict(_ answer: AnswerValue, _ messages: Messages) -> (text: String, style: Style) {
        let counts = answer[TryResult.counts]
        let records = counts?[TryResult.Counts.records] ?? 0
        let numbers = messages.trialNumbers(
            records: records, added: counts?[TryResult.Counts.added] ?? 0,
            updated: counts?[TryResult.Counts.updated] ?? 0, removed: counts?[TryResult.Counts.removed] ?? 0,
            quarantined: counts?[TryResult.Counts.quarantined] ?? 0)
        switch answer.trialOutcome {
        case .wouldUpdate: return (messages.trialWouldUpdate(numbers), .plain)
        case .unchanged: return (messages.trialUnchanged(records), .plain)
        case .held: return (messages.trialHeld(answer[TryResult.shrinkGuard] ?? "", numbers), .warning)
        case .invalid: return (messages.trialInvalid, .warning)
        case .failed, nil: return (messages.trialFailed, .warning)
        }
    }

    private var problems: String { Self.problems(answer).map { line($0) }.joined() }

    private static func problems(_ answer: AnswerValue) -> [String] {
        typealias Problem = StatusResult.Problem
        return answer[TryResult.problems].map { problem in
            let position = [problem[Problem.line], problem[Problem.column]].compactMap(\.self).map { ":\($0)" }.joined()
            let key = problem[Problem.key] ?? ""
            let subject = key.isEmpty ? "" : " \(key):"
            return "\(problem[Problem.file] ?? "")\(position):\(subject) \(problem[Problem.message] ?? "")"
        }
    }

    /// The remarks for which data has no room, a line each: the outcome with the counts, and the reasons why a refresh would
    /// not update the collection.
    static func remarks(_ answer: AnswerValue, _ messages: Messages) -> [String] {
        let error = answer[TryResult.error]
        let reasons = [error?[TryResult.Refusal.message], error?[TryResult.Refusal.body]]
        return [verdict(answer, messages).text] + problems(answer) + reasons.compactMap(\.self).map(Escaping.line)
    }

    private var requests: String {
        typealias Request = TryResult.Request
        var table = TextTable([
            LayoutColumn(heading: messages.trialRequest, isElastic: true),
            LayoutColumn(heading: messages.trialStatus, isRight: true), LayoutColumn(heading: "ms", isRight: true),
            LayoutColumn(heading: messages.trialBytes, isRight: true),
            LayoutColumn(heading: messages.trialElements, isRight: true),
        ])
        for request in answer[TryResult.requests] {
            let address = "\(request[Request.method] ?? "") \(request[Request.url] ?? "")"
            table.append([
                Cell(Escaping.line(address)), Cell(request[Request.status].map { String($0) } ?? "–"),
                Cell(messages.number(request[Request.time] ?? 0)), Cell(messages.number(request[Request.bytes] ?? 0)),
                Cell(request[Request.elements].map { messages.number($0) } ?? ""),
            ])
        }
        return table.text(width: options.width, isColored: options.isColored)
    }

    private var error: String {
        guard let error = answer[TryResult.error] else { return "" }
        var text = line(error[TryResult.Refusal.message] ?? "", .warning)
        if let body = error[TryResult.Refusal.body] { text += line(body) }
        return text
    }

    private var fields: String {
        let total = answer[TryResult.counts]?[TryResult.Counts.records] ?? 0
        guard total > 0 else { return "" }
        var table = TextTable([
            LayoutColumn(heading: messages.trialField), LayoutColumn(heading: messages.trialFilled, isRight: true),
            LayoutColumn(heading: messages.trialWrong, isRight: true),
        ])
        for (name, field) in answer[TryResult.fields]?.members ?? [] {
            let wrong = field[TryResult.Field.wrong] ?? 0
            let filled = field[TryResult.Field.filled] ?? 0
            table.append([
                Cell(name), Cell(messages.number(filled), style: filled == 0 ? .warning : .plain),
                Cell(wrong == 0 ? "" : messages.number(wrong), style: .warning),
            ])
        }
        return table.text(width: options.width, isColored: options.isColored)
    }

    private var quarantined: String {
        let entries = answer[TryResult.quarantined].map { entry in
            line("  \(entry[TryResult.Refused.pointer] ?? ""): \(entry[TryResult.Refused.reason] ?? "")")
        }
        return entries.isEmpty ? "" : line(messages.trialQuarantined, .bold) + entries.joined()
    }

    private var changes: String {
        typealias Changes = TryResult.Changes
        guard let changes = answer[TryResult.changes], answer.trialOutcome != .unchanged else { return "" }
        let kinds: [(String, [AnswerValue])] = [
            (messages.trialAdded, changes[Changes.added]), (messages.trialUpdated, changes[Changes.updated]),
            (messages.trialRemoved, changes[Changes.removed]),
        ]
        return kinds.filter { !$0.1.isEmpty }.map { name, ids in
            line("\(name): \(ids.compactMap(\.string).joined(separator: ", "))")
        }.joined()
    }

    private var sample: String {
        guard let record = answer[TryResult.sample].first else { return "" }
        let values = record.members.map { name, value in
            line("  \(name): \(value.string ?? value.source)")
        }
        return line(messages.trialSample, .bold) + values.joined()
    }

    private func line(_ text: String, _ style: Style = .plain) -> String {
        style.apply(to: Escaping.line(text), isColored: options.isColored) + "\n"
    }
}

extension AnswerValue {
    /// The outcome in an answer of `try`; nil for one that is not known.
    var trialOutcome: TrialOutcome? { self[TryResult.outcome].flatMap { TrialOutcome(rawValue: $0) } }
}
