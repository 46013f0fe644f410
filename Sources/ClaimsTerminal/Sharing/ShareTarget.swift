// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform

/// Where `share` puts records: a folder, or an archive.
protocol ShareTarget {
    /// The path of a record's folder; nil where it is no file on disk.
    func path(of folder: String) -> String?
    /// Begins the folder of a record; its name is safe, and no other record of the command has it.
    func begin(_ folder: String) throws(CommandError)
    /// Adds a file with this content to the folder that was begun last.
    func add(_ name: String, _ content: [UInt8]) throws(CommandError)
    /// Adds a file of the record to the folder that was begun last.
    func add(_ name: String, _ file: RecordFile, of reference: RecordReference) throws(CommandError)
    /// Takes back the folder that was begun last, which lacks files.
    func abandon()
    /// Ends the whole.
    func finish() throws(CommandError)
}

/// A folder on disk. Nothing in it is overwritten, and only this user can read what is added.
final class ShareFolder: ShareTarget {
    private let path: String
    private let context: CommandContext
    private var current = ""
    /// Whether the current folder is one of this command's.
    private var isMade = false

    init(_ path: String, _ context: CommandContext) {
        self.path = path
        self.context = context
    }

    func path(of folder: String) -> String? { Paths.join(path, folder) }

    func begin(_ folder: String) throws(CommandError) {
        current = Paths.join(path, folder)
        isMade = false
        if Files.exists(current) || Files.readLink(current) != nil {
            throw .failed(
                .conflict, kind: "conflict",
                message: ErrorText(
                    en: "\(current) is there already, and nothing is overwritten",
                    pl: "\(current) już istnieje, a niczego się nie nadpisuje"))
        }
        try context.saving { () throws(SystemError) in try Directory.create(current, permissions: 0o700) }
        isMade = true
    }

    func abandon() {
        // A file that cannot be removed stays, and is named when it is in the way.
        if isMade { try? Directory.remove(current) }
    }

    func add(_ name: String, _ content: [UInt8]) throws(CommandError) {
        let path = Paths.join(current, name)
        try context.saving { () throws(SystemError) in
            try FileDescriptor.open(path, .create(permissions: 0o600)).write(content)
        }
    }

    func add(_ name: String, _ file: RecordFile, of reference: RecordReference) throws(CommandError) {
        try context.save(file, of: reference, to: Paths.join(current, name))
    }

    func finish() throws(CommandError) {}
}

/// A tar archive on standard output.
final class ShareArchive: ShareTarget {
    private let context: CommandContext
    private let modified: Int64
    private var current = ""

    init(_ context: CommandContext) {
        self.context = context
        modified = context.surroundings.now() / 1000
    }

    func path(of folder: String) -> String? { nil }

    func begin(_ folder: String) throws(CommandError) { current = folder }

    // An archive that ends early is no archive.
    func abandon() {}

    func add(_ name: String, _ content: [UInt8]) throws(CommandError) {
        try begin(name, size: Int64(content.count))
        try write(content + TarWriter.padding(after: Int64(content.count)))
    }

    func add(_ name: String, _ file: RecordFile, of reference: RecordReference) throws(CommandError) {
        try begin(name, size: file.size)
        try context.fetch(file, of: reference) { bytes throws(CommandError) in try write(bytes) }
        try write(TarWriter.padding(after: file.size))
    }

    func finish() throws(CommandError) { try write(TarWriter.end) }

    private func begin(_ name: String, size: Int64) throws(CommandError) {
        let path = "\(current)/\(name)"
        let header: [UInt8]
        do throws(TarWriter.Unfit) {
            header = try TarWriter.header(path: path, size: size, modified: modified)
        } catch {
            throw .failed(
                .failure, kind: "output",
                message: ErrorText(
                    en: "\(path) does not fit a tar archive", pl: "\(path) nie mieści się w archiwum tar"))
        }
        try write(header)
    }

    private func write(_ bytes: [UInt8]) throws(CommandError) {
        try context.printing { () throws(OutputError) in try context.console.output.write(bytes) }
    }
}
