// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

extension JSON5Node {
    /// The node with `patch` merged over it (RFC 7396): objects are merged member by member, null removes a member,
    /// anything else takes the place of what was there. Every value keeps the place of the file it came from, and
    /// members their order; new ones come after the old.
    func merging(_ patch: JSON5Node) -> JSON5Node {
        guard case .object(let changes) = patch.value else { return patch }
        var merged = self
        var members: [JSON5Member] = []
        if case .object(let own) = value {
            members = own
        } else {
            merged = patch
        }
        for change in changes {
            let index = members.firstIndex { $0.key == change.key }
            if let index, case .null = change.node.value {
                members.remove(at: index)
            } else if let index {
                members[index] = members[index].merging(change)
            } else {
                // A null that removes nothing stays, so that a reader of the object sees its key.
                let nothing = JSON5Node(
                    value: .null, file: change.node.file, line: change.node.line, column: change.node.column)
                var member = change
                member.node = nothing.merging(change.node)
                members.append(member)
            }
        }
        merged.value = .object(members)
        return merged
    }
}

extension JSON5Member {
    /// The member with another one of its key merged over it. Where that replaces the value, the key's place is its
    /// too.
    fileprivate func merging(_ change: JSON5Member) -> JSON5Member {
        let merged = node.merging(change.node)
        if case .object = change.node.value {
            return JSON5Member(key: key, keyLine: keyLine, keyColumn: keyColumn, node: merged)
        }
        return change
    }
}
