// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsPlatform
@testable import ClaimsTerminal

/// Collections and moments that the tests share.
enum Example {
    /// 2026-11-20T08:13:02Z
    static let now: Int64 = 1_795_162_382_000
    static let time = LocalTime(zone: .utc, now: now, messages: .english)
    static let polishTime = LocalTime(zone: .utc, now: now, messages: .polish)

    /// A daemon's answer to `describe` about them.
    static let units = #"""
        {"name":"units","title":"Units","singular":"unit","archive":true,"list":["id","name","status"],
        "fields":[{"name":"id","type":"id"},
        {"name":"name","type":"text","title":"Name","search":true,"lines":2,"operators":["=","~"]},
        {"name":"status","type":"enum","vocabulary":"status"},{"name":"protocol","type":"text"},
        {"name":"seen_at","type":"instant"},{"name":"load","type":"decimal"},{"name":"on","type":"bool"},
        {"name":"tags","type":"json"}],
        "vocabularies":{"status":{"fallback":"not_reachable","codes":[
        {"code":"faulty","rank":10,"label":"Faulty","badge":"Faulty"},
        {"code":"not_reachable","rank":20,"label":"Not reachable","badge":"Not reachable"},
        {"code":"ok","rank":30,"label":"OK"}]}},
        "groups":[],"sorts":[{"name":"status","keys":["status","id"]}],"sort":["id"],
        "views":[{"name":"attention","filter":"status!=ok"}]}
        """#.split(separator: "\n").joined()

    static let packs = #"""
        {"name":"packs","title":"Packs","singular":"pack","archive":true,"list":["id","status","sender"],"group_by":"status",
        "fields":[{"name":"id","type":"id"},{"name":"status","type":"enum","vocabulary":"status"},
        {"name":"sender","type":"text","search":true}],
        "vocabularies":{"status":{"fallback":"UNSUPPORTED","codes":[
        {"code":"UNSUPPORTED","rank":-1,"label":"Other"},
        {"code":"CREATED","rank":10,"group":"moving","label":"Created"},
        {"code":"DELIVERED","rank":90,"group":"done","label":"Delivered"}]}},
        "groups":[{"key":"moving","label":"On the way"},{"key":"done","label":"Done"}],"sort":["id"]}
        """#.split(separator: "\n").joined()

    static func value(_ json: String) throws -> AnswerValue { try AnswerDocument(Array(json.utf8)).root }

    static func collection(_ json: String) throws -> CollectionDescription {
        guard let collection = CollectionDescription(try value(json)) else {
            throw UsageError(en: "no collection", pl: "brak kolekcji")
        }
        return collection
    }

    /// The `meta` of fresh data.
    static func meta(_ collection: String, _ more: String = "") -> String {
        #"{"collection":"\#(collection)","state":"ready","freshness":"fresh","source":"upstream","#
            + #""as_of":"2026-11-20T08:13:00.000Z","age_ms":2000,"last_error":null\#(more)}"#
    }
}
