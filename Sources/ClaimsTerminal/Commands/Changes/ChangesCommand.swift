// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol

extension Verb {
    static let changes = Verb(
        "changes",
        summary: LocalizedText(
            en: "list changes since an earlier answer",
            pl: "wymienia zmiany od podanej odpowiedzi demona"),
        synopsis: "[SELECTOR] [TERMS…]",
        details: LocalizedText(
            en: """
                Lists how the records that the terms select have changed since the clock in --cursor-file, or else that
                of --since. Without either, all records are listed. The new clock goes into the file once everything is
                written, so that the next run goes on from there. After a failure the file stays as it was: drop the
                output of that run. An entry with the op fresh_instance begins a whole set: drop what came before it.
                Every answer has a clock in its meta.
                """,
            pl: """
                Wymienia zmiany wybranych rekordów od zegara (clock) z --cursor-file albo z --since. Bez obu wymienia
                wszystkie rekordy. Nowy zegar trafia do pliku, gdy wszystko zostało zapisane, więc następne wywołanie
                zaczyna od niego. Po błędzie plik zostaje, jaki był: wynik tego wywołania trzeba odrzucić. Wpis z op
                fresh_instance zaczyna cały zbiór: zapomnij, co było przed nim. Każda odpowiedź ma zegar w meta.
                """),
        options: [.since, .cursorFile, .fields, .view, .archived, .filter, .text], terms: .filters)
}

/// `changes`: all pages of the changes since a clock, and then the new clock in a file.
struct ChangesCommand {
    private let context: CommandContext
    private let file: CursorFile?
    private var parameters = ChangesParameters()

    static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        try ChangesCommand(context).run()
    }

    private init(_ context: CommandContext) throws(CommandError) {
        self.context = context
        let invocation = context.invocation
        file = invocation.cursorFile.map { CursorFile($0) }
        parameters.collection = invocation.selector?.name
        parameters.feed = context.feedParameters()
        parameters.since = try file?.clock() ?? invocation.since
    }

    private func run() throws(CommandError) -> ExitCode {
        let printer = ChangesPrinter(context)
        var parameters = parameters
        var isFirst = true
        while true {
            let answer = try context.call(.changes, parameters)
            try printer.print(answer, isFirst: isFirst)
            if answer[ChangesResult.more] == true, let next = answer[ChangesResult.next] {
                parameters.since = nil
                parameters.cursor = next
                isFirst = false
                continue
            }
            try printer.end(answer)
            try context.flush()
            if let file {
                guard let clock = answer[ChangesResult.clock] else {
                    throw .failed(
                        .failure, kind: "protocol",
                        message: ErrorText(en: "the daemon gave no clock", pl: "demon nie podał zegara"))
                }
                try settleOutput()
                try file.keep(clock)
            }
            context.noticeFreshness(answer[ChangesResult.meta])
            return .done
        }
    }

    /// Brings a file that the output goes to onto its device: the clock must not be newer than what it stands for.
    private func settleOutput() throws(CommandError) {
        try context.printing { () throws(OutputError) in try context.console.output.sync() }
    }
}
