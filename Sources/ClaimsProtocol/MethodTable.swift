// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// The method table: `describe`, the readers of parameters, the man page and the tests all look here.
public enum MethodTable {
    /// In the order of ``Method/allCases``.
    public static let byMethod: [MethodDescription] = [
        .hello, .describe, .ping, .status, .search, .sort, .count, .facets, .detail, .archive, .unarchive, .refresh,
        .deal, .cancel,
    ]

    /// The parameters of all methods, and where those of each method end.
    private static let parameters = byMethod.flatMap(\.parameters).map { (name: PackedName($0.name), key: $0.key) }
    private static let parameterEnds = byMethod.indices.map { index in
        byMethod[...index].map(\.parameters.count).reduce(0, +)
    }

    /// The parameter of a method that has this name, or nil.
    static func parameter(named name: PackedName, of method: Method) -> ParameterName? {
        for place in (method.index == 0 ? 0 : parameterEnds[method.index - 1])..<parameterEnds[method.index]
        where parameters[place].name == name { return parameters[place].key }
        return nil
    }

    /// The methods by name, the most frequent first.
    private static let names: [(name: PackedName, method: Method)] = {
        let frequent: [Method] = [.detail, .search, .count, .sort]
        let rest = Method.allCases.filter { !frequent.contains($0) }
        return (frequent + rest).map { (PackedName($0.rawValue), $0) }
    }()

    /// The method of that name, or nil.
    static func method(named name: PackedName) -> Method? {
        for place in names.indices where names[place].name == name { return names[place].method }
        return nil
    }

    /// What to say to somebody who asked for a method that is not there.
    public static func hint(for name: String) -> String {
        if let nearest = Suggestion.nearest(name, among: Method.allCases.map(\.rawValue)) {
            return "did you mean '\(nearest)'?"
        }
        return "the methods are " + Method.allCases.map(\.rawValue).joined(separator: ", ")
    }
}
