// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol

extension Verb {
    static let act = Verb(
        "act",
        summary: TranslatedText(
            en: "do an action of the collection's definition",
            pl: "wykonuje akcję z definicji kolekcji"),
        synopsis: "NAME SELECTOR ID… [FIELD=VALUE…]",
        details: TranslatedText(
            en: """
                Does an action of the collection's definition, on one record or several. NAME can also be used as the
                verb, unless it is that of another verb: `\(Examples.action)`. claimsctl describe lists the actions.
                """,
            pl: """
                Wykonuje akcję, którą ma definicja kolekcji, na jednym rekordzie lub kilku. NAME może też być
                poleceniem, jeśli claimsctl nie ma polecenia o tej nazwie: `\(Examples.action)`. claimsctl describe
                wymienia akcje.
                """),
        options: [.json, .attach, .detach, .dryRun, .op, .wait, .yes], terms: .actions)
}

/// `act`, and the names of actions in the place of a verb.
enum ActCommand {
    static func run(_ context: CommandContext, verbs: [Verb]) throws(CommandError) -> ExitCode {
        let invocation = context.invocation
        guard let name = invocation.terms.first?.text else {
            throw .usage(
                UsageError(
                    en: "'act' needs the name of an action", pl: "„act” wymaga nazwy akcji",
                    hint: TranslatedText(
                        en: "claimsctl describe --collection NAME lists them",
                        pl: "wymienia je claimsctl describe --collection NAME")))
        }
        // These have verbs of their own, which ask what has to be asked.
        if let verb = ["create": "add", "update": "edit", "delete": "delete"][name] {
            throw .usage(
                UsageError(
                    en: "'\(name)' has a verb of its own", pl: "„\(name)” ma własne polecenie",
                    hint: TranslatedText(en: "it is: claimsctl \(verb)", pl: "to: claimsctl \(verb)")))
        }
        let rest = Array(invocation.terms.dropFirst())
        let collection =
            invocation.selector?.name ?? rest.first.flatMap { try? RecordReference.read($0.text, nil) }?.collection
        let descriptions = try describe(collection, name, context, verbs: verbs)
        let actions = descriptions.flatMap { $0.writes?.actions ?? [] }.map(\.name)
        if invocation.isActionImplied, !actions.contains(name) {
            throw .usage(ArgumentParser.unknownVerb(name, among: verbs, actions: actions))
        }
        guard let collection, let description = descriptions.first else {
            throw .usage(.needsCollection(name, "claimsctl \(name) --collection NAME 7"))
        }
        let given = try GivenValues(rest, of: description, isMixed: true, context)
        var references: [RecordReference] = []
        for term in given.others { references.append(try RecordReference.read(term.text, invocation.selector)) }
        guard !references.isEmpty else {
            throw .usage(.needsID(name, .example("claimsctl \(name) --collection NAME 7")))
        }
        if let other = references.first(where: { $0.collection != collection }) {
            throw .usage(.twoCollections(collection, other.collection))
        }
        try requireOne(references, context)
        return try submit(name, references, context, of: description, fields: given.fields)
    }

    /// The collections that the line can mean, with their actions.
    ///
    /// Where the word may be a misspelt verb, a daemon that cannot be reached makes it one.
    private static func describe(
        _ collection: String?, _ name: String, _ context: CommandContext, verbs: [Verb]
    ) throws(CommandError) -> [CollectionDescription] {
        do throws(CommandError) {
            return try context.descriptions(try context.requestDescription(of: collection))
        } catch {
            let usage = ArgumentParser.unknownVerb(name, among: verbs)
            guard context.invocation.isActionImplied, usage.isSuggestion || collection == nil
            else {
                throw error
            }
            throw .usage(usage)
        }
    }

    /// `--op` and files are of one operation, so of one record.
    static func requireOne(_ references: [RecordReference], _ context: CommandContext) throws(CommandError) {
        guard references.count > 1 else { return }
        let writing = context.invocation.writing
        let option =
            writing.op != nil ? "--op" : writing.attach.isEmpty ? writing.detach.isEmpty ? nil : "--detach" : "--attach"
        if let option {
            throw .usage(
                UsageError(
                    en: "\(option) is about one record, and there are \(references.count)",
                    pl: "\(option) dotyczy jednego rekordu, a jest ich \(references.count)"))
        }
    }

    /// Submits an action on each record. A refusal of one is reported, and the others are submitted all the same.
    static func submit(
        _ action: String, _ references: [RecordReference], _ context: CommandContext,
        of description: CollectionDescription?, fields: JSONObject = JSONObject()
    ) throws(CommandError) -> ExitCode {
        guard let first = references.first else { return .done }
        let submission = OperationSubmission(context, collection: first.collection, description)
        if let description, description.writes?.action(action) != nil {
            if try submission.isRepeated(action, on: first) { return try submission.finish() }
            submission.detached = try DetachedFiles(
                context.invocation.writing.detach, of: first, description, context)
            let upload = FileUpload(context, collection: first.collection)
            for path in context.invocation.writing.attach { submission.files.append(try upload.send(path)) }
        }
        for reference in references {
            var parameters = submission.parameters(action, id: reference.id, fields: fields)
            parameters.collection = reference.collection
            if references.count == 1 {
                try submission.submit(parameters)
            } else {
                try submission.submitEach(parameters)
            }
        }
        return try submission.finish()
    }
}
