// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// Reads requests: that of a source, that of a join, those of sites.
extension DefinitionReader {
    /// The keys of a request.
    static let requestKeys =
        [
            "url", "method", "query", "headers", "body", "root", "fails", "next",
        ] + AccessReader.keys

    /// The request that the members of a source, a join or a site describe.
    func readRequest(_ object: ConfigurationObject) -> ReadRequest {
        var request = ReadRequest(url: object["url"].flatMap { $0.address() })
        request.method = object["method"].flatMap { readMethod($0) } ?? request.method
        request.query = object["query"].map { readQuery($0) } ?? []
        request.headers = object["headers"].map { RequestHeaderReader.headers($0) } ?? []
        request.body = object["body"].flatMap { $0.jsonValue() }
        request.auth = AccessReader.authentication(object)
        request.tls = object["tls"].flatMap { AccessReader.tls($0) }
        request.root = object["root"].flatMap { $0.pointer() } ?? request.root
        request.fails = object["fails"].flatMap { readFails($0) }
        if let next = object["next"] {
            (request.next, request.hasStablePages) = PagingReader(request: request).read(next)
        }
        if request.method == .get { object["body"]?.complain("only a request with method: \"POST\" has a body") }
        if AddressQuery.appending(request.query, to: request.url ?? "").utf8.count > SourceAddress.maxLength {
            object["query"]?.complain("expected at most \(SourceAddress.maxLength) bytes together with the address")
        }
        checkFile(request, object)
        AccessReader.checkConflicts(of: request, object)
        return request
    }

    private func readMethod(_ node: ConfigurationNode) -> ReadRequest.Method? {
        let expected = "'GET' or 'POST'"
        guard let name = node.string(expected) else { return nil }
        guard let method = ReadRequest.Method(rawValue: name) else {
            node.complain(expected: expected)
            return nil
        }
        return method
    }

    private func readQuery(_ node: ConfigurationNode) -> [QueryParameter] {
        node.entries(of: "an object of parameters").compactMap { name, value in
            if name.isEmpty { value.complain("a parameter needs a name") }
            guard case .array(let nodes) = value.node.value else {
                return value.parameterValue().map { QueryParameter(name, [$0]) }
            }
            let values = nodes.enumerated().compactMap { index, node in
                ConfigurationNode(node: node, keyPath: "\(value.keyPath)[\(index)]", log: value.log).parameterValue()
            }
            return QueryParameter(name, values)
        }
    }

    private func readFails(_ node: ConfigurationNode) -> JSONPointer? {
        guard let pointer = node.pointer() else { return nil }
        // Every answer has a value there.
        if pointer.tokens.isEmpty { node.complain("expected a place inside the answer, such as \"/errors\"") }
        return pointer
    }

    /// Notes what a file cannot have. Headers beside it are those of a vendor's definition, whose address a site
    /// has replaced; they are not sent anywhere.
    private func checkFile(_ request: ReadRequest, _ object: ConfigurationObject) {
        guard let url = request.url, url.hasPrefix("file:") else { return }
        for key in ["method", "query", "body", "auth", "credential", "tls", "next"] {
            object[key]?.complain("a file: address has no '\(key)'; expected https:// or http://, or no '\(key)'")
        }
    }
}

extension ConfigurationNode {
    /// A value of a query parameter, as the text that is sent.
    fileprivate func parameterValue() -> String? {
        switch node.value {
        case .string(let text): return text
        case .bool(let value): return value ? "true" : "false"
        case .number: return jsonValue()?.number
        default:
            complain(expected: "a text, a number, true, false, or an array of these")
            return nil
        }
    }
}
