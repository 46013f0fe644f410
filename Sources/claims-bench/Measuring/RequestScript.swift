// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Requests made beforehand, end to end, that a run sends over and over.
struct RequestScript {
    private(set) var bytes: [UInt8] = []
    private(set) var ends: [UInt32] = []
    /// How many newlines an answer has.
    let newlines: Int

    init(newlines: Int = 1) {
        self.newlines = newlines
    }

    var count: Int { ends.count }

    mutating func append(_ request: String) {
        bytes += Array(request.utf8)
        ends.append(UInt32(bytes.count))
    }

    func request(_ index: Int) -> [UInt8] {
        let start = index == 0 ? 0 : Int(ends[index - 1])
        return Array(bytes[start..<Int(ends[index])])
    }

    /// So many requests that are all different records, asked for in no order.
    static let variety = 16_384
}
