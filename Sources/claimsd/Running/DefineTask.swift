// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsRefresh
import Glibc

/// The drafting of a definition by `--define`: with the rights of the caller, without state and without the daemon.
///
/// Root's rights are given up before anything is fetched or read as JSON. A file is opened before that: root has named it.
struct DefineTask {
    /// A failure with its exit code and the sentence for people.
    private struct Refusal: Error {
        let code: Int32
        let text: TranslatedText
    }

    private let options: DaemonOptions
    private let folders: Folders

    /// - Parameter folders: the folders with the collections whose names are in use.
    init(_ options: DaemonOptions, _ folders: Folders) {
        self.options = options
        self.folders = folders
    }

    /// Writes the draft to standard output.
    ///
    /// - Returns: the exit code.
    func run(_ input: String) -> Int32 {
        do throws(Refusal) {
            let name = try name(for: input)
            let root = try root()
            let sample = try sample(input)
            let draft = sample.draft(named: name, root: root, taken: takenNames)
            let text = try Self.text(of: draft, sample)
            if let renaming = draft.renaming { ProgramOutput.complain(renaming.text(options.language)) }
            return ProgramOutput.printAll(Array(text.utf8)) ? DaemonExitCode.stopped : DaemonExitCode.failed
        } catch {
            ProgramOutput.complain(error.text.text(options.language))
            return error.code
        }
    }

    private static func text(of draft: DefinitionDraft, _ sample: DraftSample) throws(Refusal) -> String {
        do throws(DraftError) { return try sample.text(of: draft) } catch {
            throw Refusal(code: DaemonExitCode.invalid, text: error.text)
        }
    }

    private func root() throws(Refusal) -> JSONPointer? {
        guard let text = options.root else { return nil }
        do throws(JSONError) { return try JSONPointer(text) } catch {
            throw Refusal(
                code: DaemonExitCode.usage, text: TranslatedText(en: "--root: ", pl: "--root: ").joined("", error.text))
        }
    }

    // MARK: - The name

    private func name(for input: String) throws(Refusal) -> String {
        guard let name = options.name else { return FieldName.collection(in: input) }
        guard ReservedNames.isName(name) else {
            throw Refusal(
                code: DaemonExitCode.usage,
                text: TranslatedText(
                    en: "'\(name)' is not a name; expected a-z, 0-9 and _, beginning with a letter",
                    pl: "„\(name)” nie jest nazwą; oczekiwano a-z, 0-9 i _, z literą na początku"))
        }
        return name
    }

    /// The names of the collections of the caller's daemon and of the system's daemon, as far as they can be read.
    private var takenNames: TakenNames {
        var system = folders
        system.configuration = Folders.systemConfiguration
        var taken = TakenNames()
        for folders in [folders, system] { taken.insert(ConfigurationReader.read(folders)) }
        return taken
    }

    // MARK: - The answer

    private func sample(_ input: String) throws(Refusal) -> DraftSample {
        let isAddress = input.contains("://")
        if isAddress, Self.namesUser(input) { throw Self.userRefusal }
        let bytes = isAddress ? nil : try file(input)
        try becomeNobody()
        if let bytes { return DraftSample(bytes) }
        do throws(FetchFailure) {
            return try DraftSample.fetch(input, spoolDirectory: Environment.nonempty("TMPDIR") ?? "/tmp")
        } catch {
            throw Refusal(code: DaemonExitCode.upstreamFailed, text: TranslatedText(error.message))
        }
    }

    private static func namesUser(_ address: String) -> Bool {
        guard let mark = address.firstRange(of: "://") else { return false }
        return address[mark.upperBound...].prefix { !"/?#".contains($0) }.contains("@")
    }

    private static var userRefusal: Refusal {
        Refusal(
            code: DaemonExitCode.usage,
            text: TranslatedText(
                en: "expected an address without a user; source.auth.basic has them later, and now: "
                    + "curl -u USER ADDRESS | claimsctl define -",
                pl: "oczekiwano adresu bez użytkownika; później poda go source.auth.basic, a teraz: "
                    + "curl -u UŻYTKOWNIK ADRES | claimsctl define -"))
    }

    private func file(_ path: String) throws(Refusal) -> [UInt8] {
        let cap = TransferLimits().body
        do throws(SystemError) {
            guard path == "-" else { return try Files.readAll(path, cap: cap) }
            let input = FileDescriptor(owning: 0)
            var bytes: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 64 << 10)
            while true {
                let count = try input.read(into: &chunk)
                if count == 0 { return bytes }
                guard bytes.count + count <= cap else { throw SystemError("read standard input", errno: EFBIG) }
                bytes += chunk[..<count]
            }
        } catch {
            throw Refusal(code: DaemonExitCode.failed, text: error.readingText)
        }
    }

    private func becomeNobody() throws(Refusal) {
        do throws(SystemError) { try ProcessUser.becomeNobody() } catch {
            throw Refusal(code: DaemonExitCode.failed, text: error.readingText)
        }
    }
}

extension SystemError {
    /// Why a file could not be read, for people.
    var readingText: TranslatedText {
        TranslatedText(en: message, pl: "\(ReasonPhrase.polish(failed: operation)): \(ReasonPhrase.polish(reason))")
    }
}

extension ProcessUser {
    /// Gives up root's rights for the rights of the user nobody, for good; does nothing for any other user.
    static func becomeNobody() throws(SystemError) {
        guard number == 0 else { return }
        try become(user: nobody, group: nobody, name: nil)
    }

    /// The number of the user and of the group that own nothing (linux/highuid.h, DEFAULT_OVERFLOWUID).
    private static let nobody: UInt32 = 65_534
}
