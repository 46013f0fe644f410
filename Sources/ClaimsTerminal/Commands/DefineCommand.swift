// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform

extension Verb {
    static let define = Verb(
        "define",
        summary: TranslatedText(
            en: "draft a definition from an upstream's answer",
            pl: "szkicuje definicję na podstawie odpowiedzi serwera"),
        synopsis: "(FILE | URL | -)",
        details: TranslatedText(
            en: """
                Prints a commented definition for the records in a file, at an address or on standard input. It finds
                the largest array of objects, a unique id, and types that fit all values. It quotes no values but codes
                that repeat. It needs no daemon. Run by root, it gives up root's rights first. If no id can be found it
                ends with 8.
                """,
            pl: """
                Wypisuje opatrzoną komentarzami definicję dla rekordów z pliku, spod adresu albo ze standardowego
                wejścia. Znajduje największą tablicę obiektów, niepowtarzalny identyfikator i typy pasujące do
                wszystkich wartości. Nie przytacza wartości oprócz powtarzających się kodów. Nie potrzebuje demona.
                Uruchomione przez roota, najpierw zrzeka się jego praw. Gdy nie ma identyfikatora, kończy się kodem 8.
                """),
        options: [.name, .root], takesSelector: false, maxArguments: 1, takesHost: false)
}

/// `define`: becomes the claimsd beside this program, which can fetch.
enum DefineCommand {
    static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        guard let input = context.invocation.terms.first?.text, !input.isEmpty else {
            throw .usage(
                UsageError(
                    en: "'define' needs a file, an address, or - for standard input",
                    pl: "„define” wymaga pliku, adresu albo - dla standardowego wejścia",
                    hint: .example("claimsctl define https://erp.example/v1/machines --name machines")))
        }
        try context.requireNoJSON(
            TranslatedText(en: "'define' prints a definition in JSON5", pl: "„define” wypisuje definicję w JSON5"))
        var arguments = ["--define=\(input)"]
        let options = context.invocation.sources
        if let name = options.name { arguments.append("--name=\(name)") }
        if let root = options.root { arguments.append("--root=\(root)") }
        if let language = context.language { arguments.append("--lang=\(language)") }
        let error = ProcessImage.become(ProcessImage.neighbor(DaemonBeside.name), arguments)
        throw DaemonBeside.missing(error)
    }
}

/// The daemon's program, which stands in the folder of this one.
enum DaemonBeside {
    static let name = "claimsd"

    static func missing(_ error: SystemError) -> CommandError {
        .failed(
            .failure, kind: "program", message: error.text,
            hint: TranslatedText(
                en: "the verb runs the claimsd that is installed beside claimsctl",
                pl: "polecenie uruchamia program claimsd zainstalowany obok claimsctl"))
    }
}
