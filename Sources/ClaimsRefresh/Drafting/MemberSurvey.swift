// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel

/// One member that was seen in records, at one pointer, and the common properties of its values.
struct SurveyedMember {
    let name: [UInt8]
    /// The index of the member that this one lies in; nil for the record itself.
    let parent: Int?
    /// The number of tokens of the pointer.
    let depth: Int
    /// The indexes of the members in it, in the order of first sight.
    var children: [Int] = []
    /// The child members by name.
    var childByName: [[UInt8]: Int] = [:]
    /// The object has too many names, or is too deep, so its members are not inspected.
    var isOpaque = false

    /// The numbers of values by kind; absent ones (null, blank texts) are not counted.
    var objects = 0
    var arrays = 0
    var strings = 0
    var numbers = 0
    var bools = 0
    /// The types that fit all scalars so far.
    var types = FittingTypes.all
    /// The hashes of the values; nil once one came twice, or one can be no id.
    var ids: Set<UInt64>? = []
    /// A value came twice.
    var isShared = false
    /// The number of times that each text came; nil once they cannot be codes.
    var codes: [String: Int]? = [:]
    /// The codes in the order of first sight.
    var codeOrder: [String] = []
    var textBytes = 0
    var hasSpaces = false
    /// The record in which the member was seen last.
    var lastRecord = -1
    /// An object had the member twice.
    var isRepeated = false

    var values: Int { objects + arrays + strings + numbers + bools }
    var scalars: Int { strings + numbers + bools }
    /// The mean length of the texts and numbers, in bytes.
    var meanLength: Int { strings + numbers == 0 ? 0 : textBytes / (strings + numbers) }
}

/// Inspects records one by one, and learns which members they have.
struct MemberSurvey {
    /// The maximal number of tokens of a field's pointer.
    static let maxDepth = 4
    /// The maximal number of names in one object; an object with more is treated as a whole.
    static let maxNames = 256
    /// The maximal number of members in all.
    static let maxMembers = 4096
    /// The maximal number of codes of an enum.
    static let maxCodes = 16
    /// The maximal length of a code, in bytes.
    static let maxCodeLength = 32

    /// All members; the first is the record itself.
    private(set) var members = [SurveyedMember(name: [], parent: nil, depth: 0)]
    /// The number of records that were inspected.
    private(set) var records = 0
    /// Whether a record has members that no field is made of, because there are too many.
    private(set) var isCut = false
    private let hash = WyHash(seed: 0)
    private var scratch: [UInt8] = []

    /// Inspects the record on `tape`, which must be an object parsed from `bytes`.
    mutating func inspect(_ tape: JSONTape, _ bytes: RawSpan) {
        inspect(object: 0, at: 0, tape, bytes)
        records += 1
    }

    /// The pointer to a member.
    func pointer(to member: Int) -> JSONPointer {
        var tokens: [[UInt8]] = []
        var index = member
        while let parent = members[index].parent {
            tokens.append(members[index].name)
            index = parent
        }
        return JSONPointer(tokens: tokens.reversed())
    }

    private mutating func inspect(object node: Int, at member: Int, _ tape: JSONTape, _ bytes: RawSpan) {
        var key = node + 1
        let end = tape[node].next
        var position = 0
        while key < end {
            if let child = child(key, of: member, at: position, tape, bytes) {
                if members[child].lastRecord == records { members[child].isRepeated = true }
                members[child].lastRecord = records
                inspect(value: key + 1, at: child, tape, bytes)
            }
            position += 1
            key = tape[key + 1].next
        }
    }

    /// The member that the name at `key` belongs to; nil if there are too many.
    private mutating func child(
        _ key: Int, of member: Int, at position: Int, _ tape: JSONTape, _ bytes: RawSpan
    ) -> Int? {
        // Most records have the same names in the same order.
        if position < members[member].children.count {
            let likely = members[member].children[position]
            let name = members[likely].name
            if tape.isName(key, name.rawSpan, in: bytes) { return likely }
        }
        var name: [UInt8] = []
        tape.appendString(key, in: bytes, to: &name)
        if let known = members[member].childByName[name] { return known }
        guard members[member].children.count < Self.maxNames, members.count < Self.maxMembers else {
            isCut = isCut || member == 0
            members[member].isOpaque = true
            return nil
        }
        let index = members.count
        members.append(SurveyedMember(name: name, parent: member, depth: members[member].depth + 1))
        members[member].children.append(index)
        members[member].childByName[name] = index
        return index
    }

    private mutating func inspect(value node: Int, at member: Int, _ tape: JSONTape, _ bytes: RawSpan) {
        switch tape[node].kind {
        case .object:
            members[member].objects += 1
            members[member].ids = nil
            if members[member].depth >= Self.maxDepth { members[member].isOpaque = true }
            if !members[member].isOpaque { inspect(object: node, at: member, tape, bytes) }
        case .array:
            members[member].arrays += 1
            members[member].ids = nil
        case .string:
            if !tape[node].hasEscapes {
                return inspect(text: bytes.extracting(tape[node].start + 1..<tape[node].end - 1), .string, at: member)
            }
            var text = scratch
            text.removeAll(keepingCapacity: true)
            tape.appendString(node, in: bytes, to: &text)
            inspect(text: text.rawSpan, .string, at: member)
            scratch = text
        case let kind: inspect(text: bytes.extracting(tape[node].range), kind, at: member)
        }
    }

    private mutating func inspect(text: RawSpan, _ kind: JSONKind, at member: Int) {
        guard let types = FittingTypes.of(kind, text: text) else { return }
        members[member].types.formIntersection(types)
        switch kind {
        case .string:
            members[member].strings += 1
            members[member].addCode(text)
        case .number: members[member].numbers += 1
        default:
            members[member].bools += 1
            members[member].ids = nil
            return
        }
        members[member].textBytes += text.byteCount
        if members[member].ids != nil, IDForm.objection(to: text) != nil {
            members[member].ids = nil
        } else if members[member].ids?.insert(hash(text)).inserted == false {
            members[member].ids = nil
            members[member].isShared = true
        }
    }
}

extension SurveyedMember {
    /// Counts a text among the codes, as long as these may be the codes of an enum.
    fileprivate mutating func addCode(_ text: RawSpan) {
        for offset in 0..<min(text.byteCount, 256) where text.byte(at: offset) <= ASCII.space {
            hasSpaces = true
            break
        }
        guard codes != nil else { return }
        guard text.byteCount <= MemberSurvey.maxCodeLength else { return codes = nil }
        var bytes: [UInt8] = []
        bytes.append(bytes: text)
        let code = String(decoding: bytes, as: UTF8.self)
        if codes?[code] == nil {
            guard codeOrder.count < MemberSurvey.maxCodes else { return codes = nil }
            codeOrder.append(code)
        }
        codes?[code, default: 0] += 1
    }
}
