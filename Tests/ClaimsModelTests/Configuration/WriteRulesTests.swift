// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import Testing

struct WriteRulesTests {
    /// Members of `writes` or of one of its fields, where the mistake stands, and what is said of it.
    struct Case: Sendable, CustomTestStringConvertible {
        var writes = ""
        var fields = ""
        var source = "url: 'https://d.example/docs'"
        let keyPath: String
        let message: String
        var testDescription: String { "\(keyPath): \(message)" }
    }

    private static func of(_ writes: String, _ keyPath: String, _ message: String) -> Case {
        Case(writes: writes, keyPath: keyPath, message: message)
    }

    private static func field(_ fields: String, _ keyPath: String, _ message: String) -> Case {
        Case(fields: fields, keyPath: "writes.fields.\(keyPath)", message: message)
    }

    private static let url = "url: 'https://d.example/docs/{id}'"

    private static let blocks = [
        of("too: 'local'", "writes.too", "unknown key 'too'; did you mean 'to'?"),
        of("to: 'remote'", "writes.to", "expected 'local', 'upstream' or null, found 'remote'"),
        of("to: 5", "writes.to", "expected 'local', 'upstream' or null, found 5"),
        of("to: 'local'", "writes.to", "this host cannot be the truth beside an upstream; expected no 'source.url'"),
        Case(
            writes: "to: 'upstream'", source: "", keyPath: "writes.to",
            message: "there is no upstream; expected a 'source.url'"),
        of("auth: {}", "writes.auth", "expected exactly one of bearer, basic, key, oauth2"),
        of(
            "tls: { key: 'k' }", "writes.tls.certificate",
            "missing; expected the name of a credential, for the 'key' belongs to one"),
        of(
            "headers: { authorization: 'x' }, credential: 'c'", "writes.headers.authorization",
            "'auth' sends the header 'authorization' too; expected one of the two"),
        of("credential: '../x'", "writes.credential", "expected the name of a credential, not a path, found '../x'"),
        of("headers: { Host: 'x' }", "writes.headers.Host", "'Host' is set by claimsd itself, for each connection"),
        of("role: { user: [] }", "writes.role.user", "unknown key 'user'; did you mean 'users'?"),
        of(
            "confirm: 'soon'", "writes.confirm",
            "expected a span of time of at least 1.0 seconds, such as \"5min\" or \"1h 30min\", found 'soon'"),
        of(
            "idempotency: { header: 'K' }", "writes.idempotency.life",
            "missing; expected how long the upstream knows a key, such as \"24h\""),
        of(
            "idempotency: { header: 'a b', life: '1h' }", "writes.idempotency.header",
            "'a b' cannot be the name of a header"),
        of("reference: ''", "writes.reference", "expected a place inside the object, such as \"/name\""),
        of("reference: '/id'", "writes.reference", "'id' is there; expected a place of its own"),
        of(
            "match: 'https://d.example/docs'", "writes.match",
            "expected {id} in the address, which says what record is meant"),
        of(
            "actions: { update: {} }", "writes.actions.update",
            "'update' is no action with a name of its own; expected it beside 'actions'"),
        of(
            "actions: { 'A-b': {} }", "writes.actions.A-b",
            "'A-b' is not a name; expected a-z, 0-9 and _, beginning with a letter"),
        of("actions: { a: { wen: 'x' } }", "writes.actions.a.wen", "unknown key 'wen'; did you mean 'when'?"),
        of(
            "delete: { fields: [] }", "writes.delete.fields",
            "unknown key 'fields'; expected one of label, role, method, url, accept, when"),
        of(
            "update: { fields: ['nmae'] }", "writes.update.fields[0]", "no field is called 'nmae'; did you mean 'name'?"
        ),
        of(
            "update: { fields: ['pieces'] }", "writes.update.fields[0]",
            "'pieces' cannot be given; expected a field of 'writes.fields'"),
        of(
            "update: { fields: ['name'], set: { name: 'x' } }", "writes.update.fields[0]",
            "'name' gets its value from the action itself, and cannot be given"),
        of(
            "update: { set: { day: 'soon' } }", "writes.update.set.day",
            "expected a value of the type date, such as \"now\", found 'soon'"),
        of(
            "update: { set: { phase: 'gone' } }", "writes.update.set.phase",
            "no code is called 'gone'; there are 7, other, made, On the way"),
        of("update: { set: { id: 'x' } }", "writes.update.set.id", "the id cannot be given"),
        of(
            "update: { shows: { owner_name: 'x' } }", "writes.update.shows.owner_name",
            "'owner_name' comes from the join, and cannot be given"),
        of(
            "update: { shows: { seen_at: 'now' } }", "writes.update.shows.seen_at",
            "'seen_at' is volatile, and cannot be given"),
        of(
            "create: { fields: [] }", "writes.create",
            "'name' is required, but cannot be given; expected it in 'fields' or 'set'"),
        of(
            "create: { url: 'https://d.example/docs' }", "writes.create",
            "the new record's id would never be known; expected {id} in 'url', or 'id', or 'writes.reference'"),
    ]

