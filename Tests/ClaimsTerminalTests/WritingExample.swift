// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Synchronization

/// A collection of forms that can be written to, and a daemon that takes what is submitted.
enum WritingExample {
    static func forms(to: String = "local") -> String {
        #"""
        {"name":"forms","title":"Forms","singular":"form","archive":false,"list":["id","title"],
        "fields":[{"name":"id","type":"id"},{"name":"title","type":"text","title":"Title","search":true},
        {"name":"kind","type":"enum","vocabulary":"kind"},{"name":"amount","type":"decimal"},
        {"name":"due","type":"date"},{"name":"at","type":"instant"},
        {"name":"links","type":"json"},{"name":"scans","type":"json"}],
        "vocabularies":{"kind":{"fallback":"other","codes":[{"code":"card","rank":1,"label":"Card"},
        {"code":"leaf","rank":2,"label":"Leaf"}]}},"groups":[],"sort":["id"],
        "writes":{"to":"\#(to)","actions":[
        {"name":"create","title":"Add","role":"write","granted":true,"fields":\#(schema),"files":\#(files)},
        {"name":"update","title":"Edit","role":"write","granted":true,"fields":\#(schema),"files":\#(files)},
        {"name":"delete","title":"Delete","role":"write","granted":true,"fields":{"type":"object","properties":{}}},
        {"name":"renew","title":"Renew","role":"write","granted":true,"when":"kind=card",
        "fields":{"type":"object","properties":{"title":{"type":"string"}}}}]}}
        """#.split(separator: "\n").joined()
    }

    private static let schema = #"""
        {"type":"object","properties":{"kind":{"type":"string","enum":["card","leaf"]},
        "title":{"type":"string","maxLength":20},"amount":{"type":["number","string","null"]},"links":{}},
        "required":["kind","title"]}
        """#

    private static let files =
        #"{"field":"scans","types":["image/png","application/pdf"],"min":0,"max":3,"size":1048576}"#

    static func daemon(
        to: String = "local",
        _ reply: @escaping @Sendable (ScriptedDaemon.Request) -> ScriptedDaemon.Reply? = { _ in nil }
    ) throws -> ScriptedDaemon {
        try ScriptedDaemon { request in
            if let reply = reply(request) { return reply }
            switch request.method {
            case "describe": return .lines([request.result(#"{"collections":[\#(forms(to: to))]}"#)])
            case "submit": return .lines([request.result(outcome(of: request))])
            case "attach": return .lines([request.result(received(by: request))])
            default: return .lines([request.error("unknown_method", "no method '\(request.method)'")])
            }
        }
    }

    /// The answer to a submitted operation: everything is taken.
    static func outcome(of request: ScriptedDaemon.Request, state: String = "done") -> String {
        let params = request.params
        let op = params["op"]?.string ?? "00000000-0000-7000-8000-000000000000"
        let fields = params["fields"]?.object ?? [:]
        var record = fields
        record["id"] = params["id"] ?? .string(op)
        let changed = JSONValue.array(fields.members.map { .string($0.key) })
        return #"{"op":"\#(op)","id":"\#(params["id"]?.string ?? op)","action":"\#(params["action"]?.string ?? "")","#
            + #""state":"\#(state)","changed":\#(text(changed)),"record":\#(text(.object(record))),"clock":"1.5"}"#
    }

    private static func text(_ value: JSONValue) -> String { String(decoding: value.compactBytes, as: UTF8.self) }

    private static func received(by request: ScriptedDaemon.Request) -> String {
        let data = request.params["data"]?.string ?? ""
        let count = data.utf8.count / 4 * 3 - data.utf8.count { $0 == UInt8(ascii: "=") }
        let received = (request.params["offset"]?.integer ?? 0) + Int64(count)
        return #"{"upload":"u1","received":\#(received),"type":"image/png","sha256":"ab"}"#
    }

    static func refusal(_ request: ScriptedDaemon.Request, _ errors: String) -> ScriptedDaemon.Reply {
        .lines([request.error("invalid", "not valid", data: #","errors":[\#(errors)]"#)])
    }
}

extension ScriptedDaemon {
    /// The operations that were submitted, without their UUIDs; those that were only tried are left out.
    func submitted() -> [String] {
        requests.filter { $0.method == "submit" && $0.params["dry_run"] == nil }.map { request in
            var object = request.params.object ?? [:]
            object["op"] = nil
            return String(decoding: JSONValue.object(object).compactBytes, as: UTF8.self)
        }
    }
}
