// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsRefresh
import Testing

@Suite("A drafted definition")
struct DefinitionDraftTests {
    private let machines = """
        {"meta": {"total": 3}, "data": {"errors": [], "machines": [
          {"serialNo": "A-1", "Name": "Press one", "state": "RUNNING", "id": 1, "load": 0.5, "cycles": 12,
           "checkedAt": "2026-11-20T08:00:00Z", "bought": "2020-01-02", "isLeased": true, "home": "https://x.example/1",
           "site": {"code": "W", "floor": 1}, "tags": ["a"], "spare": null},
          {"serialNo": "A-2", "Name": "Press two", "state": "STOPPED", "id": 2, "load": 1, "cycles": 13,
           "checkedAt": null, "bought": "2020-01-03", "isLeased": false, "home": "https://x.example/2",
           "site": {"code": "W", "floor": 2}, "tags": []},
          {"serialNo": "A-3", "Name": "Saw", "state": "RUNNING", "id": 3, "load": 2.25, "cycles": 14,
           "checkedAt": "2026-11-21T08:00:00.5+01:00", "bought": "2021-01-02", "isLeased": false,
           "home": "https://x.example/3", "site": {"code": "G", "floor": 1}, "tags": ["b", 1]},
          {"serialNo": "A-4", "Name": "Lathe", "state": "STOPPED", "id": 4, "load": 2.25, "cycles": 14,
           "site": {"code": "G"}}
        ]}}
        """

