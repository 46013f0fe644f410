// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import Testing

@testable import ClaimsBrowse

/// A daemon of the tests: lists in memory, which are sorted and filtered in the plainest way.
struct FakeDaemon {
    struct Record: Equatable {
        var id: Int
        var name: String
        /// A code: `ok` in group `good`, `faulty` in group `bad`.
        var status = "ok"
        var isArchived = false

        var json: String {
            #"{"id":"\#(id)","name":"\#(name)","status":"\#(status)"\#(isArchived ? #","archived":true"# : "")}"#
        }
    }

    /// A set of records in an order.
    struct Question: Equatable {
        var collection: String
        var words: [String] = []
        var status: String?
        var archived = ArchivedMode.exclude
        var isByName = false
        var isReversed = false
        var isGrouped = false
    }

    struct Subscription {
        let question: Question
        var clock: Int
    }

    /// The records by collection.
    var records: [String: [Record]] = ["units": [], "books": []]
    /// The names of the orders and of the collections that there are.
    var orders = ["named"]
    var collections = ["units", "books"]
    var epoch = "e1"
    private(set) var sequence = 1
    /// The records at each sequence, for subscriptions that go on.
    private(set) var states: [Int: [String: [Record]]] = [:]
    var cursors: [String: Record] = [:]
    private var subscriptions: [Int64: Subscription] = [:]
    private var lastSubscription: Int64 = 0
    /// The methods that were asked for, in their order.
    private(set) var asked: [String] = []
    /// The language of each request for a list or for its changes.
    private(set) var languages: [String?] = []
    /// The refusal that every question for records meets, such as `no_data`; nil for none.
    var refusal: (kind: String, data: String)?
    /// Whether refreshes are not answered.
    var holdsRefreshes = false

    init() { states[sequence] = records }

    var clock: String { "\(epoch).\(sequence)" }

    /// The value of a text that a test has made; null, and an issue of the test, where that is no JSON.
    static func value(_ json: String) -> AnswerValue {
        do {
            return try AnswerDocument(Array(json.utf8)).root
        } catch {
            Issue.record("the test made no JSON: \(json)")
            return value("null")
        }
    }

    // MARK: - Requests

