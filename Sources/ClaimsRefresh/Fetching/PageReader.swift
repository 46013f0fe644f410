// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsStore
import ClaimsUpstream

/// Reads the facts from a body that decide how its walk continues. The records are read later.
struct PageReader {
    let target: FetchTarget
    /// Keeps the value by which a page reports a failed request; nil if it is not shown.
    var refusal: RefusedBody?

    /// The facts of a page.
    ///
    /// - Parameter link: the address of the next page in the answer's headers.
    /// - Throws: `reported` if the page reports that the request has failed, before anything else of it is read;
    ///   `not_json`; and `wrong_shape` if its records are counted and there is no array of them.
    func read(_ body: FetchedBody, link: String? = nil) throws(FetchFailure) -> PageFacts {
        try body.withBytes { bytes throws(FetchFailure) in try read(bytes, link: link) }
    }

    private func read(_ bytes: RawSpan, link: String?) throws(FetchFailure) -> PageFacts {
        if let markup = DocumentKind.markup(bytes) {
            refusal?.keep(bytes)
            throw FetchFailure(.notJSON, Message(.notJSON, MessageArgument.markup(isHTML: markup == .html)))
        }
        var facts = PageFacts()
        var pointers: [JSONPointer] = []
        if let fails = target.request.fails { pointers.append(fails) }
        let pagingPointers = target.paging?.pointers ?? []
        pointers += pagingPointers
        var values: [PageFacts.Value] = []
        if !pointers.isEmpty {
            do throws(JSONError) { values = try Self.values(at: pointers, in: bytes, elementsOf: target.root) } catch {
                throw FetchFailure(IntakeError.notJSON(error), root: target.root)
            }
        }
        if let fails = target.request.fails, !values.removeFirst().isNothing {
            if let refusal, let found = try? JSONElements.locate([fails], in: bytes, elementsOf: target.root).first {
                if let range = found { refusal.keep(bytes.extracting(range)) }
            }
            throw FetchFailure(.reported, Message(.reported, fails.text))
        }
        switch target.paging {
        case .pointer: facts.address = values.removeFirst()
        case .link: facts.address = link.map { .text($0) } ?? .missing
        case .cursor(_, _, let more):
            facts.cursor = values.removeFirst()
            if more != nil { facts.more = values.removeFirst() }
        case .page(_, _, _, let more), .offset(_, _, let more):
            if more != nil { facts.more = values.removeFirst() }
            facts.elements = try elements(of: bytes)
        case nil: break
        }
        return facts
    }

    private func elements(of bytes: RawSpan) throws(FetchFailure) -> PageFacts.Elements {
        do throws(IntakeError) { return try Self.elements(of: bytes, root: target.root) } catch {
            throw FetchFailure(error, root: target.root)
        }
    }

    private static func elements(of bytes: RawSpan, root: JSONPointer) throws(IntakeError) -> PageFacts.Elements {
        var result = PageFacts.Elements()
        var hash = ContentHash()
        let comma = [ASCII.comma]
        var elements: JSONElements
        do throws(JSONRootError) { elements = try JSONElements(bytes, root: root) } catch { throw IntakeError(error) }
        var tape = JSONTape()
        while true {
            let element: JSONElements.Element?
            do throws(JSONError) { element = try elements.next(into: &tape) } catch { throw .notJSON(error) }
            guard let element else { break }
            result.count += 1
            hash.update(bytes.part(element.range))
            // Values have commas only within brackets and quotes, so two different lists never give the same bytes.
            hash.update(comma.rawSpan)
        }
        result.digest = hash.digest
        return result
    }

    /// The values that the pointers lead to, in their order.
    static func values(
        at pointers: [JSONPointer], in bytes: RawSpan, elementsOf root: JSONPointer
    ) throws(JSONError) -> [PageFacts.Value] {
        try JSONElements.locate(pointers, in: bytes, elementsOf: root).map { range in
            range.map { value(bytes.extracting($0)) } ?? .missing
        }
    }

