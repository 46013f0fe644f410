// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport

/// An upstream whose list moves between the pages that are cut from it, and that keeps what it has told.
final class MovingUpstream: Sendable {
    /// The upstream's answer about a record.
    enum Manner: CaseIterable {
        case good
        /// Without its name, which is required.
        case bad
        /// With the mark that it is gone.
        case gone
    }

    struct Item: Equatable {
        let id: Int
        var manner = Manner.good

        var text: String {
            switch manner {
            case .good: #"{"id":\#(id),"name":"n"}"#
            case .bad: #"{"id":\#(id)}"#
            case .gone: #"{"id":\#(id),"name":"n","gone":true}"#
            }
        }
    }

    struct State {
        var items: [Item]
        var size = 2
        /// For each walk whether the list moves during it.
        var moves: [Bool] = []
        /// The pages of each walk.
        var walks: [[[Item]]] = []
        /// The good records that were there all the time.
        var lasting: Set<Int> = []
        /// Headers of the pages of one walk, which is counted from 0.
        var headers: (walk: Int, text: String)?
        var random: SeededGenerator
        fileprivate var nextID = 1000

        var good: Set<Int> { Set(items.filter { $0.manner == .good }.map(\.id)) }

        /// Begins a refresh.
        mutating func begin(moves: [Bool]) {
            (walks, self.moves, lasting) = ([], moves, good)
        }

        mutating func move() {
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let index = items.isEmpty ? 0 : Int.random(in: items.indices, using: &random)
                switch Int.random(in: 0..<(items.isEmpty ? 1 : 5), using: &random) {
                case 0, 1:
                    nextID += 1
                    let manner = random.oneIn(4) ? random.pick(Manner.allCases) : .good
                    let isFirst = random.oneIn(2)
                    items.insert(Item(id: nextID, manner: manner), at: isFirst ? 0 : index)
                case 2: lasting.remove(items.remove(at: index).id)
                case 3:
                    let item = items.remove(at: index)
                    items.insert(item, at: Int.random(in: 0...items.count, using: &random))
                default:
                    items[index].manner = random.pick(Manner.allCases)
                    if items[index].manner != .good { lasting.remove(items[index].id) }
                }
            }
        }

        fileprivate mutating func answer(_ start: Int) -> PageServer.Reply {
            if start == 0 { walks.append([]) }
            let page = Array(items.dropFirst(start).prefix(size))
            let walk = walks.count - 1
            walks[walk].append(page)
            if moves.indices.contains(walk), moves[walk] { move() }
            let text = "[\(page.map(\.text).joined(separator: ","))]"
            if let headers, headers.walk == walk { return .answer(200, headers: headers.text, text) }
            return .answer(text)
        }
    }

    let state: Monitor<State>
    let server: PageServer
    /// Called before each page.
    let incident = Monitor<(@Sendable () -> Void)?>(nil)

    init(_ ids: ClosedRange<Int>, seed: UInt64 = 0) throws {
        let state = Monitor(State(items: ids.map { Item(id: $0) }, random: SeededGenerator(seed: seed)))
        let incident = incident
        self.state = state
        server = try PageServer { request, _ in
            incident.read { $0 }?()
            let parts = request.query.split(separator: "=")
            let number = parts.last.flatMap { Int($0) } ?? 0
            return state.update { state in
                state.answer(parts.first == "page" ? (number - 1) * state.size : number)
            }
        }
    }

    func fixture(_ paging: Paging, settings: Settings = Settings(), isStable: Bool = false) throws -> RefreshFixture {
        try RefreshFixture(settings: settings, url: server.url(), isNameRequired: true) { source, _ in
            source.request.next = paging
            source.request.hasStablePages = isStable
            source.deleted = .mark(try JSONPointer("/gone"))
        }
    }
}
