// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsTerminal
import ClaimsTestSupport
import Testing

@testable import ClaimsBrowse

/// A state of the screen with a name, in any language.
struct ScreenScene: Sendable, CustomTestStringConvertible {
    let name: String
    let make: @Sendable (String) throws -> ScreenExample

    init(_ name: String, _ make: @escaping @Sendable (String) throws -> ScreenExample) {
        self.name = name
        self.make = make
    }

    /// A scene of a list that is changed.
    init(
        _ name: String, of collection: String = "packs",
        _ change: @escaping @Sendable (inout ScreenExample) throws -> Void
    ) {
        self.init(name) { language in
            var example = try ScreenExample(language, collection)
            try change(&example)
            return example
        }
    }

    var testDescription: String { name }

    static let all = lists + conditions + inputs + sheets + details + tabs

    private static let lists =
        ["claims", "countries", "documents", "packs", "units"].map { name in
            ScreenScene("list-\(name)", of: name) { _ in }
        } + [
            ScreenScene("list-query") { example in
                example.list { list in
                    list.query.search = "opt"
                    list.query.archived = .include
                    list.query.order = "-pickup_date"
                    list.answeredQuery = list.query
                    list.isGrouped = false
                    list.firstRank = 1234
                    list.total = 5678
                }
            },
            ScreenScene("list-marks", of: "units") { example in
                let pending = #","pending":{"state":"queued","ops":[]}"#
                let stuck = #","pending":{"state":"stuck","ops":[]}"#
                try example.list { list in
                    list.rows[0].mark = .updated
                    list.rows[1].mark = .removed(reason: "gone")
                    list.rows[2].record = try ScreenExample.value(#"{"id":"3","name":"Fan","status":"ok"\#(pending)}"#)
                    list.rows[3].record = try ScreenExample.value(#"{"id":"12","name":"Belt","status":"ok"\#(stuck)}"#)
                    list.newer = ["77", "78"]
                    list.selected = 1
                }
            },
            ScreenScene("list-scrolled") { example in
                example.list { list in
                    list.top = 3
                    list.selected = 4
                    list.isRebuilt = true
                }
            },
        ]

    private static func receiving(_ bytes: Int, of expected: Int, since: Int64) -> ListRefresh {
        var progress = RefreshProgress()
        (progress.phase, progress.bytes, progress.expected) = (.receive, bytes, expected)
        return ListRefresh(since: since, progress: progress)
    }

    private static let conditions = [
        ScreenScene("loading") { $0.state.lists = BrowseLists() },
        ScreenScene("loading-progress") { example in
            example.list { list in
                list.phase = .loading
                list.refresh = receiving(1_258_291, of: 3_145_728, since: ShippedCollections.now - 4000)
            }
        },
        ScreenScene("empty") { example in
            example.list { list in
                (list.rows, list.total, list.selected, list.groups) = ([], 0, nil, [])
                list.meta = ScreenExample.meta(state: "empty")
            }
        },
        ScreenScene("no-match") { example in
            example.list { list in
                (list.rows, list.total, list.selected, list.groups) = ([], 0, nil, [])
                list.query.search = "pmup"
                list.answeredQuery = list.query
            }
        },
        ScreenScene("no-match-id") { example in
            try example.list { list in
                let record = list.rows[0].record
                (list.rows, list.total, list.selected, list.groups) = ([], 0, nil, [])
                list.query.search = try #require(record["id"]?.text)
                list.answeredQuery = list.query
                list.namesake = ListNamesake(text: list.query.search, record: record)
            }
        },
        ScreenScene("no-archive") { example in
            example.list { list in
                (list.rows, list.total, list.selected, list.groups) = ([], 0, nil, [])
                list.query.archived = .only
                list.answeredQuery = list.query
            }
        },
        ScreenScene("all-archived") { example in
            example.list { list in
                (list.rows, list.total, list.selected, list.groups) = ([], 0, nil, [])
                list.meta = ScreenExample.meta(state: "empty")
            }
            example.daemon(
                status: try ScreenExample.value(
                    #"{"collections":[{"name":"packs","title":"Packs","total":0,"archived":1204,"ttl_ms":30000}]}"#))
        },
        ScreenScene("withheld") { example in
            let meta = ScreenExample.meta("expired", state: "withheld", failure: example.reason)
            let message =
                example.language == "pl"
                ? "kolekcja packs nie jest pokazywana: dane mają ponad 30 dni" : "packs is withheld: older than 30 days"
            example.list { list in
                list.meta = meta
                list.phase = .refused(Refusal(kind: "no_data", message: message, hint: nil, data: nil))
            }
        },
        ScreenScene("failed") { example in
            let refusal = try example.noData("failed", failure: example.reason)
            example.list { $0.phase = .refused(refusal) }
        },
        ScreenScene("unconfigured", of: "documents") { example in
            let hint = example.state.status?["collections"]?.elements[2]["hint"]?.string
            let refusal = try example.noData("unconfigured", hint: hint)
            example.list { $0.phase = .refused(refusal) }
        },
        ScreenScene("stale") { example in
            let meta = ScreenExample.meta("stale", failure: example.reason)
            example.list { $0.meta = meta }
        },
        ScreenScene("stale-unasked") { example in
            let meta = ScreenExample.meta("stale")
            example.list { $0.meta = meta }
        },
        ScreenScene("fresh-failed") { example in
            let meta = ScreenExample.meta("fresh", failure: example.reason)
            example.list { $0.meta = meta }
        },
        ScreenScene("bundle-unconfigured", of: "countries") { example in
            let meta = ScreenExample.meta("bundle", source: "bundle")
            example.list { $0.meta = meta }
            example.daemon(
                status: try ScreenExample.value(
                    #"{"collections":[{"name":"countries","title":"Countries","total":249,"hint":"write source.url"}]}"#
                ))
        },
        ScreenScene("expired") { example in
            let meta = ScreenExample.meta("expired", failure: example.reason)
            example.list { $0.meta = meta }
        },
        ScreenScene("bundle", of: "countries") { example in
            let meta = ScreenExample.meta("bundle", failure: example.reason, source: "bundle")
            example.list { $0.meta = meta }
        },
        ScreenScene("held") { example in
            try example.addStatus("packs", #""held":{"before":1000,"after":12}"#)
        },
        ScreenScene("refreshing") { example in
            example.list { list in
                list.refresh = receiving(13_002_342, of: 32_505_856, since: ShippedCollections.now - 3000)
            }
        },
        ScreenScene("refresh-waits") { example in
            example.list { list in
                var progress = RefreshProgress()
                progress.phase = .connect
                progress.wait = HostWait(
                    host: "api.example", reason: .floor, until: ShippedCollections.now + 65_000)
                list.refresh = ListRefresh(since: ShippedCollections.now - 3000, progress: progress)
            }
        },
        ScreenScene("refreshed") { example in
            example.list { $0.newer = ["77", "78"] }
            let text = example.language == "pl" ? "Paczki, odświeżono: dodane: 2." : "Packs refreshed: 2 added."
            example.state.notice = Notice(kind: .done, text: text)
        },
        ScreenScene("lost") { $0.daemon(link: .lost(since: ShippedCollections.now - 700_000)) },
        ScreenScene("not-live") { example in
            example.list { list in
                list.liveness = .notLive(nil)
                list.phase = .answered(isSearching: true)
            }
            example.state.notice = Notice(kind: .wrong, text: "busy")
        },
    ]

    private static let inputs = [
        ScreenScene("search") { example in
            example.open([.input(InputState(.search, collection: "packs", text: "Łódź 日本"))])
        },
        ScreenScene("filter-problem", of: "units") { example in
            example.list { $0.query.filter = "statsu!=ok" }
            var input = InputState(.filter, collection: "units", text: "statsu!=ok")
            let isPolish = example.language == "pl"
            input.report(
                InputProblem(
                    message: isPolish ? "nieznane pole „statsu”" : "unknown field 'statsu'",
                    hint: isPolish ? "czy chodziło o „status”?" : "did you mean 'status'?", range: 0..<6))
            example.open([.input(input)])
        },
        ScreenScene("filter-problem-long") { example in
            let isPolish = example.language == "pl"
            var input = InputState(.filter, collection: "packs", text: "sender~opt expiry_date<tomorow")
            input.report(
                InputProblem(
                    message: isPolish
                        ? "„tomorow” nie jest wartością pola „expiry_date” typu instant"
                        : "'tomorow' is no value of the field 'expiry_date' of type instant",
                    hint: isPolish
                        ? "na przykład 2026-11-20, 2026-11-20T08:01:02Z, now, today, tomorrow, +30d"
                        : "for example 2026-11-20, 2026-11-20T08:01:02Z, now, today, tomorrow, +30d", range: 23..<30))
            example.open([.input(input)])
        },
        ScreenScene("filter-completions", of: "units") { example in
            var input = InputState(.filter, collection: "units", text: "s")
            input = InputState(
                .filter, collection: input.collection, text: input.line.text, completions: ["serial_number", "status"])
            example.open([.input(input)])
        },
        ScreenScene("filter-completions-many", of: "countries") { example in
            let countries = try #require(example.state.description(of: "countries"))
            var input = InputState(.filter, collection: "countries")
            input = InputState(
                .filter, collection: input.collection, text: input.line.text,
                completions: FilterCompletion("", cursor: 0, countries)?.candidates ?? [])
            example.open([.input(input)])
        },
        ScreenScene("notice-long", of: "countries") { example in
            let text =
                example.language == "pl"
                ? "kolekcja countries nie ma źródła, z którego można ją odświeżyć "
                    + "(wpisz source.url w /etc/claimsd/collections.d/countries.json5, potem: systemctl reload claimsd)"
                : "countries has no source that it could be refreshed from "
                    + "(write source.url into /etc/claimsd/collections.d/countries.json5, then: systemctl reload claimsd)"
            example.state.notice = Notice(kind: .wrong, text: text)
        },
        ScreenScene("question-long") { example in
            let title = String(repeating: "Äpfel & Birnen ", count: 4)
            let text = Messages(example.language).question(.resolveAgain, title)
            example.open([.question(QuestionState(purpose: .acceptHeld(collection: "packs"), text: text))])
        },
        ScreenScene("question") { example in
            let text = Messages(example.language).acceptQuestion(12, insteadOf: 1000)
            example.open([.question(QuestionState(purpose: .acceptHeld(collection: "packs"), text: text))])
        },
    ]

    private static let sheets = [
        ScreenScene("sheet-orders", of: "units") { example in
            let units = try #require(example.state.description(of: "units"))
            var sheet = SheetState.orders(of: units, ListQuery(), example.state.messages)
            sheet = SheetState(
                .order, collection: sheet.collection, title: sheet.title, entries: sheet.entries, selected: 1,
                isReversed: true)
            example.open([.sheet(sheet)])
        },
        ScreenScene("sheet-views", of: "documents") { example in
            let documents = try #require(example.state.description(of: "documents"))
            example.open([.sheet(.views(of: documents, ListQuery(), example.state.messages))])
        },
        ScreenScene("help") { example in
            example.daemon(roles: ["read"])
            example.open([.help(HelpState(.list))])
        },
        ScreenScene("form") { try $0.openForm(isPreview: false) },
        ScreenScene("form-preview") { try $0.openForm(isPreview: true) },
        ScreenScene("sheet-actions") { try $0.openActions() },
        ScreenScene("too-small") { _ in },
    ]

    private static let history = #"""
        {"versions":[{"seq":9,"at":"2026-11-20T07:44:10.000Z","cause":"refresh","op":"updated",
        "changes":{"status":["ok","faulty"]}},
        {"seq":3,"at":"2026-11-01T10:00:00.000Z","cause":"refresh","op":"added"}],"complete":true}
        """#

    private static let provenance = #"""
        "provenance":{"source":"upstream","fetched_at":"2026-11-20T08:11:02.000Z",
        "first_seen":"2026-11-01T10:00:00.000Z","changed_at":"2026-11-20T07:44:10.000Z","generation":9}
        """#

    private static let details = [
        ScreenScene("detail", of: "units") { example in
            let record =
                #"{"id":"2","name":"Pump south cellar","status":"faulty","protocol":"CAN","serial_number":"PS-1"}"#
            let answer = #"{"record":\#(record),"upstream":{"id":2},\#(provenance)}"#
            try example.openDetail(record, answer: answer, history: history)
        },
        ScreenScene("detail-long", of: "claims") { example in
            let record = try #require(example.state.lists["claims"]?.rows[0].record)
            try example.openDetail(
                record.source, answer: #"{"record":\#(record.source),"upstream":{},\#(provenance)}"#)
        },
        ScreenScene("detail-loading") { example in
            let record = try #require(example.state.lists["packs"]?.rows[1].record)
            try example.openDetail(record.source)
        },
        ScreenScene("detail-upstream", of: "units") { example in
            let record = #"{"id":"2","name":"Pump south cellar","status":"faulty"}"#
            let upstream = #"{"ID":2,"Name":"Pump south cellar","parts":[{"no":1,"texts":["a","b"]}]}"#
            try example.openDetail(record, answer: #"{"record":\#(record),"upstream":\#(upstream),\#(provenance)}"#)
            guard case .detail(let detail)? = example.state.layers.last else { return }
            let upstreams = DetailState(
                detail.target, answer: detail.answer, history: detail.history, showsUpstream: true)
            example.open([.detail(upstreams)])
        },
        ScreenScene("deal", of: "countries") { example in
            let record = try #require(example.state.lists["countries"]?.rows[0].record)
            let message =
                example.language == "pl"
                ? "Okazja dnia: darmowa wysyłka – Åland Islands!" : "Deal of the day: free shipping to Åland Islands!"
            example.open([
                .deal(DealState("countries", message: message, record: record, at: example.state.moment))
            ])
        },
    ]

    private static let tabs = [
        ScreenScene("outbox") { try $0.openOutbox() },
        ScreenScene("operation") { example in
            try example.openOutbox()
            guard let operation = example.state.outbox.selectedOperation else { return }
            example.open([.operation(OperationLayer(operation))])
        },
        ScreenScene("status") { example in
            example.state.tab = .status
            example.state.stack = LayerStack(health: HealthState(attempts: ["packs": attempts]))
        },
    ]

    private static let attempts: [RefreshPlot.Attempt] = (0..<30).map { index -> RefreshPlot.Attempt in
        let at = ShippedCollections.now - Int64(index) * 2_000_000
        let duration = Int64(200 + index * 37 % 900)
        let isFailure = index == 7
        let records: Int64? = isFailure ? nil : Int64(1000 - index * 13)
        return RefreshPlot.Attempt(at: at, duration: duration, isFailure: isFailure, records: records)
    }
}
