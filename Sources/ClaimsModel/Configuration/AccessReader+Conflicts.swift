// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON

extension AccessReader {
    /// Notes every header and parameter of a request that its `auth` sends too: one of the two would be lost.
    ///
    /// - Parameter object: the members of the request.
    static func checkConflicts(of request: ReadRequest, _ object: ConfigurationObject) {
        guard let auth = request.auth else { return }
        if let node = object["headers"] { checkHeaders(node, auth) }
        guard let name = auth.parameter else { return }
        if let node = object["url"], let url = request.url { checkAddress(url, node, auth) }
        if let node = object["query"] {
            for (key, value) in node.entries(of: "an object of parameters") where key == name { complain(value, name) }
        }
        if request.next?.target == .query(name), let node = object["next"] { complain(node, name) }
    }

    /// Notes a header that `auth` sends too.
    static func checkHeaders(_ node: ConfigurationNode, _ auth: Authentication) {
        guard case .object = node.node.value, let header = auth.header?.lowercased() else { return }
        for (name, value) in node.entries(of: "an object of headers") where name.lowercased() == header {
            value.complain("'auth' sends the header '\(name)' too; expected one of the two")
        }
    }

    /// Notes a parameter of an address that `auth` sends too.
    static func checkAddress(_ url: String, _ node: ConfigurationNode, _ auth: Authentication) {
        guard let name = auth.parameter, parameters(of: url).contains(name) else { return }
        complain(node, name)
    }

    /// Notes a parameter that carries a value of each refresh, where `auth` sends it too.
    ///
    /// - Returns: whether there is no such conflict.
    static func checkTarget(_ target: ParameterTarget, _ node: ConfigurationNode, _ auth: Authentication?) -> Bool {
        guard let name = auth?.parameter, target == .query(name) else { return true }
        complain(node, name)
        return false
    }

    private static func complain(_ node: ConfigurationNode, _ name: String) {
        node.complain("'auth' sends the parameter '\(name)' too; expected one of the two")
    }

    /// The names of the parameters in an address.
    private static func parameters(of url: String) -> [String] {
        guard let mark = url.firstIndex(of: "?") else { return [] }
        let query = url[url.index(after: mark)...].prefix { $0 != "#" }
        return query.split(separator: "&").map { pair in
            String(decoding: PercentEncoding.decode(pair.prefix { $0 != "=" }), as: UTF8.self)
        }
    }
}

extension Paging {
    /// The parameter that says what page is meant; nil where the page has an address of its own.
    fileprivate var target: ParameterTarget? {
        switch self {
        case .pointer, .link: nil
        case .cursor(_, let target, _), .page(let target, _, _, _), .offset(let target, _, _): target
        }
    }
}
