// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import Glibc

/// The file that keeps the clock of a feed from one run to the next: one line.
struct CursorFile {
    private let path: String

    /// The maximum size of the file, in bytes.
    private static let maxSize = 4096

    init(_ path: String) { self.path = path }

    /// The clock in the file; nil if there is no file.
    ///
    /// - Throws: a usage error for a file that holds anything else, and a failure for one that cannot be read.
    func clock() throws(CommandError) -> String? {
        let text: String
        do throws(SystemError) {
            text = try Files.readText(path, cap: Self.maxSize)
        } catch {
            if error.errno == ENOENT { return nil }
            if error.errno == EFBIG || error.errno == EILSEQ { throw noClock }
            throw .failed(
                .failure, kind: "input",
                message: TranslatedText(en: "the clock cannot be read", pl: "nie można odczytać zegara").joined(
                    ": ", error.text))
        }
        let line = text.hasSuffix("\n") ? text.dropLast() : text[...]
        guard Self.isClock(line) else { throw noClock }
        return String(line)
    }

    private var noClock: CommandError {
        .usage(
            UsageError(
                en: "\(path) holds no clock", pl: "w \(path) nie ma zegara",
                hint: TranslatedText(
                    en: "remove the file to begin with the whole set, or name another one",
                    pl: "usuń plik, by zacząć od całego zbioru, albo podaj inny")))
    }

    /// Whether the text looks like a clock, `EPOCH.SEQ` with more or without. The daemon knows which are its own.
    private static func isClock(_ text: Substring) -> Bool {
        text.utf8.contains(UInt8(ascii: ".")) && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }

    /// Puts a clock into the file, which then has the old content or the new one, also after a crash.
    func keep(_ clock: String) throws(CommandError) {
        let target = Files.linkTarget(path)
        do throws(SystemError) {
            try Files.writeAtomically(
                target, Array((clock + "\n").utf8), permissions: Files.permissions(target) ?? 0o644)
        } catch {
            throw .failed(
                .failure, kind: "output",
                message: TranslatedText(en: "the clock cannot be kept", pl: "nie można zapisać zegara").joined(
                    ": ", error.text),
                hint: TranslatedText(
                    en: "what was printed is void: the next run prints it again",
                    pl: "to, co wypisano, jest nieważne: następne wywołanie wypisze to ponownie"))
        }
    }
}
