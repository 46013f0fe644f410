// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsJSON
public import ClaimsModel

/// The members of a JSON-RPC request, found in the tape of its line.
public struct RequestEnvelope: Sendable {
    /// The index of the id's node, a string or an integer.
    public let id: Int
    /// The method that the request calls.
    public let method: Method
    /// The index of the node of the `params` object; nil for a request without `params`.
    public let params: Int?

    /// A line that is JSON but no request that the daemon can serve.
    public struct Failure: Error, Sendable {
        /// The index of the node of a usable id; with nil the answer has `"id":null`.
        public let id: Int?
        /// The error to answer with.
        public let error: RequestError
    }

    /// Finds the members of a request line.
    ///
    /// - Parameters:
    ///   - tape: the tape of the line, which has been parsed without an error.
    ///   - bytes: the line that the tape indexes.
    /// - Throws: `invalid_request` for anything but an object with an id and a method, so also for a batch and for a
    ///   notification, and for an object that has a member twice; `unknown_method` with the most similar name. The
    ///   connection stays usable.
    public init(_ tape: JSONTape, _ bytes: RawSpan) throws(Failure) {
        let root = tape[0]
        guard root.kind == .object else {
            let hint =
                root.kind == .array
                ? TranslatedText(
                    en: "send the requests one a line, without waiting: that is what batches are for",
                    pl: "wysyłaj żądania po jednym w wierszu, bez czekania: pakiety nie są do tego potrzebne")
                : TranslatedText(
                    en: "send an object with id, method and params",
                    pl: "wyślij obiekt ze składowymi id, method i params")
            let text = TranslatedText(en: "a request is one JSON object", pl: "żądanie to jeden obiekt JSON")
            throw Failure(id: nil, error: RequestError(.invalidRequest, text, hint: hint))
        }
        var idNode: Int?
        var hasTwoIDs = false
        var methodNode: Int?
        var paramsNode: Int?
        var version: Int?
        var unknownKey: Int?
        var key = 1
        while key < root.next {
            let name = tape[key]
            let value = key + 1
            switch PackedName(bytes, name.start + 1..<name.end - 1) {
            case Names.id:
                hasTwoIDs = idNode != nil
                idNode = value
            case Names.method: methodNode = value
            case Names.params: paramsNode = value
            case Names.version: version = value
            default: unknownKey = key
            }
            key = tape[value].next
        }
        // An id given twice is no id.
        let usable = hasTwoIDs ? nil : try Self.checked(idNode, tape, bytes)
        func failure(_ error: RequestError) -> Failure { Failure(id: usable, error: error) }
        if let repeated = tape.firstDuplicate(in: bytes) {
            let name = tape.string(repeated, in: bytes) ?? ""
            throw failure(
                RequestError(
                    .invalidRequest,
                    TranslatedText(
                        en: "the member '\(name)' is given twice", pl: "składowa „\(name)” występuje dwa razy"),
                    hint: TranslatedText(
                        en: "give each member of an object once", pl: "każdą składową obiektu podaj tylko raz")))
        }
        if let unknownKey {
            var name: [UInt8] = []
            tape.appendString(unknownKey, in: bytes, to: &name)
            let unknown = String(decoding: name, as: UTF8.self)
            throw failure(
                RequestError(
                    .invalidRequest,
                    TranslatedText(
                        en: "unknown member '\(unknown)' of the request", pl: "nieznana składowa żądania: „\(unknown)”"),
                    hint: TranslatedText(
                        en: "a request has id, method and params; jsonrpc may be there",
                        pl: "żądanie ma składowe id, method i params; może też mieć jsonrpc")))
        }
        if let version, !bytes.extracting(tape[version].start..<tape[version].end).equals(Names.two.rawSpan) {
            throw failure(
                RequestError(
                    .invalidRequest,
                    TranslatedText(en: "jsonrpc is not \"2.0\"", pl: "wartość jsonrpc jest inna niż \"2.0\""),
                    hint: TranslatedText(
                        en: "leave jsonrpc out, or send \"2.0\"", pl: "pomiń jsonrpc albo wyślij \"2.0\"")))
        }
        guard let methodNode, tape[methodNode].kind == .string else {
            throw failure(
                RequestError(
                    .invalidRequest, TranslatedText(en: "the request has no method", pl: "w żądaniu brakuje metody"),
                    hint: TranslatedText(en: "add \"method\":\"ping\"", pl: "dodaj \"method\":\"ping\"")))
        }
        guard let usable else {
            throw failure(
                RequestError(
                    .invalidRequest,
                    TranslatedText(
                        en: "the request has no id, and notifications are not answered",
                        pl: "żądanie nie ma identyfikatora, a na powiadomienia nie ma odpowiedzi"),
                    hint: TranslatedText(
                        en: "add an id: a string of at most \(ProtocolVersion.maxRequestIDBytes) bytes, or an integer",
                        pl: "dodaj id: tekst o długości do \(ProtocolVersion.maxRequestIDBytes) bajtów albo liczbę "
                            + "całkowitą")))
        }
        if let paramsNode, tape[paramsNode].kind != .object {
            throw failure(
                RequestError(
                    .invalidRequest, TranslatedText(en: "params is not an object", pl: "params nie jest obiektem"),
                    hint: TranslatedText(en: "parameters go by name", pl: "parametry podaje się po nazwie")))
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
        case .string where length <= ProtocolVersion.maxRequestIDBytes + 2: return node
        case .string where isShortUnescaped(node, tape, bytes): return node
        case .number where length <= ProtocolVersion.maxRequestIDBytes && isInteger(tape[node], bytes): return node
        default:
            throw Failure(
                id: nil,
                error: RequestError(
                    .invalidRequest,
                    TranslatedText(
                        en: "the id is not a string of at most \(ProtocolVersion.maxRequestIDBytes) bytes or an "
                            + "integer",
                        pl: "id nie jest tekstem o długości do \(ProtocolVersion.maxRequestIDBytes) bajtów ani liczbą "
                            + "całkowitą"),
                    hint: Self.numberRequests))
        }
    }

