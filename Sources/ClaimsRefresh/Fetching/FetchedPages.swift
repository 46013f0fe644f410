// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsPlatform
public import ClaimsStore
public import ClaimsUpstream

/// A good answer of a source: all its pages, or the confirmation that the earlier answer still holds.
public struct FetchedPages: Sendable {
    /// Whether the upstream answered that nothing has changed since the validators were sent (HTTP 304). There are no
    /// pages then.
    public var isNotModified: Bool
    public var pages: [FetchedBody]
    /// The times of the upstream's clock at which the pages came, in milliseconds since 1970, one for each page: its
    /// `Date`, plus the time for which a cache has kept it since. nil if there is no `Date`.
    public var dates: [Int64?] = []
    /// When the first page was asked for, by the clock since the boot, in milliseconds; nil for a file.
    public private(set) var began: Int64?
    /// The time of the oldest page: when it was asked for, less the time for which a cache had kept it.
    public private(set) var oldest: Int64?
    /// When the walk ended, by the clock since the boot, in milliseconds; nil for a file.
    var ended: Int64?
    /// The oldest page that came from a cache; nil if no page was kept for a second.
    private(set) var oldestCopy: Copy?
    /// The end of the walk over the pages.
    var end = WalkEnd.said
    /// The validators for the next request; empty for an answer of several pages, because any of them may change.
    public var validators: HTTPValidators
    /// The time for which the upstream calls the answer fresh, in milliseconds; nil if it does not name one.
    public var maxAge: Int64?

    init(isNotModified: Bool, pages: [FetchedBody], validators: HTTPValidators) {
        self.isNotModified = isNotModified
        self.pages = pages
        self.validators = validators
        dates = pages.map { _ in nil }
    }

    /// A page that a cache had kept. Both times are in milliseconds.
    struct Copy {
        /// The time of the page, by the clock since the boot.
        let time: Int64
        /// The time for which it had been kept, in whole seconds.
        let age: Int64
    }

    /// The hash of all pages under the key of their target, as 32 hexadecimal digits: equal for equal bytes only.
    public func hash(key: UInt64) -> String {
        var hash = ContentHash()
        hash.update(Array("\(key)".utf8).rawSpan)
        for page in pages { hash.update(page.digest.bytes.rawSpan) }
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: hash.digest.bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// The size of all pages in bytes, decoded.
    public var size: Int { pages.reduce(0) { $0 + $1.count } }

    /// Adds a page.
    ///
    /// - Parameters:
    ///   - time: when the page was asked for, in milliseconds since the boot.
    ///   - isWhole: whether the page is the whole answer.
    mutating func append(_ response: HTTPResponse, askedAt time: Int64, isWhole: Bool) {
        pages.append(response.body)
        dates.append(response.pace.date.map { ($0 + Int64(response.age)) * 1000 })
        record(response, askedAt: time, isWhole: isWhole)
    }

    /// Records how long an answer is fresh.
    mutating func record(_ response: HTTPResponse, askedAt time: Int64, isWhole: Bool) {
        began = began ?? time
        let age = Int64(response.age) * 1000
        oldest = min(oldest ?? .max, time - age)
        if age > 0, time - age < oldestCopy?.time ?? .max { oldestCopy = Copy(time: time - age, age: age) }
        if isWhole { validators = response.validators }
        maxAge = response.maxAge.map { min(maxAge ?? .max, Int64($0) * 1000) } ?? maxAge
    }
}

/// The end of a walk over pages.
enum WalkEnd: Sendable {
    /// The last page ends the walk.
    case said
    /// A page is not there (404), after a first page that was short.
    case missingAfterShort
    /// A page is not there (404), after a full one. It may have been missing for a moment only.
    case missingAfterFull
}

extension FetchedBody: RecordBody {}

/// The pages of an answer: one walk, or two if the first one lacked records that are here.
///
/// The records of the second walk count, and those records of the first walk that the second one lacks. So the answer
/// shows the upstream only at the time of the first walk, or of the oldest page of both.
struct FetchedWalks: Sendable {
    /// The number of milliseconds by which an answer may be older than it should be: `Age` is in whole seconds, and
    /// clocks are slewed.
    static let maxLag: Int64 = 2_000

    /// When the refresh began, by the clock since the boot, in milliseconds.
    let begin: Int64
    let first: FetchedPages
    var second: FetchedPages?

    /// The walk whose records count.
    var latest: FetchedPages { second ?? first }
    /// The bodies of both walks.
    var bodies: [FetchedBody] { first.pages + (second?.pages ?? []) }

    /// The time of the oldest page; see ``FetchedPages/oldest``.
    var oldest: Int64? { [first.oldest, second?.oldest].compactMap(\.self).min() }

    /// The time for which the upstream calls each page fresh, in milliseconds; nil if it does not name one.
    var maxAge: Int64? { [first.maxAge, second?.maxAge].compactMap(\.self).min() }

    /// Whether both walks have the same bytes, so that they are one answer.
    func isSteady(key: UInt64) -> Bool { second.map { $0.hash(key: key) == first.hash(key: key) } ?? true }
}
