// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsHTTP
import ClaimsJSON
import ClaimsPlatform

/// A good answer of a source: all its pages, or word that what is there is still right.
public struct FetchedPages: Sendable {
    /// Nothing has changed since the validators were given; there are no pages.
    public var isNotModified: Bool
    public var pages: [FetchedBody]
    /// To be sent the next time; empty where pages follow one another, because any of them may change.
    public var validators: HTTPValidators
    /// For how long the upstream calls it fresh, in milliseconds.
    public var maxAge: Int64?

    /// The hash of all pages, as it is kept.
    public func hash(key: UInt64) -> String {
        var hash = ContentHash()
        hash.update(Array("\(key)".utf8).rawSpan)
        for page in pages { hash.update(page.digest.bytes.rawSpan) }
        return hash.digest.text
    }
}

extension ContentHash.Digest {
    /// 32 hexadecimal digits.
    fileprivate var text: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
