// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol

/// A file that the daemon has taken for the next operation.
struct UploadedFile {
    /// The upload's name, for `submit`.
    let upload: String
    let name: String
    let size: Int64
    /// The media type that the daemon has found.
    let type: String

    /// The file on one line: `scan.png, image/png, 1.2 MiB`.
    func line(_ messages: Messages) -> String { "\(name), \(type), \(messages.size(size))" }

    /// Writes the file as an object with its name, type and size.
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("name", name)
        writer.member("type", type)
        writer.member("size", size)
        writer.endObject()
    }
}

/// Sends files to the daemon in parts, each after the answer to the one before. A file is never in memory as a whole.
struct FileUpload {
    private let context: CommandContext
    private let collection: String

    /// The bytes of one part. As Base64 they fit a line of the protocol.
    private static let partBytes = 512 << 10
    /// The maximum size of a file whose size is not known before it is read, in bytes.
    private static let maxSpooledBytes = 2 << 30

    init(_ context: CommandContext, collection: String) {
        self.context = context
        self.collection = collection
    }

    /// Sends the file at a path, or with `-` standard input.
    ///
    /// - Throws: a failure for a file that cannot be read or that changes meanwhile; the daemon's `invalid` for one
    ///   that is too large, or of a type that is not taken.
    func send(_ path: String) throws(CommandError) -> UploadedFile {
        if path == RecordReference.inputArgument {
            guard !context.surroundings.isTerminal(0) else {
                throw .usage(
                    UsageError(
                        en: "'--attach -' reads a file from standard input, and that is a terminal",
                        pl: "„--attach -” czyta plik ze standardowego wejścia, a to jest terminal",
                        hint: .example("scanimage --format=png | claimsctl add --collection NAME --attach -")))
            }
            return try sendFrom(descriptor: 0, of: nil)
        }
        let file = try reading(path) { () throws(SystemError) in try FileDescriptor.open(path, .read) }
        guard !Files.isDirectory(path) else {
            throw .input(en: "\(path) is a folder, and a file is expected", pl: "\(path) to folder, a oczekiwano pliku")
        }
        guard Files.isRegular(path) else { return try sendFrom(descriptor: file.raw, of: path) }
        return try send(file, name: Paths.name(path), of: path)
    }

    /// Copies the input to an unnamed file first, because the first part of an upload needs the size.
    private func sendFrom(descriptor: Int32, of path: String?) throws(CommandError) -> UploadedFile {
        let source = path ?? context.messages.standardInput
        let file = try reading(source) { () throws(SystemError) in
            let file = try FileDescriptor.temporary(in: context.surroundings.environment("TMPDIR") ?? "/tmp")
            try StandardInput.copy(descriptor, to: file, maxBytes: Self.maxSpooledBytes)
            return file
        }
        let beginning = try reading(source) { () throws(SystemError) in try file.read(16, at: 0) }
        let name = path.map(Paths.name) ?? "attachment" + Self.suffix(of: beginning)
        return try send(file, name: name, of: source)
    }

    private func send(
        _ file: borrowing FileDescriptor, name: String, of source: String
    ) throws(CommandError) -> UploadedFile {
        let size = try reading(source) { () throws(SystemError) in try file.size() }
        var progress = ProgressLine(context)
        defer { progress.clear() }
        var parameters = AttachParameters()
        parameters.collection = collection
        parameters.name = name
        parameters.size = Int64(size)
        var sent = 0
        while true {
            let part = try reading(source) { () throws(SystemError) in try file.read(Self.partBytes, at: sent) }
            guard part.count == min(Self.partBytes, size - sent) else {
                throw .input(
                    en: "\(source) has changed while it was read", pl: "\(source): zmieniło się podczas czytania")
            }
            parameters.data = Base64Data(part)
            let answer = try attach(parameters, name)
            sent += part.count
            progress.show(context.messages.sending(name, Int64(sent), of: Int64(size)))
            guard sent >= size else {
                parameters = AttachParameters()
                parameters.upload = answer[AttachResult.upload]
                parameters.offset = Int64(sent)
                continue
            }
            return UploadedFile(
                upload: answer[AttachResult.upload] ?? "", name: name, size: Int64(size),
                type: answer[AttachResult.type] ?? "")
        }
    }

    /// Sends a part. The problems of a file that is refused name it: there may be several.
    private func attach(_ parameters: AttachParameters, _ name: String) throws(CommandError) -> AnswerValue {
        do throws(CommandError) {
            return try context.call(.attach, parameters)
        } catch {
            guard case .client(.refused(let refusal)) = error else { throw error }
            let problems = FieldProblemText.all(in: refusal.data)
            guard !problems.isEmpty else { throw error }
            throw .invalid(
                problems.map {
                    FieldProblemText(field: $0.field, kind: $0.kind, message: "\(name): \($0.message)", hint: $0.hint)
                })
        }
    }

    private func reading<Value: ~Copyable>(
        _ source: String, _ body: () throws(SystemError) -> Value
    ) throws(CommandError) -> Value {
        do throws(SystemError) { return try body() } catch {
            let reason = error.reasonText
            throw .input(
                en: "\(source) cannot be read: \(reason.english)", pl: "\(source): nie można odczytać: \(reason.polish)"
            )
        }
    }

    /// The usual end of the name of a file that begins so; empty for an unknown kind, which the daemon refuses.
    private static func suffix(of beginning: [UInt8]) -> String {
        FileSignature.mediaType(of: beginning.rawSpan).flatMap { FileSignature.nameEndings(of: $0).first } ?? ""
    }
}
