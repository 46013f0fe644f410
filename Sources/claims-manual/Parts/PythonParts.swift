// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsProtocol

/// The parts of the Python client that are made from the rows of the methods: types of results, and a method of both
/// clients for each method of the protocol.
enum PythonParts {
    /// The lines of a part.
    ///
    /// - Throws: a `ManualError` for an unknown name, and if two kinds of objects have one name.
    static func lines(of name: String) throws(ManualError) -> [String] {
        switch name {
        case "reading methods": return reading
        case "result types": return try types()
        case "methods": return methods(isAsync: false)
        case "asynchronous methods": return methods(isAsync: true)
        default: throw ManualError("there is no part called '\(name)'")
        }
    }

    /// The method that does more than ask: both clients have it by hand.
    private static let written: Method = .fetchAttachment

    private static let maxWidth = 120
    /// The words of Python that a method or a parameter may have as its name; an underscore comes after them.
    private static let keywords: Set = [
        "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else", "except",
        "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass",
        "raise", "return", "try", "while", "with", "yield",
    ]

    private static func identifier(_ name: String) -> String { keywords.contains(name) ? name + "_" : name }

    private static var reading: [String] {
        let names = MethodTable.descriptions.filter { !$0.hasEffect && !$0.isOfConnection }.map { "\"\($0.name)\"" }
        return filled("READING = frozenset({", names, "})", indentation: 0)
    }

    // MARK: - Types

    private static func types() throws(ManualError) -> [String] {
        var kinds = ObjectKinds()
        for method in MethodTable.descriptions { try kinds.add(method.shape) }
        var lines = [""]
        for kind in kinds.all {
            lines += ["", "class \(kind.typeName)(TypedDict):"]
            for member in kind.memberList {
                let type = type(member.shape)
                lines.append("    \(member.name): \(member.isRequired ? type : "NotRequired[\(type)]")")
            }
            lines.append("")
        }
        return lines + [""]
    }

    /// The kinds of objects in results, each once and after the kinds that it contains.
    private struct ObjectKinds {
        private(set) var all: [any ResultObject.Type] = []
        private var known: [String: ObjectIdentifier] = [:]

        mutating func add(_ shape: ResultShape) throws(ManualError) {
            switch shape {
            case .object(let kind): try add(kind)
            case .array(let shape), .map(let shape), .nullable(let shape): try add(shape)
            case .string, .integer, .boolean, .instant, .record, .any, .either: break
            }
        }

        private mutating func add(_ kind: any ResultObject.Type) throws(ManualError) {
            let members = kind.memberList
            if members.isEmpty { return }
            if let other = known[kind.typeName] {
                if other == ObjectIdentifier(kind) { return }
                throw ManualError("two kinds of objects are called '\(kind.typeName)'")
            }
            known[kind.typeName] = ObjectIdentifier(kind)
            for member in members { try add(member.shape) }
            all.append(kind)
        }
    }

    private static func type(_ shape: ResultShape) -> String {
        switch shape {
        case .string, .instant: "str"
        case .integer: "int"
        case .boolean: "bool"
        case .record: "Record"
        case .any, .either: "Any"
        case .object(let kind): kind.memberList.isEmpty ? "Record" : kind.typeName
        case .array(let element): "list[\(type(element))]"
        case .map(let value): "dict[str, \(type(value))]"
        case .nullable(let shape): "\(type(shape)) | None"
        }
    }

    // MARK: - Methods

    private static func methods(isAsync: Bool) -> [String] {
        MethodTable.descriptions.filter { !$0.isOfConnection && $0.method != written }
            .flatMap { [""] + method($0, isAsync: isAsync) } + [""]
    }

