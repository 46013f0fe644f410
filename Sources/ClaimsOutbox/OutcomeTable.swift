// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
import ClaimsUpstream

/// Decides on the state of an operation at the beginning and at the end of each attempt. Pure.
///
/// The rows are the rows of the table in the manual (claimsd-writing(7)).
public struct OutcomeTable: Sendable {
    /// The number of times that a repeated key that was answered 409 is tried again.
    static let maxRepeatedConflicts = 3

    public let rules: SendingRules
    /// Milliseconds since 1970.
    public let now: Int64
    /// Any number; the delay before the next attempt follows from it.
    public let random: UInt64

    public init(_ rules: SendingRules, now: Int64, random: UInt64) {
        self.rules = rules
        self.now = now
        self.random = random
    }

    /// The operation in the state in which it is committed before its request is sent: `sending`, or `uncertain` if an
    /// earlier request may have been done and this one might do it again.
    ///
    /// - Parameter attempt: the number of the attempt, over all operations.
    public func begin(_ operation: Operation, attempt: Int64) -> Operation {
        if operation.delivery.isAnswerMissing, !mayRepeat(operation) {
            return uncertain(operation, Message(.writeUnrepeatable))
        }
        var operation = operation.with(.sending)
        operation.delivery.attempts += 1
        operation.delivery.firstAttemptAt = operation.delivery.firstAttemptAt ?? now
        operation.delivery.verdict = nil
        operation.delivery.nextTry = nil
        if let use = operation.delivery.keyUse, use.method == rules.method.rawValue, use.url == rules.url {
            operation.delivery.keyUse?.last = now
            operation.delivery.keyUse?.requests += 1
        } else {
            operation.delivery.keyUse = OperationKeyUse(
                first: now, last: now, method: rules.method.rawValue, url: rules.url)
        }
        operation.delivery.record(
            OperationAttempt(number: attempt, at: now, method: rules.method.rawValue, url: rules.url))
        return operation
    }

    /// The operation as it is committed after its request.
    ///
    /// - Parameter operation: as ``begin(_:attempt:)`` made it.
    public func end(_ operation: Operation, _ end: AttemptEnd, of step: SendingStep) -> AttemptOutcome {
        var outcome = outcome(of: operation, end, step)
        outcome.operation.delivery.end(in: outcome.operation.state)
        return outcome
    }

    private func outcome(of operation: Operation, _ end: AttemptEnd, _ step: SendingStep) -> AttemptOutcome {
        var operation = operation
        switch end {
        case .unsent(let message):
            operation.delivery.end(failure: message)
            operation.delivery.forgetRequest()
            return AttemptOutcome(operation: again(operation, message), signal: .failure)
        case .unanswered(let message):
            operation.delivery.end(failure: message)
            return AttemptOutcome(operation: unanswered(operation, message), signal: .failure)
        case .impossible(let reason, let message):
            operation.delivery.end(failure: message)
            operation.delivery.forgetRequest()
            return AttemptOutcome(operation: operation.unsendable(reason, message, now: now), signal: nil)
        case .answered(let answer):
            operation.delivery.end(answer)
            return answered(operation, answer, step)
        }
    }

    /// An operation that was not sent, because a secret that its request needs is not available.
    public func withoutCredential(_ operation: Operation, _ message: Message) -> AttemptOutcome {
        AttemptOutcome(operation: operation.with(.queued, message: message), signal: .refusal(message))
    }

    /// An operation that was not sent, after the upstream's record was inspected.
    public func inspected(_ operation: Operation, _ finding: MatchFinding) -> AttemptOutcome {
        switch finding {
        case .shown: AttemptOutcome(operation: accepted(operation, .record, id: nil), signal: .success)
        case .gone where operation.action == .delete:
            AttemptOutcome(operation: accepted(operation, .record, id: nil), signal: .success)
        case .gone:
            AttemptOutcome(operation: operation.with(.conflict, message: Message(.writeOfGone)), signal: .success)
        case .changed(let fields):
            AttemptOutcome(
                operation: operation.with(
                    .conflict, message: Message(.writeOverChanged, fields.joined(separator: ", "))),
                signal: .success)
        case .failed(let message, let seconds):
            AttemptOutcome(operation: again(operation, message, after: seconds), signal: .failure)
        case .refused(let message): withoutCredential(operation, message)
        case .forbidden(let message):
            AttemptOutcome(
                operation: operation.with(.held, reason: .forbidden, message: message), signal: .failure)
        }
    }

