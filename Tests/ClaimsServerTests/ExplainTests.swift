// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsTestSupport
import Testing

@Suite struct ExplainTests {
    private let shelf: ServedShelf

    init() throws { shelf = try ServedShelf() }

    private func explain(_ filter: String, _ rest: String = "") async throws -> JSONValue {
        let text = String(decoding: JSONValue.string(filter).compactBytes, as: UTF8.self)
        return try await shelf.ask("explain", #"{"collection":"shelf","filter":\#(text)\#(rest)}"#)
    }

    // MARK: - Against a naive evaluator

    /// A filter and, without keys or predicates, the numbers of the books that it is true for.
    private indirect enum Naive: Sendable {
        case term(String, @Sendable (Int) -> Bool)
        case and([Naive])
        case or([Naive])
        case not(Naive)

        static let terms: [Naive] = [
            .term("state=open", { $0 % 2 == 0 }), .term("state!=open", { $0 % 2 == 1 }),
            .term("level>3", { $0 > 3 }), .term("level=2..5", { (2...5).contains($0) }),
            .term("level=1,7", { $0 == 1 || $0 == 7 }), .term("\"book 4\"", { $0 == 4 }), .term("BOOK", { _ in true }),
            .term("title~'ok 2'", { $0 == 2 }), .term("title!~3", { $0 != 3 }), .term("note.any", { _ in false }),
            .term("state>=shut", { $0 % 2 == 1 }), .term("id^=8", { $0 == 8 }), .term("extra.none", { _ in false }),
        ]

        var text: String {
            switch self {
            case .term(let text, _): text
            case .and(let parts): "(" + parts.map(\.text).joined(separator: " and ") + ")"
            case .or(let parts): "(" + parts.map(\.text).joined(separator: " or ") + ")"
            case .not(let part): "not (" + part.text + ")"
            }
        }

        func isTrue(_ number: Int) -> Bool {
            switch self {
            case .term(_, let test): test(number)
            case .and(let parts): parts.allSatisfy { $0.isTrue(number) }
            case .or(let parts): parts.contains { $0.isTrue(number) }
            case .not(let part): !part.isTrue(number)
            }
        }

        /// Parts of another kind than their whole, as the parser would flatten them otherwise.
        static func random(_ random: inout SeededGenerator, depth: Int, after kind: Int = 0) -> Naive {
            switch depth == 0 ? 0 : Int.random(in: 0...3, using: &random) {
            case 1 where kind != 1: .and((0..<2).map { _ in self.random(&random, depth: depth - 1, after: 1) })
            case 2 where kind != 2: .or((0..<3).map { _ in self.random(&random, depth: depth - 1, after: 2) })
            case 3: .not(self.random(&random, depth: depth - 1, after: 3))
            default: random.pick(terms)
            }
        }
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `verdicts, counts and listed are those of a naive evaluator`(_ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<40 {
            let naive = Naive.random(&random, depth: 3)
            let number = Int.random(in: 1...8, using: &random)
            let result = try await explain(naive.text, #","id":\#(number)"#)
            let tree = try #require(result["tree"])
            check(tree, naive, number)
            let matching = (1...8).filter { naive.isTrue($0) }.count
            #expect(result["total"]?.integer == Int64(matching), "\(naive.text)")
            #expect(result["listed"] == .bool(naive.isTrue(number)), "\(naive.text)")
            #expect(result["because"]?.string == (naive.isTrue(number) ? nil : "filter"))
        }
    }

    private func check(_ node: JSONValue, _ naive: Naive, _ number: Int) {
        #expect(node["verdict"] == .bool(naive.isTrue(number)), "\(naive.text) for \(number)")
        let matching = (1...8).filter { naive.isTrue($0) }.count
        #expect(node["matches"]?.integer == Int64(matching), "\(naive.text)")
        let parts: [Naive]
        switch naive {
        case .and(let inner):
            #expect(node["op"]?.string == "and")
            parts = inner
        case .or(let inner):
            #expect(node["op"]?.string == "or")
            parts = inner
        case .not(let inner):
            #expect(node["op"]?.string == "not")
            parts = [inner]
        case .term:
            #expect(node["op"]?.string == "term")
            #expect((node["estimate"]?.integer ?? -1) >= matching, "\(naive.text)")
            parts = []
        }
        let nodes = node["of"]?.array ?? []
        #expect(nodes.count == parts.count)
        for (node, part) in zip(nodes, parts) { check(node, part, number) }
    }

    // MARK: - Parts

    @Test func `a term tells its position, its operands and the value of the record`() async throws {
        let result = try await explain("level>3 BOOK", #","id":"2""#)
        #expect(result["filter"]?.string == "level>3 and BOOK")
        let level = try #require(result["tree"]?["of"]?.array?.first)
        #expect(level["position"]?.integer == 0 && level["length"]?.integer == 7)
        #expect(level["field"]?.string == "level" && level["type"]?.string == "integer")
        #expect(level["compared"] == [3] && level["value"] == 2 && level["verdict"] == false)
        let word = try #require(result["tree"]?["of"]?.array?.last)
        #expect(word["field"] == nil && word["compared"] == ["book"])
        #expect(word["value"] == ["title": "book 2"])
        #expect(result["because"]?.string == "filter")
    }

    @Test func `a range is marked with its field`() async throws {
        let alone = try await explain("level=1..3", "")
        #expect(alone["tree"]?["position"]?.integer == 0 && alone["tree"]?["length"]?.integer == 10)
        let among = try #require(try await explain("BOOK level=5,7..9", "")["tree"]?["of"]?.array?.last?["of"]?.array)
        #expect(among.map { $0["position"]?.integer } == [5, 5])
        #expect(among.map { $0["length"]?.integer } == [12, 12])
    }

    @Test func `absent values are null and long ones cut`() async throws {
        let long = String(repeating: "Ł", count: 200) + String(repeating: "日", count: 100)
        let shelf = try ServedShelf([#"{"id":"1","title":"\#(long)"}"#])
        let result = try await shelf.ask(
            "explain", #"{"collection":"shelf","filter":"note=x title~l state.raw=y","id":1}"#)
        let parts = try #require(result["tree"]?["of"]?.array)
        #expect(parts[0]["value"] == JSONValue.null && parts[0]["cut"] == nil && parts[0]["verdict"] == false)
        let shown = String(repeating: "l", count: 200) + String(repeating: "日", count: 18)
        #expect(parts[1]["value"]?.string == shown && parts[1]["cut"] == true)
        #expect(parts[2]["value"] == JSONValue.null)
    }

    @Test func `a filter sent as a tree has no positions, and without a filter all match`() async throws {
        let tree = try await shelf.ask("explain", #"{"collection":"shelf","filter":["gt","level",3]}"#)
        #expect(tree["tree"]?["position"] == nil && tree["tree"]?["text"]?.string == "level>3")
        #expect(tree["listed"] == nil && tree["tree"]?["verdict"] == nil)
        let all = try await shelf.ask("explain", #"{"collection":"shelf","id":"1"}"#)
        #expect(all["filter"]?.string == "" && all["tree"]?["of"] == [] && all["tree"]?["matches"] == 8)
        #expect(all["total"] == 8 && all["listed"] == true)
    }

    @Test func `an archived record is not listed because it is archived`() async throws {
        shelf.archive("2")
        let hidden = try await explain("state=open", #","id":"2""#)
        #expect(hidden["listed"] == false && hidden["because"]?.string == "archived" && hidden["total"] == 3)
        let included = try await explain("state=open", #","id":"2","archived":"include""#)
        #expect(included["listed"] == true && included["because"] == nil && included["total"] == 4)
        let only = try await explain("state=open", #","id":"4","archived":"only""#)
        #expect(only["listed"] == false && only["because"]?.string == "archived" && only["total"] == 1)
        let both = try await explain("state=shut", #","id":"2""#)
        #expect(both["because"]?.string == "filter")
    }

    @Test func `the plan is told in the language of the request`() async throws {
        let english = try #require(await explain("state=open book or not level=1")["plan"]?.array)
        #expect(english.count > 3 && english.allSatisfy { $0.string?.hasSuffix(".") == true })
        let polish = try #require(try await explain("state=open", #","lang":"pl""#)["plan"]?.array)
        #expect(polish.last?.string?.contains("Rekordów") == true)
    }

    @Test func `mistakes are refused as those of search`() async throws {
        for (params, kind) in [
            (#"{"collection":"shelf","filter":"lvel>3"}"#, ErrorKind.badFilter),
            (#"{"collection":"shelf","view":"mine"}"#, .badParams),
            (#"{"collection":"shelf","fields":["nope"]}"#, .badParams),
            (#"{"collection":"shelf","time_zone":"Mars"}"#, .badParams),
            (#"{"collection":"shelf","id":"99"}"#, .notFound),
            (#"{"collection":"notes"}"#, .noData), (#"{"collection":"nope"}"#, .unknownCollection),
            ("{}", .badParams),
        ] {
            #expect(await shelf.refusal("explain", params) == kind, "\(params)")
        }
    }
}
