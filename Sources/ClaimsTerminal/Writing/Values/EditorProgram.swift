// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import Glibc

/// A text in a private file, which the user's editor changes. The file goes with this value unless it is kept.
struct EditedFile: ~Copyable {
    /// The path of the file, in a folder of its own that nobody else can read.
    let path: String
    private let folder: String
    private let command: String
    private let surroundings: Surroundings
    private var isKept = false

    /// The maximum size of what an editor leaves behind, in bytes.
    private static let maxBytes = 8 << 20

    /// Makes the file.
    ///
    /// - Throws: a usage error where there is no editor to be had.
    static func make(_ surroundings: Surroundings, name: String) throws(CommandError) -> EditedFile {
        let command = try command(surroundings)
        let runtime = Environment.runtimeDirectory(surroundings.environment, isPrivate: Files.isPrivateDirectory)
        let parent = runtime ?? surroundings.environment("TMPDIR") ?? "/tmp"
        do throws(SystemError) {
            let folder = try Directory.temporary(in: parent, prefix: "claimsctl")
            return EditedFile(surroundings, name: name, folder: folder, command: command)
        } catch {
            throw failure(error.text)
        }
    }

    private init(_ surroundings: Surroundings, name: String, folder: String, command: String) {
        self.surroundings = surroundings
        self.folder = folder
        self.command = command
        path = Paths.join(folder, SafeName.make(name, suffix: ".json5"))
    }

    deinit {
        guard !isKept else { return }
        // Copies that the editor has made go too. What cannot be removed is in a folder that only this user can enter.
        try? Directory.remove(folder)
    }

    /// `$VISUAL`, else `$EDITOR`, else on a terminal vi.
    private static func command(_ surroundings: Surroundings) throws(CommandError) -> String {
        for name in ["VISUAL", "EDITOR"] {
            if let command = surroundings.environment(name), !command.isEmpty { return command }
        }
        guard surroundings.isTerminal(0), surroundings.isTerminal(1) else {
            throw .usage(
                UsageError(
                    en: "'edit' without values needs an editor, and there is no terminal",
                    pl: "„edit” bez wartości wymaga edytora, a nie ma terminala",
                    hint: ErrorText(
                        en: "give values: claimsctl edit --collection NAME 7 FIELD=VALUE; or set EDITOR",
                        pl: "podaj wartości: claimsctl edit --collection NAME 7 FIELD=VALUE; albo ustaw EDITOR")))
        }
        return "vi"
    }

    /// Lets the user change the text, and returns it.
    ///
    /// - Throws: a failure where the editor cannot be started or does not succeed.
    func edit(_ text: String) throws(CommandError) -> String {
        do throws(SystemError) {
            let file = try FileDescriptor.open(path, .replace(permissions: 0o600))
            try file.write(Array(text.utf8))
        } catch {
            throw Self.failure(error.text)
        }
        let status = try run()
        guard status == .exited(0) else {
            throw Self.failure(
                ErrorText(
                    en: "the editor ended with code \(status.code); nothing was submitted",
                    pl: "edytor zakończył kodem \(status.code); niczego nie wysłano"))
        }
        let bytes: [UInt8]
        do throws(SystemError) { bytes = try Files.readAll(path, cap: Self.maxBytes) } catch {
            // Some editors take the file away where nothing was saved.
            if error.isNotFound { return "" }
            throw Self.failure(error.text)
        }
        guard let edited = String(validating: bytes, as: UTF8.self) else {
            throw Self.failure(
                ErrorText(
                    en: "the edited text is not UTF-8; nothing was submitted",
                    pl: "zmieniony tekst nie jest w UTF-8; niczego nie wysłano"))
        }
        return edited
    }

    private func run() throws(CommandError) -> ExitStatus {
        // An interrupt is for the editor, not for this program.
        let previous = signal(SIGINT, SIG_IGN)
        defer { signal(SIGINT, previous) }
        do throws(SystemError) {
            let output: Int32 = surroundings.isTerminal(1) ? 1 : 2
            let process = try ChildProcess(
                "/bin/sh", ["-c", "\(command) \"$1\"", "claimsctl", path], output: output)
            return process.wait()
        } catch {
            throw Self.failure(error.text)
        }
    }

    /// Leaves the file where it is, so that no text is lost; returns its path.
    mutating func keep() -> String {
        isKept = true
        return path
    }

    private static func failure(_ message: ErrorText) -> CommandError {
        .failed(.failure, kind: "editor", message: message)
    }
}
