// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsJSON

/// The reason why a write cannot be composed with an object of the upstream.
public enum ComposeError: Error, Sendable, Hashable {
    /// An array lies on the way to a value, at this place; nothing is written through arrays.
    case array(JSONPointer)
    /// The bytes cannot be parsed, or are no object.
    case notAnObject
    /// The request has no address for the record: its id is missing, or makes a step of the path (`.` or `..`).
    case noAddress
}

/// Makes objects and requests of writes. Pure.
///
/// ```swift
/// let composer = WriteComposer(definition)
/// let object = try composer.object(showing: write, over: upstream, id: id)
/// ```
public struct WriteComposer: Sendable {
    let definition: Definition
    let rules: WriteRules

    /// A composer for the writes of a definition; without rules it writes nothing anywhere.
    public init(_ definition: Definition) {
        self.definition = definition
        rules = definition.writes ?? WriteRules()
    }

    /// The object of a record after the write, to be decoded like a fetched one.
    ///
    /// Each value goes to the pointer at which its field is read first; clearing removes the values at all pointers.
    /// Members that the write does not concern keep their bytes and their order.
    ///
    /// - Parameters:
    ///   - base: The object of the record before the write; nil for a new record.
    ///   - id: The id of a new record, which goes to the pointer at which the id is read first; nil to leave the id
    ///     alone.
    public func object(
        showing write: CheckedWrite, over base: [UInt8]?, id: [UInt8]? = nil
    ) throws(ComposeError) -> [UInt8] {
        var changes = ObjectChanges()
        addID(id, to: &changes)
        for written in write.shown {
            let field = definition.fields[written.field]
            if written.value.isNull {
                for pointer in rules.pointers(of: written.field, in: definition) { changes.add(.remove, at: pointer) }
            } else if let pointer = field.from.first {
                changes.add(.set(written.value, field.type), at: pointer)
            }
        }
        return try Self.apply(changes, to: base ?? Self.emptyObject)
    }

    static let emptyObject = Array("{}".utf8)

    func addID(_ id: [UInt8]?, to changes: inout ObjectChanges) {
        guard let id, let pointer = definition.fields[definition.idField].from.first else { return }
        changes.add(.set(.string(String(decoding: id, as: UTF8.self)), nil), at: pointer)
    }

    static func apply(_ changes: ObjectChanges, to base: [UInt8]) throws(ComposeError) -> [UInt8] {
        // Only the last of several members with the same name is left.
        let compact = try compacted(base)
        let tape = try parsed(compact)
        do throws(ObjectChanges.ArrayInTheWay) {
            return try changes.applied(to: tape, in: compact.rawSpan)
        } catch {
            throw .array(error.pointer)
        }
    }

    static func parsed(_ bytes: [UInt8]) throws(ComposeError) -> JSONTape {
        var tape = JSONTape()
        do throws(JSONError) {
            _ = try tape.parse(bytes.rawSpan, depth: JSONValue.maximumDepth)
        } catch {
            throw .notAnObject
        }
        guard tape[0].kind == .object else { throw .notAnObject }
        return tape
    }

    private static func compacted(_ bytes: [UInt8]) throws(ComposeError) -> [UInt8] {
        let tape = try parsed(bytes)
        var compact: [UInt8] = []
        tape.appendCompact(0, in: bytes.rawSpan, to: &compact)
        return compact
    }
}

/// The record and the attempt that a request is made for.
public struct WriteSubject: Sendable, Hashable {
    /// The record's id; for a create the id that the daemon has given.
    public var id: [UInt8]
    /// The operation's id, which `reference` carries.
    public var operation: String
    /// The key by which the upstream recognises a repeated request.
    public var key: String

    /// - Parameter key: The key of the attempt; nil for the operation's id.
    public init(id: [UInt8], operation: String, key: String? = nil) {
        self.id = id
        self.operation = operation
        self.key = key ?? operation
    }
}

/// A finished request to an upstream, but for its credential and the headers of the transfer itself.
public struct ComposedRequest: Sendable, Equatable {
    /// The method.
    public var method: HTTPMethod
    /// The address.
    public var url: String
    /// The headers, including `Content-Type` and the key's header.
    public var headers: [Header]
    /// The authentication of the request; nil if there is none.
    public var auth: Authentication?
    /// The authorities and the certificate of the connection, as far as they are not the system's.
    public var tls: TLSOptions?
    /// The body; nil for none.
    public var body: [UInt8]?
    /// The statuses that mean success.
    public var accept: [Int]
    /// The location of the new id in the answer; nil if it has none.
    public var newID: WriteRequest.NewID?

    /// Writes the request as a preview: `{"method":…,"url":…,"headers":{…},"body":…}`.
    ///
    /// The value of a header that may be a secret is `…`; only headers that describe the form of a request are shown.
    public func writePreview(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("method")
        writer.string(method.rawValue)
        writer.key("url")
        writer.string(url)
        writer.key("headers")
        writer.beginObject()
        for header in headers {
            writer.key(header.name)
            writer.string(Self.isPublic(header.name) ? header.value : "…")
        }
        writer.endObject()
        if let body {
            writer.key("body")
            writer.raw(body)
        }
        writer.endObject()
    }

    private static func isPublic(_ name: String) -> Bool {
        ["accept", "accept-language", "content-type", "idempotency-key", "prefer", "user-agent"]
            .contains(name.lowercased())
    }
}