    /// An operation that was `sending` when the daemon ended: it counts as sent and unanswered.
    public func interrupted(_ operation: Operation) -> Operation {
        var operation = operation
        let message = Message(.writeInterrupted)
        operation.delivery.end(failure: message)
        operation = unanswered(operation, message)
        operation.delivery.end(in: operation.state)
        return operation
    }

    private func answered(
        _ operation: Operation, _ answer: AttemptAnswer, _ step: SendingStep
    ) -> AttemptOutcome {
        let status = answer.status
        let message = Message(.httpStatus, HTTPStatus.text(status))
        switch status {
        case 425, 429,
            503 where answer.retryAfter != nil:
            // The upstream has not begun.
            return AttemptOutcome(operation: again(operation, message, after: answer.retryAfter), signal: .failure)
        case _ where rules.accepted.contains(status):
            return AttemptOutcome(operation: succeeded(operation, answer, step), signal: .success)
        case 404 where operation.action == .delete, 410 where operation.action == .delete:
            return AttemptOutcome(operation: accepted(operation, step, id: nil), signal: .success)
        case 408, 500...:
            return AttemptOutcome(
                operation: unanswered(operation, message, after: answer.retryAfter), signal: .failure)
        case 200..<300:
            return AttemptOutcome(operation: uncertain(operation, message), signal: .success)
        case 401, 407:
            return AttemptOutcome(operation: operation.with(.queued, message: message), signal: .refusal(message))
        case 409 where isRepeatedKey(operation):
            var operation = operation
            operation.delivery.repeatedConflicts += 1
            return AttemptOutcome(operation: again(operation, message, after: answer.retryAfter), signal: .success)
        case 409, 412,
            404 where isOnRecord(operation, step),
            410 where isOnRecord(operation, step):
            return AttemptOutcome(operation: refused(operation, .conflict, message), signal: .success)
        case 400..<500 where ![403, 404, 405, 410, 428].contains(status):
            return AttemptOutcome(operation: refused(operation, .rejected, message), signal: .success)
        default:
            return AttemptOutcome(operation: refused(operation, .held, message), signal: .failure)
        }
    }

    /// A refusal. After a lost answer it shows nothing about the request before, which may have been done: a refresh
    /// decides.
    private func refused(_ operation: Operation, _ state: OperationState, _ message: Message) -> Operation {
        let delivery = operation.delivery
        guard delivery.isAnswerMissing || delivery.wasUncertain && !delivery.isRecordSent else {
            return operation.refused(state, message)
        }
        var operation = uncertain(operation, message)
        operation.delivery.verdict = state
        return operation
    }

    /// The operation after an answer with a status in `accept`.
    private func succeeded(_ operation: Operation, _ answer: AttemptAnswer, _ step: SendingStep) -> Operation {
        guard step == .record, operation.action == .create else { return accepted(operation, step, id: nil) }
        switch answer.id {
        case .given(let id): return accepted(operation, step, id: id)
        case .taken(let id): return uncertain(operation, Message(.writeOfTakenID, id))
        case .none:
            guard rules.needsID else { return accepted(operation, step, id: nil) }
            return uncertain(operation, Message(.writeWithoutID, HTTPStatus.text(answer.status)))
        }
    }

    private func accepted(_ operation: Operation, _ step: SendingStep, id: String?) -> Operation {
        var operation = operation
        operation.delivery.succeed()
        if let id { operation.delivery.givenID = id }
        switch step {
        case .record: operation.delivery.isRecordSent = true
        case .file(let index): operation.delivery.filesSent = index + 1
        }
        guard operation.nextStep(sendsFilesApart: rules.sendsFilesApart) == .record else {
            return operation.with(.queued)
        }
        operation.delivery.acceptedAt = now
        return operation.with(.accepted)
    }

    private func again(_ operation: Operation, _ message: Message, after seconds: Int? = nil) -> Operation {
        var operation = operation.with(.queued, message: message)
        operation.delivery.failures += 1
        operation.delivery.floor = seconds.map { Backoff.floor(after: $0, now: now) }
        let due = now + Backoff.delay(failures: operation.delivery.failures, random: random)
        operation.delivery.nextTry = max(due, operation.delivery.floor ?? due)
        return operation
    }

