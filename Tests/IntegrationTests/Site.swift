// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport

/// A daemon on the shipped definitions, with an upstream of its own that serves small collections.
final class Site: Sendable {
    let upstream: UpstreamProcess
    let daemon: DaemonProcess

    /// Starts both, and returns when every collection that has a body is served from the upstream.
    ///
    /// - Parameters:
    ///   - bodies: what the upstream serves, by collection.
    ///   - site: further files of the configuration folder.
    ///   - environment: further variables of the daemon.
    init(
        _ bodies: [String: String] = [
            "units": Site.units, "packs": Site.packs, "claims": Site.claims,
        ], source: String = "", site: [String: String] = [:], environment: [String: String] = [:]
    ) throws {
        let upstream = try UpstreamProcess(Dictionary(uniqueKeysWithValues: bodies.map { ("\($0).json", $1) }))
        var files: [String: String] = [:]
        for name in bodies.keys {
            files["collections.d/\(name).json5"] = Self.definition(upstream.url("\(name).json"), source)
        }
        self.upstream = upstream
        daemon = try DaemonProcess(site: files.merging(site) { $1 }, environment: environment)
        try daemon.start()
        let client = try daemon.connect()
        for name in bodies.keys {
            let answer = try client.request("refresh", #"{"collection":"\#(name)","wait":true}"#)
            guard answer["result"] != nil else { throw TestFailure("no refresh: \(answer)") }
        }
    }

    /// A definition that only says where a collection comes from.
    static func definition(_ url: String, _ more: String = "") -> String {
        #"{ source: { url: "\#(url)", interval: "1h", \#(more) } }"#
    }

    /// Replaces what the upstream serves, and has the daemon fetch it.
    @discardableResult
    func serve(_ name: String, _ body: String, _ parameters: String = "") throws -> JSONValue {
        try upstream.folder.write("\(name).json", body)
        let client = try daemon.connect()
        return try client.request("refresh", #"{"collection":"\#(name)","wait":true\#(parameters)}"#)
    }

    static let units = """
        [{"id":"1","name":"Pump north","status":"OK","protocol":"Modbus","serialNumber":"PN-1","imageUrlString":"https://i.example/1"},
         {"id":"2","name":"Pump south","status":"FAULTY","protocol":null,"serialNumber":"PS-2","imageUrl":"https://i.example/2"},
         {"id":"10","name":"Gate","status":"ok","serialNumber":"G-10"},
         {"id":"3","name":"Łódź compressor","status":"Not Reachable","serialNumber":"C-3","extra":{"deep":[1, 2]}},
         {"id":"4","name":"Åland mast","status":"  ","serialNumber":"M-4"},
         {"id":"5","name":"Bay door","serialNumber":"B-5"},
         {"id":"6","name":"Fire panel","status":"EXPLODED","serialNumber":"F-6"}]
        """

    static let packs = """
        [{"id":"1234567890123456789012345","status":"READY_TO_PICKUP","sender":"Księgarnia","pickUpDate":"2026-11-12T08:00:00Z","expiryDate":"2026-11-15T20:00:00Z","shipmentType":"PARCEL_LOCKER"},
         {"id":"1234567890123456789012344","status":"READY TO PICKUP","sender":"Nordlicht","pickupDate":"2026-11-13T08:00:00.5+01:00","shipmentType":"COURIER"},
         {"id":"7","status":"DELIVERED","sender":"Zielony","pickupDate":"2026-11-01T09:00:00Z","shipmentType":"COURIER"},
         {"id":"8","status":"BROKEN_STATUS","sender":"Äpfel","shipmentType":"DRONE"},
         {"id":"9","status":"CREATED","sender":"Straße GmbH","shipmentType":"COURIER"},
         {"id":"10","status":"PICKUP_TIME_EXPIRED","sender":"Réunion","shipmentType":"COURIER"}]
        """

    static let claims = """
        [{"id":1,"claimantId":7,"title":"Water damage in the kitchen","description":"A pipe burst over night","type":"medical","status":"pending","amount":120.50,"currency":"EUR","submittedAt":"2026-11-01T10:00:00Z"},
         {"id":2,"userId":8,"title":"Broken tooth","body":"Fell on ice; water froze","type":"dental","status":"verified","amount":"80.10"},
         {"id":3,"userId":7,"title":"New glasses","body":"C++ and d'Ivoire","type":"vision","status":"rejected","amount":99},
         {"id":10,"userId":9,"title":"STRASSE","body":"damage by water","type":"garden","status":"waiting","amount":100000000000000000000.25}]
        """
}

extension JSONValue {
    /// The ids of the records of an answer, in order.
    var ids: [String] {
        self["result"]?["records"]?.array?.compactMap { $0["id"]?.string } ?? []
    }

    /// The kind of an error answer.
    var errorKind: String? { self["error"]?["data"]?["kind"]?.string }

    /// A member further down, by a path of names and positions.
    func at(_ path: String...) -> JSONValue? {
        var value: JSONValue? = self
        for part in path {
            if let position = Int(part), let elements = value?.array {
                value = elements.indices.contains(position) ? elements[position] : nil
            } else {
                value = value?[part]
            }
        }
        return value
    }
}
