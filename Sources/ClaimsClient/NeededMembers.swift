// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsProtocol

/// The members of results that clients rely on: without one of them an answer would read as "none" or "done".
///
/// Other members may be missing; an older daemon does not know the newest of them.
enum NeededMembers {
    /// The text about a member that a result lacks; nil where it has all of them.
    static func objection(to result: AnswerValue, of method: Method) -> TranslatedText? {
        objection(to: result, at: "/result", needed(method), elements(method))
    }

    /// The text about a member that the `params` of an event lack; nil where they have all of them.
    static func objection(to params: AnswerValue?, of event: EventKind?) -> TranslatedText? {
        guard let event else {
            return objection(to: params, at: "/params", [[name(EventNotification.type)]], [])
        }
        return objection(to: params, at: "/params", needed(event), event == .changes ? [feedEntries] : [])
    }

    /// The elements of an array, which have members of their own that clients rely on.
    private struct Elements {
        /// The name of the array.
        let array: String
        let needed: [[String]]

        init<Element>(_ array: Member<[Element]>, _ needed: String...) {
            self.array = name(array)
            self.needed = needed.map { [$0] }
        }
    }

    private static func objection(
        to object: AnswerValue?, at path: String, _ needed: [[String]], _ arrays: [Elements]
    ) -> TranslatedText? {
        if let names = needed.first(where: { names in names.allSatisfy { object?[$0] == nil } }) {
            return missing(names, at: path)
        }
        for elements in arrays {
            for (index, element) in (object?[elements.array]?.elements ?? []).enumerated() {
                let mistake = objection(to: element, at: "\(path)/\(elements.array)/\(index)", elements.needed, [])
                if let mistake { return mistake }
            }
        }
        return nil
    }

    private static func missing(_ names: [String], at path: String) -> TranslatedText {
        let paths = names.map { "'\(path)/\($0)'" }
        let polish = names.map { "„\(path)/\($0)”" }
        return TranslatedText(
            en: "the daemon sent what is no answer: \(paths.joined(separator: " or ")) is missing",
            pl: "demon przysłał coś, co nie jest odpowiedzią: brakuje \(polish.joined(separator: " albo "))")
    }

    /// The members that a result has, one of each list; null counts as missing.
    private static func needed(_ method: Method) -> [[String]] {
        switch method {
        case .hello, .ping, .unsubscribe, .cancel: []
        case .describe: [[name(DescribeResult.collections), name(DescribeResult.methods)]]
        case .status: [[name(StatusResult.collections)]]
        // The records of a stream come before the result.
        case .search, .sort: [[name(SearchResult.total)]]
        case .count: [[name(CountResult.total)]]
        case .facets: [[name(FacetsResult.facets)]]
        case .detail: [[name(DetailResult.record)]]
        case .history: [[name(HistoryResult.versions)]]
        case .explain: [[name(ExplainResult.filter)], [name(ExplainResult.tree)]]
        case .archive, .unarchive: [[name(ArchiveResult.changed)], [name(ArchiveResult.missing)]]
        case .submit: [[name(SubmitResult.op)], [name(SubmitResult.id)], [name(SubmitResult.state)]]
        case .outbox: [[name(OutboxResult.operations), name(OutboxResult.changed)]]
        case .attach: [[name(AttachResult.upload)], [name(AttachResult.received)]]
        case .fetchAttachment:
            [
                [name(FetchAttachmentResult.data)], [name(FetchAttachmentResult.size)],
                [name(FetchAttachmentResult.isEnd)],
            ]
        case .refresh: [[name(RefreshResult.collections)]]
        case .refreshes: [[name(RefreshesResult.refreshes)]]
        // Each page says from where on the next one goes.
        case .changes: [[name(ChangesResult.changes)], [name(ChangesResult.clock), name(ChangesResult.next)]]
        case .quarantine: [quarantine]
        case .forget: [[name(ForgetResult.records)]]
        case .attempt: [[name(TryResult.outcome)], [name(TryResult.counts)]]
        case .subscribe: [[name(SubscribeResult.subscription)]]
        case .access: [[name(AccessResult.uid)], [name(AccessResult.collections)]]
        case .fleet: [[name(FleetResult.addresses)], [name(FleetResult.sources)]]
        case .deal: [[name(DealResult.record)], [name(DealResult.message)]]
        }
    }

    private static func needed(_ event: EventKind) -> [[String]] {
        switch event {
        case .freshInstance: [[name(FreshInstanceEvent.reason)]]
        case .changes: [[name(ChangesEvent.changes)]]
        case .synced: [[name(SyncedEvent.clock)]]
        case .state: [[name(StateEvent.change)]]
        case .heartbeat: [[name(HeartbeatEvent.clock)]]
        case .lagged: []
        case .ended: [[name(EndedEvent.error)]]
        }
    }

    private static func elements(_ method: Method) -> [Elements] {
        switch method {
        case .describe: [Elements(DescribeResult.collections, name(DescribeResult.CollectionEntry.name))]
        case .status: [Elements(StatusResult.collections, name(StatusResult.Collection.name))]
        case .history:
            [Elements(HistoryResult.versions, name(HistoryResult.Version.seq), name(HistoryResult.Version.op))]
        case .outbox:
            [
                Elements(OutboxResult.operations, name(OutboxResult.Operation.op), name(OutboxResult.Operation.state)),
                Elements(OutboxResult.refused, name(OutboxResult.Refused.op), name(OutboxResult.Refused.state)),
            ]
        case .refresh:
            [
                Elements(
                    RefreshResult.collections, name(RefreshResult.Outcome.collection),
                    name(RefreshResult.Outcome.outcome))
            ]
        case .refreshes:
            [
                Elements(
                    RefreshesResult.refreshes, name(RefreshesResult.Attempt.collection),
                    name(RefreshesResult.Attempt.outcome))
            ]
        case .changes: [feedEntries]
        case .access:
            [
                Elements(
                    AccessResult.collections, name(AccessResult.Collection.collection),
                    name(AccessResult.Collection.sees))
            ]
        case .fleet:
            [
                Elements(FleetResult.addresses, name(FleetResult.Address.host)),
                Elements(FleetResult.sources, name(FleetResult.SharedSource.source)),
            ]
        case .quarantine:
            [
                Elements(QuarantineResult.entries, name(QuarantineResult.Entry.entry)),
                Elements(
                    QuarantineResult.accepted, name(QuarantineResult.Accepted.entry), name(QuarantineResult.Accepted.id)
                ),
                Elements(
                    QuarantineResult.refused, name(QuarantineResult.Refused.entry),
                    name(QuarantineResult.Refused.reason)),
            ]
        default: []
        }
    }

    private static let feedEntries = Elements(ChangesResult.changes, name(FeedEntry.op), name(FeedEntry.id))

    /// Each action of `quarantine` has members of its own.
    private static let quarantine = [
        name(QuarantineResult.entries), name(QuarantineResult.bytes), name(QuarantineResult.base64),
        name(QuarantineResult.accepted), name(QuarantineResult.refused), name(QuarantineResult.dropped),
    ]

    private static func name<Value>(_ member: Member<Value>) -> String { String(describing: member.name) }
}
