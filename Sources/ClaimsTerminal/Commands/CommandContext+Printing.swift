// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
public import ClaimsModel
import ClaimsProtocol

// Printing.

extension CommandContext {
    /// Refuses `-o json` for a command whose output is no data. The variable is no such wish: it is about data.
    ///
    /// - Parameter reason: what the command prints instead.
    public func requireNoJSON(_ reason: TranslatedText) throws(CommandError) {
        guard let output = invocation.output, output.isJSON else { return }
        throw .usage(
            UsageError(
                en: reason.english, pl: reason.polish,
                hint: TranslatedText(en: "leave out -o \(output.rawValue)", pl: "pomiń -o \(output.rawValue)")))
    }

    /// Prints a text as it is, whatever the format.
    public func write(_ text: String) throws(CommandError) {
        try printing { () throws(OutputError) in try console.write { $0 += text.utf8 } }
        try flush()
    }

    /// Prints a result, in the format that was asked for.
    package func print(_ presentation: Presentation) throws(CommandError) {
        try printing { () throws(OutputError) in try printer.print(presentation) }
    }

    /// Does what prints something; its error becomes the command's.
    func printing(_ body: () throws(OutputError) -> Void) throws(CommandError) {
        do throws(OutputError) { try body() } catch { throw .output(error) }
    }

    /// Prints data as it is.
    public func write(_ bytes: [UInt8]) throws(CommandError) {
        try printing { () throws(OutputError) in try console.write { $0 += bytes } }
    }

    /// Prints what has been gathered, so that what follows on standard error comes after it.
    public func flush() throws(CommandError) {
        try printing { () throws(OutputError) in try console.flush() }
    }

    /// One line on standard error, unless `-q` was given.
    public func notice(_ text: String) {
        if !invocation.isQuiet { console.notice(text) }
    }

    /// Says of each collection that is not fresh how it stands, and of those left out why.
    ///
    /// - Parameter totals: the number of matching records by collection, in an answer about several. Collections without
    ///   one are passed over, unless none has any: then old data may be the reason.
    func noticeFreshness(_ value: AnswerValue?, totals: AnswerValue? = nil) {
        if invocation.isQuiet { return }
        let found = (totals?.members ?? []).filter { ($0.value.integer ?? 0) > 0 }.map(\.name)
        let metas = AnswerMeta.all(in: value).filter { found.isEmpty || found.contains($0.collection) }
        noticeFreshness(metas, AnswerMeta.skipped(in: value, messages))
    }

    func noticeFreshness(_ metas: [AnswerMeta], _ skipped: [(collection: String, reason: String)] = []) {
        // The user's time zone is read only where there is something to say.
        let old = metas.filter { meta in
            meta.state == "withheld" || meta.freshness != nil && (meta.freshness != "fresh" || meta.isAbandoned)
        }
        if !old.isEmpty {
            // A file is named only where no source is left.
            let line =
                old.contains(where: \.isAbandoned)
                ? FreshnessLine(time, configuration: daemonFiles().folder) : FreshnessLine(time)
            for text in line.texts(old) { notice(text) }
        }
        if let text = LeftOut.text(skipped, messages) { notice(text) }
        let outdated = metas.filter(\.isDefinitionPrevious).map(\.collection)
        if !outdated.isEmpty {
            for text in ProblemText.notices(of: outdated, daemonStatus(), messages, unit: unit) { notice(text) }
        }
    }

    /// Reports an error; returns its exit code. Nothing is printed where the reader of the output has gone.
    func report(_ error: CommandError) -> ExitCode {
        guard let report = errorReport(error) else { return .done }
        try? flush()
        self.report(report)
        return report.code
    }

    /// The report of an error; nil if the reader of the output has gone.
    func errorReport(_ error: CommandError) -> ErrorReport? {
        guard
            var report = ErrorReport(
                error, selector: invocation.selector, filter: filter, limit: limit?.text,
                maxAge: invocation.maxAge?.text, verb: invocation.verb, messages: messages)
        else { return nil }
        if let selector = invocation.selector, report.isAboutSelector, let near = nearestSelector(to: selector.name) {
            report.hint = messages.text(near)
        }
        if let hint = report.hint { report.hint = namingSelectors(hint) }
        return report
    }

    func report(_ report: ErrorReport) {
        if format.isJSON {
            try? console.errors.write(report.json)
        } else {
            let text = report.text(isColored: console.areErrorsColored, width: console.errorWidth)
            try? console.errors.write(text)
        }
    }
}
