// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol
import ClaimsTerminal

/// The state of a collection's data in words: how fresh it is, and what stands in the middle where there is no list.
struct DataCondition {
    let collection: CollectionDescription
    /// The list; nil before it was asked for.
    let list: ListState?
    /// The entry of the collection in the answer of `status`; nil before the first one.
    let status: AnswerValue?
    let time: LocalTime

    private var messages: Messages { time.messages }
    private var title: String { Escaping.line(collection.title) }

    /// The state in the newest answer, or the refusal, or else `status`.
    private var meta: AnswerMeta? {
        if case .refused(let refusal)? = list?.phase, let meta = AnswerMeta(refusal.data?["meta"]) { return meta }
        return list?.meta ?? AnswerMeta(status?[StatusResult.Collection.meta])
    }

    // MARK: - The second row

    /// How fresh the data is, and why it is not fresher; nil if there is none.
    ///
    /// Where it does not fit into `width` cells, the reason is cut first, then what comes last is left out.
    func freshness(width: Int) -> (text: String, style: CellStyle)? {
        guard let (parts, style) = freshness else { return nil }
        for count in (1...parts.count).reversed() {
            let shown = Array(parts.prefix(count))
            let over = StyledLine(shown.map(\.text).joined(separator: Self.separator)).cells - width
            guard over > 0, count > 1 else { return (joined(shown.map(\.text)), style) }
            guard let reason = shown.firstIndex(where: \.isReason) else { continue }
            let room = StyledLine(shown[reason].words).cells - over
            guard room >= Self.minReasonCells else { continue }
            var texts = shown.map(\.text)
            // The time of the failure is not cut.
            texts[reason] = Fitting.truncate(shown[reason].words, to: room) + shown[reason].clock
            return (joined(texts), style)
        }
        return nil
    }

    private static let separator = " · "

    /// The cells below which a reason says nothing.
    private static let minReasonCells = 8

    /// A part of the second row.
    private struct Part {
        let words: String
        /// The time behind the reason of a failure, with a blank before it.
        var clock = ""
        var isReason = false

        var text: String { words + clock }

        init(_ words: String, clock: String = "", isReason: Bool = false) {
            self.words = words
            self.clock = clock
            self.isReason = isReason
        }
    }

    private var freshness: (parts: [Part], style: CellStyle)? {
        if let refresh = list?.refresh, hasData {
            return ([Part(messages.refreshing(progress(refresh)))], .notFresh)
        }
        if let held = status?[StatusResult.Collection.held] {
            let (before, after) = (held[StatusResult.Held.before] ?? 0, held[StatusResult.Held.after] ?? 0)
            return ([Part(messages.held(after, insteadOf: before))], .wrong)
        }
        guard hasData, let meta else { return nil }
        let (parts, style) = age(meta)
        guard case .notLive(let reason)? = list?.liveness else { return (parts, style) }
        return (parts + [Part(messages.notLive(reason.map { Escaping.line($0) }))], style)
    }

    /// Whether there is an upstream that can be asked, as far as the daemon has said so.
    private var hasSource: Bool { status.map { $0[StatusResult.Collection.ttl] != nil } ?? true }

    private var hasData: Bool {
        if case .refused? = list?.phase { return false }
        return meta?.hasData ?? false
    }

    private func age(_ meta: AnswerMeta) -> (parts: [Part], style: CellStyle) {
        if meta.isAbandoned {
            return (parts(messages.noUpstream(title), reason: advice.map { Part($0, isReason: true) }), .notFresh)
        }
        let age = messages.age(meta.asOf.map { time.now - $0 } ?? meta.age ?? 0)
        switch meta.freshness {
        case "fresh"?:
            if meta.source == "local" { return (parts(messages.localTruth), .plain) }
            return (parts(messages.fresh(age), reason: reason(meta), next: nextAttempt(meta)), .plain)
        case "bundle"?:
            let upstream = hasSource ? messages.noUpstreamAnswered : messages.noUpstreamConfigured
            return (parts(messages.builtInData) + parts(upstream, reason: reason(meta)), .notFresh)
        case "expired"?:
            return (parts(messages.expired(age), reason: reason(meta), next: nextAttempt(meta)), .wrong)
        default:
            let reason = reason(meta) ?? excess(meta).map { Part($0) }
            return (parts(messages.stale(age), reason: reason, next: nextAttempt(meta)), .notFresh)
        }
    }

    /// When the upstream is asked next: again, after a failure.
    private func nextAttempt(_ meta: AnswerMeta) -> String? {
        (meta.nextRefresh).map { time.clock($0) }.map(
            meta.failure == nil ? messages.nextRefreshAt : messages.nextTryAt)
    }

    /// Why data without a failure is old.
    private func excess(_ meta: AnswerMeta) -> String? {
        if let sites = meta.sites { return messages.oldSites(sites.old, of: sites.total) }
        return status?[StatusResult.Collection.ttl].map(messages.olderThanTTL)
    }

    private func parts(_ age: String, reason: Part? = nil, next: String? = nil) -> [Part] {
        [Part(age), reason, next.map { Part($0) }].compactMap(\.self)
    }

