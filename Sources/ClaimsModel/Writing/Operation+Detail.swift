// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

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
    public mutating func take(detail bytes: [UInt8]) throws(OperationDetailError) {
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
