// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Finds the sections of a file by what they hold.
struct SectionIndex: Sendable {
    private let sections: [UInt32: Section]

    init(_ sections: [Section]) {
        self.sections = Dictionary(
            sections.map { (UInt32($0.kind) << 16 | UInt32($0.owner), $0) }, uniquingKeysWith: { first, _ in first })
    }

    subscript(_ kind: SectionKind, _ owner: Int) -> Section? {
        sections[UInt32(kind.rawValue) << 16 | UInt32(truncatingIfNeeded: owner)]
    }

    /// A section of integers; an empty table where there is none.
    func table(_ kind: SectionKind, _ owner: Int = 0) -> Table {
        guard let section = self[kind, owner], [1, 2, 4, 8].contains(section.width) else { return Table() }
        let width = Int(section.width)
        return Table(offset: section.offset, count: section.size / width, width: width)
    }

    /// A section of bytes; an empty one where there is none.
    func blob(_ kind: SectionKind, _ owner: Int = 0) -> Blob {
        guard let section = self[kind, owner] else { return Blob() }
        return Blob(offset: section.offset, size: section.size)
    }

    func postings(_ starts: SectionKind, _ counts: SectionKind, _ lists: SectionKind, _ owner: Int = 0) -> PostingLists
    {
        let blob = blob(lists, owner)
        return PostingLists(
            starts: table(starts, owner), counts: table(counts, owner), offset: blob.offset, size: blob.size / 2)
    }
}
