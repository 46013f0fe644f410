// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import Testing

struct ShippedConfigurationTests {
    private static func definition(_ name: String) throws -> Definition {
        try #require(ConfigurationFixture.shipped().definition(named: name))
    }

    @Test func `the shipped files have no problems`() {
        let configuration = ConfigurationFixture.shipped()
        #expect(configuration.problems == [])
        #expect(configuration.definitions.map(\.name) == ["claims", "countries", "documents", "packs", "units"])
        #expect(configuration.definitions.map(\.singular) == ["claim", "country", "document", "pack", "unit"])
        #expect(configuration.definitions.map { $0.source.request.url } == [nil, nil, nil, nil, nil])
        #expect(configuration.definitions.filter { $0.bundle != nil }.map(\.name) == ["countries"])
        #expect(configuration.definitions.filter(\.isArchivable).map(\.name) == ["packs"])
        #expect(configuration.definitions.filter { $0.deal != nil }.map(\.name) == ["countries"])
    }

    @Test func `the shipped settings are the defaults, and every key is there`() throws {
        #expect(ConfigurationFixture.shipped().settings == Settings())
        let path = Repository.data + "/claimsd.json5"
        let node = try JSON5.parse(try Files.readAll(path, cap: 1 << 20), file: path)
        #expect(
            Self.keyPaths(node).sorted() == [
                "access.default", "access.journal.every", "access.journal.ids", "guard.confirm", "guard.loss",
                "guard.quarantine", "history.bytes", "history.changes",
                "history.keep",
                "history.refreshes", "hosts.*.concurrency", "hosts.*.rate", "language", "limits.answer",
                "limits.attachments", "limits.body", "limits.clients",
                "limits.clients_per_user",
                "limits.connect", "limits.depth", "limits.expansion", "limits.fetches", "limits.filter",
                "limits.filter_depth",
                "limits.first_byte", "limits.heartbeat", "limits.in_flight", "limits.line", "limits.operation",
                "limits.pages", "limits.pause", "limits.pending", "limits.pending_bytes", "limits.records",
                "limits.redirects", "limits.request", "limits.row_sets", "limits.stall", "limits.subscriptions",
                "limits.subscriptions_all", "limits.subscriptions_per_user", "limits.terms", "limits.transfer",
                "limits.unsent", "limits.uploads", "outbox.deletes", "outbox.keep", "outbox.settled", "outbox.warn",
                "outbox.within", "roles.admin.groups", "roles.admin.users", "roles.archive.groups",
                "roles.archive.users", "roles.write.groups", "roles.write.users",
            ])
    }

    private static func keyPaths(_ node: JSON5Node) -> [String] {
        guard case .object(let members) = node.value else { return [""] }
        return members.flatMap { member in
            keyPaths(member.node).map { $0.isEmpty ? member.key : "\(member.key).\($0)" }
        }
    }

    /// Name, type and pointers of each field; s: in free-text search, l: in lists.
    @Test(arguments: [
        (
            "claims",
            """
            id id /id l; claimant_id text /claimantId /userId l; claimant_name text /claimantName l; title text /title s l; \
            description text /description /body s l; type enum /type; status enum /status l; amount decimal /amount; \
            currency text /currency; notes text /notes s; submitted_at instant /submittedAt; documents json /documents
            """
        ),
        (
            "units",
            """
            id id /id l; name text /name s l; status enum /status l; protocol text /protocol; \
            serial_number text /serialNumber s; image_url url /imageUrlString /imageUrl
            """
        ),
        (
            "packs",
            """
            id id /id l; status enum /status l; sender text /sender s l; pickup_date instant /pickupDate /pickUpDate l; \
            expiry_date instant /expiryDate l; stored_date instant /storedDate; shipment_type enum /shipmentType
            """
        ),
        (
            "countries",
            """
            id id /code l; name text /name s l; capital text /capital s l; region text /region l; \
            currency_code text /currency/code; currency_name text /currency/name; currency_symbol text /currency/symbol; \
            language_code text /language/code; language_name text /language/name; flag url /flag; demonym text /demonym
            """
        ),
        (
            "documents",
            """
            id id /id l; type enum /type l; title text /title s l; notes text /notes s; status enum /status l; \
            image_urls json /imageUrls; uploaded_at instant /uploadedAt l; expires_at instant /expiresAt
            """
        ),
    ])
    func `the fields are those of the design`(name: String, fields: String) throws {
        let definition = try Self.definition(name)
        let written = definition.fields.enumerated().map { index, field in
            let words = [field.name, field.type.rawValue] + field.from.map(\.text)
            return (words + (field.isSearched ? ["s"] : []) + (definition.list.contains(index) ? ["l"] : []))
                .joined(separator: " ")
        }
        #expect(written.joined(separator: "; ") == fields)
        #expect(definition.title.translations.map(\.language) == ["en", "pl"])
        #expect(definition.fields.allSatisfy { $0.title?.translations.map(\.language) == ["en", "pl"] })
    }

    @Test(arguments: [
        ("claims", "type", "dental medical unknown vision", "unknown", nil),
        ("claims", "status", "unknown -1 pending 10 verified 20 rejected 30", "unknown", nil),
        ("units", "status", "faulty 10 not_reachable 20 ok 30", "not_reachable", "not_reachable"),
        (
            "packs", "status",
            """
            UNSUPPORTED -1 CREATED 10 NOT_READY 20 CONFIRMED 30 ADOPTED_AT_SOURCE_BRANCH 40 SENT_FROM_SOURCE_BRANCH 50 \
            ADOPTED_AT_SORTING_CENTER 60 SENT_FROM_SORTING_CENTER 70 OTHER 80 DELIVERED 90 RETURNED_TO_SENDER 100 \
            AVIZO 110 OUT_FOR_DELIVERY 120 READY_TO_PICKUP 130 PICKUP_TIME_EXPIRED 140
            """, "UNSUPPORTED", nil
        ),
        ("packs", "shipment_type", "COURIER PARCEL_LOCKER unknown", "unknown", nil),
        ("documents", "type", "beneficiary_form gym_membership identification unknown", "unknown", nil),
        ("documents", "status", "unknown -1 pending 10 verified 20 rejected 30", "unknown", nil),
    ])
    func `the vocabularies are those of the design`(
        name: String, field: String, codes: String, fallback: String, absent: String?
    ) throws {
        let definition = try Self.definition(name)
        let index = try #require(definition.fieldIndex(field))
        let vocabulary = try #require(definition.vocabulary(of: index))
        let written = vocabulary.codes.map { $0.rank == 0 ? $0.code : "\($0.code) \($0.rank)" }
        #expect(written.joined(separator: " ") == codes)
        #expect(vocabulary.codes[vocabulary.fallback].code == fallback)
        #expect(vocabulary.absent.map { vocabulary.codes[$0].code } == absent)
        #expect(vocabulary.codes.allSatisfy { $0.label.translations.map(\.language) == ["en", "pl"] })
    }

    @Test func `the orders and views are those of the design`() throws {
        func text(_ order: RecordOrder, _ definition: Definition) -> String {
            order.keys.map { ($0.descending ? "-" : "") + definition.fields[$0.field].name }.joined(separator: " ")
        }
        let expected = [
            "claims": "id; submitted: -submitted_at id; amount: -amount id", "countries": "name id",
            "documents": "-uploaded_at id", "packs": "-status -pickup_date expiry_date stored_date -id",
            "units": "id; name: name id; status: status id",
        ]
        for definition in ConfigurationFixture.shipped().definitions {
            let named = definition.orders.map { "; \($0.name): \(text($0.order, definition))" }
            #expect(text(definition.defaultOrder, definition) + named.joined() == expected[definition.name])
        }
        let views = [
            "units": ["attention status!=ok"],
            "documents": ["expiring expires_at=now..+30d", "expired expires_at<now"],
            "packs": ["expiring status=READY_TO_PICKUP expiry_date=now..+1d"],
        ]
        for definition in ConfigurationFixture.shipped().definitions {
            #expect(definition.views.map { "\($0.name) \($0.filter)" } == views[definition.name] ?? [])
            #expect(definition.views.allSatisfy { $0.title?.translations.map(\.language) == ["en", "pl"] })
        }
    }

    @Test func `packs have their groups and Polish labels`() throws {
        let definition = try Self.definition("packs")
        #expect(definition.groups.map(\.key) == ["in_transit", "delivery_completed"])
        #expect(definition.groups.map { $0.label.text("pl") } == ["Gotowe do odbioru", "Pozostałe"])
        let groupBy = try #require(definition.groupBy)
        let vocabulary = try #require(definition.vocabulary(of: groupBy))
        #expect(
            vocabulary.codes.filter { $0.group == 1 }.map(\.code)
                == ["DELIVERED", "RETURNED_TO_SENDER", "PICKUP_TIME_EXPIRED"])
        #expect(vocabulary.codes.allSatisfy { $0.group != nil })
        #expect(
            vocabulary.codes.map { $0.label.text("pl") } == [
                "Inne", "Przesyłka utworzona", "W trakcie przygotowania", "Odebrana od Nadawcy", "Przyjęta w Oddziale",
                "Wysłana z Oddziału", "Przyjęta w sortowni", "Wysłana z sortowni", "Inne", "Odebrana",
                "Zwrot do Nadawcy", "Pozostawiono Awizo", "Wydana do doręczenia", "Gotowa do odbioru",
                "Upłynął termin odbioru",
            ])
    }

    @Test func `units show badges for problems only`() throws {
        let definition = try Self.definition("units")
        #expect(definition.vocabularies[0].codes.map { $0.badge?.text("en") } == ["Faulty", "Not reachable", nil])
        #expect(definition.fields[1].isEmphasized && definition.fields[1].lines == 2)
    }

    @Test func `claims are joined as soon as a site gives the second address`() throws {
        let configuration = ConfigurationFixture.shipped(site: [
            "/site/collections.d/claims.json5": "{ source: { url: 'file:///a', join: { url: 'file:///b' } } }"
        ])
        #expect(configuration.problems == [])
        let join = try #require(configuration.definition(named: "claims")?.source.join)
        #expect(join.request.url == "file:///b")
        #expect(join.on == .init(field: 1, pointer: try JSONPointer("/id")))
        #expect(join.take == [.init(field: 2, pointer: try JSONPointer("/name"))])
    }

    @Test func `the bundle has every country, and each becomes a record`() throws {
        let definition = try Self.definition("countries")
        let path = try #require(definition.bundle)
        let bundle = try Files.readAll(path, cap: 1 << 20)
        var decoder = RecordDecoder(definition: definition)
        var record = DecodedRecord()
        var tape = JSONTape()
        var ids: [String] = []
        var withoutCapital: [String] = []
        var elements = try JSONElements(bundle.rawSpan, root: JSONPointer(tokens: []))
        while try elements.next(into: &tape) != nil {
            #expect(decoder.decode(tape, bundle.rawSpan, into: &record) == .accepted)
            let id = String(decoding: record.id, as: UTF8.self)
            ids.append(id)
            #expect(id.utf8.count == 2 && id.utf8.allSatisfy { $0 >= 0x41 && $0 <= 0x5A })
            #expect(record.values[1].isPresent && record.values[3].isPresent)
            if !record.values[2].isPresent { withoutCapital.append(id) }
        }
        #expect(ids.count == 249)
        #expect(Set(ids).count == 249)
        #expect(withoutCapital == ["AQ", "BV", "HK", "HM", "MO", "TK", "UM"])
        #expect(decoder.drift.isEmpty)
    }
}
