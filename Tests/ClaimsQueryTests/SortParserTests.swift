// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsQuery
import Testing

/// Orders as requests ask for them.
struct SortParserTests {
    /// An order as field names, `-` before those that descend.
    private func names(_ order: RecordOrder) -> String {
        order.keys.map { ($0.descending ? "-" : "") + Library.definition.fields[$0.field].name }.joined(separator: " ")
    }

    @Test(arguments: [
        ("title", "title id"), ("-title", "-title id"), ("title,-price", "title -price id"),
        (" title , -price ", "title -price id"), ("-id", "-id"), ("id", "id"), ("title,-id", "title -id"),
        // Ids are unique: what follows them says nothing.
        ("id,title", "id"), ("title,id,price", "title id"), ("title,-title", "title id"),
        // A named order wins over a field of its name.
        ("state", "state id"), ("-state", "-state -id"), ("newest", "-added id"), ("-newest", "added id"),
        // Its id must not hide the keys behind it.
        ("state,title", "state title id"), ("-state,title", "-state title id"), ("title,-state", "title -state -id"),
        ("newest,-id", "-added -id"), ("kind,state", "kind state id"),
        ("due,lent,link,pages,author", "due lent link pages author id"),
    ])
    func `a comma list is an order`(_ text: String, _ expected: String) throws {
        #expect(names(try SortParser.parse(text, in: Library.definition)) == expected)
        #expect(names(try SortParser.parse(.string(text), in: Library.definition)) == expected)
        let keys = text.split(separator: ",").map { JSONValue.string($0.filter { $0 != " " }) }
        #expect(names(try SortParser.parse(.array(keys), in: Library.definition)) == expected)
    }

    @Test(arguments: [
        ("titel", 0, 5, "unknown sort key 'titel'", "did you mean 'title'?"),
        ("title,-prise", 6, 6, "unknown sort key 'prise'", "did you mean 'price'?"),
        ("title, newst", 7, 5, "unknown sort key 'newst'", "did you mean 'newest'?"),
        ("qqq", 0, 3, "unknown sort key 'qqq'", "one of newest, state, id, title"),
        ("extra", 0, 5, "'extra', of type json, has no order", ""), ("", 0, 0, "an empty sort key", "leave 'sort' out"),
        ("title,", 6, 0, "an empty sort key", ""), ("-", 0, 1, "an empty sort key", ""),
        ("title:desc", 0, 10, "unknown sort key 'title:desc'", "write '-title'"),
        ("title desc", 0, 10, "unknown sort key 'title desc'", "write '-title'"),
        ("title:asc", 0, 9, "unknown sort key", "write 'title', or '-title' to descend"),
        ("+title", 0, 6, "unknown sort key '+title'", "write 'title', or '-title' to descend"),
        ("--title", 0, 7, "unknown sort key '-title'", "title"),
        ("state.raw", 0, 9, "unknown sort key 'state.raw'", ""),
    ])
    func `an order that cannot be used is refused`(
        _ text: String, _ position: Int, _ length: Int, _ message: String, _ hint: String
    ) {
        let error = #expect(throws: FilterError.self) { try SortParser.parse(text, in: Library.definition) }
        #expect(error?.kind == .badSort)
        #expect(error?.position == position)
        #expect(error?.length == length)
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
        #expect(hint.isEmpty || error?.hint?.contains(hint) == true, "\(error?.hint ?? "")")
    }

    @Test(
        arguments: [
            ("[]", nil, "an order without keys"), ("5", nil, "a string or an array"),
            ("null", nil, "a string or an array"),
            ("[\"title\",5]", "/1", "a sort key is a string"), ("[\"title,price\"]", "/0", "unknown sort key"),
            ("[\"title\",\"\"]", "/1", "an empty sort key"),
        ] as [(String, String?, String)])
    func `an error in an array points into it`(_ json: String, _ pointer: String?, _ message: String) throws {
        let value = try JSONValue.parse(json)
        let error = #expect(throws: FilterError.self) { try SortParser.parse(value, in: Library.definition) }
        #expect(error?.kind == .badSort)
        #expect(error?.pointer == pointer)
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }

    @Test func `an order has at most 64 keys`() {
        let keys = Array(repeating: "title", count: 65).joined(separator: ",")
        let error = #expect(throws: FilterError.self) { try SortParser.parse(keys, in: Library.definition) }
        #expect(error?.message == "an order of more than 64 keys")
    }
}
