// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsStore
import ClaimsTestSupport
import Testing

@testable import ClaimsServer
@testable import ClaimsSnapshot

@Suite struct HandlerTests {
    private let shelf: ServedShelf

    init() throws { shelf = try ServedShelf() }

    private func ids(_ result: JSONValue) -> [String] {
        (result["records"]?.array ?? []).compactMap { $0["id"]?.string }
    }

    // MARK: - Every method

    @Test(arguments: [
        ("hello", "{}"), ("describe", "{}"), ("ping", "{}"), ("status", "{}"),
        ("search", #"{"collection":"shelf","facets":"state","group":true,"lang":"en"}"#),
        ("sort", #"{"by":"-level","limit":2}"#), ("count", "{}"),
        ("facets", #"{"collection":"shelf","fields":"state"}"#),
        ("detail", #"{"collection":"shelf","id":"3","lang":"en"}"#),
        ("archive", #"{"collection":"shelf","ids":["3"]}"#), ("unarchive", #"{"collection":"shelf","ids":["3"]}"#),
        ("refresh", "{}"), ("explain", #"{"collection":"shelf","filter":"book","id":"1"}"#),
    ]) func `a result has the members that its method describes`(method: String, params: String) async throws {
        let described = try #require(Method(name: method)).description.result
        let result = try await shelf.ask(method, params)
        let names = Set(result.object?.members.map(\.key) ?? [])
        #expect(names.isSubset(of: described.map(\.name)), "\(names)")
        #expect(names.isSuperset(of: described.filter(\.isRequired).map(\.name)), "\(names)")
    }

    // MARK: - hello, describe, status

    @Test func `the hint for a collection without a source names the daemon's own manager`() {
        var configuration = ServerConfiguration(version: "1", policy: RolePolicy(ownUser: 0), cursorKey: (1, 2))
        #expect(configuration.sourceHint("books").english.hasSuffix("books.json5, then: systemctl reload claimsd"))
        configuration.reload = "systemctl --user reload claimsd"
        #expect(
            configuration.sourceHint("books").english.hasSuffix("books.json5, then: systemctl --user reload claimsd"))
        #expect(configuration.sourceHint("books").text("pl").hasSuffix("wywołaj: systemctl --user reload claimsd"))
    }

    @Test func `a purpose is one line of printable text`() async throws {
        #expect(
            try await shelf.ask("hello", #"{"purpose":"ticket 4711, żółć"}"#)["you"]?["purpose"]?.string
                == "ticket 4711, żółć")
        #expect(try await shelf.ask("hello")["you"]?["purpose"] == nil)
        for text in ["", "a\\nb", "\\u0007", "a\\u2028b", "\\u0085", String(repeating: "x", count: 129)] {
            #expect(await shelf.refusal("hello", "{\"purpose\":\"\(text)\"}") == .badParams)
        }
        #expect(await shelf.refusal("hello", #"{"purpose":7}"#) == .badParams)
        #expect(Purpose(String(repeating: "x", count: Purpose.maxBytes)) != nil)
    }

    @Test func `hello tells the peer its roles and the bounds of requests`() async throws {
        let result = try await shelf.ask("hello", roles: [.read, .archive])
        #expect(result["you"]?["uid"]?.integer == 1000)
        #expect(result["you"]?["roles"]?.array == [.string("read"), .string("archive")])
        #expect(result["limits"]?["line"]?.integer == 1 << 20)
        #expect(await shelf.refusal("hello", #"{"protocol":[2,3]}"#) == .badParams)
        #expect(await shelf.refusal("hello", #"{"require":["telepathy"]}"#) == .badParams)
    }

    @Test func `describe shows one method or one collection where it is asked to`() async throws {
        let method = try await shelf.ask("describe", #"{"method":"count"}"#)
        #expect(method["methods"]?.array?.count == 1 && method["collections"] == nil)
        let collection = try await shelf.ask("describe", #"{"collection":"shelf"}"#)
        #expect(collection["collections"]?.array?.first?["name"]?.string == "shelf" && collection["methods"] == nil)
        #expect(await shelf.refusal("describe", #"{"method":"cuont"}"#) == .badParams)
    }

    @Test func `status counts records, connections and bytes, and says what an unconfigured collection needs`()
        async throws
    {
        let result = try await shelf.ask("status")
        #expect(
            result["clients"]?.integer == 7
                && result["disk_bytes"]?.integer == Int64(Directory.size(shelf.folder("disk"))))
        let collections = try #require(result["collections"]?.array)
        #expect(collections.map { $0["total"]?.integer } == [0, 8])
        #expect(collections[0]["hint"]?.string?.contains("notes.json5") == true)
    }

    // MARK: - Queries

    @Test func `search filters, and its cursor leads to the next page`() async throws {
        let first = try await shelf.ask(
            "search", #"{"collection":"shelf","filter":"state=open","sort":"level","limit":3}"#)
        #expect(ids(first) == ["2", "4", "6"] && first["total"]?.integer == 4)
        let cursor = try #require(first["next"]?.string)
        let second = try await shelf.ask(
            "search",
            #"{"collection":"shelf","filter":"state=open","sort":"level","limit":3,"cursor":"CURSOR"}"#
                .replacing("CURSOR", with: cursor))
        #expect(ids(second) == ["8"] && second["next"] == nil)
        let other = #"{"collection":"shelf","filter":"state=shut","sort":"level","cursor":"CURSOR"}"#
        #expect(await shelf.refusal("search", other.replacing("CURSOR", with: cursor)) == .badCursor)
    }

    @Test func `search over all collections names those that it left out`() async throws {
        let result = try await shelf.ask("search", #"{"filter":"Book"}"#)
        #expect(result["totals"]?["shelf"]?.integer == 8)
        #expect(result["meta"]?["skipped"]?.array?.first?["collection"]?.string == "notes")
        #expect(result["records"]?.array?.allSatisfy { $0["collection"]?.string == "shelf" } == true)
    }

    @Test func `search and its stream tell the same, but for the records`() async throws {
        let whole = try await shelf.ask("search", #"{"collection":"shelf"}"#)
        let streamed = try await shelf.ask("search", #"{"collection":"shelf","stream":true}"#)
        #expect(streamed["records"] == nil)
        #expect(streamed["total"] == whole["total"] && streamed["meta"] == whole["meta"])
    }

    @Test func `sort orders a collection by its keys`() async throws {
        let result = try await shelf.ask("sort", #"{"collection":"shelf","by":"-level","limit":2}"#)
        #expect(ids(result) == ["8", "7"])
    }

    @Test func `count and facets agree on how many records match`() async throws {
        let count = try await shelf.ask("count", #"{"collection":"shelf","filter":"level>2"}"#)
        let facets = try await shelf.ask("facets", #"{"collection":"shelf","filter":"level>2","fields":"state"}"#)
        #expect(count["total"]?.integer == 6 && facets["total"]?.integer == 6)
        let values = try #require(facets["facets"]?["state"]?.array)
        #expect(values.compactMap { $0["count"]?.integer } == [3, 3])
    }

    @Test func `facets count records without a value last, under null`() async throws {
        let shelf = try ServedShelf(ServedShelf.objects + [#"{"id":"9"}"#])
        for method in ["facets", "search"] {
            let name = method == "facets" ? "fields" : "facets"
            let answer = try await shelf.ask(
                method, #"{"collection":"shelf","\#(name)":["state","level","id"],"lang":"pl"}"#)
            for (field, values) in [("state", 3), ("level", 9)] {
                let facet = try #require(answer["facets"]?[field]?.array)
                #expect(facet.count == values && facet.last?["value"]?.isNull == true)
                #expect(facet.last?["label"]?.string == "brak" && facet.last?["count"]?.integer == 1)
            }
            #expect(answer["facets"]?["id"]?.array?.contains { $0["value"]?.isNull == true } == false)
        }
    }

    @Test(arguments: [
        (#"{"collection":"shefl"}"#, ErrorKind.unknownCollection), (#"{"collection":"notes"}"#, .noData),
        (#"{"collection":"shelf","filter":"level>"}"#, .badFilter),
        (#"{"collection":"shelf","fields":"x"}"#, .badParams),
        (#"{"collection":"shelf","sort":"x"}"#, .badSort),
        (#"{"collection":"shelf","time_zone":"Mars/Base"}"#, .badParams),
        (#"{"collection":"shelf","max_age_ms":10}"#, .notFresh),
        (#"{"collection":"shelf","facets":"extra"}"#, .badParams),
        (#"{"facets":"state"}"#, .badParams), (#"{"group":true}"#, .badParams), (#"{"cursor":"AAAA"}"#, .badCursor),
        (#"{"collection":"shelf","view":"x"}"#, .badParams), (#"{"colection":"shelf"}"#, .badParams),
    ]) func `a search that cannot be answered is refused with its kind`(params: String, kind: ErrorKind) async {
        #expect(await shelf.refusal("search", params) == kind)
    }

    // MARK: - detail, deal

    @Test func `detail answers one record, marks an archived one, and adds labels where a language is named`()
        async throws
    {
        let plain = try await shelf.ask("detail", #"{"collection":"shelf","id":"4"}"#)
        #expect(plain["record"]?["title"]?.string == "Book 4" && plain["upstream"]?["level"]?.integer == 4)
        #expect(plain["provenance"]?["generation"]?.integer == 3 && plain["meta"]?["age_ms"]?.integer == 5_000)
        shelf.archive("4")
        let archived = try await shelf.ask("detail", #"{"collection":"shelf","id":"4"}"#)
        #expect(archived["record"]?["archived"] == .bool(true))
        #expect(archived["provenance"]?["archived_by"]?.string != nil)
        #expect(archived["meta"] == plain["meta"] && archived["upstream"] == plain["upstream"])
        let labelled = try await shelf.ask("detail", #"{"collection":"shelf","id":5,"lang":"en"}"#)
        #expect(labelled["labels"]?["state"]?["shut"]?.string != nil)
        #expect(await shelf.refusal("detail", #"{"collection":"shelf","id":"77"}"#) == .notFound)
        #expect(await shelf.refusal("detail", #"{"collection":"shelf"}"#) == .badParams)
    }

    @Test func `deal needs a collection with deals and with data`() async throws {
        #expect(await shelf.refusal("deal") == .noData)
        #expect(await shelf.refusal("deal", #"{"collection":"shelf"}"#) == .badParams)
    }

    // MARK: - Effects

    @Test func `archive changes records by id, or by filter`() async throws {
        let byID = try await shelf.ask("archive", #"{"collection":"shelf","ids":[3,"5"]}"#)
        #expect(byID["changed"]?.array == [.string("3"), .string("5")])
        _ = try await shelf.ask("unarchive", #"{"collection":"shelf","filter":"level>6"}"#)
        let changes = shelf.archived
        #expect(changes.map(\.isArchiving) == [true, false] && changes.map(\.ids.count) == [2, 2])
        #expect(changes.allSatisfy { $0.uid == 1000 && $0.at == ServedShelf.now })
    }

    @Test func `a dry run of archive tells what would change, and changes nothing`() async throws {
        shelf.archive("2")
        let result = try await shelf.ask("archive", #"{"collection":"shelf","ids":["1","2","99"],"dry_run":true}"#)
        #expect(result["changed"]?.array == [.string("1")] && result["unchanged"]?.array == [.string("2")])
        #expect(result["missing"]?.array == [.string("99")])
        #expect(shelf.events.with { $0.isEmpty })
    }

    @Test func `what was removed meanwhile is an unknown collection, and no defect`() {
        let error = RequestError(StoreError(.noCollection, "archive records"), collection: "shelf")
        #expect(error.kind == .unknownCollection && error.message == "unknown collection 'shelf'")
    }

    @Test func `forget needs admin, and a removed collection`() async throws {
        #expect(await shelf.refusal("forget", #"{"collection":"old"}"#, roles: [.read, .archive]) == .forbidden)
        #expect(await shelf.refusal("forget", #"{"collection":"shelf"}"#) == .conflict)
        #expect(await shelf.refusal("forget", #"{"collection":"old"}"#) == .unknownCollection)
        #expect(await shelf.refusal("forget", "{}") == .badParams)
    }

    @Test func `try needs admin, and a collection`() async throws {
        #expect(await shelf.refusal("try", #"{"collection":"shelf"}"#, roles: [.read, .archive]) == .forbidden)
        #expect(await shelf.refusal("try", "{}") == .badParams)
        #expect(await shelf.refusal("try", #"{"collection":"shelf"}"#) == .unknownCollection)
    }

    @Test func `archive needs its role, and either ids or a filter`() async {
        #expect(await shelf.refusal("archive", #"{"collection":"shelf","ids":["1"]}"#, roles: .read) == .forbidden)
        #expect(await shelf.refusal("archive", #"{"collection":"shelf"}"#) == .badParams)
        #expect(await shelf.refusal("archive", #"{"collection":"shelf","ids":["1"],"filter":"x"}"#) == .badParams)
        #expect(await shelf.refusal("archive", #"{"collection":"notes","ids":["1"]}"#) == .notArchivable)
    }

    @Test func `refresh passes its options on, and refuses those that need admin`() async throws {
        #expect(await shelf.refusal("refresh", #"{"force":true}"#, roles: .read) == .forbidden)
        #expect(await shelf.refusal("refresh", #"{"accept":true}"#, roles: [.read, .archive]) == .forbidden)
        #expect(await shelf.refusal("refresh", #"{"collection":"notes"}"#) == .noData)
        #expect(await shelf.refusal("refresh", #"{"collection":"shelf"}"#) == .conflict)
        _ = try await shelf.ask("refresh", #"{"force":true,"wait":true}"#)
        var parameters = RefreshParameters()
        parameters.isForced = true
        parameters.isWaiting = true
        let order = try RefreshHandler.order(parameters, from: ServedShelf.peer(), shelf.context)
        #expect(order.isForced && order.waits && !order.isAccepted && order.sources == [])
    }

    @Test func `cancel names the request to cancel as it came`() async throws {
        #expect(try await shelf.ask("cancel", #"{"request":"a"}"#) == .string(#""a""#))
        #expect(try await shelf.ask("cancel", #"{"request":12}"#) == .string("12"))
    }

    // MARK: - Lines

    @Test(
        arguments: [
            ("nonsense", ErrorKind.parseError, nil), ("[]", .invalidRequest, nil),
            (#"{"id":7,"method":"pnig"}"#, .unknownMethod, "7"), (#"{"method":"ping"}"#, .invalidRequest, nil),
            (#"{"id":"x","method":"ping","more":1}"#, .invalidRequest, #""x""#),
        ] as [(String, ErrorKind, String?)]) func `a line that is no request is refused with its id`(
            line: String, kind: ErrorKind, id: String?
        ) throws
    {
        do throws(RequestRouter.Refusal) {
            _ = try shelf.router.read(Array(line.utf8).rawSpan, maxDepth: 64)
            Issue.record("it was read")
        } catch {
            #expect(error.error.kind == kind)
            #expect(error.id.map { String(decoding: $0, as: UTF8.self) } == id)
        }
    }

    @Test func `a query that takes longer than a loop may wait is answered by a worker`() async throws {
        struct SlowQuery: QueryOperation {
            let timeout = Duration.seconds(10)
            func run(_ context: QueryContext, budget: QueryBudget, to writer: inout JSONWriter) throws(QueryFailure) {
                let start = SystemClock.monotonic
                while SystemClock.monotonic - start < 3_000_000 {
                    do throws(QueryInterruption) { try budget.check() } catch { throw .interrupted(error) }
                }
                // A loaded machine may not have let it check once in that time.
                do throws(QueryInterruption) { try budget.check() } catch { throw .interrupted(error) }
                writer.integer(42)
            }
        }
        var writer = JSONWriter()
        guard
            case .later(let cancellation?, let start) = try shelf.context.run(
                SlowQuery(), for: ServedShelf.peer(), to: &writer)
        else {
            Issue.record("it was answered at once")
            return
        }
        #expect(!cancellation.isCancelled)
        let result: RequestResult = await withCheckedContinuation { continuation in
            start { continuation.resume(returning: $0) }
        }
        #expect(try result.get() == Array("42".utf8))
    }
}
