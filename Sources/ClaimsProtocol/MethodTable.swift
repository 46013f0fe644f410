// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// The method table: `describe`, the readers of parameters, the man page and the tests all look here.
package enum MethodTable {
    /// In the order of ``Method/allCases``.
    package static let byMethod: [MethodDescription] = [
        .hello, .describe, .ping, .status, .search, .sort, .count, .facets, .detail, .archive, .unarchive, .refresh,
        .deal, .cancel,
    ]

    /// The names of each method's parameters as bytes.
    static let parameterNames: [[[UInt8]]] = byMethod.map { $0.parameters.map(\.utf8) }

    /// The names as bytes, the most frequent methods first.
    private static let names: [(utf8: [UInt8], method: Method)] = {
        let frequent: [Method] = [.detail, .search, .count, .sort]
        let rest = Method.allCases.filter { !frequent.contains($0) }
        return (frequent + rest).map { (Array($0.rawValue.utf8), $0) }
    }()

    /// The method of that name, or nil.
    package static func method(named name: RawSpan) -> Method? {
        for entry in names where ByteComparison.areEqual(name, entry.utf8) {
            return entry.method
        }
        return nil
    }

    /// What to say to somebody who asked for a method that is not there.
    package static func hint(for name: String) -> String {
        if let nearest = Suggestion.nearest(name, among: Method.allCases.map(\.rawValue)) {
            return "did you mean '\(nearest)'?"
        }
        return "the methods are " + Method.allCases.map(\.rawValue).joined(separator: ", ")
    }
}
