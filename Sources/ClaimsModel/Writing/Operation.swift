// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON

/// A submitted write: its values, its state, and the outcome of its requests.
///
/// It is a value. state.db keeps the first group of properties in columns and the rest as ``detail``.
///
/// ```swift
/// let bytes = operation.detail
/// var copy = Operation(operation.id, operation.action, on: operation.record, of: operation.collection)
/// try copy.read(detail: bytes)
/// ```
public struct Operation: Sendable, Equatable {
    /// The identifier, and the key of the first request.
    public let id: OperationID
    /// The order of the commits of operations, over all collections; 0 before the commit.
    public var number: Int64
    /// The name of the collection.
    public let collection: String
    /// The id of the record: of a new one the operation's own, until the upstream gives one.
    public var record: String
    public let action: OperationAction
    public var state: OperationState
    /// The time of submission, in milliseconds since 1970.
    public var submittedAt: Int64
    /// The user that submitted it.
    public var submittedBy: UInt32

    /// The values that it writes. A settled operation has none.
    public var values: OperationValues {
        _read { yield rest.values }
        set { rest = OperationRest(newValue, delivery, reason: reason, message: message) }
    }
    /// The state of its requests.
    public var delivery: OperationDelivery {
        _read { yield rest.delivery }
        set { rest = OperationRest(values, newValue, reason: reason, message: message) }
    }
    /// The reason, if the state is ``OperationState/held``.
    public var reason: OperationReason? {
        _read { yield rest.reason }
        set { rest = OperationRest(values, delivery, reason: newValue, message: message) }
    }
    /// The reason for people, if it waits or is stuck.
    public var message: Message? {
        _read { yield rest.message }
        set { rest = OperationRest(values, delivery, reason: reason, message: newValue) }
    }
    /// The part that copies share: there may be thousands of operations, and each commit copies all.
    private var rest: OperationRest

    public init(
        _ id: OperationID, _ action: OperationAction, on record: String, of collection: String, number: Int64 = 0,
        state: OperationState = .queued, submittedAt: Int64 = 0, submittedBy: UInt32 = 0
    ) {
        self.id = id
        self.action = action
        self.record = record
        self.collection = collection
        self.number = number
        self.state = state
        self.submittedAt = submittedAt
        self.submittedBy = submittedBy
        rest = OperationRest(OperationValues(), OperationDelivery(), reason: nil, message: nil)
    }

    /// Whether it is another copy of the same operation, found without a look at the shared contents. Equal operations
    /// may not be copies.
    public func isCopy(of other: Operation) -> Bool {
        rest === other.rest && id == other.id && number == other.number && state == other.state
            && record == other.record
    }

    /// The operation in another state, with a reason and a message in place of those before.
    public func with(
        _ state: OperationState, reason: OperationReason? = nil, message: Message? = nil
    ) -> Operation {
        var operation = self
        var (values, delivery) = (values, delivery)
        if state.isSettled {
            values = OperationValues()
            delivery.waitsFor = nil
            delivery.nextTry = nil
        }
        operation.state = state
        operation.rest = OperationRest(values, delivery, reason: reason, message: message)
        return operation
    }

    /// Whether it waits, and nothing of it can have been done.
    public var isUnsent: Bool { state == .queued && !delivery.isAnswerMissing && !delivery.isRecordSent }

    /// Whether the upstream has accepted it, or may have done it.
    public var mayBeDone: Bool {
        switch state {
        case .sending, .accepted, .uncertain, .unconfirmed, .confirmed, .done: true
        case .queued, .held, .conflict, .rejected: delivery.isAnswerMissing || delivery.isRecordSent
        case .dropped: false
        }
    }

    /// Whether those behind it in its lane may be sent: it is accepted, and the id of its record is known.
    public var letsNextPass: Bool { state == .accepted && (action != .create || delivery.givenID != nil) }

    /// The names of the fields that it writes, or that the upstream is expected to set: given, set and shown ones, each
    /// once, in this order.
    public var touched: [String] {
        var names: [String] = []
        for object in [values.given, values.set, values.shown] {
            for member in object.members where !names.contains(member.key) { names.append(member.key) }
        }
        return names
    }

