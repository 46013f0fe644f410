// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel

/// Writes which rows of the files below a new file covers. Looking its ids up when it is opened would take a microsecond or
/// two for each, while nobody is answered.
struct CoverageBuilder: BuildJob {
    let output: SnapshotOutput
    /// The files below.
    let files: [Snapshot]
    let ids: any RowIDs
    /// The ids that are gone since the files below.
    let gone: [[UInt8]]

    func write() throws(StoreError) {
        var rows = files.map { _ in [UInt32]() }
        try ids.forEach { id throws(StoreError) in Self.append(id, of: files, to: &rows) }
        for id in gone { Self.append(id.rawSpan, of: files, to: &rows) }
        for number in files.indices {
            let sorted = rows[number].sorted()
            try output.write(.coveredRows, id: number, width: 4, sorted.span)
        }
        let names = files.map(\.identity.fileID)
        try output.write(.coveredFiles, width: 8, names.span)
    }

    /// Appends the row that each file has for an id.
    private static func append(_ id: RawSpan, of files: [Snapshot], to rows: inout [[UInt32]]) {
        for number in files.indices {
            if let row = files[number].row(forID: id) { rows[number].append(UInt32(truncatingIfNeeded: row)) }
        }
    }
}
