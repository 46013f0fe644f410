// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsPlatform
import ClaimsProtocol

/// Waits until operations are accepted or stuck, with a line on the terminal that tells how far they are.
struct OperationWait {
    private let context: CommandContext

    init(_ context: CommandContext) { self.context = context }

    /// Returns the operations as `outbox` tells them, once none is queued or sending, by their UUIDs.
    ///
    /// - Throws: `ClientError.timedOut` where `--timeout` ends first.
    func states(of ops: [String]) throws(CommandError) -> [String: AnswerValue] {
        let start = SystemClock.monotonic
        var line = ProgressLine(context)
        defer { line.clear() }
        let messages = context.messages
        var words = messages.waitingForUpstream
        while true {
            var parameters = OutboxParameters()
            parameters.action = .wait
            parameters.ops = NameList(ops)
            // The daemon bounds each wait; without --timeout the next one follows.
            let connection = try context.connection(timeout: nil)
            connection.timeout = context.limit?.duration
            do throws(CommandError) {
                _ = try context.answer(
                    to: connection.request(.outbox, parameters), isLong: true,
                    whileWaiting: {
                        line.show("\(words) … \((SystemClock.monotonic - start) / 1_000_000_000) s")
                    },
                    onNotification: { notification in
                        if let told = Self.words(notification, messages) { words = told }
                    })
                return try operations(ops)
            } catch {
                guard case .client(.refused(let refusal)) = error, refusal.kind == ErrorKind.timeout.rawValue,
                    context.limit == nil
                else { throw error }
            }
        }
    }

    private func operations(_ ops: [String]) throws(CommandError) -> [String: AnswerValue] {
        var parameters = OutboxParameters()
        parameters.action = .get
        parameters.ops = NameList(ops)
        var found: [String: AnswerValue] = [:]
        for operation in try context.call(.outbox, parameters)[OutboxResult.operations] {
            if let op = operation[OutboxResult.Operation.op] { found[op] = operation }
        }
        return found
    }

    /// How far an operation is: `sending 1.2 MiB of 3.0 MiB, file 2 of 3`.
    private static func words(_ notification: AnswerValue, _ messages: Messages) -> String? {
        guard notification["method"]?.string == ProgressNotification.method, let params = notification["params"],
            let sent = params[ProgressNotification.sent], let size = params[ProgressNotification.size]
        else { return nil }
        var number: (Int64, Int64)?
        if let file = params[ProgressNotification.file], let files = params[ProgressNotification.files] {
            number = (Int64(file), Int64(files))
        }
        return messages.sendingOperation(Int64(sent), of: Int64(size), file: number)
    }
}
