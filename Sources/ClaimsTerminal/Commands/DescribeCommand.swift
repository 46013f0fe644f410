// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol

extension Verb {
    static let describe = Verb(
        "describe",
        summary: TranslatedText(
            en: "show what collections hold, or what methods take",
            pl: "pokazuje, co zawierają kolekcje albo co przyjmują metody"),
        synopsis: "[SELECTOR | METHOD]",
        details: TranslatedText(
            en: """
                Shows the fields, codes, orders and views of a collection, or the parameters of a protocol method.
                """,
            pl: """
                Pokazuje pola, kody, porządki i widoki kolekcji albo parametry metody protokołu.
                """),
        maxArguments: 1)
}

/// `describe`: what a collection holds, what a method takes, or, without either, which there are.
enum DescribeCommand {
    static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        let invocation = context.invocation
        if invocation.selector != nil, !invocation.terms.isEmpty {
            throw .usage(
                UsageError(
                    en: "'describe' takes one collection or one method",
                    pl: "„describe” przyjmuje jedną kolekcję albo jedną metodę"))
        }
        let name = invocation.terms.first?.text
        var presentation: Presentation
        do throws(CommandError) {
            let answer = try ask(context, method: name, collection: invocation.selector?.name)
            presentation =
                if let name { describe(answer, method: name) } else {
                    describe(answer, isOne: invocation.selector != nil, context.messages)
                }
        } catch {
            // A name that is no method's may be a collection's.
            guard let name, case .client(.refused(let refusal)) = error, refusal.kind == ErrorKind.badParams.rawValue
            else { throw error }
            do throws(CommandError) {
                presentation = describe(try ask(context, method: nil, collection: name), isOne: true, context.messages)
            } catch _ {
                throw error
            }
        }
        try context.print(presentation)
        try context.flush()
        return .done
    }

    private static func ask(
        _ context: CommandContext, method: String?, collection: String?
    ) throws(CommandError) -> AnswerValue {
        var parameters = DescribeParameters()
        parameters.collection = collection
        parameters.method = method
        return try context.call(.describe, parameters)
    }

    // MARK: - Collections

    /// - Parameter isOne: one collection was asked for.
    private static func describe(_ answer: AnswerValue, isOne: Bool, _ messages: Messages) -> Presentation {
        let collections = CollectionDescription.all(in: answer)
        let names = collections.map(\.name)
        if isOne, let collection = collections.first, let value = answer[DescribeResult.collections].first {
            var presentation = Presentation(answer, rows: DescriptionRows.collection(value))
            presentation.names = names
            presentation.text = { options in
                DescriptionText(
                    collection, value, options.messages, width: options.lineWidth, isColored: options.isColored
                ).text
            }
            return presentation
        }
        let methods = answer[DescribeResult.methods]
        var presentation = Presentation(answer, rows: rows(collections, methods, messages))
        presentation.names = names
        presentation.text = { options in
            let table = rows(collections, [], messages).text(width: options.lineWidth, isColored: options.isColored)
            return table + methodTable(methods, options)
        }
        return presentation
    }

    private static func methodTable(_ methods: [AnswerValue], _ options: TextOptions) -> String {
        var table = TextTable([
            LayoutColumn(heading: options.messages.heading(.method)),
            LayoutColumn(heading: options.messages.heading(.summary), lines: maxLines, isElastic: true),
            LayoutColumn(heading: options.messages.heading(.parameters), lines: maxLines, isElastic: true),
        ])
        for method in methods {
            table.append([
                Cell(Escaping.line(method[MethodEntry.name] ?? ""), style: .bold),
                Cell(Escaping.line(method[MethodEntry.summary] ?? "")), Cell(Escaping.line(parameters(of: method))),
            ])
        }
        return methods.isEmpty ? "" : "\n" + table.text(width: options.lineWidth, isColored: options.isColored)
    }

    private static func parameters(of method: AnswerValue) -> String {
        (method["params"]?["properties"]?.members ?? []).map(\.name).joined(separator: " ")
    }

    /// The maximum number of lines of a cell: what is described is not cut.
    private static let maxLines = 40

    private static func rows(
        _ collections: [CollectionDescription], _ methods: [AnswerValue], _ messages: Messages
    ) -> TableRows {
        var rows = TableRows([
            ("name", LayoutColumn(heading: messages.heading(.collection))),
            ("singular", LayoutColumn(heading: messages.heading(.selector))),
            ("title", LayoutColumn(heading: messages.heading(.title), lines: maxLines, isElastic: true)),
            ("fields", LayoutColumn(heading: messages.heading(.fields), lines: maxLines, isElastic: true)),
        ])
        for collection in collections {
            let fields = collection.fields.map(\.name).joined(separator: " ")
            rows.append([
                (collection.name, Cell(Escaping.line(collection.name), style: .bold)),
                (collection.singular, Cell("--" + Escaping.line(collection.singular))),
                (collection.title, Cell(Escaping.line(collection.title))), (fields, Cell(Escaping.line(fields))),
            ])
        }
        // A method has no selector.
        for method in methods {
            let texts = [method[MethodEntry.name] ?? "", "", method[MethodEntry.summary] ?? "", parameters(of: method)]
            rows.append(texts.map { ($0, Cell(Escaping.line($0))) })
        }
        return rows
    }

    // MARK: - Methods

    private static func describe(_ answer: AnswerValue, method name: String) -> Presentation {
        let method = answer[DescribeResult.methods].first ?? answer
        var presentation = Presentation(answer, rows: DescriptionRows.method(method))
        presentation.names = [name]
        presentation.plain = JSONLayout.terminalSafe(Array(method.source.utf8))
        presentation.text = { options in
            var text = Style.heading.apply(to: Escaping.line(name), isColored: options.isColored) + "\n"
            for (key, value) in method.members where key != String(describing: MethodEntry.name.name) {
                let json = JSONLayout.terminalSafe(Array(value.source.utf8))
                let shown =
                    value.kind.isContainer
                    ? "\n" + String(decoding: JSONLayout.indented(json), as: UTF8.self)
                    : " " + Escaping.line(value.text)
                text += Style.bold.apply(to: Escaping.line(key) + ":", isColored: options.isColored) + shown + "\n"
            }
            return text
        }
        return presentation
    }
}

