// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsTestSupport
import Testing

@testable import ClaimsRefresh

struct PageSequenceTests {
    private static let more = JSONPointer(tokens: [Array("more".utf8)])
    private static let after = ParameterTarget.query("after")

    /// A page of these elements.
    private static func page(_ ids: Range<Int>, more: PageFacts.Value = .missing) -> PageFacts {
        var facts = PageFacts()
        var hash = ContentHash()
        for id in ids { hash.update(Array("\(id),".utf8).rawSpan) }
        facts.elements = PageFacts.Elements(count: ids.count, digest: hash.digest)
        facts.more = more
        return facts
    }

    private static func cursor(_ cursor: PageFacts.Value, more: PageFacts.Value = .missing) -> PageFacts {
        var facts = PageFacts()
        (facts.cursor, facts.more) = (cursor, more)
        return facts
    }

    private static func pages(size: Int, from: Int = 1, more: JSONPointer? = nil) -> Paging {
        .page(to: .query("page"), size: size, from: from, more: more)
    }

    /// The steps after these pages, up to the end or the fault.
    private func walk(
        _ paging: Paging, _ pages: [PageFacts], maxPages: Int = 100, isMain: Bool = true
    ) -> [String] {
        var pager = PageSequence(paging, maxPages: maxPages, address: "first", isMain: isMain)
        var steps: [String] = []
        for page in pages {
            do throws(PagingFault) {
                switch try pager.step(after: page) {
                case .address(let address): steps.append(address)
                case .value(let value): steps.append(String(decoding: value.value.compactBytes, as: UTF8.self))
                case .end: return steps + ["end"]
                case .endBefore: return steps + ["end before"]
                }
            } catch {
                return steps + ["\(error)".prefix { $0 != "(" }.description]
            }
        }
        return steps + [pager.endWithoutPage == nil ? "page needed" : "or no page"]
    }

