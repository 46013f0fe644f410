// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON

/// The members of a request line, found in its tape: which node is the id, which the params.
public struct RequestEnvelope: Sendable {
    /// The node of the id, a string or an integer.
    public let id: Int
    public let method: Method
    /// The node of the params object, or nil.
    public let params: Int?

    /// A line that is JSON but no request we can serve.
    public struct Failure: Error, Sendable {
        /// The node of the id where there is a usable one; otherwise the answer carries `"id":null`.
        public let id: Int?
        public let error: RequestError
    }

    /// Reads the envelope of a line that has been parsed into `tape`.
    ///
    /// - Throws: `invalid_request` for anything that is not an object with an id and a method, batches and
    ///   notifications included; `unknown_method` with the nearest name.
    public init(_ tape: JSONTape, _ bytes: RawSpan) throws(Failure) {
        let root = tape[0]
        guard root.kind == .object else {
            let hint =
                root.kind == .array
                ? "send the requests one a line, without waiting: that is what batches are for"
                : "send an object with id, method and params"
            throw Failure(id: nil, error: RequestError(.invalidRequest, "a request is one JSON object", hint: hint))
        }
        var idNode: Int?
        var methodNode: Int?
        var paramsNode: Int?
        var version: Int?
        var stranger: Int?
        var key = 1
        while key < root.next {
            let name = tape[key]
            let value = key + 1
            switch PackedName(bytes, name.start + 1..<name.end - 1) {
            case Names.id: idNode = value
            case Names.method: methodNode = value
            case Names.params: paramsNode = value
            case Names.version: version = value
            default: stranger = key
            }
            key = tape[value].next
        }
        let usable = try Self.checked(idNode, tape, bytes)
        func failure(_ error: RequestError) -> Failure { Failure(id: usable, error: error) }
        if let stranger {
            var name: [UInt8] = []
            tape.appendString(stranger, in: bytes, to: &name)
            throw failure(
                RequestError(
                    .invalidRequest, "unknown member '\(String(decoding: name, as: UTF8.self))' of the request",
                    hint: "a request has id, method and params; jsonrpc may be there"))
        }
        if let version, !ByteComparison.areEqual(bytes.extracting(tape[version].start..<tape[version].end), Names.two) {
            throw failure(
                RequestError(.invalidRequest, "jsonrpc is not \"2.0\"", hint: "leave jsonrpc out, or send \"2.0\""))
        }
        guard let methodNode, tape[methodNode].kind == .string else {
            throw failure(RequestError(.invalidRequest, "the request has no method", hint: "add \"method\":\"ping\""))
        }
        guard let usable else {
            throw failure(
                RequestError(
                    .invalidRequest, "the request has no id, and notifications are not answered",
                    hint: "add an id: a string of at most \(ProtocolVersion.requestIDBytes) bytes, or an integer"))
        }
        if let paramsNode, tape[paramsNode].kind != .object {
            throw failure(RequestError(.invalidRequest, "params is not an object", hint: "parameters go by name"))
        }
        let node = tape[methodNode]
        guard let method = MethodTable.method(named: PackedName(bytes, node.start + 1..<node.end - 1)) else {
            var name: [UInt8] = []
            tape.appendString(methodNode, in: bytes, to: &name)
            throw failure(Self.unknownMethod(String(decoding: name, as: UTF8.self)))
        }
        self.id = usable
        self.method = method
        self.params = paramsNode
    }

    private static func checked(_ node: Int?, _ tape: JSONTape, _ bytes: RawSpan) throws(Failure) -> Int? {
        guard let node else { return nil }
        let length = tape[node].end - tape[node].start
        switch tape[node].kind {
        case .string where length <= ProtocolVersion.requestIDBytes + 2: return node
        case .number where length <= ProtocolVersion.requestIDBytes && isInteger(tape[node], bytes): return node
        default:
            throw Failure(
                id: nil,
                error: RequestError(
                    .invalidRequest,
                    "the id is not a string of at most \(ProtocolVersion.requestIDBytes) bytes or an integer",
                    hint: "number the requests: 1, 2, 3"))
        }
    }

    private static func isInteger(_ node: JSONTape.Node, _ bytes: RawSpan) -> Bool {
        for offset in node.start..<node.end {
            switch bytes.byte(at: offset) {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): continue
            default: return false
            }
        }
        return true
    }

    private static func unknownMethod(_ name: String) -> RequestError {
        let hint = MethodTable.hint(for: name)
        return RequestError(
            .unknownMethod, "unknown method '\(name)'", hint: hint, details: [RequestError.detail("method", name)])
    }

    private enum Names {
        static let id = PackedName("id")
        static let method = PackedName("method")
        static let params = PackedName("params")
        static let version = PackedName("jsonrpc")
        static let two = Array("\"2.0\"".utf8)
    }
}
