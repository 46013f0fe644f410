// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// How requests tell an upstream who asks. Secrets are names of credentials; they are read for each use.
public enum Authentication: Sendable, Hashable {
    /// `Authorization: Bearer` with the credential of this name (RFC 6750).
    case bearer(String)
    /// `Authorization: Basic` with the credential as password (RFC 7617).
    case basic(user: String, password: String)
    /// A header or a query parameter with the credential of this name.
    case key(String, KeyCarrier)
    /// A bearer token that a token server gives (RFC 6749).
    case oauth2(TokenRequest)

    /// The part of a request that carries a key.
    public enum KeyCarrier: Sendable, Hashable {
        case header(name: String, prefix: String)
        case parameter(String)
    }

    /// The header that carries the secret; nil where none does.
    public var header: String? {
        switch self {
        case .bearer, .basic, .oauth2: "Authorization"
        case .key(_, .header(let name, _)): name
        case .key(_, .parameter): nil
        }
    }

    /// The query parameter that carries the secret; nil where none does.
    public var parameter: String? {
        if case .key(_, .parameter(let name)) = self { name } else { nil }
    }

    /// The names of the credentials, each with the key under `auth` that holds it.
    public var credentials: [(key: String, name: String)] {
        switch self {
        case .bearer(let name): [("bearer", name)]
        case .basic(_, let password): [("basic.password", password)]
        case .key(let name, _): [("key.secret", name)]
        case .oauth2(let request):
            [("secret", request.secret), ("refresh", request.refresh)].compactMap { key, name in
                name.map { ("oauth2.\(key)", $0) }
            } + (request.tls?.credentials ?? []).map { ("oauth2.tls.\($0.key)", $0.name) }
        }
    }
}

/// The request for a token, with the grant `client_credentials` or, where there is a refresh token, `refresh_token`.
public struct TokenRequest: Sendable, Hashable {
    /// The part of the request that carries the client's secret.
    public enum Placement: String, Sendable, Hashable, CaseIterable {
        case basic
        case body
    }

    /// The address of the token server.
    public var url: String
    /// The client's name.
    public var client: String
    /// The name of the credential with the client's secret; nil for none.
    public var secret: String?
    /// The name of the credential with the first refresh token; nil for the grant `client_credentials`.
    public var refresh: String?
    public var send = Placement.basic
    /// The further fields of the form, such as scope and audience, in the order of the file.
    public var parameters: [QueryParameter] = []
    public var tls: TLSOptions?

    public init(url: String, client: String, secret: String? = nil, refresh: String? = nil) {
        self.url = url
        self.client = client
        self.secret = secret
        self.refresh = refresh
    }
}

/// The authorities and the certificate of a connection, as PEM.
public struct TLSOptions: Sendable, Hashable {
    /// The authorities that are trusted in place of the system's.
    public enum Authorities: Sendable, Hashable {
        case credential(String)
        case file(String)
    }

    /// nil for the system's.
    public var ca: Authorities?
    /// The name of the credential with the client's certificate; nil for none.
    public var certificate: String?
    /// The name of the credential with the key of that certificate.
    public var key: String?

    public init(ca: Authorities? = nil, certificate: String? = nil, key: String? = nil) {
        self.ca = ca
        self.certificate = certificate
        self.key = key
    }

    /// The names of the credentials, each with the key under `tls` that holds it.
    public var credentials: [(key: String, name: String)] {
        var authorities: String?
        if case .credential(let name) = ca { authorities = name }
        return [("ca", authorities), ("certificate", certificate), ("key", key)].compactMap { key, name in
            name.map { (key, $0) }
        }
    }
}
