// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol

/// The values that a command line gives: `FIELD=VALUE` terms over the object of `--json`.
///
/// All after the first `=` is the value, read by the type of the field: times as people type them, too. An empty value
/// clears the field.
struct GivenValues {
    /// The fields that the line gives, in its order.
    var form = RecordForm()
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
        if let file = writing.json {
            let object = try Self.object(file, context.surroundings)
            for member in object.members {
                var field = FormField(WritableField(collection.column(member.key), context.time))
                field.enter(member.value)
                form.put(field)
            }
        }
        var given: Set<String> = []
        for term in terms {
            guard let (name, text) = Self.assignment(term.text), !isMixed || collection.field(name) != nil else {
                if !isMixed {
                    throw .usage(
                        UsageError(
                            en: "'\(term.text)' is no FIELD=VALUE", pl: "„\(term.text)” nie ma postaci FIELD=VALUE",
                            hint: context.invocation.verb.helpHint))
                }
                others.append(term)
                continue
            }
            guard given.insert(name).inserted else {
                throw .usage(UsageError(en: "'\(name)' is given twice", pl: "„\(name)” podano dwa razy"))
            }
            var field = FormField(WritableField(collection.column(name), context.time))
            field.enter(text: text)
            form.put(field)
        }
        let problems = form.fields.compactMap { $0.localProblem(jsonHint: context.messages.takesJSON) }
        if !problems.isEmpty { throw .invalid(problems) }
    }

    /// The values by field; null clears a field.
    var fields: JSONObject { form.values(.entered) }

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
            throw .failed(.failure, kind: "input", message: error.text)
        }
        let isInput = path == RecordReference.inputArgument
        let source = isInput ? TranslatedText(en: "standard input", pl: "standardowe wejście") : .same(path)
        guard let bytes else {
            throw .usage(
                UsageError(
                    en: "\(source.english) has more than \(maxFileBytes) bytes",
                    pl: "\(source.polish) ma więcej niż \(maxFileBytes) bajtów"))
        }
        func invalid(_ text: TranslatedText) -> CommandError {
            .failed(.invalid, kind: "invalid", message: source.joined(" ", text))
        }
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue.parse(bytes)
        } catch {
            throw invalid(TranslatedText(en: "is not JSON", pl: "nie jest JSON-em").joined(": ", error.text))
        }
        guard let object = value.object else {
            throw invalid(TranslatedText(en: "is no object of fields", pl: "nie jest obiektem z polami"))
        }
        let names = object.members.map(\.key)
        guard Set(names).count == names.count else {
            throw invalid(TranslatedText(en: "has a field twice", pl: "ma pole dwa razy"))
        }
        return object
    }
}
