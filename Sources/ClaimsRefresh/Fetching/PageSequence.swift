// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel

/// Decides after each page of a walk what is asked next. Pure.
///
///     var sequence = PageSequence(.link, maxPages: 10_000)
///     let step = try sequence.step(after: facts)
struct PageSequence {
    /// The way on.
    enum Step: Equatable {
        /// The address that the page names is asked.
        case address(String)
        /// The first request is made again, with this value in it.
        case value(RequestValue)
        case end
        /// The page repeats the elements of the page before: it does not count, and the page before was the last.
        case endBefore
    }

    private let paging: Paging
    private let maxPages: Int
    private let isMain: Bool
    private var pages = 0
    /// The elements of all pages.
    private var count = 0
    private var previous: PageFacts.Elements?
    /// The number of elements of a first page that was not full; the page after it is asked only to see whether it is
    /// empty.
    private var shortCount: Int?
    /// The addresses and cursors so far.
    private var seen: Set<String> = []

    /// - Parameters:
    ///   - address: the address of the first request.
    ///   - isMain: whether the pages have the records, and not the joined values.
    init(_ paging: Paging, maxPages: Int, address: String = "", isMain: Bool = true) {
        self.paging = paging
        self.maxPages = maxPages
        self.isMain = isMain
        switch paging {
        case .link, .pointer: seen.insert(address)
        case .cursor, .page, .offset: break
        }
    }

    /// The value that the first request has in addition to the written ones; nil for none.
    var first: RequestValue? {
        switch paging {
        case .page(let target, _, let from, _): RequestValue(target, .integer(from))
        case .offset(let target, _, _): RequestValue(target, .integer(0))
        case .pointer, .link, .cursor: nil
        }
    }

    /// The end of the walk that a missing page (404) causes; nil if it is an error.
    ///
    /// A missing page after a short first page always ends the walk. After a full page it ends the walk only if the
    /// pages have the records, which are then requested twice, and no page announces more.
    var endWithoutPage: WalkEnd? {
        if shortCount != nil { return .missingAfterShort }
        switch paging {
        case .page(_, _, _, nil), .offset(_, _, nil): return isMain && pages > 0 ? .missingAfterFull : nil
        case .page, .offset, .pointer, .link, .cursor: return nil
        }
    }

    /// Decides the next step after a page.
    mutating func step(after facts: PageFacts) throws(PagingFault) -> Step {
        pages += 1
        let step: Step =
            switch paging {
            case .link: try stepByAddress(facts, JSONPointer(tokens: []))
            case .pointer(let pointer): try stepByAddress(facts, pointer)
            case .cursor(let pointer, let target, let more): try stepByCursor(facts, pointer, to: target, more: more)
            case .page(let target, let size, let from, let more):
                try stepByCount(facts, size: size, more: more) { .init(target, .integer(from + $0.pages)) }
            case .offset(let target, let size, let more):
                try stepByCount(facts, size: size, more: more) { .init(target, .integer($0.count)) }
            }
        switch step {
        case .address, .value: if pages >= maxPages { throw .endless(maxPages) }
        case .end, .endBefore: break
        }
        return step
    }

    private mutating func stepByAddress(
        _ facts: PageFacts, _ pointer: JSONPointer
    ) throws(PagingFault) -> Step {
        if facts.address.isNothing { return .end }
        guard case .text(let address) = facts.address else { throw .nextUnusable(pointer, facts.address.kind) }
        guard seen.insert(address).inserted else { throw .circle }
        return .address(address)
    }

    private mutating func stepByCursor(
        _ facts: PageFacts, _ pointer: JSONPointer, to target: ParameterTarget, more: JSONPointer?
    ) throws(PagingFault) -> Step {
        if let more, try !Self.goesOn(facts, more) { return .end }
        if facts.cursor.isNothing {
            if more != nil { throw .cursorMissing(pointer) }
            return .end
        }
        let value: JSONValue
        switch facts.cursor {
        case .text(let text): value = .string(text)
        case .number(let digits): value = .number(digits)
        default: throw .nextUnusable(pointer, facts.cursor.kind)
        }
        guard seen.insert(String(decoding: value.compactBytes, as: UTF8.self)).inserted else { throw .circle }
        return .value(RequestValue(target, value))
    }

    /// - Parameter next: the value of the next request.
    private mutating func stepByCount(
        _ facts: PageFacts, size: Int, more: JSONPointer?, next: (PageSequence) -> RequestValue
    ) throws(PagingFault) -> Step {
        let elements = facts.elements
        if let previous, previous == elements {
            let wasFullFirst = pages == 2 && previous.count >= size
            if more != nil || wasFullFirst { throw .repeated }
            return .endBefore
        }
        previous = elements
        count += elements.count
        if let more { return try Self.goesOn(facts, more) ? .value(next(self)) : .end }
        if elements.count == 0 { return .end }
        if let shortCount { throw .capped(shortCount, size: size) }
        if elements.count < size {
            guard pages == 1 else { return .end }
            shortCount = elements.count
        }
        return .value(next(self))
    }

    private static func goesOn(_ facts: PageFacts, _ pointer: JSONPointer) throws(PagingFault) -> Bool {
        guard case .bool(let goesOn) = facts.more else { throw .moreUnclear(pointer) }
        return goesOn
    }
}

/// The mistakes in the pages of an upstream.
enum PagingFault: Error, Equatable {
    /// There are more pages than this limit.
    case endless(Int)
    /// A page leads to an address or cursor that has been.
    case circle
    /// The second page is the first one again.
    case repeated
    /// The server has pages of this many elements, and not of `size`.
    case capped(Int, size: Int)
    /// The value that should show whether there is more is neither true nor false.
    case moreUnclear(JSONPointer)
    /// There are more pages, but there is no cursor.
    case cursorMissing(JSONPointer)
    /// The value that should lead to the next page has a wrong kind.
    case nextUnusable(JSONPointer, JSONKind)
}

extension FetchFailure {
    /// The failure for a mistake in the pages.
    init(_ fault: PagingFault) {
        switch fault {
        case .endless(let limit): self.init(.protocol, Message(.pagesEndless, "\(limit)"))
        case .circle: self.init(.protocol, Message(.pageCircle))
        case .repeated: self.init(.protocol, Message(.pageRepeated))
        case .capped(let count, let size): self.init(.wrongShape, Message(.pageCapped, "\(count)", "\(size)"))
        case .moreUnclear(let pointer): self.init(.wrongShape, Message(.moreUnclear, pointer.text))
        case .cursorMissing(let pointer): self.init(.wrongShape, Message(.cursorMissing, pointer.text))
        case .nextUnusable(let pointer, let kind):
            self.init(.wrongShape, Message(.nextUnusable, pointer.text, MessageArgument.of(kind)))
        }
    }
}
