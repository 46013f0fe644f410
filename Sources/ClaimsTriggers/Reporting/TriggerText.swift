// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsTerminal

/// The words for how a trigger is doing: in the list, and for the service manager.
struct TriggerText {
    private let time: LocalTime
    private var messages: Messages { time.messages }

    init(_ time: LocalTime) { self.time = time }

    /// One line: what it does, what waits, and what comes next.
    func line(_ status: TriggerStatus) -> String {
        var parts = [messages.triggerState(status.state.rawValue)]
        if let problem = status.problem { parts[0] += ": \(Escaping.line(problem))" }
        if let members = status.members, status.batch == nil { parts.append(messages.triggerMembers(members)) }
        if status.batch != nil {
            parts.append(messages.triggerBatch(lines: status.count ?? 0, attempt: status.attempt))
        }
        if let exit = status.lastExit, exit != .code(0) { parts.append(messages.triggerExit(exit)) }
        if let last = status.reportedAt { parts.append(messages.triggerTold(time.clock(last))) }
        if let next = status.nextTry { parts.append(messages.triggerNext(time.clock(next))) }
        return parts.joined(separator: "; ")
    }

    /// The sentence about a trigger for a person.
    func details(_ report: TriggerReport) -> String {
        switch report.condition {
        case .wrong(let problems): problems.map { Escaping.line($0.description) }.joined(separator: "; ")
        case .stopped: messages.triggerStart("systemctl enable --now claimsd-trigger@\(report.name)")
        case .running(let status): line(status)
        }
    }
}