    @Test func `the first request has a page's number, an offset of 0, or nothing`() {
        #expect(PageSequence(Self.pages(size: 2, from: 0), maxPages: 9).first == RequestValue(.query("page"), 0))
        #expect(
            PageSequence(.offset(to: Self.after, size: 2, more: nil), maxPages: 9).first == RequestValue(Self.after, 0))
        #expect(PageSequence(.link, maxPages: 9).first == nil)
        #expect(PageSequence(.cursor(Self.more, to: Self.after, more: nil), maxPages: 9).first == nil)
    }

    @Test func `pages are counted from where the definition says, offsets by elements`() {
        let full = [Self.page(0..<2), Self.page(2..<5), Self.page(5..<5)]
        #expect(walk(Self.pages(size: 2), full) == ["2", "3", "end"])
        #expect(walk(Self.pages(size: 2, from: 0), full) == ["1", "2", "end"])
        #expect(walk(.offset(to: Self.after, size: 2, more: nil), full) == ["2", "5", "end"])
    }

    @Test func `a page with fewer elements is the last one, unless it is the first`() {
        #expect(walk(Self.pages(size: 2), [Self.page(0..<2), Self.page(2..<3)]) == ["2", "end"])
        #expect(walk(Self.pages(size: 2), [Self.page(0..<0)]) == ["end"])
        #expect(walk(Self.pages(size: 2), [Self.page(0..<1)]) == ["2", "or no page"])
        #expect(walk(Self.pages(size: 2), [Self.page(0..<1), Self.page(1..<1)]) == ["2", "end"])
        #expect(walk(Self.pages(size: 2), [Self.page(0..<1), Self.page(0..<1)]) == ["2", "end before"])
        #expect(walk(Self.pages(size: 2), [Self.page(0..<2)]) == ["2", "or no page"])
        #expect(walk(.offset(to: Self.after, size: 2, more: nil), [Self.page(0..<2)]) == ["2", "or no page"])
        #expect(walk(Self.pages(size: 2), []) == ["page needed"])
        // The values of a join are asked for once: they are whole, or none.
        #expect(walk(Self.pages(size: 2), [Self.page(0..<2)], isMain: false) == ["2", "page needed"])
        #expect(walk(Self.pages(size: 2), [Self.page(0..<1)], isMain: false) == ["2", "or no page"])
        let flagged = Self.page(0..<2, more: .bool(true))
        #expect(walk(Self.pages(size: 2, more: Self.more), [flagged]) == ["2", "page needed"])
    }

    @Test func `a server that caps its pages is found out, and the size of its pages named`() {
        var pager = PageSequence(Self.pages(size: 200), maxPages: 9)
        _ = try? pager.step(after: Self.page(0..<100))
        var fault: PagingFault?
        do throws(PagingFault) { _ = try pager.step(after: Self.page(100..<200)) } catch { fault = error }
        #expect(fault == .capped(100, size: 200))
    }

    @Test func `a server that ignores the parameter is found out, where what came may be a part`() {
        #expect(walk(Self.pages(size: 2), [Self.page(0..<2), Self.page(0..<2)]) == ["2", "repeated"])
        #expect(walk(Self.pages(size: 2), [Self.page(0..<9), Self.page(0..<9)]) == ["2", "repeated"])
    }

    @Test func `a server that answers beyond its last page with that page has ended before`() {
        let pages = [Self.page(0..<2), Self.page(2..<4), Self.page(2..<4)]
        #expect(walk(Self.pages(size: 2), pages) == ["2", "3", "end before"])
        #expect(walk(.offset(to: Self.after, size: 2, more: nil), pages) == ["2", "4", "end before"])
    }

    @Test func `a flag decides in place of the size, but never lets a page come twice`() {
        let paging = Self.pages(size: 5, more: Self.more)
        let pages = [Self.page(0..<1, more: .bool(true)), Self.page(1..<9, more: .bool(false))]
        #expect(walk(paging, pages) == ["2", "end"])
        let empty = [Self.page(0..<0, more: .bool(true)), Self.page(0..<2, more: .bool(false))]
        #expect(walk(paging, empty) == ["2", "end"])
        #expect(walk(paging, [Self.page(0..<5, more: .bool(false))]) == ["end"])
        let twice = [Self.page(0..<1, more: .bool(true)), Self.page(0..<1, more: .bool(true))]
        #expect(walk(paging, twice) == ["2", "repeated"])
        let late = [(0..<5, true), (5..<6, true), (5..<6, false)].map { Self.page($0, more: .bool($1)) }
        #expect(walk(paging, late) == ["2", "3", "repeated"])
    }

    @Test(arguments: [
        PageFacts.Value.missing, .null, .text("true"), .number("1"), .container(.object, isEmpty: true),
    ])
    func `a flag that is neither true nor false is no flag`(value: PageFacts.Value) {
        #expect(walk(Self.pages(size: 5, more: Self.more), [Self.page(0..<1, more: value)]) == ["moreUnclear"])
        let paging = Paging.cursor(Self.more, to: Self.after, more: Self.more)
        #expect(walk(paging, [Self.cursor(.text("a"), more: value)]) == ["moreUnclear"])
    }

    @Test func `a cursor is sent as it came, until there is none`() {
        let paging = Paging.cursor(Self.more, to: Self.after, more: nil)
        let pages = [Self.cursor(.text("a\"b")), Self.cursor(.number("1.50e3")), Self.cursor(.null)]
        #expect(walk(paging, pages) == [#""a\"b""#, "1.50e3", "end"])
        #expect(walk(paging, [Self.cursor(.missing)]) == ["end"])
        #expect(walk(paging, [Self.cursor(.text(""))]) == ["end"])
        #expect(walk(paging, [Self.cursor(.number("0"))]) == ["0", "page needed"])
        for nothing in [PageFacts.Value.bool(false), .container(.array, isEmpty: true)] {
            #expect(walk(paging, [Self.cursor(nothing)]) == ["end"])
        }
        for odd in [PageFacts.Value.bool(true), .container(.object, isEmpty: false)] {
            #expect(walk(paging, [Self.cursor(odd)]) == ["nextUnusable"])
            var facts = PageFacts()
            facts.address = odd
            #expect(walk(.pointer(Self.more), [facts]) == ["nextUnusable"])
        }
    }

    @Test func `a cursor beside a flag follows the flag`() {
        let paging = Paging.cursor(Self.more, to: Self.after, more: Self.more)
        #expect(walk(paging, [Self.cursor(.text("a"), more: .bool(false))]) == ["end"])
        #expect(walk(paging, [Self.cursor(.text("a"), more: .bool(true))]) == [#""a""#, "page needed"])
        #expect(walk(paging, [Self.cursor(.null, more: .bool(true))]) == ["cursorMissing"])
        #expect(walk(paging, [Self.cursor(.null, more: .bool(false))]) == ["end"])
    }

    @Test func `no address and no cursor is met twice`() {
        let cursors = [Self.cursor(.text("a")), Self.cursor(.text("b")), Self.cursor(.text("a"))]
        #expect(walk(.cursor(Self.more, to: Self.after, more: nil), cursors) == [#""a""#, #""b""#, "circle"])
        let addresses = ["second", "third", "first"].map { address in
            var facts = PageFacts()
            facts.address = .text(address)
            return facts
        }
        #expect(walk(.link, addresses) == ["second", "third", "circle"])
        #expect(walk(.pointer(Self.more), [PageFacts()]) == ["end"])
    }

    @Test func `there are no more pages than the limit`() {
        let pages = (0..<3).map { Self.page($0 * 2..<$0 * 2 + 2) }
        #expect(walk(Self.pages(size: 2), pages, maxPages: 3) == ["2", "3", "endless"])
        #expect(walk(Self.pages(size: 2), pages + [Self.page(6..<6)], maxPages: 4) == ["2", "3", "4", "end"])
    }

    /// The manners of servers that count pages.
    private enum Manner: CaseIterable {
        case honest, clamps, ignores, caps, missing
    }

    @Test func `whatever a server does, the end is all of its records or a fault`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<RandomRounds.count(400) {
            let total = Int.random(in: 0...20, using: &random)
            let size = Int.random(in: 1...6, using: &random)
            let cap = Int.random(in: 1...6, using: &random)
            let manner = Manner.allCases.randomElement(using: &random) ?? .honest
            let counts = Bool.random(using: &random)
            let paging = counts ? Self.pages(size: size) : .offset(to: .query("page"), size: size, more: nil)
            var pager = PageSequence(paging, maxPages: 50)
            var seen = 0..<0
            var value = try #require(pager.first?.value.integer)
            let pageSize = manner == .caps ? min(cap, size) : size
            var outcome: Result<Range<Int>, PagingFault>?
            while outcome == nil {
                let start = manner == .ignores ? 0 : counts ? (Int(value) - 1) * pageSize : Int(value)
                var ids = min(start, total)..<min(start + pageSize, total)
                if manner == .clamps, ids.isEmpty, !seen.isEmpty { ids = (total - 1) / size * size..<total }
                if manner == .missing, ids.isEmpty, pager.endWithoutPage != nil {
                    outcome = .success(seen)
                    break
                }
                do throws(PagingFault) {
                    switch try pager.step(after: Self.page(ids)) {
                    case .end: outcome = .success(seen.lowerBound..<max(seen.upperBound, ids.upperBound))
                    case .endBefore: outcome = .success(seen)
                    case .value(let next):
                        seen = 0..<max(seen.upperBound, ids.upperBound)
                        value = next.value.integer ?? -1
                    case .address: Issue.record("an address")
                    }
                } catch { outcome = .failure(error) }
            }
            switch outcome {
            case .success(let all):
                #expect(all == 0..<total || total == 0, "\(manner) \(total) \(size) \(cap) seed \(seed)")
            default:
                #expect(
                    manner == .caps || manner == .ignores || manner == .clamps,
                    "\(manner) \(total) \(size) seed \(seed)")
            }
        }
    }
}

