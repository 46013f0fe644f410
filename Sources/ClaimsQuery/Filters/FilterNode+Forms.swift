// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON

extension FilterNode {
    /// The filter as a text in its normal form; `FilterParser` reads it back as an equal node.
    public var text: String { FilterTextWriter.text(of: self) }

    /// The filter as a tree; `FilterParser` reads it back as an equal node. Values are strings: their types are the
    /// definition's.
    public var tree: JSONValue {
        switch self {
        case .and(let operands): .array(["and"] + operands.map(\.tree))
        case .or(let operands): .array(["or"] + operands.map(\.tree))
        case .not(let operand): ["not", operand.tree]
        case .term(let term): term.tree
        }
    }
}

extension FilterTerm {
    /// The term as a text in its normal form.
    public var text: String { FilterTextWriter.text(of: self) }

    /// The term as a tree.
    public var tree: JSONValue {
        switch condition {
        case .compare(let field, let comparator, let values):
            let list = values.map { JSONValue.string($0.text) }
            return [.string(comparator.rawValue), .string(field.text), list.count == 1 ? list[0] : .array(list)]
        case .range(let field, let low, let high):
            return [
                "range", .string(field.text), low.map { .string($0.text) } ?? nil, high.map { .string($0.text) } ?? nil,
            ]
        case .any(let field): return ["any", .string(field.text)]
        case .none(let field): return ["none", .string(field.text)]
        case .text(let value): return ["text", .string(value.text)]
        }
    }
}
