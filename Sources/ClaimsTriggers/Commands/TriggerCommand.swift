// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol
public import ClaimsTerminal

/// `trigger`: the words after the verb decide the action.
public enum TriggerCommand {
    public static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        let words = context.invocation.terms.map(\.text)
        switch words.first {
        case "run":
            let folders = folders(context)
            return try TriggerRunner(context, runnable(try name(words), folders), folders).run()
        case "test": return try TriggerTest(context, try name(words)).run()
        case "skip": return try TriggerSkip.run(context, try name(words), folders(context))
        case "text": return try TriggerTextCommand.run(context, Array(words.dropFirst()))
        default: return try TriggerList.run(context, words, folders(context))
        }
    }

    private static func folders(_ context: CommandContext) -> TriggerFolders {
        TriggerFolders(context.invocation.acting, environment: context.surroundings.environment)
    }

    /// A trigger with a command.
    ///
    /// - Throws: a usage error for a trigger without a command, or for mistakes in its file.
    @discardableResult
    static func runnable(
        _ name: String, _ folders: TriggerFolders
    ) throws(CommandError) -> TriggerDefinition {
        let definition = try definition(of: name, folders)
        if definition.command != nil { return definition }
        throw .usage(
            UsageError(
                en: "the trigger '\(name)' has no command", pl: "wyzwalacz „\(name)” nie ma polecenia",
                hint: TranslatedText(
                    en: "write one into \(folders.file(of: name)): { command: [\"/path/of/a/program\"] }",
                    pl: "wpisz je do \(folders.file(of: name)): { command: [\"/ścieżka/programu\"] }")))
    }

    /// The name behind a word that needs just one.
    private static func name(_ words: [String]) throws(CommandError) -> String {
        guard words.count == 2 else {
            throw .usage(
                UsageError(
                    en: "'trigger \(words[0])' needs the name of one trigger",
                    pl: "„trigger \(words[0])” wymaga nazwy jednego wyzwalacza",
                    hint: TranslatedText(
                        en: "the names are listed by: claimsctl trigger",
                        pl: "nazwy wypisuje: claimsctl trigger")))
        }
        return words[1]
    }

    /// The definition of a trigger.
    ///
    /// - Throws: a usage error for a file that is wrong, naming each mistake with its place, or for a name that no file
    ///   has.
    static func definition(
        of name: String, _ folders: TriggerFolders
    ) throws(CommandError) -> TriggerDefinition {
        let files = TriggerFiles(folders)
        guard let file = files.file(of: name) else {
            throw .usage(
                UsageError(
                    en: "no trigger is called '\(name)': there is no \(folders.file(of: name))",
                    pl: "żaden wyzwalacz nie nazywa się „\(name)”: nie ma \(folders.file(of: name))",
                    hint: Suggestion.question(name, among: files.all.map(\.name))
                        ?? files.problems.first.map { TranslatedText(en: "\($0)", pl: "\($0)") }))
        }
        guard let definition = file.value, file.isSound else {
            let lines = file.problems.map(\.description).joined(separator: "\n")
            throw .usage(UsageError(en: lines, pl: lines))
        }
        return definition
    }
}