    private func joined(_ parts: [String?]) -> String { parts.compactMap(\.self).joined(separator: Self.separator) }

    /// The reason for old data and its time: `the server refused the connection 08:01`.
    private func reason(_ meta: AnswerMeta) -> Part? {
        meta.failure.map { failure in
            let clock = failure.at.map { " \(time.clock($0))" } ?? ""
            return Part(failure.clause, clock: clock, isReason: true)
        }
    }

    /// How far a refresh is: `receiving 12.4 of 31.0 MiB, 3 s`; of one that waits for its host, until when and why.
    private func progress(_ refresh: ListRefresh) -> String {
        if let wait = refresh.progress?.wait {
            return Escaping.line(messages.text(wait.text(until: time.exactClock(wait.until))))
        }
        let phase = messages.phase(refresh.progress?.phase)
        let span = messages.span(max(0, time.now - refresh.since))
        let bytes = Int64(refresh.progress?.bytes ?? 0)
        guard bytes > 0 else { return "\(phase), \(span)" }
        let size = refresh.progress?.expected.map { messages.size(bytes, of: Int64($0)) } ?? messages.size(bytes)
        return "\(phase) \(size), \(span)"
    }

    // MARK: - The middle

    /// The lines where there is no list, the first in bold; empty if there is one.
    var explanation: [String] {
        guard let list else { return [messages.loadingRecords(title)] }
        switch list.phase {
        case .loading: return [messages.loadingRecords(title)] + [list.refresh.map(progress)].compactMap(\.self)
        case .refused(let refusal): return lines(of: refusal, list)
        case .answered:
            guard list.rows.isEmpty, list.total == 0 else { return [] }
            return list.answeredQuery.isNarrow ? noMatch(list) : empty(list.answeredQuery)
        }
    }

    private func empty(_ query: ListQuery) -> [String] {
        let archived = status?[StatusResult.Collection.archived] ?? 0
        if query.archived == .exclude, archived > 0 {
            return [messages.allArchived(title, archived), messages.archiveKeyShows]
        }
        let isLocal = meta?.source == "local"
        let clock = isLocal ? nil : (meta?.asOf).map { time.clock($0) }
        return [messages.noRecords(title), messages.upstreamHasNone(at: clock)]
    }

    private func noMatch(_ list: ListState) -> [String] {
        let query = list.answeredQuery
        let view = query.view.map { name in
            messages.inView(Escaping.line(collection.offers.views.first { $0.name == name }?.title ?? name))
        }
        let terms = [
            query.search.isEmpty ? nil : "/\(Escaping.line(query.search))",
            query.filter.isEmpty ? nil : Escaping.line(query.filter),
        ]
        let parts = [view, query.archived == .only ? messages.onlyArchived : nil]
        let hint =
            !query.search.isEmpty
            ? messages.escClearsSearch
            : !query.filter.isEmpty
                ? messages.filterKeyChanges
                : query.view != nil ? messages.viewKeyChanges : messages.archiveKeyChanges
        func joined(_ parts: [String?]) -> String { parts.compactMap(\.self).joined(separator: ", ") }
        let found = list.foundByID.map { messages.isID($0.id) }
        return [messages.noMatch(title, joined(terms), within: joined(parts)), found, hint].compactMap(\.self)
    }

    private func lines(of refusal: Refusal, _ list: ListState) -> [String] {
        let next = (meta?.nextRefresh).map { messages.nextTry(at: time.clock($0)) }
        switch refusal.kind == ErrorKind.noData.rawValue ? meta?.state : nil {
        case "loading"?: return [messages.loadingRecords(title)] + [list.refresh.map(progress)].compactMap(\.self)
        case "unconfigured"?: return [messages.noUpstream(title)] + [advice].compactMap(\.self)
        case "withheld"?:
            let clock = (meta?.nextRefresh).map { messages.nextTryAt(time.clock($0)) }
            let details = list.refresh.map(progress) ?? joined([meta.flatMap(reason)?.text, clock])
            return [messages.withheld(title, because: refusal.message)]
                + (details.isEmpty ? [] : [messages.capitalized(details)])
        case "failed"?:
            let reason = meta?.failure.map(\.clause)
            let ways = [messages.pressToTryAgain, next].compactMap(\.self).joined(separator: " ")
            return [messages.unableToLoad(title, reason), list.refresh.map(progress) ?? ways]
        default:
            let reason = FreshnessLine.clause(refusal.message)
            return [messages.unableToLoad(title, reason)] + [refusal.hint.map { Escaping.line($0) }].compactMap(\.self)
        }
    }

    /// The advice of the daemon.
    private var advice: String? {
        if case .refused(let refusal)? = list?.phase, let hint = refusal.hint { return Escaping.line(hint) }
        return status?[StatusResult.Collection.hint].map { Escaping.line($0) }
    }
}

extension ListQuery {
    /// Whether anything keeps records out of the list, beside that archived ones are hidden.
    fileprivate var isNarrow: Bool { !search.isEmpty || !filter.isEmpty || view != nil || archived == .only }
}
