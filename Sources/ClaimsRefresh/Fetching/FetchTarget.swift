// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON
public import ClaimsModel
import ClaimsPlatform

/// One thing to fetch: a collection's records, or what they are joined with.
public struct FetchTarget: Sendable {
    public let url: String
    public let headers: [Header]
    /// The name of a systemd credential.
    public let credential: String?
    public let root: JSONPointer
    public let paging: Paging?
    public let limits: TransferLimits
    /// Identifies all that decides what the bytes mean: validators and hashes belong to one key. Never 0.
    public let key: UInt64

    /// The records of a source; nil where it has no address.
    public static func records(of definition: Definition, limits: TransferLimits) -> FetchTarget? {
        let source = definition.source
        guard let url = source.url else { return nil }
        return FetchTarget(
            url: url, headers: source.headers, credential: source.credential, root: source.root, paging: source.next,
            limits: limits.applying(source.limits),
            meaning: ["\(definition.shapeHash)", source.join?.url ?? "", source.join?.root.text ?? ""])
    }

    /// What the records are joined with; nil where there is no such thing, or it is off.
    public static func join(of definition: Definition, limits: TransferLimits) -> FetchTarget? {
        guard let join = definition.source.join, let url = join.url else { return nil }
        let links = ([join.on] + join.take).map { "\($0.field) \($0.pointer.text)" }
        return FetchTarget(
            url: url, headers: join.headers, credential: join.credential, root: join.root, paging: nil,
            limits: limits.applying(definition.source.limits), meaning: links)
    }

    private init(
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

    /// The address for people and the database: without what follows a question mark, which may hold a secret,
    /// and without a user.
    public var origin: String {
        let visible = url.prefix { $0 != "?" && $0 != "#" }
        guard let slashes = visible.firstRange(of: "://") else { return String(visible) }
        let host = visible[slashes.upperBound...].prefix { $0 != "/" }
        guard let at = host.lastIndex(of: "@") else { return String(visible) }
        return String(visible[..<slashes.upperBound] + visible[visible.index(after: at)...])
    }
}
