// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform

/// Where `share` puts records: a folder, or an archive.
protocol ShareTarget {
    /// The path of a record's folder; nil if it is no file on disk.
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
                message: TranslatedText(
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
                message: TranslatedText(
                    en: "\(path) does not fit a tar archive", pl: "\(path) nie mieści się w archiwum tar"))
        }
        try write(header)
    }

    private func write(_ bytes: [UInt8]) throws(CommandError) {
        try context.printing { () throws(OutputError) in try context.console.output.write(bytes) }
    }
}

/// The headers and ends of a tar archive in the ustar format (POSIX.1-1988, pax(1)). Pure: it makes bytes.
///
/// ```swift
/// bytes += try TarWriter.header(path: "7/scan.png", size: 1200, modified: 1_795_162_382)
/// bytes += content + TarWriter.padding(after: 1200)
/// bytes += TarWriter.end
/// ```
enum TarWriter {
    private static let blockBytes = 512
    /// The maximum size of a file, in bytes: eleven octal digits.
    static let maxSize: Int64 = 0o77_777_777_777

    /// A path or a size that the format cannot hold.
    struct Unfit: Error {}

    /// The header of a regular file that only its owner can read.
    ///
    /// - Parameters:
    ///   - path: folder and name, of at most 155 and 100 bytes.
    ///   - size: the number of bytes that follow, before their padding.
    ///   - modified: the time of the last change, in seconds since 1970.
    static func header(path: String, size: Int64, modified: Int64) throws(Unfit) -> [UInt8] {
        var block = [UInt8](repeating: 0, count: blockBytes)
        let (prefix, name) = try split(path)
        guard (0...maxSize).contains(size) else { throw Unfit() }
        put(name, at: 0, in: &block)
        put(octal(0o600, digits: 7), at: 100, in: &block)
        put(octal(0, digits: 7), at: 108, in: &block)
        put(octal(0, digits: 7), at: 116, in: &block)
        put(octal(size, digits: 11), at: 124, in: &block)
        put(octal(max(0, modified), digits: 11), at: 136, in: &block)
        // The checksum counts as eight spaces while it is being made.
        put(Array("        ".utf8), at: 148, in: &block)
        block[156] = UInt8(ascii: "0")
        put(Array("ustar".utf8), at: 257, in: &block)
        put(Array("00".utf8), at: 263, in: &block)
        put(octal(0, digits: 7), at: 329, in: &block)
        put(octal(0, digits: 7), at: 337, in: &block)
        put(prefix, at: 345, in: &block)
        let sum = block.reduce(Int64(0)) { $0 + Int64($1) }
        put(octal(sum, digits: 6) + [0, UInt8(ascii: " ")], at: 148, in: &block)
        return block
    }

    /// The zeros that fill the last block of a file.
    static func padding(after size: Int64) -> [UInt8] {
        let rest = Int(size % Int64(blockBytes))
        return [UInt8](repeating: 0, count: rest == 0 ? 0 : blockBytes - rest)
    }

    /// The end of an archive: two blocks of zeros.
    static let end = [UInt8](repeating: 0, count: 2 * blockBytes)

    private static func split(_ path: String) throws(Unfit) -> (prefix: [UInt8], name: [UInt8]) {
        let bytes = Array(path.utf8)
        if bytes.count <= 100, !bytes.isEmpty { return ([], bytes) }
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { throw Unfit() }
        let (prefix, name) = (Array(bytes[..<slash]), Array(bytes[(slash + 1)...]))
        guard prefix.count <= 155, (1...100).contains(name.count) else { throw Unfit() }
        return (prefix, name)
    }

    private static func octal(_ number: Int64, digits: Int) -> [UInt8] {
        let text = Array(String(number, radix: 8).utf8)
        return [UInt8](repeating: UInt8(ascii: "0"), count: max(0, digits - text.count)) + text
    }

    private static func put(_ bytes: [UInt8], at offset: Int, in block: inout [UInt8]) {
        block.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }
}
