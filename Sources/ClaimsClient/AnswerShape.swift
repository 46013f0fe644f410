// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol

/// The types that the protocol gives the members of an answer, prepared for a look at a whole line.
///
/// A member of another type would be taken for one that is missing, and a number beyond all bounds would end the
/// program in some sum. A member that is missing or null is no mistake, and neither is one that it does not know;
/// see ``NeededMembers``.
indirect enum AnswerShape: Sendable {
    case any, string, integer, boolean, object
    case members([Member])
    case elements(AnswerShape)
    case values(AnswerShape)
    case nullable(AnswerShape)

    /// A known member of an object.
    struct Member: Sendable {
        /// The name in UTF-8.
        let name: [UInt8]
        let shape: AnswerShape

        init(_ name: String, _ shape: AnswerShape) {
            self.name = Array(name.utf8)
            self.shape = shape
        }
    }

    /// The integers of the protocol lie between this and its negative: all counts, sizes and times do.
    static let maxInteger: Int64 = 1 << 53

    init(_ members: [MemberDescription]) {
        self = .members(members.map { Member($0.name, AnswerShape($0.shape)) })
    }

    private init(_ shape: ResultShape) {
        switch shape {
        case .string, .instant: self = .string
        case .integer: self = .integer
        case .boolean: self = .boolean
        case .record: self = .object
        case .any: self = .any
        case .object(let kind): self.init(kind.memberList)
        case .array(let element): self = .elements(AnswerShape(element))
        case .map(let value): self = .values(AnswerShape(value))
        case .nullable(let shape): self = .nullable(AnswerShape(shape))
        case .either(let shapes): self.init(shapes.flatMap(\.members))
        }
    }

    /// The members of the `params` of a notification that is no event.
    init(notification method: String) {
        switch method {
        case RecordsNotification.method: self.init(RecordsNotification.memberList)
        // Two methods tell their progress by this name.
        case ProgressNotification.method:
            self.init(ProgressNotification.memberList + RefreshProgressNotification.memberList)
        default: self = .any
        }
    }

    /// The members of an error that a client reads.
    static let error = AnswerShape.members([
        Member("code", .integer), Member("message", .string),
        Member(
            "data",
            .members([
                Member("kind", .string), Member("position", .integer), Member("length", .integer),
                Member("hint", .string), Member("retry_after_ms", .integer),
                Member("meta", AnswerShape(QueryMeta.resultShape)),
            ])),
    ])
}

/// The shapes of what a connection has received so far, each made once.
struct AnswerShapes {
    private var results: [Method: AnswerShape] = [:]
    private var notifications: [String: AnswerShape] = [:]
    private var events: [EventKind: AnswerShape] = [:]

    /// The text about the first value of a line that has another type than the protocol says, or about a member that a
    /// result needs and lacks; nil for none.
    ///
    /// - Parameter method: the method of the request that the line answers; nil for one that is not known.
    mutating func objection(to root: AnswerValue, answering method: Method?) -> TranslatedText? {
        if let mistake = mistake(in: root, answering: method) { return mistake.text }
        if root["method"]?.string == EventNotification.method {
            let params = root["params"]
            guard let name = params?[EventNotification.type] else {
                return NeededMembers.objection(to: params, of: nil)
            }
            return EventKind(rawValue: name).flatMap { NeededMembers.objection(to: params, of: $0) }
        }
        guard let method, root["method"] == nil, let result = root["result"] else { return nil }
        return NeededMembers.objection(to: result, of: method)
    }

    private mutating func mistake(in root: AnswerValue, answering method: Method?) -> AnswerMistake? {
        if let name = root["method"]?.string { return mistake(in: root["params"], of: name)?.inside("params") }
        if let error = root["error"] { return AnswerShape.error.mistake(in: error)?.inside("error") }
        guard let method, let result = root["result"] else { return nil }
        if results[method] == nil { results[method] = AnswerShape(method.result) }
        return results[method]?.mistake(in: result)?.inside("result")
    }

    private mutating func mistake(in params: AnswerValue?, of notification: String) -> AnswerMistake? {
        guard let params else { return nil }
        if notification == EventNotification.method {
            guard let kind = params[EventNotification.type].flatMap(EventKind.init(rawValue:)) else {
                return AnswerShape(EventNotification.memberList).mistake(in: params)
            }
            if events[kind] == nil { events[kind] = AnswerShape(kind.description.members) }
            return events[kind]?.mistake(in: params)
        }
        if notifications[notification] == nil { notifications[notification] = AnswerShape(notification: notification) }
        return notifications[notification]?.mistake(in: params)
    }
}

/// A value of an answer that has another type than the protocol says.
struct AnswerMistake {
    /// The names and numbers that lead to the value, the innermost first. Names are those of the protocol alone.
    private var path: [String] = []
    private let expected: AnswerShape

