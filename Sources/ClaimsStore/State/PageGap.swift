// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Finds the part of a page of an SQLite file in which nothing is stored: between the pointers to its cells and the cells.
///
/// SQLite overwrites deleted cells (`secure_delete`), but of a cell that it moves to another page it leaves a copy there
/// (btree.c, `rebuildPage`; seen with 3.40). <https://sqlite.org/fileformat2.html>, 1.6, is what this rests on.
enum PageGap {
    /// The size of the file's header, in front of the first page's own.
    private static let fileHeaderSize = 100

    /// The gap of a page, as a range of `bytes`; nil where the page has no cells.
    ///
    /// - Parameters:
    ///   - bytes: several pages.
    ///   - start: where the page begins among them.
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