/// `--fields help`: which fields there are.
enum FieldHelp {
    static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        let answer = try context.answer(to: try context.requestDescription(of: context.invocation.selector?.name))
        let collections = CollectionDescription.all(in: answer)
        let messages = context.messages
        let isOne = collections.count <= 1
        var rows = TableRows(
            (isOne ? [] : [("collection", LayoutColumn(heading: messages.heading(.collection)))]) + [
                ("field", LayoutColumn(heading: messages.heading(.field), isEmphasized: true)),
                ("type", LayoutColumn(heading: messages.heading(.type))),
                ("list", LayoutColumn(heading: messages.heading(.list))),
                ("operators", LayoutColumn(heading: messages.heading(.operators), lines: 40, isElastic: true)),
                ("title", LayoutColumn(heading: messages.heading(.title), isElastic: true)),
            ])
        for collection in collections {
            for field in collection.fields {
                let isListed = collection.list.contains(field.name)
                let operators = field.operators.joined(separator: " ")
                rows.append(
                    (isOne ? [] : [(collection.name, Cell(Escaping.line(collection.name)))]) + [
                        (field.name, Cell(Escaping.line(field.name), style: .bold)),
                        (field.type.rawValue, Cell(field.type.rawValue)),
                        (isListed ? "true" : "false", Cell(isListed ? messages.yes : "")),
                        (operators, Cell(Escaping.line(operators))),
                        (field.title ?? "", Cell(Escaping.line(field.title ?? ""))),
                    ])
            }
        }
        var presentation = Presentation(answer, rows: rows)
        presentation.nameColumn = isOne ? 0 : 1
        try context.print(presentation)
        try context.flush()
        return .done
    }
}
