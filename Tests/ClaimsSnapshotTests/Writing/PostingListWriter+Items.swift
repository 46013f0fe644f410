// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
@testable import ClaimsSnapshot

extension PostingListWriter {
    /// The content of the list, as a reader finds it in a file.
    var items: [Int] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: UInt32(0))
        bytes.append(littleEndian: UInt32(units.count))
        bytes.append(littleEndian: UInt32(count))
        for unit in units { bytes += [UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8)] }
        let lists = PostingLists(
            starts: Table(offset: 0, count: 2), counts: Table(offset: 8, count: 1), offset: 12, size: units.count)
        var found: [Int] = []
        lists.view(bytes.rawSpan).forEach(0) { item in
            found.append(item)
            return true
        }
        return found
    }
}
