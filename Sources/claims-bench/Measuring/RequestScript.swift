// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Requests that a run sends again and again; made beforehand, end to end.
struct RequestScript {
    private(set) var bytes: [UInt8] = []
    private(set) var ends: [UInt32] = []
    /// The number of newlines of an answer.
    let newlines: Int

    init(newlines: Int = 1) {
        self.newlines = newlines
    }

    var count: Int { ends.count }

    mutating func append(_ request: String) {
        bytes += Array(request.utf8)
        ends.append(UInt32(bytes.count))
    }

    func request(_ index: Int) -> [UInt8] {
        let start = index == 0 ? 0 : Int(ends[index - 1])
        return Array(bytes[start..<Int(ends[index])])
    }

    /// The number of requests for different records.
    static let variety = 16_384
}

/// The requests to claimsd and its peers.
enum Requests {
    /// `detail` of random records.
    static func details(_ shape: CollectionShape) -> RequestScript {
        var script = RequestScript()
        for (index, record) in records(shape).enumerated() {
            script.append(
                """
                {"id":\(index),"method":"detail","params":{"collection":"\(CollectionShape.collection)",\
                "id":"\(RecordGenerator.id(record))"}}

                """)
        }
        return script
    }

    /// GET of the same records, for Redis.
    static func gets(_ shape: CollectionShape) -> RequestScript {
        var script = RequestScript(newlines: 2)
        for record in records(shape) {
            let key = "\(RecordGenerator.id(record))"
            script.append("*2\r\n$3\r\nGET\r\n$\(key.utf8.count)\r\n\(key)\r\n")
        }
        return script
    }

    /// The smallest request that watchman answers.
    static func versions() -> RequestScript {
        var script = RequestScript()
        for _ in 0..<64 { script.append("[\"version\"]\n") }
        return script
    }

    private static func records(_ shape: CollectionShape) -> [Int] {
        var random = Randomness(seed: 7)
        return (0..<RequestScript.variety).map { _ in random.below(shape.records) }
    }

    /// - Parameter rows: a further filter.
    static func search(_ query: Query, id: Int, rows: String? = nil) -> String {
        let filter = rows.map { "\(query.filter) \($0)" } ?? query.filter
        var parameters = "\"collection\":\"\(CollectionShape.collection)\",\"filter\":\"\(filter)\""
        if let sort = query.sort { parameters += ",\"sort\":\"\(sort)\"" }
        if let facets = query.facets { parameters += ",\"facets\":[\"\(facets)\"]" }
        return "{\"id\":\(id),\"method\":\"search\",\"params\":{\(parameters)}}\n"
    }

    /// `count` of what each query finds, without its order and facets.
    static func counts(_ queries: [Query]) -> RequestScript {
        var script = RequestScript()
        for (index, query) in queries.enumerated() {
            let collection = CollectionShape.collection
            script.append(
                "{\"id\":\(index),\"method\":\"count\",\"params\":{\"collection\":\"\(collection)\","
                    + "\"filter\":\"\(query.filter)\"}}\n")
        }
        return script
    }

    /// The queries one after another, repeated until there are as many ids as requests may be in flight.
    ///
    /// - Parameter rows: a further filter.
    static func searches(_ queries: [Query], rows: String? = nil) -> RequestScript {
        var script = RequestScript()
        var id = 0
        repeat {
            for query in queries {
                script.append(search(query, id: id, rows: rows))
                id += 1
            }
        } while id < 128
        return script
    }
}
