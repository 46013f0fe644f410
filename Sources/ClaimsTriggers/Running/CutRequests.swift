// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsTerminal

/// The requests of a cut: the description of the collection, the pages of `changes`, and the description again.
struct CutRequests {
    /// A cut that is read to its last page.
    struct Answer {
        let cut: TriggerCut
        let description: Described
        /// The current clock.
        let clock: String
        let meta: AnswerValue
        let condition: Condition
    }

    /// The end of the requests.
    enum Outcome {
        case answer(Answer)
        /// The daemon has no data, so nothing is compared.
        case noData(Described, AnswerValue?, Condition)
    }

    /// The parts of a collection's description that a cut needs.
    struct Described {
        let name: String
        let title: String
        let viewTitle: String?
        let fields: [ComparedField]
    }

    let definition: TriggerDefinition
    /// The IANA name of the zone of days; nil for UTC.
    private let zone: String?
    /// Asks the daemon.
    private let call: any Caller

    /// The means to ask the daemon.
    protocol Caller {
        func describe(_ parameters: DescribeParameters) throws(CommandError) -> AnswerValue
        func changes(_ parameters: ChangesParameters) throws(CommandError) -> AnswerValue
    }

    /// The maximal number of times that a cut is read while the compared fields change.
    private static let maxRounds = 5

    init(_ definition: TriggerDefinition, _ call: any Caller) {
        self.definition = definition
        self.call = call
        let zone = definition.timeZone ?? LocalTimeZone.name()
        self.zone = zone == "UTC" ? nil : zone
    }

    /// The feed of the trigger.
    var feed: FeedParameters {
        var feed = FeedParameters()
        feed.filter = definition.filter.map { FilterValue($0) }
        feed.view = definition.view
        feed.archived = definition.archived
        feed.timeZone = zone
        feed.fields = definition.fields.map { NameList($0) }
        return feed
    }

    /// The count of the set.
    var counting: CountParameters {
        var parameters = CountParameters()
        parameters.collection = definition.collection
        parameters.selection.filter = feed.filter
        parameters.selection.view = definition.view
        parameters.selection.archived = definition.archived
        parameters.selection.timeZone = definition.filter == nil && definition.view == nil ? nil : zone
        return parameters
    }

    /// Reads a cut.
    func read(_ reported: Reported?, into spool: EntrySpool) throws(CutFailure) -> Outcome {
        var before = try described()
        for _ in 0..<Self.maxRounds {
            let outcome = try read(before, reported, into: spool)
            let after = try described()
            if after.fields == before.fields { return outcome }
            before = after
        }
        throw .away(.client(.timedOut(.zero)))
    }

    private func read(
        _ description: Described, _ reported: Reported?, into spool: EntrySpool
    ) throws(CutFailure) -> Outcome {
        var parameters = ChangesParameters()
        parameters.collection = definition.collection
        parameters.feed = feed
        var cut = TriggerCut(
            definition, collection: description.name, fields: description.fields, reported: reported, key: .random)
        parameters.since = cut.since
        try keeping { () throws(SystemError) in try spool.removeAll() }
        while true {
            let page: AnswerValue
            do throws(CommandError) {
                page = try call.changes(parameters)
            } catch {
                if case .client(.refused(let refusal)) = error {
                    if refusal.kind == ErrorKind.noData.rawValue { return noData(description, refusal.data) }
                    // The daemon does not know a clock that it gave itself, so the set as a whole shows the difference.
                    if refusal.kind == ErrorKind.badCursor.rawValue, parameters.since != nil || parameters.cursor != nil
                    {
                        parameters.since = nil
                        parameters.cursor = nil
                        continue
                    }
                }
                throw CutFailure(error)
            }
            if page[ChangesResult.freshInstance] == true {
                try keeping { () throws(SystemError) in try spool.removeAll() }
            }
            try cut.read(page) { text throws(SystemError) in try spool.append(text) }
            if page[ChangesResult.more] == true, let next = page[ChangesResult.next] {
                parameters.since = nil
                parameters.cursor = next
                continue
            }
            guard let clock = page[ChangesResult.clock], let meta: AnswerValue = page[ChangesResult.meta],
                let collection = AnswerMeta(meta)
            else { throw .refused(Self.noClock) }
            // Creates that wait may be all there is: no data is not empty.
            if collection.freshness == nil { return noData(description, page) }
            return .answer(
                Answer(
                    cut: cut, description: description, clock: clock, meta: meta, condition: Condition(collection)))
        }
    }

    private func noData(_ description: Described, _ data: AnswerValue?) -> Outcome {
        let meta: AnswerValue? = data?[Member<Meta>.meta]
        return .noData(description, meta, AnswerMeta(meta).map { Condition($0) } ?? .loading)
    }

    private func keeping(_ body: () throws(SystemError) -> Void) throws(CutFailure) {
        do throws(SystemError) { try body() } catch { throw .store(error) }
    }

    private static let noClock = CommandError.failed(
        .failure, kind: "protocol",
        message: TranslatedText(en: "the daemon gave no clock", pl: "demon nie podał zegara"))

    private func described() throws(CutFailure) -> Described {
        var parameters = DescribeParameters()
        parameters.collection = definition.collection
        do throws(CommandError) {
            let answer = try call.describe(parameters)
            guard let entry = answer[DescribeResult.collections].first else { throw Self.noClock }
            return Described(entry, definition)
        } catch {
            throw CutFailure(error)
        }
    }
}

extension CutRequests.Described {
    fileprivate init(_ entry: AnswerValue, _ definition: TriggerDefinition) {
        typealias Entry = DescribeResult.CollectionEntry
        typealias Field = DescribeResult.FieldEntry
        let name = entry[Entry.name] ?? definition.collection
        let known = entry[Entry.fields]
        // The id identifies the member, and volatile fields are never reported alone.
        let ignored = known.filter { $0[Field.volatile] == true || $0[Field.type] == FieldType.id.rawValue }
            .compactMap { $0[Field.name] as String? }
        var names = definition.fields ?? known.compactMap { $0[Field.name] }
        if definition.archived == .include { names.append("archived") }
        var fields: [ComparedField] = []
        for name in names {
            let field = ComparedField(name.hasSuffix(".raw") ? String(name.dropLast(4)) : name)
            if !ignored.contains(field.text), field.text != ReservedNames.pending, !fields.contains(field) {
                fields.append(field)
            }
        }
        let view = definition.view.flatMap { wanted in
            entry[Entry.views].first { $0[DescribeResult.ViewEntry.name] == wanted }
        }
        self.init(
            name: name, title: entry[Entry.title] ?? name, viewTitle: view?[DescribeResult.ViewEntry.title],
            fields: fields)
    }
}
