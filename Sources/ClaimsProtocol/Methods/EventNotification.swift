// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON

/// The kinds of events of a subscription; the raw value is the `type` of the event.
public enum EventKind: String, Sendable, CaseIterable {
    case freshInstance = "fresh_instance"
    case changes
    case synced
    case state
    case heartbeat
    case lagged
    case ended

    /// The description of the kind, for `describe`, the manual and the tests.
    public var description: EventDescription {
        switch self {
        case .freshInstance:
            EventDescription(
                self, summary: "A fresh set follows, until `synced`: drop what you hold, and its clock.",
                FreshInstanceEvent.memberList,
                example: #""reason":"start""#)
        case .changes:
            EventDescription(
                self, summary: "Changes of the set. Those of a commit, or of several merged, end with `complete`.",
                ChangesEvent.memberList,
                example: """
                    "changes":[{"op":"removed","id":"7","seq":812,"at":"2026-11-20T08:01:02.000Z","cause":"refresh",\
                    "was":{"status":"ok"},"reason":"gone"}],"complete":true,"clock":"7d1c.812-AQID","meta":\(exampleMeta)
                    """)
        case .synced:
            EventDescription(
                self, summary: "The set, or the changes since the clock of the request, are told; live from here.",
                SyncedEvent.memberList,
                example: #""total":1204,"clock":"7d1c.812-AQID","meta":\#(exampleMeta)"#)
        case .state:
            EventDescription(
                self, summary: "A refresh of the collection has begun or ended, or its freshness has changed.",
                StateEvent.memberList, example: #""change":"unchanged","meta":\#(exampleMeta)"#)
        case .heartbeat:
            EventDescription(
                self, summary: "No clock was told for a while: store this one.", HeartbeatEvent.memberList,
                example: #""clock":"7d1c.812-AQID","meta":\#(exampleMeta)"#)
        case .lagged:
            EventDescription(
                self, summary: "The last event: nothing was read for too long, although something waited.",
                LaggedEvent.memberList, example: #""clock":"7d1c.812-AQID""#)
        case .ended:
            EventDescription(
                self, summary: "The last event: a reload took away what the subscription names.",
                EndedEvent.memberList,
                example: """
                    "error":{"code":1400,"message":"unknown field 'status'","data":{"kind":"bad_filter","position":0,\
                    "length":6}}
                    """)
        }
    }

    private var exampleMeta: String {
        """
        {"collection":"\(MethodDescription.placeholder)","state":"ready","freshness":"fresh","source":"upstream",\
        "as_of":"2026-11-20T08:01:00.000Z","age_ms":2000,"generation":12,"clock":"7d1c.812","quarantined":0,\
        "unsupported":0,"last_error":null,"next_refresh":"2026-11-20T08:06:00.000Z"}
        """
    }
}

/// The notification that carries an event of a subscription: the members that every kind has.
public enum EventNotification: ResultObject {
    /// The name of the notification on the wire.
    public static let method = "event"

    public static let subscription = Member<Int>("subscription", "The number that subscribe has answered.")
    public static let type = Member<String>("type", "The kind of the event; more kinds may come.")

    public static var memberList: [MemberDescription] { describe(.all, subscription, type) }
}

/// A fresh set begins.
public enum FreshInstanceEvent: ResultObject {
    public static let reason = Member<String>(
        "reason", "epoch, ahead, start, filter, definition or compacted; more reasons may come.")

    public static var memberList: [MemberDescription] { describe(.rows, reason) }
}

/// Changes of the set.
public enum ChangesEvent: ResultObject {
    public static let changes = Member<[FeedEntry]>("changes", "At most 256.")
    public static let complete = Member<Bool>.optional("complete", "True on the last line of a commit.")
    public static let clock = Member<String>.optional("clock", "With complete: the clock of what you hold now.")
    public static let meta = Member<Meta>.optional("meta", "With complete: the meta of the collection.")

    public static var memberList: [MemberDescription] { describe(.rows, changes, complete, clock, meta) }
}

/// The set, or all changes since the clock of the request, are sent.
public enum SyncedEvent: ResultObject {
    public static let total = Member<Int>("total", "The number of records of the set.")
    public static let clock = Member<String>("clock", "The clock of the set.")
    public static let meta = Member<Meta>.meta

    public static var memberList: [MemberDescription] { describe(.rows, total, clock, meta) }
}

/// A refresh has begun or ended, or the freshness of the collection has changed. Not sent again after a reconnection.
public enum StateEvent: ResultObject {
    public static let change = Member<String>(
        "change", "started, updated, unchanged, failed, held, skipped or freshness.")
    public static let site = Member<String>.optional("site", "The site that was asked, in a collection with sites.")
    public static let meta = Member<Meta>.meta

    /// The `change` of an event about the freshness alone.
    public static let freshness = "freshness"

    public static var memberList: [MemberDescription] { describe(.all, change, site) + describe(.rows, meta) }
}

/// A sign of life, with a clock that commits have moved which do not concern the subscription.
public enum HeartbeatEvent: ResultObject {
    public static let clock = Member<String>("clock", "The clock of the set, unchanged since the last event.")
    public static let meta = Member<Meta>.meta

    public static var memberList: [MemberDescription] { describe(.rows, clock, meta) }
}

/// The peer read too slowly.
public enum LaggedEvent: ResultObject {
    public static let clock = Member<String?>("clock", "The clock of the last set told whole; null within a set.")

    public static var memberList: [MemberDescription] { describe(.rows, clock) }
}

/// The subscription cannot continue.
public enum EndedEvent: ResultObject {
    public static let error = Member<AnyResult>("error", "The reason, as in the answer to a request.")

    public static var memberList: [MemberDescription] { describe(.rows, error) }
}

/// The description of one kind of event: the source of `describe` and of the manual.
public struct EventDescription: Sendable {
    /// The kind that is described.
    public let kind: EventKind
    /// The meaning of the event in one sentence, for people.
    public let summary: String
    /// The members of `params`, in the order in which `describe` lists them.
    public let members: [MemberDescription]
    private let exampleMembers: String

    init(_ kind: EventKind, summary: String, _ members: [MemberDescription], example: String) {
        self.kind = kind
        self.summary = summary
        self.members = EventNotification.memberList + members
        exampleMembers = example
    }

    /// An event as one line of JSON without a newline.
    public func example(collection: String) -> String {
        let members = exampleMembers.split(separator: MethodDescription.placeholder, omittingEmptySubsequences: false)
            .joined(separator: collection)
        let params = #"{"subscription":1,"type":"\#(kind.rawValue)",\#(members)}"#
        return #"{"jsonrpc":"2.0","method":"\#(EventNotification.method)","params":\#(params)}"#
    }

    /// Writes the description as `describe` answers it: `{"type","summary","params":SCHEMA,"example":EVENT}`.
    ///
    /// - Parameter collection: the name of the collection in the example.
    public func write(to writer: inout JSONWriter, collection: String) {
        writer.beginObject()
        writer.member(EventEntry.type, kind.rawValue)
        writer.member(EventEntry.summary, summary)
        writer.key(EventEntry.params)
        ResultShape.writeSchema(ofObject: members, to: &writer)
        writer.key(EventEntry.example)
        writer.raw(Array(example(collection: collection).utf8))
        writer.endObject()
    }
}

/// A kind of event in the answer of `describe`.
public enum EventEntry: ResultObject {
    public static var typeName: String { "DescribeEvent" }

    public static let type = Member<String>("type")
    public static let summary = Member<String>("summary")
    public static let params = Member<AnyResult>("params", "A JSON Schema of the members of `params`.")
    public static let example = Member<AnyResult>("example", "An event.")

    public static var memberList: [MemberDescription] { describe(.all, type, summary, params, example) }
}
