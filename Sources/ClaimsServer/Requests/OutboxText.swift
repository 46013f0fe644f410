// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsOutbox
import ClaimsProtocol
import ClaimsSnapshot
import ClaimsStore

/// Writes the results of `outbox`.
struct OutboxText {
    let peer: Peer
    let isWhole: Bool
    let language: String
    let served: ServedCatalog
    /// The time before which a queued operation is not sent, in milliseconds since 1970; nil if it is due.
    var nextTry: (Operation) -> Int64? = { _ in nil }

    func write(_ stored: StoredOperation, to writer: inout JSONWriter) {
        typealias Entry = OutboxResult.Operation
        let operation = stored.operation
        let delivery = operation.delivery
        writer.beginObject()
        writer.member(Entry.op, operation.id.text)
        writer.member(Entry.collection, operation.collection)
        writer.member(Entry.id, operation.record)
        writer.member(Entry.action, operation.action.name)
        let fields = operation.state.isSettled ? stored.changed : operation.touched
        writer.member(Entry.fields, fields.filter { isShown($0, of: operation) })
        writer.member(Entry.state, operation.state.rawValue)
        if let reason = operation.reason { writer.member(Entry.reason, reason.rawValue) }
        if let message = message(of: operation) { writer.member(Entry.message, message) }
        // Only the outcome of a settled operation is kept.
        if !operation.state.isSettled { writer.member(Entry.attempts, delivery.attempts) }
        let waits = served.catalog.obstacle(to: operation)
        // A peer that sees only a part of the records gets no information about other users' operations.
        let obstacle = isLimited(operation) ? nil : waits
        if operation.state == .queued, waits == nil, let next = nextTry(operation) {
            writer.key(Entry.nextTry)
            writer.instant(next)
        }
        if let obstacle { writer.member(Entry.waitsFor, obstacle.text) }
        if !isLimited(operation), let stuck = served.catalog.stuckObstacle(to: operation) {
            writer.member(Entry.stuckBehind, stuck.id.text)
        }
        writer.key(Entry.submittedAt)
        writer.instant(operation.submittedAt)
        writer.member(Entry.submittedBy, served.userName(operation.submittedBy))
        if isWhole { writeRest(operation, to: &writer) }
        writer.endObject()
    }

    /// The text about the state, with the words of the upstream if the peer may see the upstream's answer.
    func message(of operation: Operation) -> String? {
        guard let message = shownMessage(of: operation)?.text(language) else { return nil }
        guard maySeeAnswer(to: operation), let words = operation.upstreamWords else { return message }
        return "\(message): \(words)"
    }

    /// The message without the names of fields that the peer does not see.
    private func shownMessage(of operation: Operation) -> Message? {
        guard let message = operation.message, let limit = served.catalog[operation.collection]?.limit,
            limit.definition.hasSights
        else { return operation.message }
        let (all, shown) = (Set(limit.whole.fields.map(\.name)), Set(limit.definition.shownNames))
        let separator = ", "
        return Message(
            message.key,
            arguments: message.arguments.map { argument in
                let names = argument.split(separator: separator).map(String.init)
                return all.isSuperset(of: names) ? names.filter(shown.contains).joined(separator: separator) : argument
            })
    }

    private func isLimited(_ operation: Operation) -> Bool { served.catalog[operation.collection]?.limit != nil }

    /// Whether the peer sees a field that an operation gives or sets.
    private func isShown(_ field: String, of operation: Operation) -> Bool {
        guard let definition = served.catalog[operation.collection]?.definition, definition.hasSights else {
            return true
        }
        return definition.fieldIndex(field) != nil
    }

    private func maySeeAnswer(to operation: Operation) -> Bool {
        if isLimited(operation) { return false }
        return peer.uid == operation.submittedBy || peer.roles.has(.admin)
    }

