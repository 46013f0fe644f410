// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import Glibc

/// The file after `--to`, which gets its new content as a whole, or stays as it was.
public enum ExportFile {
    /// The end of the name that the new content has until it is whole.
    private static let suffix = ".claimsctl-new"

    /// Writes a list to the file: a list with the same bytes leaves it the same file. Its time is that of the data.
    ///
    /// - Parameter list: prints the list; returns its exit code, and the answer with its `meta`. With any other code
    ///   than 0, and after an error, the file stays as it was; but data that is withheld now may not stay in it.
    static func replace(
        _ path: String, _ context: CommandContext,
        by list: () throws(CommandError) -> (code: ExitCode, result: AnswerValue)
    ) throws(CommandError) -> ExitCode {
        let file = try open(path, permissions: nil)
        let result: AnswerValue
        do throws(CommandError) {
            let outcome = try write(to: file, context, path, list)
            guard outcome.code == .done else { return outcome.code }
            result = outcome.result
        } catch {
            guard isWithheld(error) else { throw error }
            try remove(file, path, context)
            throw error
        }
        let times = AnswerMeta.all(in: result[SearchResult.meta]).compactMap(\.asOf)
        try commit(file, time: times.min(), keepsEqual: true)
        return .done
    }

    /// Writes a text to the file in any case, so that its time shows when that was.
    ///
    /// - Parameter permissions: those of a file that is not there yet.
    public static func replace(
        _ path: String, _ context: CommandContext, by text: String, permissions: UInt32
    ) throws(CommandError) {
        let file = try open(path, permissions: permissions)
        try write(to: file, context, path) { () throws(CommandError) in try context.write(text) }
        try commit(file, time: nil, keepsEqual: false)
    }

    private static func open(_ path: String, permissions: UInt32?) throws(CommandError) -> ReplacedFile {
        do throws(SystemError) {
            return try ReplacedFile(path, suffix: suffix, permissions: permissions)
        } catch {
            switch error.errno {
            case EWOULDBLOCK:
                throw .failed(
                    .conflict, kind: "conflict",
                    message: TranslatedText(
                        en: "another claimsctl is writing \(path)", pl: "inny claimsctl właśnie zapisuje \(path)"),
                    hint: TranslatedText(en: "run the command again later", pl: "uruchom polecenie ponownie później"))
            case EISDIR:
                throw failure(
                    TranslatedText(en: "\(path) is a folder", pl: "\(path) to folder"),
                    hint: TranslatedText(en: "name a file in it", pl: "podaj plik w tym folderze"))
            case EINVAL:
                throw failure(
                    TranslatedText(en: "\(path) is no regular file", pl: "\(path) to nie jest zwykły plik"),
                    hint: TranslatedText(
                        en: "leave out --to, and redirect standard output", pl: "pomiń --to i przekieruj wyjście"))
            default: throw failure(error.text)
            }
        }
    }

    private static func failure(_ message: TranslatedText, hint: TranslatedText? = nil) -> CommandError {
        .failed(.failure, kind: "output", message: message, hint: hint)
    }

    /// Has `body` print to the file; an error of writing names it.
    private static func write<Result>(
        to file: borrowing ReplacedFile, _ context: CommandContext, _ path: String,
        _ body: () throws(CommandError) -> Result
    ) throws(CommandError) -> Result {
        do throws(CommandError) {
            try context.printing { () throws(OutputError) in
                try context.console.output.redirect(to: file.descriptor)
            }
            let result = try body()
            try context.flush()
            return result
        } catch {
            guard case .output(.failed(let reason)) = error else { throw error }
            throw failure(SystemError("write \(path)", errno: reason.errno).text)
        }
    }

    private static func commit(
        _ file: consuming ReplacedFile, time: Int64?, keepsEqual: Bool
    ) throws(CommandError) {
        do throws(SystemError) {
            _ = try file.commit(time: time, keepsEqual: keepsEqual)
        } catch {
            throw failure(error.text)
        }
    }

    /// Whether the data is withheld, so that copies of it must not stay either.
    private static func isWithheld(_ error: CommandError) -> Bool {
        guard case .client(.refused(let refusal)) = error, refusal.kind == ErrorKind.noData.rawValue else {
            return false
        }
        return AnswerMeta(refusal.data?[Member<Meta>.meta])?.state == "withheld"
    }

    private static func remove(
        _ file: consuming ReplacedFile, _ path: String, _ context: CommandContext
    ) throws(CommandError) {
        do throws(SystemError) {
            if try file.remove() { context.notice(context.messages.removedWithheld(path)) }
        } catch {
            throw failure(error.text)
        }
    }
}