    /// The value that these bytes are, whole and checked.
    private static func value(_ bytes: RawSpan) -> PageFacts.Value {
        switch bytes.byte(at: 0) {
        case ASCII.openBrace, ASCII.openBracket:
            let isObject = bytes.byte(at: 0) == ASCII.openBrace
            var offset = 1
            while bytes.byte(at: offset) <= ASCII.space { offset += 1 }
            return .container(isObject ? .object : .array, isEmpty: offset == bytes.byteCount - 1)
        case ASCII.quote:
            var tape = JSONTape()
            // A text that is no Unicode is no address and no cursor, and not empty.
            guard (try? tape.parse(bytes, depth: 0)) != nil, let text = tape.string(0, in: bytes) else {
                return .container(.string, isEmpty: false)
            }
            return .text(text)
        case UInt8(ascii: "n"): return .null
        case UInt8(ascii: "t"): return .bool(true)
        case UInt8(ascii: "f"): return .bool(false)
        default: return .number(String(decoding: bytes.array, as: UTF8.self))
        }
    }
}

extension Paging {
    /// The pointers to the values of a page that decide how the walk continues.
    fileprivate var pointers: [JSONPointer] {
        switch self {
        case .pointer(let pointer): [pointer]
        case .link: []
        case .cursor(let pointer, _, let more): [pointer] + [more].compactMap(\.self)
        case .page(_, _, _, let more), .offset(_, _, let more): [more].compactMap(\.self)
        }
    }
}

/// The facts of a page on which the next request depends.
struct PageFacts: Equatable {
    /// The elements of the array of records, as far as two pages are compared.
    struct Elements: Equatable {
        var count = 0
        /// A hash of their bytes.
        var digest = ContentHash().digest
    }

    /// A value of a page, without its contents if it is a container.
    enum Value: Equatable {
        case missing
        case null
        case bool(Bool)
        case text(String)
        /// The characters as they came.
        case number(String)
        case container(JSONKind, isEmpty: Bool)

        /// Whether the value means nothing: no failure, no next page.
        var isNothing: Bool {
            switch self {
            case .missing, .null, .bool(false), .text(""), .container(_, isEmpty: true): true
            case .bool(true), .text, .number, .container: false
            }
        }

        /// The literal form of the value; null for a missing one.
        var kind: JSONKind {
            switch self {
            case .missing, .null: .null
            case .bool(let value): value ? .true : .false
            case .text: .string
            case .number: .number
            case .container(let kind, _): kind
            }
        }
    }

    /// Known if pages are counted.
    var elements = Elements()
    /// The address of the next page; absolute, once the walk has resolved it.
    var address = Value.missing
    var cursor = Value.missing
    var more = Value.missing
}

/// The text or number by which an upstream names the state after its answer.
enum PositionToken {
    /// Reads the token of the last page, as JSON.
    ///
    /// - Throws: `wrong_shape` if there is no text and no number, `protocol` if it is too long to be kept.
    static func read(_ page: FetchedBody, at pointer: JSONPointer, root: JSONPointer) throws(FetchFailure) -> String {
        try page.withBytes { bytes throws(FetchFailure) in try read(bytes, at: pointer, root: root) }
    }

    private static func read(
        _ bytes: RawSpan, at pointer: JSONPointer, root: JSONPointer
    ) throws(FetchFailure) -> String {
        let range: Range<Int>?
        do throws(JSONError) { range = try JSONElements.locate(pointer, in: bytes, elementsOf: root) } catch {
            throw FetchFailure(IntakeError.notJSON(error), root: root)
        }
        guard let range else { throw FetchFailure(.wrongShape, Message(.pointerMissing, pointer.text)) }
        let value = bytes.extracting(range)
        var tape = JSONTape()
        guard (try? tape.parse(value, depth: 0)) != nil, tape.count > 0,
            tape[0].kind == .string || tape[0].kind == .number
        else { throw FetchFailure(.wrongShape, Message(.pointerMissing, pointer.text)) }
        guard value.byteCount <= SourceRow.Position.maxSize else {
            throw FetchFailure(
                .protocol, Message(.positionTooLong, pointer.text, "\(SourceRow.Position.maxSize)"))
        }
        return value.text
    }
}