    private func writeRest(_ operation: Operation, to writer: inout JSONWriter) {
        typealias Entry = OutboxResult.Operation
        var values = operation.values.given
        for member in operation.values.set.members { values[member.key] = member.value }
        if let definition = served.catalog[operation.collection]?.definition, definition.hasSights {
            // Another user may have given or set fields that the peer does not see.
            let shown = ShownMembers(definition.shownFields, of: definition)
            let json = shown.object(JSONValue.object(values).compactBytes.rawSpan)
            values = (try? JSONValue.parse(json, depth: JSONValue.maximumDepth))?.object ?? JSONObject()
        }
        writer.key(Entry.values)
        JSONValue.object(values).write(to: &writer)
        if !isLimited(operation) {
            writer.key(Entry.before)
            JSONValue.object(operation.values.before).write(to: &writer)
        }
        if !isLimited(operation), operation.state == .conflict,
            let basis = OperationCorrection(served.catalog).basis(of: operation)
        {
            writer.key(Entry.theirs)
            JSONValue.object(basis.before).write(to: &writer)
        }
        if let answer = operation.delivery.answer, maySeeAnswer(to: operation) {
            writer.key(Entry.answer)
            writer.beginObject()
            writer.member(OutboxResult.Answer.status, answer.status)
            writer.member(OutboxResult.Answer.body, answer.body)
            writer.endObject()
        }
        writer.key(Entry.log)
        writer.beginArray()
        for attempt in operation.delivery.log.reversed() {
            writer.beginObject()
            writer.member(OutboxResult.Attempt.attempt, Int(clamping: attempt.number))
            writer.key(OutboxResult.Attempt.at)
            writer.instant(attempt.at)
            if let state = attempt.state { writer.member(OutboxResult.Attempt.state, state.rawValue) }
            if let status = attempt.status { writer.member(OutboxResult.Attempt.status, status) }
            if let failure = attempt.failure { writer.member(OutboxResult.Attempt.message, failure.text(language)) }
            writer.endObject()
        }
        writer.endArray()
    }

    /// The answer to a decision.
    static func text(of reply: OutboxReply, _ revision: Revision) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member(OutboxResult.changed, reply.changed.map(\.text))
        writer.key(OutboxResult.refused)
        writer.beginArray()
        for refused in reply.refused {
            writer.beginObject()
            writer.member(OutboxResult.Refused.op, refused.operation.text)
            writer.member(OutboxResult.Refused.state, refused.state.rawValue)
            let ways = refused.resolutions.compactMap { OutboxResolution($0)?.rawValue }
            if !ways.isEmpty { writer.member(OutboxResult.Refused.resolve, ways) }
            writer.endObject()
        }
        writer.endArray()
        writer.member(OutboxResult.missing, reply.missing.map(\.text))
        writer.member(OutboxResult.clock, revision.text)
        writer.endObject()
        return writer.bytes
    }

    /// The members of a `progress` notification after `request`.
    static func members(of progress: SendingProgress) -> [UInt8] {
        JSONWriter.members { writer in
            writer.member(ProgressNotification.op, progress.operation.text)
            writer.member(ProgressNotification.sent, Int64(progress.sent))
            writer.member(ProgressNotification.size, Int64(progress.size))
            if let file = progress.file { writer.member(ProgressNotification.file, file + 1) }
            if progress.files > 0 { writer.member(ProgressNotification.files, progress.files) }
        }
    }

    /// Writes origins that are not sent to, as `outbox` and `status` list them.
    static func write(_ paused: [TroubledOrigin], language: String, to writer: inout JSONWriter) {
        writer.beginArray()
        for origin in paused {
            writer.beginObject()
            writer.member(PausedOrigin.origin, origin.origin)
            writer.key(PausedOrigin.since)
            writer.instant(origin.since)
            writer.member(PausedOrigin.reason, (origin.reason ?? Message(.writesFailing)).text(language))
            writer.key(PausedOrigin.nextTry)
            writer.instant(origin.nextTry)
            writer.endObject()
        }
        writer.endArray()
    }
}
