// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsPlatform

/// `refresh`: asks the upstreams now; with `--wait` reports the outcome.
enum RefreshCommand {
    static func run(_ session: Session) throws(CommandError) -> ExitCode {
        let invocation = session.invocation
        if let term = invocation.terms.first {
            throw .usage(
                UsageError(
                    "'refresh' takes no terms: '\(term.text)'",
                    hint: "to name a collection: claimsctl refresh --collection \(term.text)"))
        }
        // The transfer has its own deadline, and the daemon minds it.
        let connection = try session.connection(timeout: invocation.waits ? nil : .seconds(30))
        let id = connection.request("refresh") { writer in
            if let selector = invocation.selector { writer.member("collection", selector.name) }
            if invocation.waits { writer.member("wait", true) }
            if invocation.isForced { writer.member("force", true) }
            if invocation.accepts { writer.member("accept", true) }
            if let language = session.language { writer.member("lang", language) }
        }
        let answer: AnswerValue
        if invocation.waits, !invocation.isQuiet, session.surroundings.isTerminal(2) {
            var progress = RefreshProgress(session, subject: invocation.selector?.name ?? "all collections")
            defer { progress.clear() }
            answer = try session.answer(to: id, whileWaiting: { progress.tick() })
        } else {
            answer = try session.answer(to: id)
        }
        try print(answer, session)
        try session.flush()
        return invocation.waits ? conclude(answer, session) : .done
    }

    private static func print(_ answer: AnswerValue, _ session: Session) throws(CommandError) {
        if session.format.isJSON { return try session.emit(json: answer) }
        let numbers = ["added", "updated", "removed", "quarantined"]
        var rows = RowSet(
            [("collection", Column(heading: "COLLECTION")), ("outcome", Column(heading: "OUTCOME"))]
                + numbers.map { ($0, Column(heading: $0.uppercased(), isRight: true)) })
        for collection in answer["collections"]?.elements ?? [] {
            let name = collection["collection"]?.text ?? ""
            let outcome = collection["outcome"]?.text ?? ""
            let style: Style = outcome == "failed" || outcome == "held" ? .warning : .plain
            rows.append(
                [(name, Cell(Escaping.line(name))), (outcome, Cell(Escaping.line(outcome), style: style))]
                    + numbers.map { key in
                        let number = collection[key]?.integer
                        // What has only started, or failed, has changed nothing that could be counted.
                        let isCounted = outcome == "updated" || outcome == "held"
                        let shown = isCounted ? number.map(Numbers.grouped) ?? "" : ""
                        return (number.map { String($0) } ?? "", Cell(shown))
                    })
        }
        try session.emit(rows)
    }

    /// What went wrong, and whether that is a failure: 11 where an upstream gave nothing that could be taken.
    private static func conclude(_ answer: AnswerValue, _ session: Session) -> ExitCode {
        var code = ExitCode.done
        for collection in answer["collections"]?.elements ?? [] {
            let outcome = collection["outcome"]?.text ?? ""
            let name = collection["collection"]?.text ?? ""
            let failure = Meta(collection["meta"])?.failure
            switch outcome {
            case "failed", "held":
                code = .upstreamFailed
                let reason =
                    failure.map(\.message)
                    ?? (outcome == "held" ? "the guard holds the new data back" : "the refresh failed")
                session.report(
                    ErrorReport(
                        .upstreamFailed, kind: "upstream_failed", message: "\(name): \(FreshnessLine.sentence(reason))",
                        hint: failure.flatMap { Advice.forFailure($0, collection: name) }))
            case "skipped":
                let next = Meta(collection["meta"])?.nextRefresh
                let time = next.map { ": next refresh \(Ages.relative($0, to: session.time.now))" } ?? ""
                session.notice("\(name): skipped\(time); --force asks all the same")
            default:
                break
            }
        }
        return code
    }
}

/// One line on the terminal that says that something is under way.
private struct RefreshProgress {
    private let session: Session
    private let subject: String
    private let start = Clocks.monotonic
    private var isShown = false

    init(_ session: Session, subject: String) {
        self.session = session
        self.subject = subject
    }

    mutating func tick() {
        let seconds = (Clocks.monotonic - start) / 1_000_000_000
        isShown = true
        write("\r\u{1B}[K" + "refreshing \(Escaping.line(subject)) … \(seconds) s")
    }

    func clear() {
        if isShown { write("\r\u{1B}[K") }
    }

    private func write(_ text: String) {
        try? session.errors.write(text)
        try? session.errors.flush()
    }
}
