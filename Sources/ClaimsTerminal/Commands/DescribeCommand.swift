// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON

/// `describe`: what a collection holds, what a method takes, or, without either, which there are.
enum DescribeCommand {
    static func run(_ session: Session) throws(CommandError) -> ExitCode {
        let invocation = session.invocation
        if invocation.terms.count > 1 || (invocation.selector != nil && !invocation.terms.isEmpty) {
            throw .usage(UsageError("'describe' takes one collection or one method"))
        }
        let word = invocation.terms.first?.text
        var answer: AnswerValue
        var isMethod = word != nil
        do throws(CommandError) {
            answer = try ask(session, method: word, collection: invocation.selector?.name)
        } catch {
            // A word that names no method may name a collection.
            guard let word, case .client(.refused(let refusal)) = error, refusal.kind == "bad_params" else {
                throw error
            }
            do throws(CommandError) {
                answer = try ask(session, method: nil, collection: word)
                isMethod = false
            } catch _ {
                throw error
            }
        }
        try print(answer, named: word, isMethod: isMethod, session)
        try session.flush()
        return .done
    }

    private static func ask(
        _ session: Session, method: String?, collection: String?
    ) throws(CommandError) -> AnswerValue {
        let connection = try session.connection()
        let id = connection.request("describe") { writer in
            if let collection { writer.member("collection", collection) }
            if let method { writer.member("method", method) }
            if let language = session.language { writer.member("lang", language) }
        }
        return try session.answer(to: id)
    }

    private static func print(
        _ answer: AnswerValue, named word: String?, isMethod: Bool, _ session: Session
    ) throws(CommandError) {
        if session.format.isJSON { return try session.emit(json: answer) }
        if isMethod, let word { return try printMethod(answer, named: word, session) }
        let collections = DescribeRequest.collections(in: answer)
        guard session.format.isForPeople else { return try session.emit(rows(collections)) }
        if word != nil || session.invocation.selector != nil, let collection = collections.first {
            let value = answer["collections"]?.elements.first ?? answer["collection"] ?? answer
            let text = DescriptionText(collection, value, width: session.width, isColored: session.isColored)
            return try session.show(text.text)
        }
        try session.show(rows(collections).text(width: session.width, isColored: session.isColored))
        let methods = methods(in: answer)
        if methods.isEmpty { return }
        let heading = Style.heading.apply(to: "Methods", isColored: session.isColored)
        let names = methods.compactMap { $0["name"]?.string ?? $0["method"]?.string }.joined(separator: ", ")
        let lines = Fitting.wrap(Escaping.line(names), to: session.width)
        try session.show("\n\(heading)\n" + lines.joined(separator: "\n") + "\n")
    }

    private static func methods(in answer: AnswerValue) -> [AnswerValue] {
        answer["methods"]?.elements ?? []
    }

    private static func rows(_ collections: [CollectionDescription]) -> RowSet {
        var rows = RowSet([
            ("name", Column(heading: "COLLECTION")), ("singular", Column(heading: "SELECTOR")),
            ("title", Column(heading: "TITLE", isElastic: true)),
            ("fields", Column(heading: "FIELDS", isElastic: true)),
        ])
        for collection in collections {
            let fields = collection.fields.map(\.name).joined(separator: " ")
            rows.append([
                (collection.name, Cell(Escaping.line(collection.name), style: .bold)),
                (collection.singular, Cell("--" + Escaping.line(collection.singular))),
                (collection.title, Cell(Escaping.line(collection.title))), (fields, Cell(Escaping.line(fields))),
            ])
        }
        return rows
    }

    private static func printMethod(
        _ answer: AnswerValue, named name: String, _ session: Session
    ) throws(CommandError) {
        let method = answer["method"].flatMap { $0.kind == .object ? $0 : nil } ?? methods(in: answer).first ?? answer
        let json = JSONText.terminalSafe(Array(method.source.utf8))
        guard session.format.isForPeople else { return try session.emit { $0 += json + [UInt8(ascii: "\n")] } }
        var text = Style.heading.apply(to: Escaping.line(name), isColored: session.isColored) + "\n"
        for (key, value) in method.members where key != "name" {
            let shown =
                value.kind.isContainer
                ? "\n"
                    + String(
                        decoding: JSONText.indented(JSONText.terminalSafe(Array(value.source.utf8))), as: UTF8.self)
                : " " + Escaping.line(value.text)
            text += Style.bold.apply(to: Escaping.line(key) + ":", isColored: session.isColored) + shown + "\n"
        }
        try session.show(text)
    }
}
