// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

extension OperationDelivery {
    /// Notes the failure of the attempt under way.
    mutating func end(failure: Message) {
        guard !log.isEmpty else { return }
        log[log.count - 1].failure = failure
    }

    /// Notes the answer to the attempt under way.
    mutating func end(_ answer: AttemptAnswer) {
        self.answer = OperationAnswer(status: answer.status, body: answer.body)
        guard !log.isEmpty else { return }
        log[log.count - 1].status = answer.status
    }

    /// Notes the state of the operation after the attempt under way.
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

    /// Begins again with the record's own request, because nobody has seen what was accepted.
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
