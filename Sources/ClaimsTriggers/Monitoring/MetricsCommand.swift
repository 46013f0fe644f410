// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
public import ClaimsTerminal
import Glibc

/// `metrics`: figures for Prometheus, on standard output or in a file that node_exporter reads.
public struct MetricsCommand {
    private let context: CommandContext

    /// The maximal time that the daemon may be away or silent before it counts as down.
    private static let maxSilence: Duration = .seconds(5)
    /// The time between two attempts to reach it.
    private static let pause: Duration = .milliseconds(250)
    /// The permissions of a new file: node_exporter is another user.
    private static let permissions: UInt32 = 0o644

    /// The verb with its command, for the table of claimsctl.
    public static var entry: ModuleCommand { ModuleCommand(.metrics, run) }

    private static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        try context.requireNoJSON(
            TranslatedText(en: "'metrics' has a format of its own", pl: "„metrics” ma własny format"))
        let text = try MetricsCommand(context: context).text()
        if let path = context.invocation.target {
            try ExportFile.replace(path, context, by: text, permissions: permissions)
        } else {
            try context.write(text)
        }
        return .done
    }

    /// All metrics; of a daemon that is away, that it is.
    private func text() throws(CommandError) -> String {
        let daemon = try daemon()
        var text = ExpositionText()
        text.add(.up) { $0.add(daemon == nil ? 0 : 1) }
        daemon?.write(to: &text)
        // Triggers of another host are reported there.
        if context.invocation.host == nil { writeTriggers(to: &text) }
        return text.text
    }

    private func writeTriggers(to text: inout ExpositionText) {
        let reports = TriggerReport.all(
            TriggerFolders(context.invocation.acting, environment: context.surroundings.environment))
        text.add(.triggerUp) { family in
            for report in reports { family.add(["trigger": report.name], report.condition.isUp ? 1 : 0) }
        }
        text.add(.triggerMembers) { family in
            for report in reports { family.add(["trigger": report.name], report.status?.members.map { Int64($0) }) }
        }
        text.add(.triggerReported) { family in
            for report in reports { family.add(["trigger": report.name], ms: report.status?.reportedAt) }
        }
    }

    /// The metrics of the daemon; nil if it is away.
    private func daemon() throws(CommandError) -> DaemonMetrics? {
        let limit = context.invocation.timeout?.duration ?? Self.maxSilence
        let deadline = SystemClock.monotonic(after: limit)
        var isAgain = false
        while true {
            let now = SystemClock.monotonic
            let left = Duration.nanoseconds(Int64(clamping: deadline > now ? deadline - now : 1))
            do throws(ClientError) {
                return try ask(try context.newConnection(timeout: left, isAgain: isAgain))
            } catch {
                guard error.isLoss else { throw .client(error) }
                // A daemon that is being restarted is back at once.
                guard SystemClock.monotonic(after: Self.pause) < deadline else { return nil }
                _ = Monitor(false).wait(upTo: Self.pause) { $0 ? true : nil }
                isAgain = true
            }
        }
    }

    private func ask(_ connection: ClientConnection) throws(ClientError) -> DaemonMetrics {
        let numbers = (
            status: connection.request(.status, StatusParameters()),
            description: connection.request(.describe, DescribeParameters()),
            fleet: connection.request(.fleet, FleetParameters())
        )
        let status = try connection.answer(to: numbers.status)
        let described = CollectionDescription.all(in: try connection.answer(to: numbers.description))
        let fleet = try optional { () throws(ClientError) in try connection.answer(to: numbers.fleet) }
        let requests = described.flatMap { collection in
            collection.offers.views.map { view in
                var parameters = CountParameters()
                parameters.collection = collection.name
                parameters.selection.view = view.name
                parameters.selection.timeZone = context.zoneParameter
                return (collection.name, view.name, connection.request(.count, parameters))
            }
        }
        var counts: [DaemonMetrics.ViewCount] = []
        for (collection, view, number) in requests {
            do throws(ClientError) {
                let total = try connection.answer(to: number)[CountResult.total]
                if let total {
                    counts.append(DaemonMetrics.ViewCount(collection: collection, view: view, total: total))
                }
            } catch {
                // A collection without data has no counts, and neither has a collection that a reload has removed.
                guard case .refused = error else { throw error }
            }
        }
        return DaemonMetrics(status, fleet: fleet, views: counts)
    }

    /// An answer that another version of the daemon may refuse; nil then.
    private func optional(_ answer: () throws(ClientError) -> AnswerValue) throws(ClientError) -> AnswerValue? {
        do throws(ClientError) { return try answer() } catch {
            guard case .refused = error else { throw error }
            return nil
        }
    }
}

extension ClientError {
    /// Whether there is no daemon that answers.
    var isLoss: Bool {
        switch self {
        case .unreachable(_, let reason): !reason.isForbidden
        case .closed, .hostFailed, .timedOut: true
        case .refused(let refusal): refusal.kind == ErrorKind.internal.rawValue
        case .malformed: false
        }
    }
}
