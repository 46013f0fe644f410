// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON

/// The tables of a definition for decoding, made once.
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
    /// The pointers that lead on from members' values.
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

/// The facts about a field that decoding needs, without a reference in it: ranges lead into the decoder's tables.
struct FieldPlan: Sendable {
    let type: FieldType
    let isRequired: Bool
    /// Whether a number counts as the text of its digits: other records are looked up by it as an id, and ids are text,
    /// whatever their JSON type.
    let acceptsNumber: Bool
    /// In `DecoderTables.paths`.
    let paths: Range<Int>
    /// In `DecoderTables.pieces`: `,"name":`.
    let label: Range<Int>
    /// In `DecoderTables.pieces`: `,"name.raw":`.
    let rawLabel: Range<Int>
    /// The index of the vocabulary, or -1.
    let vocabulary: Int
    /// The index of the field's first code in `DecoderTables.codes`.
    let firstCode: Int
    /// The index among the values that the join takes, or -1.
    let joined: Int
}

/// Finds the members of a record that a definition uses, and keeps the names of those it does not.
struct MemberLocator: Sendable {
    /// The names that the definition uses, then new ones seen upstream, up to a cap.
    private var names: ByteTable
    private let knownNames: Int
    /// For each name that the definition uses, the node of its value in the record at hand, or -1.
    private(set) var nodes: [Int]
    /// The index of the name that followed each name last, after one entry for the beginning; -1 for none yet. Records
    /// of one upstream have their members in the same order, so this saves most look-ups.
    private var followers: [Int]
    private var unescaped: [UInt8] = []

    init(names: ByteTable) {
        self.names = names
        knownNames = names.count
        followers = [Int](repeating: -1, count: names.count + 1)
        nodes = [Int](repeating: -1, count: names.count)
    }

    /// The names met that the definition does not use.
    var newNames: [String] { (knownNames..<names.count).map { names[$0].text } }

    /// Goes through the members of the object on `tape`; of several of one name the last counts.
    mutating func locate(_ tape: JSONTape, _ bytes: RawSpan, _ drifts: inout DriftCounter) {
        for index in nodes.indices { nodes[index] = -1 }
        let end = tape[0].next
        var key = 1
        var previous = 0
        while key < end {
            let name = tape[key]
            let value = key &+ 1
            let number: Int?
            if name.hasEscapes {
                unescaped.removeAll(keepingCapacity: true)
                tape.appendString(key, in: bytes, to: &unescaped)
                number = names.find(unescaped.rawSpan)
            } else {
                let text = bytes.extracting(name.start &+ 1..<name.end &- 1)
                let guess = followers[previous]
                number = guess >= 0 && names[guess].equals(text) ? guess : names.find(text)
            }
            if let number {
                followers[previous] = number
                previous = number &+ 1
            }
            if let number, number < knownNames {
                nodes[number] = value
            } else {
                countNew(number, key: key, of: tape, bytes, in: &drifts)
            }
            key = tape[value].next
        }
    }

    private mutating func countNew(
        _ number: Int?, key: Int, of tape: JSONTape, _ bytes: RawSpan, in drifts: inout DriftCounter
    ) {
        if let number { return drifts.countMember(number - knownNames) }
        unescaped.removeAll(keepingCapacity: true)
        tape.appendString(key, in: bytes, to: &unescaped)
        guard names.count - knownNames < DriftReport.maxListCount, unescaped.count <= DriftReport.maxTextLength else {
            return drifts.countUnlisted()
        }
        drifts.countMember(names.insert(unescaped) - knownNames)
        followers.append(-1)
    }
}
