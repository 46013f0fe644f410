// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A credential that a definition names, and the key that names it.
public struct NamedCredential: Sendable, Hashable {
    /// The form in which requests use a credential.
    public enum Use: Sendable, Hashable {
        /// A bearer token, in a header.
        case token
        /// The whole or the end of a header's value.
        case header
        /// A text that is encoded: in a query, in a form, in a header of Basic.
        case text
        /// Certificates as PEM.
        case certificates
        /// A private key as PEM.
        case key
    }

    /// The path of the key: `source.auth.key.secret`.
    public let keyPath: String
    public let name: String
    public let use: Use

    public init(keyPath: String, name: String, use: Use) {
        self.keyPath = keyPath
        self.name = name
        self.use = use
    }
}

/// A file outside of the configuration that a definition names, and the key that names it.
public struct NamedFile: Sendable, Hashable {
    /// The path of the key: `source.tls.ca`.
    public let keyPath: String
    public let path: String

    public init(keyPath: String, path: String) {
        self.keyPath = keyPath
        self.path = path
    }
}

extension Definition {
    /// The credentials of all requests that the definition makes.
    public var credentials: [NamedCredential] {
        var named = readRequests.flatMap { Self.credentials($0.request.auth, $0.request.tls, $0.keyPath) }
        guard let writes, writes.destination == .upstream else { return named }
        // The source tells of what writes take over from it.
        let known = Set(named.map(\.name))
        for credential in writes.requests.flatMap({ Self.credentials($0.auth, $0.tls, "writes") })
        where !known.contains(credential.name) && !named.contains(credential) {
            named.append(credential)
        }
        return named
    }

    /// The requests that read, as far as they have an address, each with the key that holds it.
    public var readRequests: [(keyPath: String, request: ReadRequest)] {
        var requests =
            source.sites?.sites.map { ("source.sites.each.\($0.name)", $0.request) } ?? [("source", source.request)]
        if let join = source.join { requests.append(("source.join", join.request)) }
        return requests.filter { $0.1.url != nil }
    }

    /// The files with the authorities that requests trust.
    public var authorityFiles: [NamedFile] {
        var files = readRequests.flatMap { Self.authorityFiles($0.request.auth, $0.request.tls, $0.keyPath) }
        guard let writes, writes.destination == .upstream else { return files }
        let known = Set(files.map(\.path))
        for file in writes.requests.flatMap({ Self.authorityFiles($0.auth, $0.tls, "writes") })
        where !known.contains(file.path) && !files.contains(file) {
            files.append(file)
        }
        return files
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

    private static func credentials(_ auth: Authentication?, _ tls: TLSOptions?, _ path: String) -> [NamedCredential] {
        let secrets = (auth?.credentials ?? []).map { key, name in
            // The short form is the usual one.
            NamedCredential(
                keyPath: key == "bearer" ? "\(path).credential" : "\(path).auth.\(key)", name: name,
                use: auth?.use(of: key) ?? .text)
        }
        return secrets
            + (tls?.credentials ?? []).map { key, name in
                NamedCredential(keyPath: "\(path).tls.\(key)", name: name, use: TLSOptions.use(of: key))
            }
    }

    private static func authorityFiles(_ auth: Authentication?, _ tls: TLSOptions?, _ path: String) -> [NamedFile] {
        var options = [("\(path).tls.ca", tls)]
        if case .oauth2(let request) = auth { options.append(("\(path).auth.oauth2.tls.ca", request.tls)) }
        return options.compactMap { keyPath, options in
            if case .file(let file) = options?.ca { NamedFile(keyPath: keyPath, path: file) } else { nil }
        }
    }
}

extension Authentication {
    /// The form in which the credential at a key is used.
    fileprivate func use(of key: String) -> NamedCredential.Use {
        switch self {
        case .bearer: .token
        case .key(_, .header): .header
        case .oauth2 where key.hasPrefix("oauth2.tls."): TLSOptions.use(of: key)
        case .basic, .key(_, .parameter), .oauth2: .text
        }
    }
}

extension TLSOptions {
    /// The form in which the credential at a key, which ends in that of `tls`, is used.
    fileprivate static func use(of key: String) -> NamedCredential.Use { key.hasSuffix("key") ? .key : .certificates }
}

extension WriteRules {
    /// All requests that writes make.
    fileprivate var requests: [WriteRequest] {
        var requests = actions.compactMap(\.request)
        if case .requests(let request)? = attachments?.sending { requests.append(request) }
        return requests + [match].compactMap(\.self)
    }
}
