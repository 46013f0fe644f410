// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsJSON

/// The methods of requests to upstreams, by their names in HTTP (RFC 9110, section 9; RFC 5789).
public enum HTTPMethod: String, Sendable, Hashable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"

    /// The methods of requests that read records. A POST has the parameters of a query in its body.
    public static let reading: [HTTPMethod] = [.get, .post]
}

/// A request that reads records of an upstream, page by page. Sources and joins hold one each.
public struct ReadRequest: Sendable, Hashable {
    /// The address, with the scheme https, http or file; nil for none. It is checked when it is used.
    public var url: String?
    /// One of ``HTTPMethod/reading``.
    public var method = HTTPMethod.get
    /// The parameters that follow the address's own, in the order of the file.
    public var query: [QueryParameter] = []
    /// The headers of every request to the upstream.
    public var headers: [Header] = []
    /// The JSON body of a POST; nil for none.
    public var body: JSONValue?
    /// The authentication of the request; nil if there is none.
    public var auth: Authentication?
    /// The authorities and the certificate of the connection, as far as they are not the system's.
    public var tls: TLSOptions?
    /// The pointer to the array of records in an answer.
    public var root: JSONPointer
    /// The pointer to a value that shows, in an answer of a good status, that the request has failed; nil for none.
    public var fails: JSONPointer?
    /// The way to the next page; nil if one answer holds all records.
    public var next: Paging?
    /// Whether the upstream pages over a set that does not change meanwhile.
    public var hasStablePages = false

    /// A request with the given values; the defaults are the defaults of definition files.
    public init(url: String? = nil, root: JSONPointer = JSONPointer(tokens: []), auth: Authentication? = nil) {
        self.url = url
        self.root = root
        self.auth = auth
    }
}

/// A parameter of a request's query, before it is percent-encoded.
public struct QueryParameter: Sendable, Hashable {
    public let name: String
    /// The parameter is sent once for each value.
    public let values: [String]

    public init(_ name: String, _ values: [String]) {
        self.name = name
        self.values = values
    }
}

/// The parameter of a request that carries a value of each page or refresh.
public enum ParameterTarget: Sendable, Hashable {
    /// The parameter of this name in the query, in place of one of that name.
    case query(String)
    /// The member of the body at this pointer, whose parent exists.
    case body(JSONPointer)
}

/// The way from one page of an upstream to the next.
public enum Paging: Sendable, Hashable {
    /// The answer holds the address of the next page at this pointer; null or a missing value ends the pages.
    case pointer(JSONPointer)
    /// The `Link` header of the answer with `rel="next"` holds the address of the next page (RFC 8288).
    case link
    /// The answer holds at this pointer the value that the request for the next page sends.
    case cursor(JSONPointer, to: ParameterTarget, more: JSONPointer?)
    /// A number counts pages, beginning with `from`.
    case page(to: ParameterTarget, size: Int, from: Int, more: JSONPointer?)
    /// A number counts the elements that came before.
    case offset(to: ParameterTarget, size: Int, more: JSONPointer?)

    /// Whether a number selects the records of a page, and not the page before.
    public var isCounted: Bool {
        switch self {
        case .page, .offset: true
        case .pointer, .link, .cursor: false
        }
    }
}

/// A header of an HTTP request. It is sent to the configured origin only.
public struct Header: Sendable, Hashable {
    /// The name of the header.
    public let name: String
    /// The value of the header, which may be a secret.
    public let value: String

    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// The way in which requests authenticate to an upstream. Secrets are names of credentials; they are read for each use.
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

    /// The header that carries the secret; nil if none does.
    public var header: String? {
        switch self {
        case .bearer, .basic, .oauth2: "Authorization"
        case .key(_, .header(let name, _)): name
        case .key(_, .parameter): nil
        }
    }

    /// The query parameter that carries the secret; nil if none does.
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

/// The request for a token, with the grant `client_credentials` or, if there is a refresh token, `refresh_token`.
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

/// The query of an address: the parameters between `?` and `#` (RFC 3986, section 3.4).
public enum AddressQuery {
    /// The address with these parameters behind its own, percent-encoded.
    public static func appending(_ parameters: [QueryParameter], to address: String) -> String {
        let pairs = parameters.flatMap { parameter in
            parameter.values.map { "\(PercentEncoding.encode(parameter.name))=\(PercentEncoding.encode($0))" }
        }
        return pairs.isEmpty ? address : parts(of: address).with(pairs)
    }

    /// The address with one parameter set, in place of all of that name.
    public static func setting(_ name: String, to value: String, in address: String) -> String {
        var parts = parts(of: address)
        let wanted = Array(name.utf8)
        parts.pairs.removeAll { pair in PercentEncoding.decode(pair.prefix { $0 != "=" }) == wanted }
        return parts.with(["\(PercentEncoding.encode(name))=\(PercentEncoding.encode(value))"])
    }

    private struct Parts {
        /// All before the `?`.
        let base: Substring
        var pairs: [Substring]
        /// The `#` and all behind it.
        let fragment: Substring

        func with(_ more: [String]) -> String {
            "\(base)?\((pairs.map(String.init) + more).joined(separator: "&"))\(fragment)"
        }
    }

    private static func parts(of address: String) -> Parts {
        let end = address.firstIndex(of: "#") ?? address.endIndex
        let mark = address[..<end].firstIndex(of: "?") ?? end
        return Parts(
            base: address[..<mark], pairs: address[mark..<end].dropFirst().split(separator: "&"),
            fragment: address[end...])
    }
}
