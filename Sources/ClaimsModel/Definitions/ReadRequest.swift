// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON

/// A request that reads records of an upstream, page by page. Sources and joins hold one each.
public struct ReadRequest: Sendable, Hashable {
    /// The methods that read.
    public enum Method: String, Sendable, Hashable, CaseIterable {
        case get = "GET"
        case post = "POST"
    }

    /// The address, with the scheme https, http or file; nil for none. It is checked when it is used.
    public var url: String?
    public var method = Method.get
    /// The parameters that follow the address's own, in the order of the file.
    public var query: [QueryParameter] = []
    /// The headers of every request to the upstream.
    public var headers: [Header] = []
    /// The JSON body of a POST; nil for none.
    public var body: JSONValue?
    /// How the request tells who asks; nil if it does not.
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

    /// A request with the given values; the defaults are those of definition files.
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
    /// The answer holds at this pointer what the request for the next page sends.
    case cursor(JSONPointer, to: ParameterTarget, more: JSONPointer?)
    /// A number counts pages, beginning with `from`.
    case page(to: ParameterTarget, size: Int, from: Int, more: JSONPointer?)
    /// A number counts the elements that came before.
    case offset(to: ParameterTarget, size: Int, more: JSONPointer?)

    /// Whether a number says which records a page has, and not the page before.
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