    /// Whether readers see its values: the values of a create until it is settled, others while they may still become
    /// true.
    public var showsValues: Bool {
        switch (action, state) {
        case (.delete, _): false
        case (.create, _): !state.isSettled
        case (_, .queued), (_, .sending), (_, .held), (_, .accepted): true
        case (_, .uncertain): !delivery.isDoubted
        default: false
        }
    }

    /// Whether readers do not see the record, because this operation deletes it.
    public var hidesRecord: Bool {
        action == .delete && (state == .queued || state == .sending || state == .accepted)
    }

    /// The value that a field has after the operation: null if it is cleared, nil if it is not touched.
    public func wanted(_ field: String) -> JSONValue? {
        values.shown[field] ?? values.set[field] ?? values.given[field]
    }
}

/// The larger properties of an operation, which are not copied with it.
private final class OperationRest: Sendable, Equatable {
    let values: OperationValues
    let delivery: OperationDelivery
    let reason: OperationReason?
    let message: Message?

    init(_ values: OperationValues, _ delivery: OperationDelivery, reason: OperationReason?, message: Message?) {
        self.values = values
        self.delivery = delivery
        self.reason = reason
        self.message = message
    }

    static func == (one: OperationRest, other: OperationRest) -> Bool {
        one === other
            || one.values == other.values && one.delivery == other.delivery && one.reason == other.reason
                && one.message == other.message
    }
}

/// The values of an operation, in the form in which answers show them; null clears a field.
public struct OperationValues: Sendable, Equatable {
    /// The values that the caller gave.
    public var given = JSONObject()
    /// The values that the definition adds, which are sent too.
    public var set = JSONObject()
    /// The values that the upstream itself is expected to set, and that are not sent.
    public var shown = JSONObject()
    /// The values that the touched fields had in the snapshot when the operation was submitted, null for absent ones.
    /// For a delete, all fields but volatile ones.
    public var before = JSONObject()
    /// For each touched field an array of the values that settled operations before it in its lane gave.
    public var inherited = JSONObject()
    /// For each touched field an array of the values that refreshes showed when they settled operations before it in its
    /// lane, and this one may have been done already. They contradict it no more than the inherited values, but such a
    /// value may be its own in the upstream's form.
    public var seen = JSONObject()
    /// Whether the snapshot had the record when the operation was submitted.
    public var wasInSnapshot = false
    /// The files that it brings, in their order.
    public var files: [OperationFile] = []
    /// The files that it removes, in the form of ``FileChange/detached``.
    public var detached: [String] = []

    public init() {}

    /// Whether there is nothing in them.
    public var isEmpty: Bool { self == OperationValues() }
}

/// A file that belongs to an operation.
public struct OperationFile: Sendable, Hashable {
    /// The SHA-256 of its bytes, in hexadecimal; also its name in the folder of kept files.
    public let sha256: String
    /// The name that its user gave it.
    public let name: String
    /// The media type, as its first bytes show it.
    public let type: String
    /// The size in bytes.
    public let size: Int64

    public init(sha256: String, name: String, type: String, size: Int64) {
        self.sha256 = sha256
        self.name = name
        self.type = type
        self.size = size
    }
}

/// The part of an operation's row that has no column of its own cannot be read.
public enum OperationDetailError: Error, Equatable {
    /// It is not what any version writes.
    case damaged
    /// A newer version has written it.
    case newer
}

extension Operation {
    /// The version of the form that ``detail`` writes.
    static let detailVersion: Int64 = 1

    /// Everything that has no column of its own in state.db, as a JSON object. Empty values are left out.
    public var detail: [UInt8] {
        var object: JSONObject = ["v": .integer(Self.detailVersion)]
        values.write(to: &object)
        delivery.write(to: &object)
        object["reason"] = reason.map { .string($0.rawValue) }
        object["message"] = message?.stored
        return JSONValue.object(object).compactBytes
    }