    private static let requests = [
        of(
            "update: { url: 'https://d.example/docs' }", "writes.update.url",
            "expected {id} in the address, which says what record is meant"),
        of(
            "delete: { url: 'https://d.example/docs' }", "writes.delete.url",
            "expected {id} in the address, which says what record is meant"),
        of("delete: { url: 'https://{id}.example/docs' }", "writes.delete.url", "{id} cannot be a part of the host"),
        of(
            "delete: { url: 'https://d.example/{name}/{id}' }", "writes.delete.url",
            "{id} is the only placeholder; expected %7B and %7D for other braces"),
        of(
            "delete: { url: 'file:///x/{id}' }", "writes.delete.url",
            "expected an address that begins with https:// or http://"),
        of(
            "delete: { url: 'https://d.example/../{id}' }", "writes.delete.url",
            "expected an address without the segments '.' and '..'"),
        of("delete: { url: 'https://d.example/{id}#x' }", "writes.delete.url", "expected an address without '#'"),
        of("delete: { \(url), method: 'PUT' }", "writes.delete.method", "expected one of DELETE, POST, found 'PUT'"),
        of(
            "update: { \(url), method: 'patch' }", "writes.update.method",
            "expected one of POST, PUT, PATCH, found 'patch'"),
        of(
            "update: { \(url), accept: [302] }", "writes.update.accept[0]",
            "expected a whole number from 200 to 299, found 302"),
        of("update: { \(url), accept: [] }", "writes.update.accept", "expected at least one status from 200 to 299"),
        of(
            "update: { \(url), body: 'all' }", "writes.update.body",
            "expected 'fields', 'record' or an object into which the fields are put, found 'all'"),
        of("update: { \(url), body: { a: NaN } }", "writes.update.body.a", "expected a number of JSON, found NaN"),
        of(
            "create: { \(url), id: 'x' }", "writes.create.id",
            "expected a JSON Pointer, such as \"/a/b\" or \"\", found 'x'"),
        of(
            "attachments: {}", "writes.attachments.field",
            "missing; expected the name of a json field that lists the files"),
        of("attachments: { field: 'day' }", "writes.attachments.field", "'day' is of the type date; expected json"),
        of(
            "attachments: { field: 'files', types: ['text/html'] }", "writes.attachments.types[0]",
            "no type of files is called 'text/html'; there are image/png, image/jpeg, application/pdf, image/tiff, image/heic"
        ),
        of("attachments: { field: 'files', min: 3, max: 2 }", "writes.attachments.min", "more than 'max', 2"),
        of(
            "attachments: { field: 'files', send: 'form' }", "writes.attachments.send",
            "expected 'multipart', or a request { method, url }, found 'form'"),
        of(
            "attachments: { field: 'files', send: {} }", "writes.attachments.send.url",
            "missing; expected an address with {id}"),
    ]

    private static let fields = [
        field("nmae: {}", "nmae", "no field is called 'nmae'; did you mean 'name'?"),
        field("id: {}", "id", "the id cannot be given"),
        field("seen_at: {}", "seen_at", "'seen_at' is volatile, and cannot be given"),
        field(
            "name: { min: 1 }", "name.min",
            "'name' is of the type text; expected a field of the type integer, decimal, instant, date"),
        field("pieces: { min: 'x' }", "pieces.min", "expected a number, such as \"0.01\", found 'x'"),
        field(
            "pieces: { scale: 1 }", "pieces.scale",
            "'pieces' is of the type integer; expected a field of the type decimal"),
        field("day: { max: 5 }", "day.max", "expected \(DateValue.forms.english), found 5"),
        field(
            "day: { max_length: 5 }", "day.max_length",
            "'day' is of the type date; expected a field of the type text, url, json"),
        field("phase: { codes: ['mad'] }", "phase.codes[0]", "no code is called 'mad'; did you mean 'made'?"),
        field("phase: { codes: [] }", "phase.codes", "expected at least one code"),
        field("name: { codes: ['a'] }", "name.codes", "'name' is of the type text; expected a field of the type enum"),
        field("boxes: { refs: 'box' }", "boxes.refs", "no collection is called 'box'; did you mean 'boxes'?"),
        field(
            "name: { at: '/names/0' }", "name.at",
            "a value cannot be written through an array; expected a place among members only"),
    ]

