// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsPlatform

/// The first hundred bytes of an SQLite file (sqlite.org/fileformat2.html). Without them nothing else can be read,
/// although all their contents are known.
enum DatabaseHeader {
    static let size = 100
    private static let pageSize = 4096

    /// Whether the file begins like an SQLite file. No connection of this process may be open: SQLite's locks on a file
    /// end when the process closes any descriptor of it (sqlite.org/howtocorrupt.html, 2.2).
    static func isSound(_ path: String) -> Bool {
        guard let file = try? FileDescriptor.open(path, .read), let bytes = try? file.read(size, at: 0) else {
            return false
        }
        return bytes.starts(with: magic) && bytes.count == size && bytes[16] == UInt8(pageSize >> 8)
    }

    /// The version of the tables (`PRAGMA user_version`) in the file itself, without its write-ahead log; nil if it
    /// cannot be read. Like ``isSound(_:)``, it may be called only while this process does not have the file open.
    static func version(_ path: String) -> Int64? {
        guard let file = try? FileDescriptor.open(path, .read), let bytes = try? file.read(size, at: 0) else {
            return nil
        }
        return version(bytes)
    }

    /// The version in the first bytes of a file; nil if they are fewer than a header has.
    static func version(_ header: [UInt8]) -> Int64? {
        guard header.count >= size else { return nil }
        return header[versionOffset..<(versionOffset + 4)].reduce(0) { $0 << 8 | Int64($1) }
    }

    private static let versionOffset = 60

    /// Copies a file, with a new header in place of the old one.
    static func mend(_ path: String, as copy: String, version: Int64, id: Int64) throws(SystemError) {
        let source = try FileDescriptor.open(path, .read)
        let target = try FileDescriptor.open(copy, .replace(permissions: 0o600))
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = try source.read(into: &buffer)
            if count == 0 { break }
            try target.write(buffer.rawSpan.part(0, count))
        }
        try target.write(header(pages: try source.size() / pageSize, version, id).rawSpan, at: 0)
    }

    private static let magic = Array("SQLite format 3\0".utf8)

    private static func header(pages: Int, _ version: Int64, _ id: Int64) -> [UInt8] {
        var header = magic
        header += [UInt8(pageSize >> 8), 0]
        // Version 2 means a write-ahead log; then no reserved bytes, and the three fractions, which are always the
        // same.
        header += [2, 2, 0, 64, 32, 32]
        var words: [UInt32] = [1, UInt32(clamping: pages), 0, 0, 1, 4]
        words += [0, 0, 1, UInt32(version), 0, UInt32(id)]
        words += [0, 0, 0, 0, 0, 1, 3_040_001]
        for word in words {
            header += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
        }
        return header
    }
}

/// Finds the part of a page of an SQLite file in which nothing is stored: between the pointers to its cells and the
/// cells.
///
/// SQLite overwrites deleted cells (`secure_delete`), but it leaves a copy there of a cell that it moves to another
/// page (btree.c, `rebuildPage`; seen with 3.40). The format is described in <https://sqlite.org/fileformat2.html>,
/// 1.6.
enum PageGap {
    /// The size of the file's header, in front of the first page's own.
    private static let fileHeaderSize = 100

    /// The gap of a page, as a range of `bytes`; nil if the page has no cells.
    ///
    /// - Parameters:
    ///   - bytes: several pages.
    ///   - start: the offset of the page in them.
    ///   - isFirst: whether it is the first page of the file.
    static func range(in bytes: [UInt8], from start: Int, size: Int, isFirst: Bool) -> Range<Int>? {
        let header = start + (isFirst ? fileHeaderSize : 0)
        let headerSize: Int
        switch bytes[header] {
        case 2, 5: headerSize = 12
        case 10, 13: headerSize = 8
        default: return nil
        }
        func number(_ offset: Int) -> Int { Int(bytes[header + offset]) << 8 | Int(bytes[header + offset + 1]) }
        let first = header + headerSize + 2 * number(3)
        let cells = number(5)
        let end = start + (cells == 0 ? 1 << 16 : cells)
        guard first <= end, end <= start + size else { return nil }
        return first..<end
    }
}
