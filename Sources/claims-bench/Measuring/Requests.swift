// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The requests that claimsd is asked.
enum Requests {
    /// One record each, in no order.
    static func details(_ shape: CollectionShape) -> RequestScript {
        var script = RequestScript()
        for (index, record) in records(shape).enumerated() {
            script.append(
                """
                {"id":\(index),"method":"detail","params":{"collection":"\(Daemon.collection)",\
                "id":"\(RecordGenerator.id(record))"}}

                """)
        }
        return script
    }

    /// The same records at Redis.
    static func gets(_ shape: CollectionShape) -> RequestScript {
        var script = RequestScript(newlines: 2)
        for record in records(shape) {
            let key = "\(RecordGenerator.id(record))"
            script.append("*2\r\n$3\r\nGET\r\n$\(key.utf8.count)\r\n\(key)\r\n")
        }
        return script
    }

    /// The smallest question that watchman answers.
    static func versions() -> RequestScript {
        var script = RequestScript()
        for _ in 0..<64 { script.append("[\"version\"]\n") }
        return script
    }

    private static func records(_ shape: CollectionShape) -> [Int] {
        var random = Randomness(seed: 7)
        return (0..<RequestScript.variety).map { _ in random.below(shape.records) }
    }

    static func search(_ query: Query, id: Int) -> String {
        var parameters = "\"collection\":\"\(Daemon.collection)\",\"filter\":\"\(query.filter)\""
        if let sort = query.sort { parameters += ",\"sort\":\"\(sort)\"" }
        if let facets = query.facets { parameters += ",\"facets\":[\"\(facets)\"]" }
        return "{\"id\":\(id),\"method\":\"search\",\"params\":{\(parameters)}}\n"
    }

    /// The queries in turn, with ids of their own as far as requests may be in flight together.
    static func searches(_ queries: [Query]) -> RequestScript {
        var script = RequestScript()
        var id = 0
        repeat {
            for query in queries {
                script.append(search(query, id: id))
                id += 1
            }
        } while id < 128
        return script
    }
}