    /// Takes what ``detail`` has written. The operation is unchanged if that throws.
    public mutating func read(detail bytes: [UInt8]) throws(OperationDetailError) {
        guard let value = try? JSONValue.parse(bytes, depth: JSONValue.maximumDepth), let object = value.object,
            let version = object["v"]?.integer
        else { throw .damaged }
        guard version <= Self.detailVersion else { throw .newer }
        let reader = DetailReader(object)
        let values = try OperationValues(reader)
        let delivery = try OperationDelivery(reader)
        let reason = try reader.value("reason") { $0.string.flatMap(OperationReason.init(rawValue:)) }
        let message = try reader.value("message") { Message(stored: $0) }
        (self.values, self.delivery, self.reason, self.message) = (values, delivery, reason, message)
    }
}

/// Reads members of an object; one of another kind than expected is damage, an absent one is not.
struct DetailReader {
    private let object: JSONObject

    init(_ object: JSONObject) { self.object = object }

    func value<Value>(_ key: String, _ read: (JSONValue) -> Value?) throws(OperationDetailError) -> Value? {
        guard let member = object[key] else { return nil }
        guard let value = read(member) else { throw .damaged }
        return value
    }

    func required<Value>(_ key: String, _ read: (JSONValue) -> Value?) throws(OperationDetailError) -> Value {
        guard let value = try value(key, read) else { throw .damaged }
        return value
    }

    func array<Value>(
        _ key: String, _ read: (DetailReader) throws(OperationDetailError) -> Value
    ) throws(OperationDetailError) -> [Value] {
        var values: [Value] = []
        for element in try value(key, \.array) ?? [] {
            guard let object = element.object else { throw .damaged }
            values.append(try read(DetailReader(object)))
        }
        return values
    }

    func object<Value>(
        _ key: String, _ read: (DetailReader) throws(OperationDetailError) -> Value
    ) throws(OperationDetailError) -> Value? {
        guard let object = try value(key, \.object) else { return nil }
        return try read(DetailReader(object))
    }
}

extension OperationValues {
    func write(to object: inout JSONObject) {
        for (name, values) in [
            ("given", given), ("set", set), ("shown", shown), ("before", before), ("inherited", inherited),
            ("seen", seen),
        ] where !values.isEmpty { object[name] = .object(values) }
        if wasInSnapshot { object["known"] = true }
        if !files.isEmpty { object["files"] = .array(files.map(\.stored)) }
        if !detached.isEmpty { object["detached"] = .array(detached.map { .string($0) }) }
    }

    init(_ reader: DetailReader) throws(OperationDetailError) {
        self.init()
        given = try reader.value("given", \.object) ?? given
        set = try reader.value("set", \.object) ?? set
        shown = try reader.value("shown", \.object) ?? shown
        before = try reader.value("before", \.object) ?? before
        inherited = try reader.value("inherited", \.object) ?? inherited
        seen = try reader.value("seen", \.object) ?? seen
        wasInSnapshot = try reader.value("known", \.boolean) ?? false
        files = try reader.array("files") { file throws(OperationDetailError) in try OperationFile(file) }
        let names = try reader.value("detached", \.array) ?? []
        detached = names.compactMap(\.string)
        guard detached.count == names.count else { throw .damaged }
    }
}

extension OperationFile {
    fileprivate var stored: JSONValue {
        ["sha256": .string(sha256), "name": .string(name), "type": .string(type), "size": .integer(size)]
    }

    fileprivate init(_ reader: DetailReader) throws(OperationDetailError) {
        self.init(
            sha256: try reader.required("sha256", \.string), name: try reader.required("name", \.string),
            type: try reader.required("type", \.string), size: try reader.required("size", \.integer))
    }
}

/// The unsettled operations of one record, as answers have them beside its fields.
public struct PendingRecord: Sendable, Equatable {
    /// The worst state of the operations.
    public var state: PendingState
    /// The member `pending` of the record as JSON: `{"state":…,"ops":[…],"fields":[…]}`.
    public var json: [UInt8]
    /// The number of operations in each state.
    public var counts: [PendingState: Int]
    /// The numbers of the operations, in the order of `ops`.
    public var numbers: [Int64]

    /// - Parameter counts: the number of operations in each state; nil for one.
    public init(
        state: PendingState, json: [UInt8], counts: [PendingState: Int]? = nil, numbers: [Int64] = []
    ) {
        self.state = state
        self.json = json
        self.counts = counts ?? [state: 1]
        self.numbers = numbers
    }
}
