// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol

extension Verb {
    static let refresh = Verb(
        "refresh", summary: "ask the upstream now", synopsis: "[SELECTOR]",
        details: """
            Asks the upstream now, for one collection or all. It says that it started; with --wait, what came of it.
            """,
        examples: ["refresh --book --wait", "refresh"], options: [.wait, .force, .accept],
        maxArguments: 0)
}

/// `refresh`: asks the upstreams now; with `--wait` reports the outcome.
enum RefreshCommand {
    static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        let invocation = context.invocation
        // The transfer has its own deadline, and the daemon minds it.
        let connection = try context.connection(timeout: invocation.waits ? nil : .seconds(30))
        var parameters = RefreshParameters()
        parameters.collection = invocation.selector?.name
        parameters.isWaiting = invocation.waits
        parameters.isForced = invocation.isForced
        parameters.isAccepted = invocation.accepts
        parameters.language = context.language
        let number = connection.request(.refresh, parameters)
        let answer: AnswerValue
        if invocation.waits, !invocation.isQuiet, context.console.isErrorTerminal {
            var progress = RefreshProgress(context, subject: invocation.selector?.name ?? "all collections")
            defer { progress.clear() }
            answer = try context.answer(to: number, isLong: true, whileWaiting: { progress.tick() })
        } else {
            answer = try context.answer(to: number, isLong: invocation.waits)
        }
        try print(answer, context)
        try context.flush()
        return invocation.waits ? conclude(answer, context) : .done
    }

    private static func print(_ answer: AnswerValue, _ context: CommandContext) throws(CommandError) {
        typealias Outcome = RefreshResult.Outcome
        let counts = [Outcome.added, Outcome.updated, Outcome.removed, Outcome.quarantined]
        var rows = TableRows(
            [("collection", TableColumn(heading: "COLLECTION")), ("outcome", TableColumn(heading: "OUTCOME"))]
                + counts.map { member in
                    let name = String(describing: member.name)
                    return (name, TableColumn(heading: name.uppercased(), isRight: true))
                })
        for collection in answer[RefreshResult.collections] {
            let name = collection[Outcome.collection] ?? ""
            let outcome = collection[Outcome.outcome] ?? ""
            let style: Style = outcome == "failed" || outcome == "held" ? .warning : .plain
            rows.append(
                [(name, Cell(Escaping.line(name))), (outcome, Cell(Escaping.line(outcome), style: style))]
                    + counts.map { member in
                        let number = collection[member]
                        // A refresh that has only started, or has failed, has changed nothing that could be counted.
                        let isCounted = outcome == "updated" || outcome == "held"
                        let shown = isCounted ? number.map(Numbers.grouped) ?? "" : ""
                        return (number.map { String($0) } ?? "", Cell(shown))
                    })
        }
        try context.print(Presentation(answer, rows: rows))
    }

    /// Decides the exit code: 11 where an upstream gave nothing that could be taken, or was not asked.
    private static func conclude(_ answer: AnswerValue, _ context: CommandContext) -> ExitCode {
        var code = ExitCode.done
        for collection in answer[RefreshResult.collections] {
            let outcome = collection[RefreshResult.Outcome.outcome] ?? ""
            let name = collection[RefreshResult.Outcome.collection] ?? ""
            let failure = CollectionMeta(collection[RefreshResult.Outcome.meta])?.failure
            switch outcome {
            case "failed", "held":
                code = .upstreamFailed
                let reason =
                    failure.map(\.message)
                    ?? (outcome == "held" ? "the guard holds the new data back" : "the refresh failed")
                context.report(
                    ErrorReport(
                        .upstreamFailed, kind: ErrorKind.upstreamFailed.rawValue,
                        message: "\(name): \(FreshnessLine.clause(reason))",
                        hint: failure.flatMap { Advice.forFailure($0, collection: name, unit: context.unit) }))
            case "skipped":
                let meta = CollectionMeta(collection[RefreshResult.Outcome.meta])
                // The truth of such a collection is here, so there is nobody to ask.
                if meta?.source == "local" { continue }
                code = .upstreamFailed
                context.report(skipped(name, meta, until: collection[RefreshResult.Outcome.until]?.string, context))
            default:
                break
            }
        }
        return code
    }

    /// Why a collection was not refreshed, and until when that is so.
    private static func skipped(
        _ name: String, _ meta: CollectionMeta?, until: String?, _ context: CommandContext
    ) -> ErrorReport {
        var hint: String?
        let reason: String
        if let until = until.flatMap({ Instant.parse($0)?.ms }) {
            // A sentence of its own: it may be in another language.
            let cause = meta?.failure.map { ". \($0.message)" } ?? ""
            let time = "\(context.time.clock(until)), \(Ages.relative(until, to: context.time.now))"
            reason = "not asked: the server wants no request before \(time)\(cause)"
            hint = "to ask all the same: claimsctl refresh --collection \(name) --force --wait"
        } else if meta == nil {
            reason = "not refreshed: the collection was removed meanwhile"
        } else {
            reason = "not refreshed: the daemon is stopping, or the definition has changed meanwhile"
            hint = "try again: claimsctl refresh --collection \(name) --wait"
        }
        return ErrorReport(
            .upstreamFailed, kind: ErrorKind.upstreamFailed.rawValue, message: "\(name): \(reason)", hint: hint)
    }
}

/// The line that tells how long a refresh has been under way.
private struct RefreshProgress {
    private let subject: String
    private let start = SystemClock.monotonic
    private var line: ProgressLine

    init(_ context: CommandContext, subject: String) {
        self.subject = subject
        line = ProgressLine(context)
    }

    mutating func tick() {
        let seconds = (SystemClock.monotonic - start) / 1_000_000_000
        line.show("refreshing \(subject) … \(seconds) s")
    }

    mutating func clear() { line.clear() }
}