    /// The advice for clients that have trouble with ids.
    public static let numberRequests = TranslatedText(
        en: "number the requests: 1, 2, 3", pl: "ponumeruj żądania: 1, 2, 3")

    /// Whether a string with escapes is short enough without them.
    private static func isShortUnescaped(_ node: Int, _ tape: JSONTape, _ bytes: RawSpan) -> Bool {
        // An escape has at most six bytes for one.
        guard tape[node].hasEscapes, tape[node].range.count <= ProtocolVersion.maxRequestIDBytes * 6 + 2 else {
            return false
        }
        var text: [UInt8] = []
        tape.appendString(node, in: bytes, to: &text)
        return text.count <= ProtocolVersion.maxRequestIDBytes
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
        RequestError(
            .unknownMethod, MethodTable.unknown(name), hint: MethodTable.hint(for: name),
            details: [RequestError.detail("method", name)])
    }

    private enum Names {
        static let id = PackedName("id")
        static let method = PackedName("method")
        static let params = PackedName("params")
        static let version = PackedName("jsonrpc")
        static let two = Array("\"2.0\"".utf8)
    }
}

/// The version of the protocol, and the bounds that belong to the protocol and not to the configuration.
public enum ProtocolVersion {
    /// The version that this package speaks, and the only one so far.
    public static let current = 1
    /// The maximum size of the `id` of a request, in bytes: the bytes between a string's quotes, or of an integer.
    public static let maxRequestIDBytes = 64
    /// The capabilities of this daemon beyond the base of version 1; `hello` compares the client's `require` with them.
    public static let capabilities = [
        "access", "access_journal", "changes", "cursors", "explain", "facets", "groups", "history", "quarantine",
        "streaming",
        "subscriptions",
        "trees", "writes",
    ]
}

/// The name and the version of this package.
public enum Product {
    /// The version of the daemon and its client, which are released together.
    public static let version = "0.3.0-dev"
}
