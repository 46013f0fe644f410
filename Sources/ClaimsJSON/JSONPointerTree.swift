// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// A set of places in a JSON value, to be followed while the value is walked through.
public struct JSONPointerTree: Sendable {
    private struct Branch: Sendable {
        let name: [UInt8]
        /// The name as the index of an element; nil if it is no index.
        let index: Int?
        let node: Int
    }

    private struct Node: Sendable {
        var branches: [Branch] = []
        var isEnd = false
    }

    private var nodes = [Node()]

    /// A tree of these pointers.
    public init(_ pointers: [JSONPointer] = []) {
        for pointer in pointers {
            var node = 0
            for token in pointer.tokens { node = branch(token, of: node) }
            nodes[node].isEnd = true
        }
    }

    public var isEmpty: Bool { nodes.count == 1 && !nodes[0].isEnd }

    private mutating func branch(_ token: [UInt8], of node: Int) -> Int {
        if let known = nodes[node].branches.first(where: { $0.name == token }) { return known.node }
        nodes[node].branches.append(Branch(name: token, index: JSONPointer.arrayIndex(token), node: nodes.count))
        nodes.append(Node())
        return nodes.count - 1
    }

    /// Whether a pointer ends at a node; false for nil, which is a place off all ways. The root is 0.
    func isEnd(_ node: Int?) -> Bool {
        guard let node else { return false }
        return nodes[node].isEnd
    }

    /// The node that a member leads to; nil if no pointer leads there.
    func child(_ node: Int?, named name: RawSpan) -> Int? {
        guard let node else { return nil }
        for branch in nodes[node].branches where branch.name.rawSpan.equals(name) { return branch.node }
        return nil
    }

    /// The node that an element leads to; nil if no pointer leads there.
    func child(_ node: Int?, at index: Int) -> Int? {
        guard let node else { return nil }
        return nodes[node].branches.first { $0.index == index }?.node
    }
}
