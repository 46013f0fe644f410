// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import Glibc

/// A form as a JSON5 text for an editor, and the form that comes back. Pure.
///
/// Titles, limits and codes stand before each field as comments. A field whose line is taken away stays as it was.
struct EditorForm {
    private let title: String
    private let messages: Messages
    /// The form as the record fills it.
    let form: RecordForm

    /// - Parameters:
    ///   - record: the record as it is served.
    ///   - fields: the fields that can be given, in their order.
    init(
        _ record: AnswerValue, id: String, _ description: CollectionDescription, fields: [OfferedField],
        time: LocalTime
    ) {
        messages = time.messages
        title = "\(description.singular) \(id)"
        var form = RecordForm(fields, of: description, time)
        form.fill(record)
        self.form = form
    }

    /// The text for the editor.
    ///
    /// - Parameters:
    ///   - form: the values of the fields; those of ``form`` at first.
    ///   - problems: what was wrong with them, shown on top.
    func text(_ form: RecordForm, problems: [String] = []) -> String {
        var text = problems.map { "// ! \(Escaping.line($0))\n" }.joined()
        for line in messages.editorHelp(Escaping.line(title)) { text += "// \(line)\n" }
        text += "{\n"
        for field in form.fields {
            for line in comments(of: field.field) { text += "  // \(line)\n" }
            var writer = JSONWriter()
            field.field.shown(field.value ?? .null).write(to: &writer)
            text += "  \(field.name): \(String(decoding: writer.bytes, as: UTF8.self)),\n"
        }
        return text + "}\n"
    }

    private func comments(of field: WritableField) -> [String] {
        var words = [field.heading, field.type.rawValue] + field.limits
        if field.type == .instant { words.append(messages.byYourClock) }
        if !field.isClearable { words.append(messages.word("required")) }
        var lines = [words.joined(separator: " · ")]
        for choice in field.choices {
            lines.append("  " + (choice.label == choice.code ? choice.code : "\(choice.code): \(choice.label)"))
        }
        return lines
    }

    /// The form of a text that was edited.
    ///
    /// - Returns: nil for a text without anything but comments and white space.
    /// - Throws: a sentence about what is wrong, with its line.
    func read(_ text: String) throws(FormError) -> RecordForm? {
        if Self.isEmpty(text) { return nil }
        let root: JSON5Node
        do throws(JSON5Error) {
            root = try JSON5.parse(Array(text.utf8), file: "")
        } catch {
            throw FormError(line: error.line, message: .same(error.message))
        }
        guard case .object(let members) = root.value else {
            throw FormError(
                line: root.line,
                message: TranslatedText(
                    en: "an object in braces is expected", pl: "oczekiwano obiektu w nawiasach klamrowych"))
        }
        var form = form
        for member in members {
            guard let index = form.index(of: member.key) else {
                let message = TranslatedText(
                    en: "'\(member.key)' is no field that can be changed",
                    pl: "„\(member.key)” nie jest polem, które można zmienić")
                let near = Suggestion.question(member.key, among: form.fields.map(\.name))
                throw FormError(line: member.keyLine, message: near.map { message.joined("; ", $0) } ?? message)
            }
            guard let value = try? JSONValue.parse(member.node.text) else {
                throw FormError(
                    line: member.node.line,
                    message: TranslatedText(
                        en: "'\(member.key)' has a number that JSON does not have",
                        pl: "„\(member.key)” ma liczbę, której nie ma w JSON-ie"))
            }
            form.edit(index) { field in
                // A time that nobody has changed is in its exact form already.
                field.enter(value == field.original ? value : field.field.exact(value))
            }
        }
        return form
    }

    /// Whether the text has nothing but comments and white space.
    private static func isEmpty(_ text: String) -> Bool {
        text.split(whereSeparator: \.isNewline).allSatisfy { line in
            let content = String(line).trimmingSpaces()
            return content.isEmpty || content.hasPrefix("//")
        }
    }
}

/// The reason why an edited text has no values.
struct FormError: Error, Equatable {
    /// The line that it is about, from 1.
    let line: Int
    /// The reason as a phrase.
    let message: TranslatedText

    /// The reason with a line before it.
    func text(line: Int) -> TranslatedText {
        TranslatedText(en: "line \(line)", pl: "wiersz \(line)").joined(": ", message)
    }
}

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
                    hint: TranslatedText(
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
                TranslatedText(
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
                TranslatedText(
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

    private static func failure(_ message: TranslatedText) -> CommandError {
        .failed(.failure, kind: "editor", message: message)
    }
}
