// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
public import ClaimsTerminal

/// `check`: the daemon, its collections or one of them, as a monitoring plug-in.
public struct CheckCommand {
    private let context: CommandContext
    private let thresholds: Thresholds
    private var invocation: Invocation { context.invocation }
    private var messages: Messages { context.messages }

    /// The maximal time that the daemon may be silent, by default.
    private static let maxSilence: Duration = .seconds(10)

    /// The verb with its command, for the table of claimsctl.
    public static var entry: ModuleCommand { ModuleCommand(.check, refusal: refusal, run) }

    private static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        try context.requireNoJSON(
            TranslatedText(en: "'check' has a format of its own", pl: "„check” ma własny format"))
        let report = try CheckCommand(context).report()
        try context.write(report.text(context.messages))
        return exitCode(report.status)
    }

    /// A monitoring system reads the first line and the exit code, and nothing else: so an error is a report too.
    private static func refusal(
        _ error: ErrorReport, _ cause: CommandError, _ messages: Messages
    ) -> (text: String, code: ExitCode) {
        var report = PluginReport()
        let hint = error.hint.map { "; \($0)" } ?? ""
        report.findings = [PluginFinding(isLoss(of: cause) ? .critical : .unknown, error.message + hint)]
        return (report.text(messages), exitCode(report.status))
    }

    /// Whether an error means that there is no daemon that answers.
    private static func isLoss(of error: CommandError) -> Bool {
        if case .client(let failure) = error { failure.isLoss } else { false }
    }

    /// The exit codes of plug-ins are among those of claimsctl, with other meanings.
    private static func exitCode(_ status: PluginStatus) -> ExitCode { ExitCode(rawValue: status.rawValue) ?? .failure }

    private init(_ context: CommandContext) throws(CommandError) {
        self.context = context
        let invocation = context.invocation
        do throws(UsageError) {
            thresholds = try Thresholds(invocation.thresholds)
        } catch {
            throw .usage(error)
        }
        let counts = !invocation.terms.isEmpty || invocation.view != nil || invocation.filter != nil
        guard invocation.selector != nil || !counts && thresholds.isEmpty else {
            throw .usage(
                UsageError(
                    en: "'check' counts records of one collection, and none is named",
                    pl: "„check” liczy rekordy jednej kolekcji, a żadnej nie podano",
                    hint: TranslatedText(
                        en: "name it, as in: claimsctl check --collection NAME",
                        pl: "podaj ją, na przykład: claimsctl check --collection NAME")))
        }
    }

    /// Asks the daemon, and judges its answer.
    private func report() throws(CommandError) -> PluginReport {
        try context.connection(timeout: Self.maxSilence)
        let name = try collectionName()
        let status = try context.call(.status, StatusParameters())
        let known = status[StatusResult.collections].compactMap { CheckedCollection($0) }
        let checked = known.filter { name == nil || $0.name == name }
        var report = PluginReport()
        if let collection = checked.first, name != nil, collection.meta.hasData, let count = try count() {
            thresholds.judge(count, of: collection.name, messages, in: &report)
        }
        let freshness = FreshnessLine(
            context.time, configuration: status[StatusResult.configurationFolder] ?? "/etc/claimsd")
        var judged = 0
        for collection in checked {
            guard let found = collection.status(isNamed: name != nil) else { continue }
            judged += 1
            report.findings.append(PluginFinding(found, found == .ok ? nil : collection.text(messages)))
            report.lines.append(collection.line(freshness, messages))
            if let age = collection.age { report.performance.append(age) }
        }
        report.summary = name != nil ? checked.first.map { $0.text(messages) } ?? "" : messages.allChecked(judged)
        if name == nil {
            addConcerns(status, to: &report)
            // Triggers of another host are checked there.
            if invocation.host == nil { addTriggers(to: &report) }
        }
        return report
    }

    /// Adds the triggers with a command that do not report their changes, or have trouble with it.
    private func addTriggers(to report: inout PluginReport) {
        let folders = TriggerFolders(invocation.acting, environment: context.surroundings.environment)
        for trigger in TriggerReport.all(folders) {
            let text = messages.checkedTrigger(trigger.name, messages.triggerState(trigger.condition.word))
            let status = PluginStatus(trigger.condition)
            report.findings.append(PluginFinding(status, status == .ok ? nil : text))
            report.lines.append(text)
        }
    }

    /// Adds mistakes in the configuration, and operations that need a person.
    private func addConcerns(_ status: AnswerValue, to report: inout PluginReport) {
        let problems = status[StatusResult.problemsTotal] ?? 0
        if problems > 0 {
            report.findings.append(PluginFinding(.warning, FreshnessLine.clause(messages.mistakes(Int(problems)))))
        }
        let stuck = status[StatusResult.outbox]?[StatusResult.Outbox.stuck] ?? 0
        if stuck > 0 {
            report.findings.append(
                PluginFinding(.warning, FreshnessLine.clause(messages.operationsStuck(Int64(stuck)))))
        }
    }

    /// The name of the collection that the line selects; nil if it selects none.
    private func collectionName() throws(CommandError) -> String? {
        guard let selector = invocation.selector else { return nil }
        var parameters = DescribeParameters()
        parameters.collection = selector.name
        return CollectionDescription.all(in: try context.call(.describe, parameters)).first?.name ?? selector.name
    }

    /// The number of matching records; nil if the line asks for no number, or if the data has gone meanwhile.
    private func count() throws(CommandError) -> Int64? {
        let isAsked =
            !invocation.terms.isEmpty || invocation.view != nil || invocation.filter != nil || !thresholds.isEmpty
        guard isAsked else { return nil }
        var parameters = CountParameters()
        parameters.collection = invocation.selector?.name
        parameters.selection = context.selection(filteredBy: invocation.terms)
        do throws(CommandError) {
            return try context.call(.count, parameters)[CountResult.total]
        } catch {
            guard case .client(.refused(let refusal)) = error, refusal.kind == ErrorKind.noData.rawValue else {
                throw error
            }
            return nil
        }
    }
}

extension PluginStatus {
    /// The status of a trigger: one that does not report is critical, and one that has to try again is worth a warning.
    init(_ condition: TriggerReport.Condition) {
        guard condition.isUp, case .running(let status) = condition else {
            self = .critical
            return
        }
        self = status.state == .retrying || status.state == .away ? .warning : .ok
    }
}
