// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsRefresh
import ClaimsUpstream
import Glibc

/// The drafting of a definition by `--define`: with the rights of the caller, without state and without the daemon.
///
/// Root's rights are given up before anything is fetched or read as JSON. A file is opened before that: root has named it.
struct DefineTask {
    /// A failure with its exit code and the sentence for people.
    private struct Refusal: Error {
        let code: Int32
        let text: ErrorText
    }

    /// The bytes that were read, and where they came from.
    private struct Answer {
        let body: FetchedBody
        var url: String?
        var hasLink = false
    }

    private let options: DaemonOptions
    private let folders: Folders

    /// - Parameter folders: those whose collections have their names already.
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
            let answer = try answer(input)
            var draft = DefinitionDraft(name: name, root: root, url: answer.url)
            draft.hasLink = answer.hasLink
            draft.taken = takenNames
            let text = try Self.text(draft, answer.body)
            if let renaming = draft.renaming { ProgramOutput.complain(renaming.text(options.language)) }
            return ProgramOutput.printAll(Array(text.utf8)) ? DaemonExitCode.stopped : DaemonExitCode.failed
        } catch {
            ProgramOutput.complain(error.text.text(options.language))
            return error.code
        }
    }

    private static func text(_ draft: DefinitionDraft, _ body: FetchedBody) throws(Refusal) -> String {
        do throws(DraftError) {
            return try body.withBytes { bytes throws(DraftError) in try draft.text(of: bytes) }
        } catch {
            throw Refusal(code: DaemonExitCode.invalid, text: error.text)
        }
    }

    private func root() throws(Refusal) -> JSONPointer? {
        guard let text = options.root else { return nil }
        do throws(JSONError) { return try JSONPointer(text) } catch {
            throw Refusal(
                code: DaemonExitCode.usage, text: ErrorText(en: "--root: ", pl: "--root: ").joined("", error.text))
        }
    }

    // MARK: - The name

    private func name(for input: String) throws(Refusal) -> String {
        guard let name = options.name else { return Self.name(in: input) }
        guard ReservedNames.isName(name) else {
            throw Refusal(
                code: DaemonExitCode.usage,
                text: ErrorText(
                    en: "'\(name)' is not a name; expected a-z, 0-9 and _, beginning with a letter",
                    pl: "„\(name)” nie jest nazwą; oczekiwano a-z, 0-9 i _, z literą na początku"))
        }
        return name
    }

    /// The last part of a path or address that can be a name.
    static func name(in input: String) -> String {
        let path = input.prefix { $0 != "?" && $0 != "#" }
        for part in path.split(separator: "/").reversed() {
            let stem = part.firstIndex(of: ".").map { part[..<$0] } ?? part
            if !part.hasSuffix(":"), let name = FieldName.of(String(stem)) { return name }
        }
        return "records"
    }

    /// The names of the collections that the caller's daemon and that of the system have, as far as they can be read.
    private var takenNames: TakenNames {
        var system = folders
        system.configuration = Folders.systemConfiguration
        var taken = TakenNames()
        for folders in [folders, system] {
            let configuration = ConfigurationReader.read(folders)
            for name in configuration.names { taken.insert(name, singular: nil) }
            for definition in configuration.definitions {
                taken.insert(definition.name, singular: definition.singular)
            }
        }
        return taken
    }

    // MARK: - The answer

    private func answer(_ input: String) throws(Refusal) -> Answer {
        let isAddress = input.contains("://")
        let bytes = isAddress ? nil : try file(input)
        try becomeNobody()
        if let bytes { return Answer(body: FetchedBody(bytes)) }
        return try fetch(input)
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

    private func fetch(_ url: String) throws(Refusal) -> Answer {
        do throws(HTTPError) {
            let folder = Environment.nonempty("TMPDIR") ?? "/tmp"
            let limits = HTTPLimits(TransferLimits())
            if url.hasPrefix("file:") {
                return Answer(body: try FileTransfer.read(url, limits: limits, spoolDirectory: folder), url: url)
            }
            let client = try HTTPClient(spoolDirectory: folder)
            let response = try client.perform(
                HTTPRequest(url: url, headers: [("Accept", "application/json")], limits: limits))
            return Answer(body: response.body, url: url, hasLink: response.linkNext != nil)
        } catch {
            let failure = FetchFailure.of(error, fetching: url)
            throw Refusal(
                code: DaemonExitCode.upstreamFailed,
                text: ErrorText(en: failure.message.text("en"), pl: failure.message.text("pl")))
        }
    }
}

extension SystemError {
    /// Why a file could not be read, for people.
    var readingText: ErrorText {
        ErrorText(en: message, pl: "\(ReasonPhrase.polish(failed: operation)): \(ReasonPhrase.polish(reason))")
    }
}

extension ProcessUser {
    /// Gives up root's rights for those of nobody, for good; does nothing for any other user.
    static func becomeNobody() throws(SystemError) {
        guard number == 0 else { return }
        try become(user: nobody, group: nobody, name: nil)
    }

    /// The number of the user and of the group that own nothing (linux/highuid.h, DEFAULT_OVERFLOWUID).
    private static let nobody: UInt32 = 65_534
}
