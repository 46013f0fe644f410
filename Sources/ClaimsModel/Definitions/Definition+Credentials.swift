// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A credential that a definition names, and the key that names it.
public struct NamedCredential: Sendable, Hashable {
    /// The path of the key: `source.auth.key.secret`.
    public let keyPath: String
    public let name: String

    public init(keyPath: String, name: String) {
        self.keyPath = keyPath
        self.name = name
    }
}

extension Definition {
    /// The credentials of all requests that the definition makes.
    public var credentials: [NamedCredential] {
        var named: [NamedCredential] = []
        if let sites = source.sites {
            for site in sites.sites { named += Self.credentials(of: site.request, "source.sites.each.\(site.name)") }
        } else {
            named += Self.credentials(of: source.request, "source")
        }
        if let join = source.join { named += Self.credentials(of: join.request, "source.join") }
        guard let writes, writes.destination == .upstream else { return named }
        // The source tells of what writes take over from it.
        let known = Set(named.map(\.name))
        for credential in writes.requests.flatMap({ Self.credentials($0.auth, $0.tls, "writes") })
        where !known.contains(credential.name) && !named.contains(credential) {
            named.append(credential)
        }
        return named
    }

    /// The requests for tokens that the definition makes.
    public var tokenRequests: [TokenRequest] {
        var requests = (source.sites?.sites.map(\.request) ?? [source.request]).map(\.auth)
        requests.append(source.join?.request.auth)
        requests += writes?.requests.map(\.auth) ?? []
        return requests.compactMap { auth in
            if case .oauth2(let request) = auth { request } else { nil }
        }
    }

    private static func credentials(of request: ReadRequest, _ path: String) -> [NamedCredential] {
        request.url == nil ? [] : credentials(request.auth, request.tls, path)
    }

    private static func credentials(_ auth: Authentication?, _ tls: TLSOptions?, _ path: String) -> [NamedCredential] {
        let secrets = (auth?.credentials ?? []).map { key, name in
            // The short form is the usual one.
            NamedCredential(keyPath: key == "bearer" ? "\(path).credential" : "\(path).auth.\(key)", name: name)
        }
        return secrets
            + (tls?.credentials ?? []).map { NamedCredential(keyPath: "\(path).tls.\($0.key)", name: $0.name) }
    }
}

extension WriteRules {
    /// All requests that writes make.
    fileprivate var requests: [WriteRequest] {
        var requests = actions.compactMap(\.request)
        if case .requests(let request)? = attachments?.sending { requests.append(request) }
        return requests + [match].compactMap(\.self)
    }
}
