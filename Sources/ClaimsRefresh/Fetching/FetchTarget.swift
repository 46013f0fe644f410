// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsJSON
public import ClaimsModel
import ClaimsPlatform
import ClaimsUpstream

/// The requests that one refresh of a source makes.
public struct SourceRequests: Sendable {
    public let records: FetchTarget
    /// The second request, for the values that fill fields; nil if there is no join, or it is off.
    public let join: FetchTarget?
    /// A hash of everything that decides the requests and the meaning of their answers; never 0.
    ///
    /// The schedule and the failures of a source belong to one key.
    public let key: UInt64

    /// The requests of a definition.
    ///
    /// - Parameter site: the site that is asked; nil in collections without sites.
    /// - Returns: nil if the source has no address, or no such site.
    public init?(_ definition: Definition, site: String? = nil, limits: TransferLimits) {
        let source = definition.source
        guard let request = source.request(of: site), request.url != nil else { return nil }
        let limits = source.limits.applied(to: limits)
        let join = source.join
        records = FetchTarget(
            request, source: SourceID(definition.name, site: site), limits: limits,
            meaning: ["\(definition.shapeHash)", join?.request.url ?? "", join?.request.root.text ?? ""]
                + Self.meaning(of: source))
        self.join = join.flatMap { join in
            join.request.url == nil
                ? nil
                : FetchTarget(
                    join.request, source: SourceID(definition.name, site: site), limits: limits,
                    meaning: ([join.on] + join.take).map { "\($0.field) \($0.pointer.text)" })
        }
        var hash = ContentHash()
        hash.update(Array("\(records.key) \(self.join?.key ?? 0)".utf8).rawSpan)
        key = self.join == nil ? records.key : hash.digest.low | 1
    }

    /// The rules by which an answer shows what has changed and what is gone. The time between two requests
    /// for all records is not part of it.
    private static func meaning(of source: Source) -> [String] {
        var meaning = source.deleted.map { ["\($0)"] } ?? []
        if let since = source.since { meaning += ["\(since.to)", "\(since.position)"] }
        return meaning
    }
}

/// One request of a refresh: for a source's records, or for the values joined to them.
public struct FetchTarget: Sendable {
    /// The address of ``request``.
    public internal(set) var url: String
    public let request: ReadRequest
    /// The source that asks.
    public let source: SourceID
    public let limits: TransferLimits
    /// A hash of everything that decides the meaning of the bytes; never 0. Validators and body hashes belong to one key.
    public let key: UInt64
    /// The values that this refresh sends beside the definition's; they are not part of ``key``.
    public private(set) var values: [RequestValue] = []

    /// Whether caches on the way are to ask the upstream.
    private(set) var passesCaches = false

    /// The location of the array of records in the body.
    public var root: JSONPointer { request.root }
    /// The way to further pages; nil if one answer holds all records.
    public var paging: Paging? { request.next }

    fileprivate init(_ request: ReadRequest, source: SourceID, limits: TransferLimits, meaning: [String]) {
        url = request.url ?? ""
        self.request = request
        self.source = source
        self.limits = limits
        var hash = ContentHash()
        for text in Self.parts(of: request) + meaning {
            // Lengths first, so that no two sequences of texts run into one another.
            hash.update(Array("\(text.utf8.count):\(text)".utf8).rawSpan)
        }
        key = hash.digest.low | 1
    }

    /// The same target, whose requests also send this value.
    public func setting(_ target: ParameterTarget, to value: JSONValue) -> FetchTarget {
        var copy = self
        copy.values.append(RequestValue(target, value))
        return copy
    }

    /// The same target, with requests that caches must not answer by themselves.
    func passingCaches() -> FetchTarget {
        var copy = self
        copy.passesCaches = true
        return copy
    }

    /// Everything of a request that decides its answer, in a fixed order.
    private static func parts(of request: ReadRequest) -> [String] {
        var parts = [request.url ?? "", request.method.rawValue, request.root.text, request.fails?.text ?? ""]
        parts.append(request.auth.map { "\($0)" } ?? "")
        parts.append(request.tls.map { "\($0)" } ?? "")
        parts.append(request.next.map { "\($0)" } ?? "")
        var writer = JSONWriter()
        request.body?.write(to: &writer)
        parts.append(String(decoding: writer.bytes, as: UTF8.self))
        parts.append("\(request.query.count)")
        for parameter in request.query { parts += [parameter.name, "\(parameter.values.count)"] + parameter.values }
        for header in request.headers { parts += [header.name, header.value] }
        return parts
    }

    /// The address without its query, which may hold a secret, and without its user: for people and the database.
    public var origin: String { HTTPURL.withoutSecrets(url) }
}

/// A value that a request sends beside the definition's values.
public struct RequestValue: Sendable, Hashable {
    public let target: ParameterTarget
    public let value: JSONValue

    public init(_ target: ParameterTarget, _ value: JSONValue) {
        self.target = target
        self.value = value
    }

    /// The value as a parameter of a query: the text of a string, the characters of anything else.
    fileprivate var text: String {
        value.string ?? String(decoding: value.compactBytes, as: UTF8.self)
    }
}

extension FetchTarget {
    /// The first request for this target, with these values and the values that were set before.
    func firstRequest(_ further: [RequestValue] = []) -> HTTPRequest {
        var address = AddressQuery.appending(request.query, to: url)
        var body = request.body
        for parameter in values + further {
            switch parameter.target {
            case .query(let name): address = AddressQuery.setting(name, to: parameter.text, in: address)
            // The reader of definitions has checked that the parent exists.
            case .body(let pointer): body = body?.setting(pointer, to: parameter.value) ?? body
            }
        }
        var result = HTTPRequest(
            url: address, headers: request.headers.map { ($0.name, $0.value) }, limits: limits)
        if passesCaches {
            result.headers.removeAll { $0.name.lowercased() == "cache-control" }
            result.headers.append((name: "Cache-Control", value: "no-cache"))
        }
        if request.method == .post { result.body = body?.compactBytes ?? [] }
        return result
    }
}

extension SourceRequests {
    /// The values of headers and parameters whose names are names of secrets.
    var ownSecrets: [String] {
        let words = ["auth", "key", "token", "secret", "cookie", "password"]
        return [records.request, join?.request].compactMap(\.self).flatMap { request in
            let headers = request.headers.filter { header in
                let name = header.name.lowercased()
                return words.contains { name.contains($0) }
            }
            let parameters = request.query.filter { SecretNames.isSecret($0.name) }.flatMap(\.values)
            let own = parameters + SecretMask.secrets(in: request.url ?? "")
            return headers.map(\.value) + own.filter { $0.utf8.count >= Self.minSecret }
        }
    }

    /// The size of the shortest value of a parameter that is hidden wherever it occurs, in bytes.
    private static var minSecret: Int { 6 }
}