    private func unanswered(_ operation: Operation, _ message: Message, after seconds: Int? = nil) -> Operation {
        var operation = operation
        operation.delivery.isAnswerMissing = true
        guard mayRepeat(operation) else {
            return uncertain(operation, Message(.writeUnanswered, MessageArgument.of(message)))
        }
        return again(operation, message, after: seconds)
    }

    private func uncertain(_ operation: Operation, _ message: Message) -> Operation {
        operation.uncertain(message, now: now)
    }

    /// Whether a request that may have been done can be sent again without doing it twice.
    private func mayRepeat(_ operation: Operation) -> Bool {
        guard let use = operation.delivery.keyUse, use.method == rules.method.rawValue, use.url == rules.url
        else { return false }
        if rules.method == .put || rules.method == .delete { return true }
        guard let life = rules.keyLife, use.isClockSteady, now >= use.last else { return false }
        return now - use.first < life
    }

    private func isRepeatedKey(_ operation: Operation) -> Bool {
        guard rules.keyLife != nil, operation.delivery.repeatedConflicts < Self.maxRepeatedConflicts
        else { return false }
        return (operation.delivery.keyUse?.requests ?? 0) > 1
    }

    /// Whether the request is about a record that the upstream should have.
    private func isOnRecord(_ operation: Operation, _ step: SendingStep) -> Bool {
        operation.action != .create || step != .record
    }
}

extension Operation {
    /// The operation as it waits for a refresh or a person to say whether the upstream has done it.
    fileprivate func uncertain(_ message: Message, now: Int64) -> Operation {
        var operation = with(.uncertain, message: message)
        operation.delivery.uncertainSince = now
        operation.delivery.wasUncertain = true
        operation.delivery.verdict = nil
        operation.delivery.nextTry = nil
        return operation
    }

    /// The operation, if no request can be made of it: the rules in force allow none, or a file is missing. It is held; or
    /// uncertain if an earlier request had no answer, because that one may have been done.
    func unsendable(_ reason: OperationReason, _ message: Message, now: Int64) -> Operation {
        guard delivery.isAnswerMissing else { return with(.held, reason: reason, message: message) }
        return uncertain(Message(.writeUnanswered, MessageArgument.of(message)), now: now)
    }

    /// The operation as an upstream leaves it that has refused it: rejected, in conflict, or held as forbidden.
    func refused(_ state: OperationState, _ message: Message?) -> Operation {
        with(state, reason: state == .held ? .forbidden : nil, message: message)
    }
}

extension OperationDelivery {
    /// Records the failure of the attempt under way.
    mutating func end(failure: Message) {
        guard !log.isEmpty else { return }
        log[log.count - 1].failure = failure
    }

    /// Records the answer to the attempt under way.
    mutating func end(_ answer: AttemptAnswer) {
        self.answer = OperationAnswer(status: answer.status, body: answer.body)
        guard !log.isEmpty else { return }
        log[log.count - 1].status = answer.status
    }

    /// Records the state of the operation after the attempt under way.
    mutating func end(in state: OperationState) {
        guard !log.isEmpty else { return }
        log[log.count - 1].state = state
    }

    /// Takes the request under way back, of which no byte left.
    mutating func forgetRequest() {
        keyUse?.requests -= 1
        if keyUse?.requests == 0 { keyUse = nil }
    }

    /// Ends the step under way, which went well. The next one has a key of its own.
    mutating func succeed() {
        failures = 0
        repeatedConflicts = 0
        isAnswerMissing = false
        verdict = nil
        keyUse = nil
        nextTry = nil
        floor = nil
        uncertainSince = nil
    }

    /// Begins again with the record's own request, because no refresh has shown what was accepted.
    mutating func sendAsWhole() {
        isRecordSent = false
        filesSent = 0
        acceptedAt = nil
    }

    /// Goes on under a new key, as if the step had never been sent.
    mutating func renewKey() {
        keyNumber += 1
        repeatedConflicts = 0
        failures = 0
        isAnswerMissing = false
        verdict = nil
        keyUse = nil
        nextTry = nil
        uncertainSince = nil
    }
}