    @Test(arguments: blocks + requests + fields)
    func `a mistake in the rules is told with its place`(mistake: Case) {
        let fields = mistake.fields.isEmpty ? "name: { required: true }" : mistake.fields
        let configuration = WriteFixture.configuration(writes: mistake.writes, fields: fields, source: mistake.source)
        #expect(configuration.definition(named: "parcels") == nil)
        #expect(configuration.problems.map(\.keyPath) == [mistake.keyPath])
        #expect(configuration.problems.map(\.message) == [mistake.message])
    }

    @Test func `values are not written over one another, or over the id`() {
        let cases = [
            (
                "name: { at: '/content' }, boxes: { at: '/content/boxes' }",
                "'name' and 'boxes' would be written over one another"
            ),
            ("name: { at: '/list/name' }", "'name' would be written through an array in 'body' of 'update'"),
            ("name: { at: '/number' }", "'name' would be written over the id; expected another place"),
            ("name: { at: '/id/name' }", "'name' would be written over the id; expected another place"),
        ]
        for (fields, message) in cases {
            let configuration = WriteFixture.configuration(
                writes: "update: { \(Self.url), body: { list: [{ name: 1 }] } }", fields: fields)
            #expect(configuration.problems.map(\.message) == [message])
        }
    }

    @Test func `a local collection has neither an upstream nor a bundle`() {
        let configuration = WriteFixture.configuration(writes: "to: 'local'", source: "", more: "bundle: 'x.json',")
        #expect(
            configuration.problems.map(\.message)
                == ["this host cannot be the truth beside a bundle; expected no 'bundle'"])
    }

    @Test func `what is absent is not offered`() throws {
        let writes = "create: {}, update: { \(Self.url) }, actions: { a: {}, b: { \(Self.url) } }"
        #expect(try WriteFixture(writes: writes).rules.offered.isEmpty)
        #expect(try WriteFixture(writes: "to: 'upstream', " + writes).rules.offered.map(\.name) == ["update", "b"])
        let local = try WriteFixture(writes: "to: 'local', " + writes, source: "")
        #expect(local.rules.offered.map(\.name) == ["create", "update", "a", "b"])
        #expect(local.definition.isLocal && local.rules.offered("delete") == nil)
    }

    @Test func `the defaults are those of the manual`() throws {
        let rules = try WriteFixture(
            writes: "create: {}, update: { \(Self.url) }, delete: { \(Self.url) }, actions: { a: { \(Self.url) } }",
            fields: "name: {}, picture: {}, parts: {}, phase: {}, day: {}"
        ).rules
        #expect(rules.fields.map(\.maxLength) == [4096, nil, nil, 2048, 16384])
        #expect(rules.fields[1].codes.count == 3)
        #expect(rules.actions.map(\.fields.count) == [5, 5, 0, 0])
        #expect(rules.actions.map(\.takesFiles) == [true, true, false, false])
        #expect(rules.actions.map { $0.request?.method } == [nil, .patch, .delete, .post])
        #expect(rules.actions.map { $0.request?.body } == [nil, .fields, .some(.none), .fields])
        #expect(rules.actions.map { $0.title("pl") } == ["Dodaj", "Edytuj", "Usuń", "A"])
        #expect(rules.confirm == .seconds(900) && rules.destination == nil)
    }

    @Test func `rules change no hash, so that a reload with other rules makes no commit`() throws {
        let (first, second) = (try WriteFixture().definition, try WriteFixture(writes: "to: 'upstream'").definition)
        #expect(first.shapeHash == second.shapeHash && first.valuesHash == second.valuesHash)
        #expect(first.queryShape == second.queryShape)
    }

    @Test func `the shipped rules wait for a destination`() throws {
        let shipped = ConfigurationFixture.shipped()
        #expect(shipped.definitions.filter { $0.writes != nil }.map(\.name) == ["claims", "documents"])
        #expect(shipped.definitions.allSatisfy { $0.writes?.offered.isEmpty ?? true })
        let local = ConfigurationFixture.shipped(site: [
            "/site/collections.d/documents.json5": "{ writes: { to: 'local' } }",
            "/site/collections.d/claims.json5": "{ writes: { to: 'local' } }",
        ])
        #expect(local.problems == [])
        let names = ["create", "update", "delete", "resubmit", "verify", "reject"]
        for definition in local.definitions {
            guard let rules = definition.writes else { continue }
            #expect(rules.offered.map(\.name) == names)
            #expect(rules.offered.allSatisfy { $0.label?.translations.map(\.language) == ["en", "pl"] })
            #expect(rules.offered.map { $0.role?.groups } == [nil, nil, nil, nil, ["claims-admin"], ["claims-admin"]])
        }
    }
}