    @Test("The types are the narrowest that fit all values, and nested objects become pointers.")
    func types() throws {
        let definition = try Drafting.draft(machines)
        let types = definition.fields.map { "\($0.name) \($0.type.rawValue) \($0.from.map(\.text).joined())" }
        #expect(
            types == [
                "id id /id", "serial_no text /serialNo", "name text /Name", "state enum /state", "load decimal /load",
                "cycles integer /cycles", "checked_at instant /checkedAt", "bought date /bought",
                "is_leased bool /isLeased", "home url /home", "site_code enum /site/code",
                "site_floor integer /site/floor", "tags json /tags", "spare text /spare",
            ])
        #expect(definition.source.request.root.text == "/data/machines")
        #expect(definition.vocabularies.map { $0.codes.map(\.code) }[0] == ["UNKNOWN", "RUNNING", "STOPPED"])
        #expect(try Drafting.decode(machines, definition) == (4, [], 0))
    }

    @Test("A name is searched and bold, and the list has the id, the name and codes first.")
    func presentation() throws {
        let definition = try Drafting.draft(machines, name: "machines")
        #expect(definition.fields.filter(\.isEmphasized).map(\.name) == ["name"])
        #expect(definition.fields.filter(\.isSearched).map(\.name) == ["serial_no", "name"])
        #expect(
            definition.list.map { definition.fields[$0].name }
                == ["id", "name", "state", "site_code", "serial_no", "load"])
        #expect(definition.title.text("en") == "Machines")
        #expect(definition.singular == "machine")
    }

    @Test("Only codes that repeat are quoted of the data.")
    func privacy() throws {
        let text = try Drafting.text(machines)
        for value in ["Press", "A-1", "x.example", "2020", "0.5"] { #expect(!text.contains(value), "\(value)") }
        let mails =
            #"[{"id":1,"mail":"a@b.c"},{"id":2,"mail":"a@b.c"},{"id":3,"mail":"d@b.c"},{"id":4,"mail":"d@b.c"}]"#
        #expect(!(try Drafting.text(mails)).contains("@"))
        let keys = #"[{"id":1,"apiKey":"s1"},{"id":2,"apiKey":"s1"},{"id":3,"apiKey":"s2"},{"id":4,"apiKey":"s2"}]"#
        #expect(!(try Drafting.text(keys)).contains("s1"))
    }

    @Test("An id has a value of its own in each record; one called id is taken before others.")
    func ids() throws {
        func id(_ body: String) throws -> String { try Drafting.draft(body).fields[0].from[0].text }
        #expect(try id(#"[{"code":"a","id":"1\n"},{"code":"b","id":"2"}]"#) == "/code")
        #expect(try id(#"[{"name":"a","id":1},{"name":"b","id":2}]"#) == "/id")
        #expect(try id(#"[{"id":1,"code":"a"},{"id":1,"code":"b"}]"#) == "/code")
        #expect(try id(#"[{"id":1,"uuid":"a"},{"id":"1","uuid":"b"}]"#) == "/uuid")
        #expect(try id(#"[{"node":{"id":1,"name":"x y"}},{"node":{"id":2,"name":"x z"}}]"#) == "/node/id")
        #expect(try id(#"[{"id":1,"id":null,"slug":"a"},{"id":2,"slug":"b"}]"#) == "/slug")
        #expect(try id(#"[{"id":" ","name":"a"},{"id":2,"name":"b"}]"#) == "/name")
        #expect(throws: DraftError.repeatedID(try JSONPointer("/id"), objects: 2)) {
            try id(#"[{"id":1,"x":true},{"id":1,"x":false}]"#)
        }
        // A long number is none with a fraction.
        #expect(try id(#"[{"no":1234567890123456789012345},{"no":1234567890123456789012346}]"#) == "/no")
        #expect(throws: DraftError.noID(objects: 2)) { try id(#"[{"id":1},{"ID":2}]"#) }
    }

    @Test(
        "What measures or dates is no id, although each value comes once.",
        arguments: [
            "1.5 2.25", "0.5 1", "\"1.50\" \"2.50\"", "\"2026-11-20\" \"2026-11-21\"",
            "\"2026-11-20T08:00:00Z\" \"2026-11-20T08:00:01Z\"", "true false",
        ])
    func measures(values: String) throws {
        let pair = values.split(separator: " ")
        for name in ["id", "amount"] {
            #expect(throws: DraftError.noID(objects: 2)) {
                try Drafting.text("[{\"\(name)\":\(pair[0])},{\"\(name)\":\(pair[1])}]")
            }
        }
    }

    @Test("A member that is called id and is not unique is said to be that.")
    func sharedIDs() throws {
        let text = try Drafting.text(#"[{"id":1,"code":"a"},{"id":1,"code":"b"}]"#)
        #expect(text.contains("// /id is no id: a value of it comes more than once"))
        #expect(!(try Drafting.text(machines)).contains("is no id"))
        let error = DraftError.repeatedID(try JSONPointer("/id"), objects: 2)
        #expect(error.text.text("en").contains("'/id' has a value that comes more than once"))
    }

    @Test(
        "What is no array of records is named for what it is.",
        arguments: [
            ("\n<!DOCTYPE html>\n<p>", DocumentKind.html), ("<html><body>", .html), ("<?xml version='1.0'?><a/>", .xml),
            ("id,name\n1,a\n2,b\n", .csv), ("\"id\";\"name\"\r\n1;a\r\n", .csv), ("1,2\n3,4\n", .csv),
            ("{\"id\":1}\n{\"id\":2}\n", .jsonLines), ("{\"id\":1,\"name\":\"a\"}", .oneObject),
            (#"{"errors":[{"message":"no"}],"data":null}"#, .failure),
        ])
    func otherKinds(body: String, kind: DocumentKind) throws {
        #expect(throws: DraftError.other(kind)) { try Drafting.text(body) }
    }

    @Test("Text in another encoding is named for what it is.")
    func encodings() throws {
        let draft = DefinitionDraft(name: "things")
        let latin1 = Array("[{\"id\":1,\"name\":\"Ja".utf8) + [0xe9] + Array("\"}]".utf8)
        #expect(throws: DraftError.other(.latin1)) { try draft.text(of: latin1.rawSpan) }
        let utf16: [UInt8] = [0xff, 0xfe, 0x5b, 0, 0x5d, 0]
        #expect(throws: DraftError.other(.utf16)) { try draft.text(of: utf16.rawSpan) }
        let gzip: [UInt8] = [0x1f, 0x8b, 8, 0, 0xff]
        #expect(throws: DraftError.other(.gzip)) { try draft.text(of: gzip.rawSpan) }
        for kind in DocumentKind.allCases {
            let text = DraftError.other(kind).text
            #expect(text.text("en") != text.text("pl"))
        }
    }

    @Test(
        "A name or a singular that a collection has is told, and not used.",
        arguments: [("unit", "unit_2", "unit_2"), ("units", "units_2", "unit_2"), ("packs", "packs", "pack")])
    func takenNames(name: String, free: String, singular: String) throws {
        var draft = DefinitionDraft(name: name)
        draft.taken.insert("units", singular: "unit")
        draft.taken.insert("unit_3", singular: "thing")
        #expect(draft.freeName == free)
        let text = try draft.text(of: Array(#"[{"id":1}]"#.utf8).rawSpan)
        let definition = try Drafting.definition(text, name: free)
        #expect(definition.singular == singular)
        #expect((draft.renaming != nil) == (name != free))
        #expect(text.contains("so the draft is for '\(free)'") == (name != free), "\(text)")
    }

    @Test("A singular that a collection has is not used, although the name is free.")
    func takenSingulars() throws {
        var draft = DefinitionDraft(name: "boxes")
        draft.taken.insert("crates", singular: "boxe")
        let text = try draft.text(of: Array(#"[{"id":1}]"#.utf8).rawSpan)
        #expect(try Drafting.definition(text, name: "boxes").singular == "boxe_2")
    }

    @Test(
        "A secret in the address becomes a key, and is nowhere in the draft.",
        arguments: [
            ("https://a.example/v1?api_key=hunter2", "https://a.example/v1", "api_key"),
            ("https://a.example/v1?page=2&apiKey=hunter2&size=5#x", "https://a.example/v1?page=2&size=5#x", "apiKey"),
            ("https://a.example/?access%5Ftoken=hunter2", "https://a.example/", "access_token"),
            ("https://a.example/?appid=hunter2&sig=hunter2", "https://a.example/", "appid"),
            ("https://a.example/?pass=hunter2&jwt=hunter2&code=NO", "https://a.example/?code=NO", "pass"),
            ("https://a.example/?apitoken=hunter2&sessionid=hunter2", "https://a.example/", "apitoken"),
            ("https://a.example/?code=hunter2hunter2hunter2==", "https://a.example/", "code"),
            ("https://a.example/?session=hunter2&mapping=2", "https://a.example/?mapping=2", "session"),
            ("https://a.example/?otp=hunter2&userPin=hunter2", "https://a.example/", "otp"),
            ("https://a.example/?pin=hunter2&shipping=x", "https://a.example/?shipping=x", "pin"),
        ])
    func secrets(url: String, kept: String, parameter: String) throws {
        let draft = DefinitionDraft(name: "things", url: url)
        let text = try draft.text(of: Array(#"[{"id":1}]"#.utf8).rawSpan)
        #expect(!text.contains("hunter2"), "\(text)")
        let request = try Drafting.definition(text).source.request
        #expect(request.url == kept && request.auth == .key("things", .parameter(parameter)))
    }

    @Test("What only sounds like a secret stays in the address.")
    func plainParameters() throws {
        let url = "https://a.example/?page_token=x&sort_key=y&key=&monkey=z"
        let text = try DefinitionDraft(name: "things", url: url).text(of: Array(#"[{"id":1}]"#.utf8).rawSpan)
        #expect(try Drafting.definition(text).source.request.url == url)
    }

    @Test("The records are the largest array of objects, or the array that is named.")
    func roots() throws {
        let body = #"{"few":[{"id":1}],"deep":{"er":{"many":[{"id":1},{"id":2},3]}},"numbers":[1,2,3,4]}"#
        #expect(try Drafting.draft(body).source.request.root.text == "/deep/er/many")
        #expect(try Drafting.draft(body, root: "/few").source.request.root.text == "/few")
        #expect(throws: DraftError.notAList(try JSONPointer("/deep"))) { try Drafting.text(body, root: "/deep") }
        #expect(throws: DraftError.noObjects(try JSONPointer("/numbers"))) {
            try Drafting.text(body, root: "/numbers")
        }
        #expect(throws: DraftError.noList) { try Drafting.text(#"{"a":{"b":{"c":{"d":{"e":[{"id":1}]}}}}}"#) }
        #expect(throws: DraftError.noObjects(JSONPointer(tokens: []))) { try Drafting.text("[]") }
        #expect(throws: DraftError.notJSON(JSONError(.expectedValue, at: 0))) { try Drafting.text("?") }
    }

    @Test("Names that a definition cannot have are made into ones that it can.")
    func names() throws {
        let body = """
            [{"id": 1, "any": 1, "Zażółć": 2, "2nd": 3, "a-b": 4, "a b": 5, "": 6, "HTTPServerURL": 7, "///~": 8,
              "\(String(repeating: "x", count: 90))": 9, "\\u2028\\n*/": 10, "pending": 11, "ID": 12,
              "collection": "x", "Archived": true}]
            """
        let definition = try Drafting.draft(body)
        #expect(
            definition.fields.map(\.name) == [
                "id", "any_value", "zazolc", "n2nd", "a_b", "a_b_2", "field", "http_server_url", "field_2",
                String(repeating: "x", count: 58), "field_3", "pending_value", "id_2",
                "collection_value", "archived_value",
            ])
        #expect(try Drafting.decode(body, definition) == (1, [], 0))
    }

    @Test("What suggests further pages, changes and deletions becomes a comment.")
    func hints() throws {
        let cursor = #"{"items":[{"id":1}],"page":{"endCursor":"abc","hasNextPage":true}}"#
        #expect(try Drafting.text(cursor).contains(#"// next: { cursor: "/page/endCursor", more: "/page/hasNextPage""#))
        #expect(!(try Drafting.text(cursor)).contains("abc"))
        let link = #"{"items":[{"id":1}],"next":"https://secret.example/?page=2"}"#
        #expect(try Drafting.text(link).contains(#"// next: { pointer: "/next" }"#))
        #expect(!(try Drafting.text(link)).contains("secret"))
        #expect(try Drafting.text(#"{"items":[{"id":1}],"total":7}"#).contains(#"// next: { page: "page", size: 1 }"#))
        let changed = #"[{"id":1,"updatedAt":"2026-11-20T08:00:00Z","isDeleted":false}]"#
        #expect(try Drafting.text(changed).contains(#"// since: { to: "updated_since", field: "updated_at""#))
        #expect(try Drafting.text(changed).contains(#"// deleted: "/isDeleted","#))
        #expect(!(try Drafting.text(#"{"items":[{"id":1}],"total":1}"#)).contains("next:"))
    }

    @Test("Values of several kinds become json, and a map of data stays one value.")
    func mixtures() throws {
        let body = """
            [{"id":1,"a":1,"b":"x","c":{"d":1},"e":[{"f":1}],"g":12,"h":true},
             {"id":2,"a":"n","b":{"y":1},"c":null,"e":{},"g":"13","h":"yes"}]
            """
        let definition = try Drafting.draft(body)
        #expect(
            definition.fields.map { "\($0.name) \($0.type.rawValue)" }
                == ["id id", "a json", "b json", "c_d integer", "e json", "g integer", "h json"])
        #expect(try Drafting.decode(body, definition) == (2, [], 0))
        let people = (0..<40).map { "{\"id\":\($0),\"votes\":{\"user\($0)\":1,\"user\($0 + 100)\":2}}" }
        let map = try Drafting.draft("[\(people.joined(separator: ","))]")
        #expect(map.fields.map { "\($0.name) \($0.type.rawValue)" } == ["id id", "votes json"])
    }

    @Test("A record with very many members keeps the definition within its bounds.")
    func wide() throws {
        let members = (0..<5000).map { "\"m\($0)\":{\"x\":\($0)}" }.joined(separator: ",")
        let body = "[{\"id\":1,\(members)}]"
        let definition = try Drafting.draft(body)
        #expect(definition.fields.count == 200)
        #expect(try Drafting.text(body).contains("There are more members"))
        #expect(try Drafting.decode(body, definition) == (1, [], 0))
    }

    @Test("A name that is an option of claimsctl is no singular.")
    func singulars() throws {
        #expect(try Drafting.draft(#"[{"id":1}]"#, name: "hosts").singular == "host_record")
        #expect(try Drafting.draft(#"[{"id":1}]"#, name: "entries").singular == "entry")
    }
}
