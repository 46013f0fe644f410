// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsJSON
public import ClaimsModel
import ClaimsPlatform

/// The requests that one refresh of a collection makes.
public struct SourceRequests: Sendable {
    public let records: FetchTarget
    /// The second request, for the values that fill fields; nil where there is no join, or it is off.
    public let join: FetchTarget?
    /// A hash of everything that decides the requests and the meaning of their answers; never 0.
    ///
    /// The schedule and the failures of a source belong to one key.
    public let key: UInt64

    /// The requests of a definition; nil where its source has no address.
    public init?(_ definition: Definition, limits: TransferLimits) {
        let source = definition.source
        guard let url = source.url else { return nil }
        let limits = source.limits.applied(to: limits)
        records = FetchTarget(
            url: url, headers: source.headers, credential: source.credential, root: source.root, paging: source.next,
            limits: limits,
            meaning: ["\(definition.shapeHash)", source.join?.url ?? "", source.join?.root.text ?? ""])
        join = source.join.flatMap { join in
            guard let url = join.url else { return nil }
            return FetchTarget(
                url: url, headers: join.headers, credential: join.credential, root: join.root, paging: nil,
                limits: limits, meaning: ([join.on] + join.take).map { "\($0.field) \($0.pointer.text)" })
        }
        var hash = ContentHash()
        hash.update(Array("\(records.key) \(join?.key ?? 0)".utf8).rawSpan)
        key = join == nil ? records.key : hash.digest.low | 1
    }
}

/// One request of a refresh: for a collection's records, or for the values joined to them.
public struct FetchTarget: Sendable {
    public let url: String
    public let headers: [Header]
    /// The name of a systemd credential.
    public let credential: String?
    /// The location of the array of records in the body.
    public let root: JSONPointer
    /// The way to further pages; nil where one answer holds all records.
    public let paging: Paging?
    public let limits: TransferLimits
    /// A hash of everything that decides the meaning of the bytes; never 0. Validators and body hashes belong to one key.
    public let key: UInt64

    fileprivate init(
        url: String, headers: [Header], credential: String?, root: JSONPointer, paging: Paging?,
        limits: TransferLimits, meaning: [String]
    ) {
        self.url = url
        self.headers = headers
        self.credential = credential
        self.root = root
        self.paging = paging
        self.limits = limits
        var hash = ContentHash()
        let page = paging.map { "\($0)" } ?? ""
        for text in [url, credential ?? "", root.text, page] + headers.flatMap({ [$0.name, $0.value] }) + meaning {
            // Lengths first, so that no two sequences of texts run into one another.
            hash.update(Array("\(text.utf8.count):\(text)".utf8).rawSpan)
        }
        key = hash.digest.low | 1
    }

    /// The address without its query, which may hold a secret, and without its user: for people and the database.
    public var origin: String {
        let visible = url.prefix { $0 != "?" && $0 != "#" }
        guard let slashes = visible.firstRange(of: "://") else { return String(visible) }
        let host = visible[slashes.upperBound...].prefix { $0 != "/" }
        guard let at = host.lastIndex(of: "@") else { return String(visible) }
        return String(visible[..<slashes.upperBound] + visible[visible.index(after: at)...])
    }
}
