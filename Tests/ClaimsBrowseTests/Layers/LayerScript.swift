// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsTerminal
import Testing

@testable import ClaimsBrowse

/// A conversation with the layers: keys and answers go in, and what they ask for is kept.
struct LayerScript {
    var stack = LayerStack()
    var area = BrowseArea.list
    var roles: Set<String> = ["read", "archive", "write", "admin"]
    var language: String?
    var zone = TimeZoneRules.utc
    var isConnected = true
    var now: UInt64 = 0
    var lists = BrowseLists()
    private(set) var collections: [CollectionDescription]
    private var requests = RequestSource(seed: 7)
    /// The requests that have no answer yet, the oldest first.
    private(set) var asked: [BrowseRequest] = []
    /// The commands that are no requests.
    private(set) var commands: [BrowseCommand] = []
    private(set) var effects: [ListEffect] = []
    private(set) var notice: String?

    init(_ descriptions: String...) throws {
        collections = try descriptions.map { try #require(CollectionDescription(try Self.value($0))) }
    }

    static func value(_ json: String) throws -> AnswerValue {
        try AnswerDocument(Array(json.split(separator: "\n").joined().utf8)).root
    }

    // MARK: - What happens

    mutating func press(_ keys: Key...) {
        for key in keys { take(.key(key)) }
    }

    mutating func type(_ text: String) {
        for scalar in text.unicodeScalars { take(.key(.character(scalar))) }
    }

    mutating func take(_ event: LayerEvent) {
        let area = area
        run { stack, context in stack.handle(event, in: area, &context) }
    }

    /// Does an action of the table on a record.
    mutating func perform(_ action: BrowseAction, on record: String? = nil, query: ListQuery = ListQuery()) throws {
        var subject = ActionSubject(collection: collections.first, query: query, area: area)
        if let record {
            let value = try Self.value(record)
            subject.target = RecordTarget(
                collection: collections[0].name, id: value["id"]?.text ?? "", record: value)
        }
        run { stack, context in stack.perform(action, on: subject, &context) }
    }

    mutating func accept(_ name: String, records: Int64, insteadOf old: Int64) {
        run { stack, context in stack.askToAccept(name, records: records, insteadOf: old, &context) }
    }

    /// Answers the oldest request.
    mutating func answer(_ json: String) throws {
        let value = try Self.value(json)
        try #require(!asked.isEmpty)
        take(.answered(asked.removeFirst().tag, value))
    }

    /// Refuses the oldest request.
    mutating func refuse(_ kind: String, _ message: String = "no", _ more: String = "") throws {
        let error = try Self.value(#"{"code":1,"message":"\#(message)","data":{"kind":"\#(kind)"\#(more)}}"#)
        try #require(!asked.isEmpty)
        take(.refused(asked.removeFirst().tag, Refusal(error)))
    }

    /// Loses the connection with all that is under way.
    mutating func lose() {
        isConnected = false
        asked = []
        take(.lost)
    }

    mutating func reconnect() {
        isConnected = true
        take(.connected)
    }

    mutating func run(_ body: (inout LayerStack, inout LayerContext) -> LayerOutcome) {
        var context = LayerContext(
            collections: collections, roles: roles,
            person: BrowsePerson(language: language, zone: zone, zoneName: "UTC", isColored: false),
            moment: BrowseMoment(wall: 1_795_162_382_000, monotonic: now), isConnected: isConnected, lists: lists,
            pageLines: 10, maxScroll: 20, collectionLines: [1, 4], requests: requests)
        let outcome = body(&stack, &context)
        requests = context.requests
        notice = outcome.notice?.text ?? notice
        effects += outcome.effects
        #expect(outcome.tasks.isEmpty && outcome.opens == nil && outcome.closes == 0 && !outcome.reloadsOutbox)
        for command in outcome.commands {
            switch command {
            case .ask(let request): asked.append(request)
            case .cancel(let tag): asked.removeAll { $0.tag == tag }
            default: commands.append(command)
            }
        }
    }

    // MARK: - What is seen

    /// The requests without an answer: `archive {"collection":"books","ids":["7"]}`, without language and zone.
    var questions: [String] {
        asked.map { request in
            var writer = JSONWriter()
            writer.beginObject()
            request.parameters.write(to: &writer)
            writer.endObject()
            var object = (try? JSONValue.parse(String(decoding: writer.bytes, as: UTF8.self)))?.object ?? [:]
            for name in ["lang", "time_zone", "op"] { object[name] = nil }
            return "\(request.method.name) \(String(decoding: JSONValue.object(object).compactBytes, as: UTF8.self))"
        }
    }

    /// The UUID of the oldest operation without an answer.
    var operation: String? {
        asked.lazy.compactMap { ($0.parameters as? SubmitParameters)?.op }.first
    }

    var top: BrowseLayer? { stack.layers.last }

    var form: FormState? { if case .form(let form)? = top { form } else { nil } }
    var sheet: SheetState? { if case .sheet(let sheet)? = top { sheet } else { nil } }
    var question: QuestionState? { if case .question(let question)? = top { question } else { nil } }
    var input: InputState? { if case .input(let input)? = top { input } else { nil } }
    var detail: DetailState? { if case .detail(let detail)? = top { detail } else { nil } }

    /// The effects in a few words each.
    var changes: [String] {
        effects.map { effect in
            switch effect {
            case .query(let name, .search(let text)): "\(name) search \(text)"
            case .query(let name, .filter(let text)): "\(name) filter \(text)"
            case .query(let name, .view(let view)): "\(name) view \(view ?? "none")"
            case .query(let name, .order(let order)): "\(name) order \(order ?? "default")"
            case .restored(let name, .search(let text)): "\(name) back to search \(text)"
            case .restored(let name, .filter(let text)): "\(name) back to filter \(text)"
            case .restored(let name, _): "\(name) back"
            case .entered(let name): "\(name) entered"
            case .changed(_, .archived(let ids, true)): "archived \(ids.joined(separator: " "))"
            case .changed(_, .archived(let ids, false)): "unarchived \(ids.joined(separator: " "))"
            case .changed(_, .deleted(let ids)): "deleted \(ids.joined(separator: " "))"
            case .changed(_, .written(let id, let isNew)): "\(isNew ? "added" : "changed") \(id)"
            case .step(let step): "step \(step)"
            case .accept(let name): "accept \(name)"
            case .show(let name): "show \(name)"
            }
        }
    }
}

/// Collections for the conversations.
enum LayerExample {
    /// Books that are read, archived and dealt.
    static let books = #"""
        {"name":"books","title":"Books","singular":"book","archive":true,"deal":true,"list":["id","title","shelf"],
        "fields":[{"name":"id","type":"id"},{"name":"title","type":"text","title":"Title","bold":true},
        {"name":"shelf","type":"text"},{"name":"home","type":"url"},{"name":"tags","type":"json"}],
        "vocabularies":{},"groups":[],"sort":["shelf","-id"],"sorts":[{"name":"recent","keys":["-seen","id"]}],
        "views":[{"name":"new","filter":"shelf=new","title":"New ones"}]}
        """#

    /// Forms that can be written to.
    static func forms(to: String = "local", granted: Bool = true) -> String {
        #"""
        {"name":"forms","title":"Forms","singular":"form","archive":false,"deal":false,"list":["id","title"],
        "fields":[{"name":"id","type":"id"},{"name":"title","type":"text","title":"Title","bold":true},
        {"name":"kind","type":"enum","vocabulary":"kind"},{"name":"note","type":"text","lines":3},
        {"name":"amount","type":"decimal"},{"name":"links","type":"json"},{"name":"scans","type":"json"}],
        "vocabularies":{"kind":{"fallback":"other","codes":[{"code":"card","rank":1,"label":"Card"},
        {"code":"leaf","rank":2,"label":"Leaf"},{"code":"letter","rank":3,"label":"Letter"}]}},"groups":[],
        "sort":["id"],"writes":{"to":"\#(to)","actions":[
        {"name":"create","title":"Add","role":"write:forms","granted":\#(granted),"fields":\#(schema),"files":\#(files)},
        {"name":"update","title":"Edit","role":"write:forms","granted":\#(granted),"fields":\#(schema),"files":\#(files)},
        {"name":"delete","title":"Delete","role":"write:forms","granted":\#(granted),
        "fields":{"type":"object","properties":{}}},
        {"name":"renew","title":"Renew","role":"write:forms","granted":\#(granted),"when":"kind=card",
        "fields":{"type":"object","properties":{}}}]}}
        """#
    }

    private static let schema = #"""
        {"type":"object","properties":{"kind":{"enum":["card","leaf","letter"]},
        "title":{"type":["string"],"maxLength":20},"note":{"type":["string","null"]},
        "amount":{"type":["number","string","null"]},"links":{}},"required":["kind","title"]}
        """#

    private static let files =
        #"{"field":"scans","types":["image/png"],"min":0,"max":3,"size":1048576}"#
}