    fileprivate init(_ expected: AnswerShape) { self.expected = expected }

    fileprivate func inside(_ name: String) -> AnswerMistake {
        var outer = self
        outer.path.append(name)
        return outer
    }

    /// The text for people.
    var text: TranslatedText {
        let location = "/" + path.reversed().joined(separator: "/")
        return TranslatedText(
            en: "the daemon sent what is no answer", pl: "demon przysłał coś, co nie jest odpowiedzią"
        )
        .joined(": ", TranslatedText(en: "'\(location)' is not ", pl: "„\(location)” to nie ")).joined(
            "", expected.text)
    }
}

extension AnswerShape {
    fileprivate var text: TranslatedText {
        switch self {
        case .any: TranslatedText(en: "a value", pl: "wartość")
        case .string: TranslatedText(en: "a string", pl: "tekst")
        case .integer: TranslatedText(en: "an integer of the protocol", pl: "liczba całkowita protokołu")
        case .boolean: TranslatedText(en: "true or false", pl: "true ani false")
        case .object, .members, .values: TranslatedText(en: "an object", pl: "obiekt")
        case .elements: TranslatedText(en: "an array", pl: "tablica")
        case .nullable(let shape): shape.text
        }
    }

    /// The first value at or inside one that has another type; nil for none.
    fileprivate func mistake(in value: AnswerValue) -> AnswerMistake? {
        let bytes = value.document.bytes
        return mistake(value.document.tape, bytes.rawSpan, value.node)
    }

    private func mistake(_ tape: JSONTape, _ bytes: RawSpan, _ node: Int) -> AnswerMistake? {
        let kind = tape[node].kind
        var isRight = false
        switch self {
        case .any: isRight = true
        case .string: isRight = kind == .string
        case .boolean: isRight = kind == .true || kind == .false
        case .object: isRight = kind == .object
        case .integer: isRight = kind == .number && Self.isInteger(bytes.extracting(tape[node].range))
        case .nullable(let shape): return kind == .null ? nil : shape.mistake(tape, bytes, node)
        case .elements(let shape):
            guard kind == .array else { break }
            return shape.mistakeAmongElements(tape, bytes, node)
        case .values(let shape):
            guard kind == .object else { break }
            return shape.mistakeAmongValues(tape, bytes, node)
        case .members(let members):
            guard kind == .object else { break }
            return Self.mistake(among: members, tape, bytes, node)
        }
        return isRight ? nil : AnswerMistake(self)
    }

    private func mistakeAmongElements(_ tape: JSONTape, _ bytes: RawSpan, _ node: Int) -> AnswerMistake? {
        var (child, index) = (node + 1, 0)
        while child < tape[node].next {
            if let mistake = mistake(tape, bytes, child) { return mistake.inside("\(index)") }
            child = tape[child].next
            index += 1
        }
        return nil
    }

    private func mistakeAmongValues(_ tape: JSONTape, _ bytes: RawSpan, _ node: Int) -> AnswerMistake? {
        var key = node + 1
        while key < tape[node].next {
            // The name is data, and is not shown.
            if tape[key + 1].kind != .null, let mistake = mistake(tape, bytes, key + 1) { return mistake.inside("*") }
            key = tape[key + 1].next
        }
        return nil
    }

    private static func mistake(
        among members: [Member], _ tape: JSONTape, _ bytes: RawSpan, _ node: Int
    ) -> AnswerMistake? {
        var key = node + 1
        // Most objects have their members in the order of the protocol.
        var next = 0
        while key < tape[node].next {
            if let index = index(of: key, among: members, from: next, tape, bytes) {
                next = index + 1
                let member = members[index]
                if tape[key + 1].kind != .null, let mistake = member.shape.mistake(tape, bytes, key + 1) {
                    return mistake.inside(String(decoding: member.name, as: UTF8.self))
                }
            }
            key = tape[key + 1].next
        }
        return nil
    }

    /// The index of the member with the name at `key`, looked for from an index on, and then before it.
    private static func index(
        of key: Int, among members: [Member], from start: Int, _ tape: JSONTape, _ bytes: RawSpan
    ) -> Int? {
        for offset in members.indices {
            let index = start + offset < members.count ? start + offset : start + offset - members.count
            let name = members[index].name
            if tape.isName(key, name.rawSpan, in: bytes) { return index }
        }
        return nil
    }

    private static func isInteger(_ digits: RawSpan) -> Bool {
        var value: Int64 = 0
        for index in 0..<digits.byteCount {
            let byte = digits.byte(at: index)
            if index == 0, byte == UInt8(ascii: "-") { continue }
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte), value <= maxInteger else { return false }
            value = value * 10 + Int64(byte - UInt8(ascii: "0"))
        }
        return value <= maxInteger
    }
}
