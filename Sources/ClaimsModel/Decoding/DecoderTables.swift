// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// What a definition means for decoding, worked out once.
struct DecoderTables: Sendable {
    /// A place in a record: a member of the record itself and what leads on from its value.
    struct Path: Sendable {
        /// The number of the member's name, or -1: the pointer is empty and means the record as a whole.
        let member: Int
        /// In `rests`, or -1: the member's value itself.
        let rest: Int
    }

    private(set) var plans: [FieldPlan] = []
    private(set) var paths: [Path] = []
    /// JSON text to be copied.
    private(set) var pieces: [UInt8] = []
    /// In `pieces`, for each enum field and code: `,"name":"CODE"`.
    private(set) var codes: [Range<Int>] = []
    /// What leads on from members' values.
    private(set) var rests: [JSONPointer] = []
    private let vocabularies: [Vocabulary]
    /// Each vocabulary's fallback code.
    let fallback: [Int]
    /// Each vocabulary's code for a missing value, or -1.
    let absent: [Int]

    /// - Parameter names: gets the names of the members that the definition uses; their numbers begin at 0.
    init(_ definition: Definition, names: inout ByteTable) {
        vocabularies = definition.vocabularies
        fallback = vocabularies.map(\.fallback)
        absent = vocabularies.map { $0.absent ?? -1 }
        let join = definition.source.join
        for (index, field) in definition.fields.enumerated() {
            let first = paths.count
            for pointer in field.from { addPath(pointer, names: &names) }
            let firstCode = codes.count
            if let vocabulary = field.vocabulary {
                for code in vocabularies[vocabulary].codes {
                    let start = addLabel(field.name).lowerBound
                    codes.append(start..<addPiece { $0.string(code.code) }.upperBound)
                }
            }
            plans.append(
                FieldPlan(
                    type: field.type, isRequired: field.isRequired,
                    acceptsNumber: index == join?.on.field, paths: first..<paths.count,
                    label: addLabel(field.name), rawLabel: addLabel(field.name + ".raw"),
                    vocabulary: field.vocabulary ?? -1, firstCode: firstCode,
                    joined: join?.take.firstIndex { $0.field == index } ?? -1))
        }
    }

    @_lifetime(borrow self)
    @inline(__always)
    func piece(_ range: Range<Int>) -> RawSpan {
        pieces.rawSpan.extracting(range)
    }

    /// The code of a vocabulary that a value means.
    func code(of vocabulary: Int, matching value: RawSpan) -> Int? {
        // Read through a span, the vocabulary's parts are not retained one by one.
        let vocabularies = vocabularies.span
        return vocabularies[vocabulary].index(matching: value)
    }

    private mutating func addPath(_ pointer: JSONPointer, names: inout ByteTable) {
        guard let name = pointer.tokens.first else { return paths.append(Path(member: -1, rest: -1)) }
        let rest = Array(pointer.tokens.dropFirst())
        paths.append(Path(member: names.insert(name), rest: rest.isEmpty ? -1 : rests.count))
        if !rest.isEmpty { rests.append(JSONPointer(tokens: rest)) }
    }

    private mutating func addLabel(_ name: String) -> Range<Int> {
        let text = addPiece { $0.string(name) }
        pieces.insert(UInt8(ascii: ","), at: text.lowerBound)
        pieces.append(UInt8(ascii: ":"))
        return text.lowerBound..<pieces.count
    }

    private mutating func addPiece(_ write: (inout JSONWriter) -> Void) -> Range<Int> {
        var writer = JSONWriter()
        write(&writer)
        pieces += writer.bytes
        return pieces.count - writer.bytes.count..<pieces.count
    }
}