    private static func method(_ method: MethodDescription, isAsync: Bool) -> [String] {
        let parameters = method.parameters
        let positional = positionalNames(parameters)
        let first = positional.compactMap { name in parameters.first { $0.name == name } }
        let rest = parameters.filter { !positional.contains($0.name) }
        let signature = ["self"] + first.map(declaration) + (rest.isEmpty ? [] : ["*"]) + rest.map(declaration)
        let result = type(method.shape)
        let opening = "\(isAsync ? "async " : "")def \(identifier(method.name))("
        return filled(opening, signature, ") -> \(result):", indentation: 4)
            + documentation(method.summary.text("en"))
            + call(method, parameters: parameters.map(\.name), result: result, isAsync: isAsync)
    }

    /// The parameters that can be given by position: the required ones; if there are none, the collection, unless the
    /// method is about operations; then the filter, or the id of a record.
    ///
    /// Callers rely on these: no rule may remove a position or change the ones before it.
    private static func positionalNames(_ parameters: [ParameterDescription]) -> [String] {
        func has(_ name: String) -> Bool { parameters.contains { $0.name == name } }
        var names = parameters.filter(\.isRequired).map(\.name)
        if names.isEmpty, has("collection"), !has("ops") { names.append("collection") }
        if has("filter") {
            names.append("filter")
        } else if names.contains("collection"), has("id"), !names.contains("id") {
            names.append("id")
        }
        return names
    }

    private static func declaration(_ parameter: ParameterDescription) -> String {
        let declared = "\(identifier(parameter.name)): \(type(parameter.shape))"
        if parameter.isRequired { return declared }
        switch parameter.defaultJSON {
        case "true": return declared + " = True"
        case "false": return declared + " = False"
        case let value?: return "\(declared) = \(value)"
        case nil: return declared + " | None = None"
        }
    }

    private static func type(_ shape: ParameterShape) -> String {
        switch shape {
        case .string, .base64: "str"
        case .boolean: "bool"
        case .integer: "int"
        case .choice(let choices): "Literal[\(choices.map { "\"\($0)\"" }.joined(separator: ", "))]"
        case .strings: "str | Sequence[str]"
        case .filter: "Filter"
        case .versions: "Sequence[int]"
        case .identifier: "str | int"
        case .identifiers: "str | int | Sequence[str | int]"
        case .fieldValues: "Record"
        case .anchor: "str | Anchor"
        }
    }

    private static func documentation(_ summary: String) -> [String] {
        wrapped("\"\"\"\(summary)\"\"\"".split(separator: " ").map(String.init), indentation: 8)
    }

    private static func call(
        _ method: MethodDescription, parameters: [String], result: String, isAsync: Bool
    ) -> [String] {
        let asked = isAsync ? "await self.call(" : "self.call("
        let (opening, closing) = result == "Record" ? (asked, ")") : ("cast(\"\(result)\", \(asked)", "))")
        let name = "\"\(method.name)\""
        // A word of the language cannot be the name of an argument.
        if parameters.contains(where: keywords.contains) {
            let items = parameters.map { "\"\($0)\": \(identifier($0))" }
            return filled("return \(opening)\(name), **{", items, "}" + closing, indentation: 8)
        }
        return filled("return \(opening)", [name] + parameters.map { "\($0)=\($0)" }, closing, indentation: 8)
    }

    // MARK: - Lines

    /// `opening`, the items with commas between them, and `closing`: on one line if it fits, else the items on lines of
    /// their own, as many on each as fit.
    private static func filled(
        _ opening: String, _ items: [String], _ closing: String, indentation: Int
    ) -> [String] {
        let margin = String(repeating: " ", count: indentation)
        let line = margin + opening + items.joined(separator: ", ") + closing
        if line.count <= maxWidth { return [line] }
        let inner = wrapped(items.map { $0 + "," }, indentation: indentation + 4)
        return [margin + opening] + inner + [margin + closing]
    }

    private static func wrapped(_ words: [String], indentation: Int) -> [String] {
        let margin = String(repeating: " ", count: indentation)
        var lines: [String] = []
        for word in words {
            if let last = lines.last, last.count + 1 + word.count <= maxWidth {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(margin + word)
            }
        }
        return lines
    }
}