struct PageRetryTests {
    private func waits(_ failure: FetchFailure) -> [Duration?] {
        var retry = PageRetry()
        return (0..<4).map { _ in retry.wait(after: failure) }
    }

    @Test func `a page is asked again three times, after 1, 2 and 4 seconds or what the server wants`() {
        let message = Message(.httpStatus, "503")
        #expect(
            waits(FetchFailure(.httpStatus, status: 503, message)) == [.seconds(1), .seconds(2), .seconds(4), nil])
        #expect(
            waits(FetchFailure(.httpStatus, status: 429, message, retryAfter: 7000))
                == [.seconds(7), .seconds(7), .seconds(7), nil])
        for kind in [FailureKind.unreachable, .timeout, .truncated] {
            #expect(waits(FetchFailure(kind, message)).first == .seconds(1))
        }
    }

    @Test func `what would fail again is not asked again`() {
        let message = Message(.httpStatus, "400")
        for status in [400, 401, 403, 404, 410, 304] {
            #expect(waits(FetchFailure(.httpStatus, status: status, message)).first == .some(nil))
        }
        for kind in [FailureKind.tls, .redirect, .protocol, .notJSON, .wrongShape, .credential, .tooLarge, .reported] {
            #expect(waits(FetchFailure(kind, message)).first == .some(nil))
        }
        #expect(waits(FetchFailure(.timeout, reason: .pause, message)).first == .some(nil))
        var cancelled = FetchFailure(.unreachable, message)
        cancelled.isCancelled = true
        #expect(waits(cancelled).first == .some(nil))
    }
}
