// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsQuery
import Testing

/// Every operator on every type: a result, or an error that names the operator and the field.
struct OperatorMatrixTests {
    /// A field of a type, what it takes, two values it has, and one that is of another type.
    struct Row: Sendable, CustomTestStringConvertible {
        let field: String
        let takes: String
        let values: [String]
        let wrong: String?

        var testDescription: String { field }
    }

    static let ordering = "> >= < <= .before= .after= .."

    static let rows = [
        Row(field: "id", takes: "= != ~ !~ ^= " + ordering, values: ["2", "x-3"], wrong: nil),
        Row(field: "title", takes: "= != ~ !~ ^= " + ordering, values: ["water", "Ui essay"], wrong: nil),
        Row(field: "link", takes: "= != ~ !~ ^=", values: ["http://b.example/ä", "https:"], wrong: nil),
        Row(field: "state", takes: "= != " + ordering, values: ["damaged", "on-shelf"], wrong: "gone"),
        Row(field: "pages", takes: "= != " + ordering, values: ["2", "10"], wrong: "two"),
        Row(field: "price", takes: "= != " + ordering, values: ["0.1", "1e2"], wrong: "1,5x"),
        Row(field: "added", takes: "= != " + ordering, values: ["yesterday", "2026-11-20T12:00:00Z"], wrong: "noon"),
        Row(field: "due", takes: "= != " + ordering, values: ["2026-11-20", "+2d"], wrong: "2026-11-31"),
        Row(field: "lent", takes: "= !=", values: ["true", "false"], wrong: "maybe"),
        Row(field: "extra", takes: "", values: ["1", "{}"], wrong: nil),
        Row(field: "state.raw", takes: "= != ~ !~ ^=", values: ["BROKEN_STATUS", "BROKEN"], wrong: nil),
    ]

    @Test func `every type has its row`() {
        let types = Self.rows.compactMap { Library.definition.fieldIndex($0.field) }
            .map { Library.definition.fields[$0].type }
        #expect(Set(types) == Set(FieldType.allCases))
    }

    @Test(arguments: rows) func `an operator has a result or a named error`(_ row: Row) throws {
        let takes = Set(row.takes.split(separator: " ").map(String.init))
        for comparator in FilterOperator.allCases {
            for name in [comparator.symbol, ".\(comparator.rawValue)="] {
                for values in [row.values[0], row.values[1], row.values.joined(separator: ",")] {
                    try check("\(row.field)\(name)\(values)", comparator.symbol, row, takes: takes)
                }
            }
        }
        for range in [row.values.joined(separator: ".."), "\(row.values[0])..", "..\(row.values[1])"] {
            try check("\(row.field)=\(range)", "..", row, takes: takes)
            try check("\(row.field)!=\(range)", "..", row, takes: takes)
        }
        try check("\(row.field).any", ".any", row, takes: [".any"])
        try check("\(row.field).none", ".none", row, takes: [".none"])
    }

    private func check(_ text: String, _ symbol: String, _ row: Row, takes: Set<String>) throws {
        let node = try FilterParser.parse(text)
        guard takes.contains(symbol) else {
            let error = #expect(throws: FilterError.self, "\(text)") { try node.typed(in: Library.context) }
            #expect(error?.message.contains("does not apply to '\(row.field)'") == true, "\(error?.message ?? "")")
            #expect(error?.hint?.contains(".any .none") == true)
            return
        }
        #expect(Library.ids(try node.typed(in: Library.context)) == Library.naiveIDs(node), "\(text)")
    }

    @Test(arguments: rows) func `a value of another type is refused where it stands`(_ row: Row) throws {
        guard let wrong = row.wrong?.split(separator: ",").last.map(String.init) else { return }
        for symbol in row.takes.split(separator: " ") {
            let isRange = symbol == ".."
            let text =
                isRange ? "\(row.field)=\(row.values[0])..\(wrong)" : "\(row.field)\(symbol)\(row.values[0]),\(wrong)"
            let error = #expect(throws: FilterError.self, "\(text)") {
                try FilterParser.parse(text).typed(in: Library.context)
            }
            #expect(error?.position == text.utf8.count - wrong.utf8.count)
            #expect(error?.length == wrong.utf8.count)
            #expect(error?.message.contains("'\(wrong)'") == true)
            #expect(error?.hint?.isEmpty == false)
        }
    }

    @Test func `free text in a collection without searched fields finds nothing`() throws {
        let fields = Library.definition.fields.prefix(1)
        let definition = Definition(name: "ids", source: Library.definition.source, fields: Array(fields))
        let context = FilterContext(definition: definition, now: Library.now)
        #expect(try FilterParser.parse("water").typed(in: context) == .constant(false))
        #expect(try FilterParser.parse("not water").typed(in: context) == .constant(true))
    }
}
