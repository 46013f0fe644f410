// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel

/// In tests, the text of a source is its collection, or `collection:site`.
extension SourceID: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) {
        let parts = text.split(separator: ":", maxSplits: 1)
        self.init(String(parts[0]), site: parts.count > 1 ? String(parts[1]) : nil)
    }
}