    /// The answer to a request; nil for one that is not answered yet.
    mutating func answer(_ request: BrowseRequest) -> Result<AnswerValue, Refusal>? {
        asked.append(request.method.name)
        switch request.parameters {
        case let search as SearchParameters:
            languages.append(search.selection.language)
            if let refusal {
                let data = #"{"kind":"\#(refusal.kind)"\#(refusal.data)}"#
                return .failure(Refusal(Self.value(#"{"code":1,"message":"refused","data":\#(data)}"#)))
            }
            return answer(search)
        case let subscribe as SubscribeParameters:
            languages.append(subscribe.language)
            return .success(answer(subscribe))
        case let unsubscribe as UnsubscribeParameters:
            subscriptions[unsubscribe.subscription] = nil
            return .success(Self.value("{}"))
        case let archive as ArchiveParameters: return .success(mark(archive, asArchived: request.method == .archive))
        case let detail as DetailParameters: return answer(detail)
        case is HelloParameters:
            return .success(Self.value(#"{"you":{"roles":["read","archive"]}}"#))
        case is StatusParameters: return .success(status)
        case is DescribeParameters: return .success(description)
        case is RefreshParameters: return holdsRefreshes ? nil : .success(Self.value(#"{"collections":[]}"#))
        default: return .success(Self.value("{}"))
        }
    }

    private func answer(_ detail: DetailParameters) -> Result<AnswerValue, Refusal> {
        let all = records[detail.collection] ?? []
        guard let record = all.first(where: { String($0.id) == detail.id.text }) else {
            return .failure(Refusal(Self.value(#"{"code":1,"message":"no","data":{"kind":"not_found"}}"#)))
        }
        return .success(Self.value(#"{"record":\#(record.json)}"#))
    }

    func meta(_ collection: String) -> String {
        #"{"collection":"\#(collection)","state":"ready","freshness":"fresh","source":"upstream","#
            + #""as_of":"2026-11-22T08:00:00.000Z","clock":"\#(clock)"}"#
    }

    /// Archives or unarchives records of all collections.
    private mutating func mark(_ archive: ArchiveParameters, asArchived isArchived: Bool) -> AnswerValue {
        let ids = archive.ids?.texts ?? []
        commit { records in
            records[archive.collection] = records[archive.collection]?.map { record in
                var record = record
                if ids.contains(String(record.id)) { record.isArchived = isArchived }
                return record
            }
        }
        let list = ids.map { "\"\($0)\"" }.joined(separator: ",")
        return Self.value(#"{"changed":[\#(list)],"unchanged":[],"missing":[],"clock":"\#(clock)"}"#)
    }

    private var status: AnswerValue {
        let entries = collections.map { #"{"name":"\#($0)","title":"\#($0)","total":1,"meta":\#(meta($0))}"# }
        return Self.value(#"{"version":"1","collections":[\#(entries.joined(separator: ","))]}"#)
    }

    private var description: AnswerValue {
        let entries = collections.map { name in
            let sorts = orders.map { #"{"name":"\#($0)","keys":["name"]}"# }.joined(separator: ",")
            let groups = name == "units" ? #""group_by":"status","# : ""
            return #"{"name":"\#(name)","title":"Title of \#(name)","singular":"\#(name.dropLast())","archive":true,"#
                + groups + #""list":["id","name","status"],"fields":["#
                + #"{"name":"id","type":"id"},{"name":"name","type":"text","bold":true,"operators":["=","~"]},"#
                + #"{"name":"status","type":"enum","vocabulary":"states","operators":["=","!="]}],"#
                + #""vocabularies":{"states":{"codes":[{"code":"ok","label":"OK","group":"good"},"#
                + #"{"code":"faulty","label":"Faulty","group":"bad"}]}},"#
                + #""groups":[{"key":"bad","label":"To do"},{"key":"good","label":"Fine"}],"#
                + #""sort":["id"],"sorts":[\#(sorts)],"views":[]}"#
        }
        return Self.value(#"{"collections":[\#(entries.joined(separator: ","))]}"#)
    }

    // MARK: - Changes

    private mutating func answer(_ subscribe: SubscribeParameters) -> AnswerValue {
        lastSubscription += 1
        var selection = SelectionParameters()
        selection.filter = subscribe.feed.filter
        selection.archived = subscribe.feed.archived
        let question = question(subscribe.collection, selection, sort: nil, isGrouped: false)
        let parts = subscribe.since?.split(separator: ".") ?? []
        let since = parts.count == 2 && parts[0] == epoch ? Int(parts[1]) : nil
        subscriptions[lastSubscription] = Subscription(question: question, clock: since ?? sequence)
        if subscribe.since == nil {
            let members =
                #""subscription":\#(lastSubscription),"clock":"\#(clock)","meta":\#(meta(subscribe.collection))"#
            return Self.value("{\(members)}")
        }
        isFresh = since == nil ? lastSubscription : nil
        return Self.value(#"{"subscription":\#(lastSubscription),"meta":\#(meta(subscribe.collection))}"#)
    }

    /// The subscription whose set is told anew, as its clock was of another epoch.
    private var isFresh: Int64?

    /// Changes records, in one commit.
    mutating func commit(_ change: (inout [String: [Record]]) -> Void) {
        change(&records)
        sequence += 1
        states[sequence] = records
    }

    /// The events that are to be told by now, as whole lines.
    mutating func events() -> [AnswerValue] {
        var lines: [String] = []
        if let number = isFresh {
            isFresh = nil
            lines.append(event(number, #""type":"fresh_instance","reason":"epoch""#))
        }
        for (number, subscription) in subscriptions.sorted(by: { $0.key < $1.key }) where subscription.clock < sequence
        {
            let entries = entries(of: subscription)
            subscriptions[number]?.clock = sequence
            let tail = #""complete":true,"clock":"\#(clock)","meta":\#(meta(subscription.question.collection))"#
            if entries.isEmpty { continue }
            lines.append(event(number, #""type":"changes","changes":[\#(entries.joined(separator: ","))],\#(tail)"#))
        }
        return lines.map(Self.value)
    }

    private func event(_ number: Int64, _ members: String) -> String {
        #"{"method":"event","params":{"subscription":\#(number),\#(members)}}"#
    }

    private func entries(of subscription: Subscription) -> [String] {
        let old = list(subscription.question, at: subscription.clock)
        let new = list(subscription.question)
        func head(_ op: String, _ record: Record) -> String {
            #"{"op":"\#(op)","id":"\#(record.id)","seq":\#(sequence)"#
        }
        var entries: [String] = []
        for record in old where !new.contains(where: { $0.id == record.id }) {
            let isThere = records[subscription.question.collection]?.contains { $0.id == record.id } ?? false
            entries.append(head("removed", record) + #","reason":"\#(isThere ? "no_longer_matches" : "gone")"}"#)
        }
        for record in new {
            guard let before = old.first(where: { $0.id == record.id }) else {
                entries.append(head("added", record) + #","record":\#(record.json)}"#)
                continue
            }
            if before != record { entries.append(head("updated", record) + #","record":\#(record.json)}"#) }
        }
        return entries
    }

    /// Forgets what belongs to a connection.
    mutating func disconnect() {
        subscriptions = [:]
        isFresh = nil
    }
}
