// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsProtocol
import Testing

@testable import ClaimsClient

/// The members without which an answer is refused, against the rows of the protocol: what a daemon may omit is not
/// needed.
struct NeededMembersTests {
    @Test(arguments: Method.allCases)
    func `a result is refused only for the lack of what every result has, or of the one thing that its action brings`(
        method: Method
    ) throws {
        let lacks = try lacks(of: method.result) {
            "{\"id\":1,\"result\":\($0)}"
        } answering: {
            method
        }
        for lack in lacks { #expect(lack.isSound(in: method.result), "\(lack)") }
        // An answer about the connection alone has no member whose absence could be read as "none" or "done".
        #expect(lacks.isEmpty == (method == .hello || method == .ping || method == .unsubscribe || method == .cancel))
    }

    @Test(arguments: EventKind.allCases)
    func `an event is refused only for the lack of what every event of its kind has`(kind: EventKind) throws {
        let members = kind.description.members
        let lacks = try lacks(of: members) { params in
            let rest = params == "{}" ? "}" : "," + params.dropFirst()
            return #"{"method":"event","params":{"type":"\#(kind.rawValue)"\#(rest)}"#
        } answering: {
            nil
        }
        for lack in lacks { #expect(lack.isSound(in: members), "\(lack)") }
        #expect(lacks.isEmpty == (kind == .lagged))
    }

    /// The members that an objection names, of which one is needed.
    private struct Lack: CustomStringConvertible {
        /// The name of the array in whose first element they lack; nil for the object itself.
        var array: String?
        var names: [String]
        var description: String { "\(array.map { "\($0)/0: " } ?? "")\(names.joined(separator: " or "))" }

        /// Whether an object with these members always has the one, or may have any of the several.
        func isSound(in members: [MemberDescription]) -> Bool {
            let own = array.map { name in members.first { $0.name == name }?.shape.elementMembers ?? [] } ?? members
            let found = names.compactMap { name in own.first { $0.name == name } }
            return found.count == names.count && (names.count > 1 || found.allSatisfy(\.isRequired))
        }
    }

    /// All that is needed of an object: each member is added once it is said to be missing.
    private func lacks(
        of members: [MemberDescription], _ line: (String) -> String, answering method: () -> Method?
    ) throws -> [Lack] {
        var lacks: [Lack] = []
        var present: [String: String] = [:]
        var elements: [String: [String: String]] = [:]
        var shapes = AnswerShapes()
        for array in [nil] + members.filter({ $0.shape.elementMembers != nil }).map({ Optional($0.name) }) {
            if let array { elements[array] = [:] }
            while true {
                var all = present
                for (name, element) in elements { all[name] = "[\(object(element))]" }
                let root = try AnswerDocument(Array(line(object(all)).utf8)).root
                guard let text = shapes.objection(to: root, answering: method())?.text("en") else { break }
                let names = text.split(separator: "'").filter { $0.hasPrefix("/") }
                    .map { String($0.split(separator: "/").last ?? "") }
                let lack = Lack(array: array, names: names)
                try #require(text.hasSuffix("is missing") && lacks.count < 30, "\(text)")
                lacks.append(lack)
                let own = array.map { name in members.first { $0.name == name }?.shape.elementMembers ?? [] } ?? members
                let shape = try #require(own.first { $0.name == names.first }?.shape, "\(lack)")
                if let array {
                    elements[array]?[names[0]] = shape.example
                } else {
                    present[names[0]] = shape.example
                }
            }
        }
        return lacks
    }

    private func object(_ members: [String: String]) -> String {
        "{\(members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ","))}"
    }
}

extension ResultShape {
    /// The members of an array's elements; nil for another shape.
    fileprivate var elementMembers: [MemberDescription]? {
        if case .array(let element) = self, !element.members.isEmpty { element.members } else { nil }
    }

    /// A value of the shape.
    fileprivate var example: String {
        switch self {
        case .string, .instant: "\"\""
        case .integer: "0"
        case .boolean: "true"
        case .record, .any, .object, .map, .either: "{}"
        case .array: "[]"
        case .nullable(let shape): shape.example
        }
    }
}
