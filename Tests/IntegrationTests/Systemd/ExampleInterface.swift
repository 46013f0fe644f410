// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The API of claimsd-recipes(7), served by the upstream of an installed machine, five records at each address.
struct ExampleInterface {
    private let service: InstalledService

    init(_ service: InstalledService) { self.service = service }

    /// `text` with the addresses of this API in the place of the example's.
    func local(_ text: String) -> String {
        text.replacing("https://api.example", with: "http://127.0.0.1:\(InstalledService.port)")
    }

    /// Serves it, and writes the credentials that it asks for.
    func start() throws {
        let records = { (first: Int, count: Int) in
            let texts = (first..<first + count).map { number in
                #"{"id":\#(number),"name":"Name \#(number)","updated_at":"2026-11-0\#(number)T10:00:00Z"}"#
            }
            return "[\(texts.joined(separator: ","))]"
        }
        let all = records(1, 5)
        try service.write([
            "/srv/v1/valves": all, "/srv/v1/pumps": all, "/srv/v2/orders": all, "/srv/graphql": all,
            "/srv/tickets": all, "/srv/site/north/meters": records(1, 2), "/srv/site/south/meters": records(1, 3),
            "/etc/claimsd/credentials/pumps": "key-1", "/etc/claimsd/credentials/orders": "secret-1",
            "/etc/claimsd/credentials/machines": "token-1", "/etc/claimsd/credentials/tickets": "word-1",
            "/etc/claimsd/credentials/north": "token-2", "/etc/claimsd/credentials/south": "token-3",
        ])
        try service.machine.check("chmod 600 /etc/claimsd/credentials/*")
        try service.startUpstream()
        try service.misbehave(
            "v1/pumps",
            """
            {"fault":"paged","style":"parameter","items":"data","limit":"per_page",
             "require":{"x-api-key":"key-1"},"require_query":{"sort":"id"}}
            """)
        try service.giveTokens(
            "token", #"{"client":"plant-7","secret":"secret-1","send":"basic","form":{"scope":"read"}}"#)
        try service.misbehave("v2/orders", #"{"fault":"paged","style":"cursor","size":2,"tokens":"/token"}"#)
        try service.misbehave(
            "graphql",
            """
            {"fault":"paged","reads":true,"style":"cursor","size":2,"parameter":"/variables/after",
             "items":"/data/machines/nodes","next":"/data/machines/pageInfo/endCursor","last":"kept",
             "more":"/data/machines/pageInfo/hasNextPage","require":{"authorization":"Bearer token-1"}}
            """)
        try service.misbehave(
            "tickets",
            """
            {"fault":"paged","style":"offset","since":{"parameter":"updated_since","field":"updated_at"},
             "require":{"authorization":"Basic cGxhbnQ6d29yZC0x"}}
            """)
        try service.misbehave("site/north/meters", #"{"require":{"authorization":"Bearer token-2"}}"#)
        try service.misbehave("site/south/meters", #"{"require":{"authorization":"Bearer token-3"}}"#)
    }
}
