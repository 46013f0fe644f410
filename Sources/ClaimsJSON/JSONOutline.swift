// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// The arrays of a document that lie in objects only, and the scalars around them, found in one walk without a tape.
///
///     let outline = try JSONOutline(bytes)
///     for list in outline.lists { print(list.pointer.text, list.objects) }
public struct JSONOutline: Sendable {
    /// An array that lies in no other array.
    public struct List: Equatable, Sendable {
        public let pointer: JSONPointer
        /// The number of all its elements.
        public let elements: Int
        /// The number of its elements that are objects.
        public let objects: Int
    }

    /// A string, number or literal that lies in no array.
    public struct Scalar: Equatable, Sendable {
        public let pointer: JSONPointer
        public let kind: JSONKind
        /// The bytes of the value; of a string its quotes too.
        public let range: Range<Int>
    }

    /// The maximal number of tokens of the pointers.
    public static let maxDepth = 4
    /// The maximal number of lists, and of scalars; further ones are left out.
    public static let maxParts = 1024

    /// The lists in the order of the bytes. The pointer of several lists leads to the last one.
    public let lists: [List]
    /// In the order of the bytes.
    public let scalars: [Scalar]

    /// Walks over a document. A byte order mark at the front is skipped, and text may be bad (``JSONError/isBadText``).
    ///
    /// Throws if the bytes are not one JSON document for another reason.
    public init(_ bytes: RawSpan) throws(JSONError) {
        let scanner = JSONScanner(bytes, lenientRange: 0..<bytes.byteCount)
        var visitor = OutlineVisitor()
        let end = try scanner.walk(
            from: JSONElements.markLength(bytes), depth: JSONElements.bodyDepth, into: &visitor)
        _ = try scanner.end(of: end)
        var lists: [List] = []
        for found in visitor.lists {
            let pointer = Self.pointer(found.path, bytes)
            lists.append(List(pointer: pointer, elements: found.elements, objects: found.objects))
        }
        var scalars: [Scalar] = []
        for found in visitor.scalars {
            scalars.append(Scalar(pointer: Self.pointer(found.path, bytes), kind: found.kind, range: found.range))
        }
        self.lists = lists
        self.scalars = scalars
    }

    private static func pointer(_ path: [Range<Int>], _ bytes: RawSpan) -> JSONPointer {
        var tokens: [[UInt8]] = []
        for name in path {
            var token: [UInt8] = []
            JSONUnescaper.append(bytes.extracting(name), to: &token)
            tokens.append(token)
        }
        return JSONPointer(tokens: tokens)
    }
}

/// Collects the lists and scalars of a document, by the ranges of the names that lead to them.
private struct OutlineVisitor: JSONVisitor {
    struct FoundList {
        let path: [Range<Int>]
        var elements = 0
        var objects = 0
    }

    struct FoundScalar {
        let path: [Range<Int>]
        let kind: JSONKind
        let range: Range<Int>
    }

    let isFull = false
    private(set) var lists: [FoundList] = []
    private(set) var scalars: [FoundScalar] = []
    private var nesting = NestingVisitor()
    /// The names of the members that are read, one for each open object outside arrays; empty before its first one.
    private var path: [Range<Int>] = []
    /// The name of the member has been read, and its value has not.
    private var hasName = false
    /// The number of open containers from the outermost array on.
    private var listDepth = 0
    private var list = FoundList(path: [])

    mutating func begin(_ kind: JSONKind, at start: Int) {
        nesting.begin(kind, at: start)
        if listDepth > 0 {
            if listDepth == 1 { count(kind) }
            listDepth += 1
        } else if kind == .array {
            list = FoundList(path: path)
            listDepth = 1
        } else {
            path.append(0..<0)
            hasName = false
        }
    }

    mutating func finish(before end: Int) -> Bool {
        if listDepth == 1, list.path.count <= JSONOutline.maxDepth, lists.count < JSONOutline.maxParts {
            lists.append(list)
        }
        if listDepth > 0 { listDepth -= 1 } else { path.removeLast() }
        if listDepth == 0 { hasName = false }
        return nesting.finish(before: end)
    }

    mutating func leaf(_ kind: JSONKind, from start: Int, to end: Int, hasEscapes: Bool) {
        guard listDepth == 0 else {
            if listDepth == 1 { count(kind) }
            return
        }
        guard let last = path.indices.last else { return }
        if hasName {
            if path.count <= JSONOutline.maxDepth, scalars.count < JSONOutline.maxParts {
                scalars.append(FoundScalar(path: path, kind: kind, range: start..<end))
            }
        } else {
            path[last] = start + 1..<end - 1
        }
        hasName.toggle()
    }

    mutating func space() {}

    private mutating func count(_ kind: JSONKind) {
        list.elements += 1
        if kind == .object { list.objects += 1 }
    }
}
