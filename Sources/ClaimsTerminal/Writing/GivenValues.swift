// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol

/// The values that a command line gives: `FIELD=VALUE` terms over the object of `--json`.
///
/// All after the first `=` is the value, read by the type of the field. An empty value clears the field.
struct GivenValues {
    /// The values by field, in the order of the line; null clears a field.
    var fields = JSONObject()
    /// The terms that are no assignments: ids.
    private(set) var others: [Term] = []

    /// The maximum size of the file of `--json`, in bytes. The daemon's own limit is far below.
    private static let maxFileBytes = 1 << 20

    /// Reads the terms of a line, and the file of `--json`.
    ///
    /// - Parameters:
    ///   - terms: the arguments after the verb, or after the action's name.
    ///   - isMixed: whether ids may stand among them. A term is an assignment then only where the collection has the
    ///     field, as an id may have a `=` in it.
    /// - Throws: a usage error for a term that is no assignment, or a field that is given twice; `invalid` for a value
    ///   that is none of its field's type.
    init(
        _ terms: [Term], of collection: CollectionDescription, isMixed: Bool, _ context: CommandContext
    ) throws(CommandError) {
        let writing = context.invocation.writing
        if let file = writing.json { fields = try Self.object(file, context.surroundings) }
        var given: Set<String> = []
        var problems: [FieldProblemText] = []
        for term in terms {
            guard let (name, text) = Self.assignment(term.text), !isMixed || collection.field(name) != nil else {
                if !isMixed {
                    throw .usage(
                        UsageError("'\(term.text)' is no FIELD=VALUE", hint: context.invocation.verb.helpHint))
                }
                others.append(term)
                continue
            }
            guard given.insert(name).inserted else { throw .usage(UsageError("'\(name)' is given twice")) }
            do throws(JSONError) {
                fields[name] = try collection.column(name).type.value(of: text)
            } catch {
                problems.append(
                    FieldProblemText(
                        field: name, kind: FieldProblemKind.type.rawValue, message: "not JSON: \(error.message)",
                        hint: "a json field takes JSON, such as '[\"7\"]'"))
            }
        }
        if !problems.isEmpty { throw .invalid(problems) }
    }

    /// The two sides of `FIELD=VALUE`; nil for any other text.
    static func assignment(_ text: String) -> (field: String, value: String)? {
        guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        let name = String(text[..<equals])
        guard ReservedNames.isName(name) else { return nil }
        return (name, String(text[text.utf8.index(after: equals)...]))
    }

    private static func object(_ path: String, _ surroundings: Surroundings) throws(CommandError) -> JSONObject {
        let bytes: [UInt8]?
        do throws(SystemError) {
            bytes =
                path == RecordReference.inputArgument
                ? try surroundings.readInput(maxFileBytes) : try Files.readAll(path, cap: maxFileBytes)
        } catch {
            throw .failed(.failure, kind: "input", message: error.message)
        }
        let source = path == RecordReference.inputArgument ? "standard input" : path
        guard let bytes else { throw .usage(UsageError("\(source) has more than \(maxFileBytes) bytes")) }
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue.parse(bytes)
        } catch {
            throw .failed(.invalid, kind: "invalid", message: "\(source) is not JSON: \(error.message)")
        }
        guard let object = value.object else {
            throw .failed(.invalid, kind: "invalid", message: "\(source) is no object of fields")
        }
        let names = object.members.map(\.key)
        guard Set(names).count == names.count else {
            throw .failed(.invalid, kind: "invalid", message: "\(source) has a field twice")
        }
        return object
    }
}
