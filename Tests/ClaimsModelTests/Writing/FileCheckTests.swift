// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsTestSupport
import Testing

struct FileCheckTests {
    private static let writes = """
        to: 'local', create: {}, update: {}, delete: {}, actions: { scan: { attachments: true }, other: {} },
        attachments: { field: 'files', types: ['image/png', 'image/jpeg'], min: 1, max: 2, size: '1K' },
        """

    private static func file(_ name: String = "a.png", type: String = "image/png", size: Int64 = 1) -> OperationFile {
        OperationFile(sha256: "00", name: name, type: type, size: size)
    }

    private static func listed(_ sha256: String, _ name: String = "x") -> ListedFile {
        ListedFile(sha256: sha256, name: name)
    }

    private func problems(_ action: String, _ files: FileChange) throws -> [String] {
        try WriteFixture(writes: Self.writes, source: "").problems(
            action, action == "create" ? #"{"name":"n"}"# : "{}", files: files)
    }

    @Test func `a new record needs its files`() throws {
        #expect(try problems("create", FileChange()) == ["files count"])
        #expect(try problems("create", FileChange(attached: [Self.file()])) == [])
        let three = [Self.file(), Self.file(), Self.file()]
        #expect(try problems("create", FileChange(attached: three)) == ["files count"])
        #expect(try problems("create", FileChange(attached: [Self.file()], detached: ["1"])) == ["files unknown"])
    }

    @Test func `a change keeps to the number of files, and takes away only those that are there`() throws {
        let two = [Self.listed("1"), Self.listed("2")]
        #expect(try problems("update", FileChange(existing: [])) == [])
        #expect(try problems("update", FileChange(detached: ["1"], existing: [Self.listed("1")])) == ["files count"])
        #expect(try problems("update", FileChange(detached: ["1"], existing: two)) == [])
        #expect(try problems("update", FileChange(detached: ["3"], existing: two)) == ["files unknown"])
        #expect(
            try problems("update", FileChange(attached: [Self.file()], detached: ["1"], existing: two)) == [])
        #expect(try problems("update", FileChange(attached: [Self.file()], existing: two)) == ["files count"])
        #expect(try problems("update", FileChange(attached: [Self.file()])) == [])
    }

    @Test func `files of equal content count one by one, and one that is there already does not count`() throws {
        let equal = [Self.listed("1", "a"), Self.listed("1", "b")]
        #expect(try problems("update", FileChange(attached: [Self.file()], existing: equal)) == ["files count"])
        #expect(try problems("update", FileChange(detached: ["1"], existing: equal)) == ["files count"])
        #expect(try problems("update", FileChange(detached: ["1/b"], existing: equal)) == [])
        #expect(try problems("update", FileChange(detached: ["1/c"], existing: equal)) == ["files unknown"])
        let known = [Self.listed("00", "a.png"), Self.listed("1")]
        #expect(try problems("update", FileChange(attached: [Self.file()], existing: known)) == [])
        #expect(try problems("update", FileChange(attached: [Self.file("b.png")], existing: known)) == ["files count"])
    }

    /// Any record with files of few names and contents.
    @Test func `one file with its name takes one away, a content alone all of it, and what stays keeps its order`() {
        var random = SeededGenerator(22)
        func file() -> ListedFile {
            Self.listed("\(Int.random(in: 0...1, using: &random))", "\(Int.random(in: 0...1, using: &random))")
        }
        for _ in 0..<500 {
            let existing = (0..<Int.random(in: 0...5, using: &random)).map { _ in file() }
            let one = file()
            let single = FileChange(detached: ["\(one.sha256)/\(one.name)"]).remaining(of: existing)
            #expect(single.indexes.count == existing.count - (existing.contains(one) ? 1 : 0))
            #expect(single.unknown.isEmpty == existing.contains(one))
            #expect(existing.indices.filter { !single.indexes.contains($0) }.allSatisfy { existing[$0] == one })
            let all = FileChange(detached: [one.sha256]).remaining(of: existing)
            #expect(all.indexes == existing.indices.filter { existing[$0].sha256 != one.sha256 })
        }
    }

