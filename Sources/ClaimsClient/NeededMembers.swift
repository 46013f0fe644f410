// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsProtocol

/// The members of results that clients rely on: without one of them an answer would read as "none" or "done".
///
/// Other members may be missing; an older daemon does not know the newest of them.
enum NeededMembers {
    /// The text about a member that a result lacks; nil where it has all of them.
    static func objection(to result: AnswerValue, of method: Method) -> ErrorText? {
        guard let names = needed(method).first(where: { names in names.allSatisfy { result[$0] == nil } }) else {
            return nil
        }
        let paths = names.map { "'/result/\($0)'" }
        let polish = names.map { "„/result/\($0)”" }
        return ErrorText(
            en: "the daemon sent what is no answer: \(paths.joined(separator: " or ")) is missing",
            pl: "demon przysłał coś, co nie jest odpowiedzią: brakuje \(polish.joined(separator: " albo "))")
    }

    /// The members that a result has, one of each list; null counts as missing.
    private static func needed(_ method: Method) -> [[String]] {
        switch method {
        case .hello, .ping, .unsubscribe, .cancel: []
        case .describe: [[name(DescribeResult.collections), name(DescribeResult.methods)]]
        case .status: [[name(StatusResult.collections)]]
        case .search, .sort: [[name(SearchResult.total)]]
        case .count: [[name(CountResult.total)]]
        case .facets: [[name(FacetsResult.facets)]]
        case .detail: [[name(DetailResult.record)]]
        case .history: [[name(HistoryResult.versions)]]
        case .explain: [[name(ExplainResult.filter)]]
        case .archive, .unarchive: [[name(ArchiveResult.changed)], [name(ArchiveResult.missing)]]
        case .submit: [[name(SubmitResult.op)], [name(SubmitResult.state)]]
        case .outbox: [[name(OutboxResult.operations), name(OutboxResult.changed)]]
        case .attach: [[name(AttachResult.upload)], [name(AttachResult.received)]]
        case .fetchAttachment: [[name(FetchAttachmentResult.data)], [name(FetchAttachmentResult.size)]]
        case .refresh: [[name(RefreshResult.collections)]]
        case .refreshes: [[name(RefreshesResult.refreshes)]]
        case .changes: [[name(ChangesResult.changes)]]
        case .quarantine: [quarantine]
        case .forget: [[name(ForgetResult.records)]]
        case .attempt: [[name(TryResult.outcome)]]
        case .subscribe: [[name(SubscribeResult.subscription)]]
        case .deal: [[name(DealResult.record)], [name(DealResult.message)]]
        }
    }

    /// Each action of `quarantine` has members of its own.
    private static let quarantine = [
        name(QuarantineResult.entries), name(QuarantineResult.bytes), name(QuarantineResult.base64),
        name(QuarantineResult.accepted), name(QuarantineResult.refused), name(QuarantineResult.dropped),
    ]

    private static func name<Value>(_ member: Member<Value>) -> String { String(describing: member.name) }
}
