// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension ShippedCollections {
    /// The present time that goes with ``records(_:)``: 2026-11-20T08:13:02Z, in milliseconds since 1970.
    public static let now: Int64 = 1_795_162_382_000

    /// A page of a collection's records, as the result of `search` has them; empty for an unknown collection.
    public static func records(_ collection: String) -> String { pages[collection] ?? "" }

    private static let pages: [String: String] = [
        "claims": #"""
        {"id":"1","claimant_id":"105","claimant_name":"Fatima Nasser","title":"Water damage in the kitchen",
        "description":"A pipe under the sink burst over night. The floor and two cabinets are soaked; the tenant below reports a stain on the ceiling.",
        "status":"verified"},
        {"id":"2","claimant_id":"7","claimant_name":"Zdzisław Brzęczyszczykiewicz","title":"Zalane piętro przy ul. Świętojańskiej, mieszkanie 12 na trzecim piętrze",
        "description":"Woda\nz pralki","status":"pending"},
        {"id":"1003","title":"Fire","status":"rejected"},
        {"id":"1004","claimant_id":"8","description":"no title","status":"unknown"}
        """#,
        "countries": #"""
        {"id":"AX","name":"Åland Islands","capital":"Mariehamn","region":"EU"},
        {"id":"GS","name":"South Georgia and the South Sandwich Islands","capital":"King Edward Point","region":"AN"},
        {"id":"JP","name":"日本国","capital":"東京","region":"AS"},
        {"id":"AQ","name":"Antarctica","region":"AN"}
        """#,
        "documents": #"""
        {"id":"D-7","type":"gym_membership","title":"Gym contract 2027","status":"verified","uploaded_at":"2026-08-11T10:00:00.000Z"},
        {"id":"D-8","type":"beneficiary_form","title":"Formularz uposażonego, podpisany przez notariusza w Żorach","status":"rejected","uploaded_at":"2026-11-17T08:13:02.000Z"},
        {"id":"D-1009","type":"identification","title":"ID","status":"pending","uploaded_at":"2026-11-20T08:01:02.000Z"}
        """#,
        "packs": #"""
        {"id":"6300000016790123473779","status":"READY_TO_PICKUP","sender":"Äpfel & Birnen GmbH","pickup_date":"2026-11-17T08:13:02.000Z","expiry_date":"2026-11-20T03:13:02.000Z"},
        {"id":"6300000016790123473780","status":"ADOPTED_AT_SORTING_CENTER","sender":"A company whose name does not want to come to an end","pickup_date":"2026-10-01T08:00:00.000Z"},
        {"id":"6300000016790123473781","status":"CREATED"},
        {"id":"6300000016790123473782","status":"PICKUP_TIME_EXPIRED","sender":"北京大学出版社","expiry_date":"2026-11-21T08:13:02.000Z"},
        {"id":"6300000016790123473783","archived":true,"status":"RETURNED_TO_SENDER","sender":"Nordlicht Optik"}
        """#,
        "units": #"""
        {"id":"1","name":"Boiler","status":"ok"},
        {"id":"2","name":"Pump south cellar","status":"faulty"},
        {"id":"3","name":"Frequency converter of the exhaust fan in the second hall, behind the yellow door next to the stairs","status":"not_reachable"},
        {"id":"12","status":"not_reachable"}
        """#,
    ].mapValues { "{\"records\":[" + $0.split(separator: "\n").joined() + "]}" }
}