    @Test func `files are checked one by one, after the fields`() throws {
        let files = [Self.file("a/b", type: "application/pdf", size: 1025), Self.file("", size: 1024)]
        #expect(
            try problems("scan", FileChange(attached: files)) == [
                "files name", "files format", "files size", "files name",
            ])
        for name in ["a\u{7F}", "a\n", "a\u{85}", String(repeating: "x", count: 256)] {
            #expect(try problems("scan", FileChange(attached: [Self.file(name)])) == ["files name"])
        }
        for name in ["..", "ż.png", String(repeating: "x", count: 255)] {
            #expect(try problems("scan", FileChange(attached: [Self.file(name)])) == [])
        }
    }

    @Test func `an action takes files only where it says so`() throws {
        #expect(try problems("other", FileChange(attached: [Self.file()])) == ["files not_writable"])
        #expect(try problems("delete", FileChange(attached: [Self.file()])) == ["files not_writable"])
        let plain = try WriteFixture(writes: "to: 'local', update: {}", source: "")
        #expect(
            try plain.problems("update", "{}", files: FileChange(attached: [Self.file()])) == [
                "attachments not_writable"
            ])
    }

    @Test func `upstream files are taken where they can be sent, and none is taken away`() throws {
        func rules(_ send: String) throws -> WriteRules {
            try WriteFixture(
                writes: """
                    to: 'upstream', create: { url: 'https://d.example/', id: '/id' },
                    update: { url: 'https://d.example/{id}' }, attachments: { field: 'files', \(send) },
                    """
            ).rules
        }
        func taking(_ rules: WriteRules) -> [String] {
            rules.offered.filter { rules.attachments(of: $0) != nil }.map(\.name)
        }
        #expect(taking(try rules("")) == [])
        #expect(taking(try rules("send: 'multipart'")) == ["create"])
        #expect(taking(try rules("send: { url: 'https://d.example/{id}/f' }")) == ["create", "update"])
        let fixture = try WriteFixture(
            writes: """
                to: 'upstream', update: { url: 'https://d.example/{id}' },
                attachments: { field: 'files', send: { url: 'https://d.example/{id}/f' } },
                """)
        #expect(
            try fixture.problems("update", "{}", files: FileChange(detached: ["1"], existing: [Self.listed("1")]))
                == ["files not_writable"])
    }
}

struct FieldComparisonTests {
    @Test(arguments: [
        ("name", #""a""#, #""a""#, true), ("name", #""a""#, #""A""#, false), ("name", "null", #"" ""#, true),
        ("name", #""é""#, #""e\u0301""#, false),
        ("phase", #""On the way""#, #""ON_THE_WAY""#, true), ("phase", #""made""#, #""gone""#, false),
        ("phase", #""gone""#, #""gone""#, true), ("phase", #""other""#, #""gone""#, false),
        ("phase", "null", #""other""#, false), ("state", "null", #""broken""#, true),
        ("state", "null", #""fine""#, false),
        ("pieces", "7", #""7""#, true), ("pieces", "7", "7.0", true), ("pieces", "7", "8", false),
        ("weight", "1.50", #""1.5""#, true), ("weight", "10e-1", "1", true),
        ("weight", "0.1", "0.10000000000000000001", false),
        ("made_at", #""2026-11-20T09:00:00+01:00""#, #""2026-11-20T08:00:00.0009Z""#, true),
        ("made_at", #""2026-11-20T09:00:00Z""#, #""2026-11-20T08:00:00Z""#, false),
        ("day", #""2026-11-20""#, #""2026-11-20""#, true), ("day", #""2026-11-20""#, #""2026-11-21""#, false),
        ("fragile", "true", "true", true), ("fragile", "true", "false", false), ("fragile", "null", "false", false),
        ("parts", #"{"a":1,"b":[1.0,"x"]}"#, #"{"b":[1,"x"],"a":1.00}"#, true),
        ("parts", #"{"a":1}"#, #"{"a":2,"a":1}"#, true), ("parts", #"{"a":1}"#, #"{"a":1,"b":null}"#, false),
        ("parts", "[1,2]", "[2,1]", false), ("parts", "[]", "{}", false),
    ])
    func `values are the same by their field's type`(
        field: String, left: String, right: String, isEqual: Bool
    ) throws {
        let definition = try WriteFixture().definition
        let index = try #require(definition.fieldIndex(field))
        let comparison = FieldComparison(definition)
        let (left, right) = (try JSONValue.parse(left), try JSONValue.parse(right))
        #expect(comparison.areEqual(left, right, field: index) == isEqual)
        #expect(comparison.areEqual(right, left, field: index) == isEqual)
    }

    @Test func `values come from a served document, unknown codes as they came`() throws {
        let fixture = try WriteFixture()
        let document = try fixture.document(Array(#"{"id":7,"phase":"gone","weight":1.50,"parts":[1]}"#.utf8))
        let comparison = FieldComparison(fixture.definition)
        let values = comparison.values(of: Array(document.utf8).rawSpan)
        let named = Dictionary(uniqueKeysWithValues: zip(fixture.definition.fields.map(\.name), values))
        #expect(
            named["phase"] == .some("gone") && named["weight"] == .some(.number("1.50")) && named["id"] == .some("7"))
        #expect(named["name"] == .some(nil))
        let write = try fixture.check("update", #"{"phase":"made","weight":"1.5","parts":[1],"pieces":null}"#)
        #expect(comparison.differing(write.shown, in: values).map { fixture.definition.fields[$0].name } == ["phase"])
        #expect(comparison.values(of: Array("[".utf8).rawSpan).allSatisfy { $0 == nil })
    }
}
