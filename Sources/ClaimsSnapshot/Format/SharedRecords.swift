// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// The records that a snapshot goes on serving from the files of earlier ones, so that a refresh that changes little
/// writes little.
///
/// Each of those files has a second name that belongs to the snapshot, and so lives as long as it. They are mapped one
/// after another in front of the snapshot's own file: a record that goes on stays where it was.
struct SharedRecords: Sendable {
    /// Parts begin at multiples of this many bytes, which every page size divides.
    static let alignment = 1 << 16
    /// With so many parts all records are written anew.
    static let maxParts = 8
    /// Fewer bytes of records are written anew.
    static let minBytes = 1 << 22
    /// The most of the records' bytes, in hundredths, that may be of no use any more.
    static let maxWastePercent = 25

    /// The records of each earlier file, by their places in the mapping.
    var parts: [Section] = []
    /// Where the snapshot's own file begins in the mapping.
    var origin = 0

    init() {}

    /// Parts that end at `end` in the mapping; the snapshot's own file follows them.
    init(parts: [Section], endingAt end: Int) {
        self.parts = parts
        origin = (end + Self.alignment - 1) / Self.alignment * Self.alignment
    }

    /// Parts as a section table and a header tell them.
    init(_ sections: [Section], parts count: Int, origin: Int) {
        parts = sections.filter { $0.kind == SectionKind.records.rawValue && Int($0.id) < count }
            .sorted { $0.id < $1.id }
        self.origin = origin
    }

    /// How many bytes of a part's file are mapped.
    static func mappedBytes(of part: Section) -> Int { SnapshotHeader.size + part.size }

    /// Maps the parts and, behind them, the snapshot's own file.
    ///
    /// - Parameter size: the size of the own file in bytes.
    func map(_ identity: SnapshotIdentity, of size: Int, in directory: String) throws(SystemError) -> MappedFile {
        var pieces = parts.enumerated().map { number, part in
            MappedFile.Piece(
                path: Paths.join(directory, identity.partName(number)), offset: part.offset - SnapshotHeader.size,
                count: Self.mappedBytes(of: part))
        }
        pieces.append(MappedFile.Piece(path: Paths.join(directory, identity.fileName), offset: origin, count: size))
        return try MappedFile(joining: pieces, size: origin + size)
    }
}