extension WriteComposer {
    /// The request of an action.
    ///
    /// - Parameters:
    ///   - base: The upstream's object of the record, just read or as it was fetched; nil for a new record.
    public func request(
        of write: CheckedWrite, for subject: WriteSubject, over base: [UInt8]?
    ) throws(ComposeError) -> ComposedRequest {
        guard let request = write.action.request else { throw .noAddress }
        var composed = try finished(request, for: subject)
        composed.body = try body(of: request, write, for: subject, over: base)
        let hasType = composed.headers.contains { $0.name.lowercased() == "content-type" }
        if composed.body != nil, !hasType {
            let type = request.isMergePatch ? "application/merge-patch+json" : "application/json"
            composed.headers.insert(Header(name: "Content-Type", value: type), at: 0)
        }
        return composed
    }

    /// The request that reads a record before it is written; nil if the definition has none.
    public func match(for subject: WriteSubject) throws(ComposeError) -> ComposedRequest? {
        guard let match = rules.match else { return nil }
        var composed = try finished(match, for: subject)
        if let idempotency = rules.idempotency { composed.headers.removeAll { $0.name == idempotency.header } }
        return composed
    }

    /// A request without a body, such as one that sends a file.
    public func finished(_ request: WriteRequest, for subject: WriteSubject) throws(ComposeError) -> ComposedRequest {
        guard let url = request.address.url(of: subject.id) else { throw .noAddress }
        var headers = request.headers
        if let idempotency = rules.idempotency {
            headers.append(Header(name: idempotency.header, value: subject.key))
        }
        return ComposedRequest(
            method: request.method, url: url, headers: headers, auth: request.auth, tls: request.tls,
            accept: request.accept, newID: request.newID)
    }

    // MARK: - Bodies

    private func body(
        of request: WriteRequest, _ write: CheckedWrite, for subject: WriteSubject, over base: [UInt8]?
    ) throws(ComposeError) -> [UInt8]? {
        // A merge patch removes members that are null in it; a missing member changes nothing.
        let isPatch = request.isMergePatch
        var changes = ObjectChanges()
        if write.action.kind == .create, let reference = rules.reference {
            changes.add(.set(.string(subject.operation), nil), at: reference)
        }
        switch request.body {
        case .none: return nil
        case .record:
            if write.action.kind == .create, request.keepsID { addID(subject.id, to: &changes) }
            try add(write, to: &changes, isPatch: isPatch, over: isPatch ? base : nil, clearing: isPatch)
            return try Self.apply(changes, to: base ?? Self.emptyObject)
        case .fields, .template:
            try add(write, to: &changes, isPatch: isPatch, over: base, clearing: true)
            var template = Self.emptyObject
            if case .template(let value) = request.body { template = value.compactBytes }
            return try Self.apply(changes, to: template)
        }
    }

    /// Adds the values that are sent.
    ///
    /// - Parameters:
    ///   - base: The object in which existing numbers and members are looked up.
    ///   - clearing: Whether a cleared field is null in the body; otherwise its members are removed.
    private func add(
        _ write: CheckedWrite, to changes: inout ObjectChanges, isPatch: Bool, over base: [UInt8]?, clearing: Bool
    ) throws(ComposeError) {
        let tape = try base.map { bytes throws(ComposeError) in try Self.parsed(bytes) }
        for written in write.sent {
            let field = definition.fields[written.field]
            let pointers = rules.pointers(of: written.field, in: definition)
            guard let pointer = pointers.first else { continue }
            func standing(_ pointer: JSONPointer) -> JSONValue? {
                guard let base, let tape, let node = tape.resolve(pointer, in: base.rawSpan) else { return nil }
                return JSONValue(tape, node, in: base.rawSpan)
            }
            if !written.value.isNull {
                let before = standing(pointer)
                var value = before.map { written.value.spelled(as: field.type, over: $0.kind) } ?? written.value
                if isPatch, field.type == .json, let before { value = MergePatch.patch(from: before, to: value) }
                changes.add(.set(value, before == nil ? field.type : nil), at: pointer)
            } else if clearing {
                // A null in a patch would create the parent object, so it is set only if there is a parent.
                let parent = JSONPointer(tokens: pointer.tokens.dropLast())
                if !isPatch || base == nil || standing(parent)?.object != nil {
                    changes.add(.set(.null, nil), at: pointer)
                }
                for other in pointers.dropFirst() where standing(other) != nil {
                    changes.add(.set(.null, nil), at: other)
                }
            } else {
                for other in pointers { changes.add(.remove, at: other) }
            }
        }
    }
}

/// JSON Merge Patch (RFC 7396).
enum MergePatch {
    /// A patch that makes `after` of `before`, as far as patches can: null is no value of a member in one.
    static func patch(from before: JSONValue, to after: JSONValue) -> JSONValue {
        guard case .object(let old) = before, case .object(let new) = after else { return after }
        let known = byName(old)
        var members: [JSONObject.Member] = []
        for (name, value) in byName(new).sorted(by: { $0.value.index < $1.value.index }) {
            guard let was = known[name] else {
                members.append(.init(value.key, value.value))
                continue
            }
            // An equal object is left out; members of another one are looked at one by one.
            if was.value.isEquivalent(to: value.value) { continue }
            members.append(.init(value.key, patch(from: was.value, to: value.value)))
        }
        let wanted = Set(new.members.map { Array($0.key.utf8) })
        for (name, was) in known.sorted(by: { $0.value.index < $1.value.index }) where !wanted.contains(name) {
            members.append(.init(was.key, .null))
        }
        return .object(JSONObject(members))
    }

    private typealias Position = (index: Int, key: String, value: JSONValue)

    /// The last member of each name, by the bytes of the name.
    private static func byName(_ object: JSONObject) -> [[UInt8]: Position] {
        let members = object.members.enumerated().map { (Array($1.key.utf8), ($0, $1.key, $1.value) as Position) }
        return Dictionary(members, uniquingKeysWith: { $1 })
    }
}
