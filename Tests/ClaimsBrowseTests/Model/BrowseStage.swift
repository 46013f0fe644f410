// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsPlatform
import ClaimsTerminal
import Testing

@testable import ClaimsBrowse

/// A model, a daemon and the time between them.
struct BrowseStage {
    var daemon: FakeDaemon
    var model: BrowseModel
    private(set) var now = BrowseMoment(wall: 1_795_334_400_000, monotonic: 1_000_000_000)
    /// The events that were not told to the model yet, in their order.
    private(set) var inbox: [BrowseEvent] = []
    /// The requests that were given up.
    private(set) var cancelled = 0
    private(set) var isConnected = false
    private(set) var exit: Int32?

    init(
        _ daemon: FakeDaemon, start: BrowseStart = BrowseStart(), size: ScreenSize = .standard, language: String? = nil
    ) {
        self.daemon = daemon
        let person = BrowsePerson(language: language, zone: .utc, zoneName: "UTC", isColored: false)
        var state = BrowseState(person: person)
        state.size = size
        model = BrowseModel(state, start: start)
    }

    /// A stage on which the first list is shown and followed.
    static func begun(_ daemon: FakeDaemon, size: ScreenSize = .standard) -> BrowseStage {
        var stage = BrowseStage(daemon, size: size)
        stage.connect()
        stage.settle()
        stage.wait(1000)
        return stage
    }

    /// A daemon with so many units of increasing ids.
    static func units(_ count: Int) -> FakeDaemon {
        var daemon = FakeDaemon()
        daemon.commit { $0["units"] = (0..<count).map { FakeDaemon.Record(id: $0, name: "unit \($0)") } }
        return daemon
    }

    var list: ListState { model.state.lists["units"] ?? ListState(collection: "units") }
    var selectedID: String? { list.held.selectedRow?.id }

    // MARK: - Events

    /// Tells the model an event, and asks the daemon what the model wants.
    mutating func tell(_ event: BrowseEvent) {
        for command in model.handle(event, at: now) {
            switch command {
            case .ask(let request):
                guard isConnected else { break }
                switch daemon.answer(request) {
                case .success(let answer)?: inbox.append(.answered(request.tag, answer))
                case .failure(let refusal)?: inbox.append(.refused(request.tag, refusal))
                case nil: break
                }
                tellEvents()
            case .cancel(let tag):
                cancelled += 1
                inbox.removeAll { event in
                    switch event {
                    case .answered(tag, _), .refused(tag, _): true
                    default: false
                    }
                }
            case .quit(let code): exit = code.rawValue
            case .copy, .open, .upload, .redraw, .suspend, .mouse: break
            }
        }
    }

    /// Tells the model the next event that waits.
    ///
    /// - Returns: false where none waits.
    mutating func deliver() -> Bool {
        guard !inbox.isEmpty else { return false }
        tell(inbox.removeFirst())
        return true
    }

    /// Tells the model all that has happened.
    mutating func settle() {
        for _ in 0..<Self.maxEvents where !deliver() { return }
        Issue.record("the model asks without end: \(daemon.asked.suffix(12))")
    }

    /// The maximum number of events that follow from one.
    private static let maxEvents = 2000

    mutating func connect() {
        isConnected = true
        inbox = []
        tell(.connected)
    }

    mutating func lose() {
        isConnected = false
        inbox = []
        daemon.disconnect()
        tell(.lost)
    }

    mutating func press(_ keys: Key...) {
        for key in keys { tell(.input(.key(key))) }
    }

    mutating func type(_ text: String) {
        for scalar in text.unicodeScalars { press(.character(scalar)) }
    }

    /// Changes records of the daemon, and lets it tell the changes.
    mutating func commit(_ change: (inout [FakeDaemon.Record]) -> Void) {
        daemon.commit { records in
            var units = records["units"] ?? []
            change(&units)
            records["units"] = units
        }
        tellEvents()
    }

    /// Whether the daemon tells its events later than its answers.
    var holdsEvents = false {
        didSet { tellEvents() }
    }

    private mutating func tellEvents() {
        if isConnected, !holdsEvents { inbox += daemon.events().map(BrowseEvent.notified) }
    }

    /// Lets time pass, and wakes the model when it wants to be woken.
    ///
    /// - Parameter settles: whether all answers are told meanwhile.
    mutating func wait(_ milliseconds: UInt64, settles: Bool = true) {
        let end = now.monotonic + milliseconds * 1_000_000
        var count = 0
        while let time = model.wakeAt, time <= end {
            count += 1
            guard count < Self.maxEvents else {
                Issue.record("the model wakes without end")
                return
            }
            move(to: max(time, now.monotonic))
            tell(.woken)
            if settles { settle() }
        }
        move(to: end)
    }

    private mutating func move(to time: UInt64) {
        now.wall += Int64((time - now.monotonic) / 1_000_000)
        now.monotonic = time
    }
}

/// The contents of a list, as the tests read them.
extension ListState {
    var top: Int { held.top }
    var selected: Int? { held.selected }
    var selectedRow: ListRow? { held.selectedRow }
    var selectedRank: Int? { held.selectedRank }
    var firstRank: Int { held.firstRank }
    var windows: [ListWindow] { held.windows }
    var newer: Set<String> { held.newer }
    var isRebuilt: Bool { held.isRebuilt }
    var isGrouped: Bool { held.isGrouped }
    var hasNews: Bool { held.hasNews }

    func index(of id: String) -> Int? { held.index(of: id) }
    func endOfView(_ geometry: ListGeometry) -> Int { held.endOfView(geometry) }
    func lines(from first: Int, to last: Int, _ geometry: ListGeometry) -> Int {
        held.lines(from: first, to: last, geometry)
    }
}
