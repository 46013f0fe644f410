// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A promise of a reader's that some input breaks.
struct FuzzFinding: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    /// Throws unless `promise` is kept.
    static func unless(_ promise: Bool, _ description: @autoclosure () -> String) throws {
        if !promise { throw FuzzFinding(description()) }
    }
}
