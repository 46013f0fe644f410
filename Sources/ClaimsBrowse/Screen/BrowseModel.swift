// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol
import ClaimsTerminal

/// The decisions of browse: an event changes the state and gives commands. No input, no output, no clock.
///
/// It owns the state, and hands each event to the part that it is about: a list, the layers, or what is known of the
/// daemon.
///
/// ```swift
/// var model = BrowseModel(BrowseState(person: person), start: start)
/// let commands = model.handle(.input(.key(.down)), at: moment)
/// let frame = BrowseRenderer.frame(of: model.state)
/// ```
struct BrowseModel: Sendable {
    private(set) var state: BrowseState
    /// The time of the monotonic clock at which `BrowseEvent.woken` is due; nil for never.
    private(set) var wakeAt: UInt64?
    /// Whether the last event has shown an error to a key, a question or a form: no key that was typed before that was
    /// seen may answer it.
    private(set) var hasInterrupted = false
    /// The keys that wait for rows.
    private(set) var keys = KeyQueue()
    /// The collection and query to begin with; nil once they are shown.
    private var start: BrowseStart?
    private var requests: RequestBook

    /// The records that a step of the wheel moves by.
    private static let wheelRecords = 3

    init(
        _ state: BrowseState, start: BrowseStart = BrowseStart(),
        requests: RequestSource = RequestSource(seed: .random(in: .min ... .max))
    ) {
        self.state = state
        self.start = start
        self.requests = RequestBook(requests)
    }

    /// Handles an event, and returns what is to be done, in its order.
    mutating func handle(_ event: BrowseEvent, at moment: BrowseMoment) -> [BrowseCommand] {
        state.moment = moment
        hasInterrupted = false
        if case .input(let input) = event { handle(input) } else { watch { $0.react(to: event) } }
        obeyKeys()
        pursue()
        if let name = state.shownList { withList(name) { list, context in list.keepFit(context) } }
        wakeAt = state.nextWake(isDescribing: requests.isAsking(.describe))
        return requests.drainCommands()
    }

    private mutating func react(to event: BrowseEvent) {
        switch event {
        case .input: break
        case .resized(let size):
            state.size = size
            revealSelection()
        case .woken: inform(.woken)
        case .connected:
            requests.lose()
            state.daemon.connect(language: state.person.language, &requests)
            inform(.connected)
        case .lost:
            state.daemon.lose(at: state.moment.wall)
            requests.lose()
            keys.removeAll()
            state.lists.lose()
            inform(.lost)
        case .silent(let since):
            keys.removeAll()
            state.daemon.silent(since: state.wallTime(of: since))
        case .answering: state.daemon.answering()
        case .answered(let tag, let answer):
            if let purpose = requests.close(tag) { read(answer, for: purpose) } else { inform(.answered(tag, answer)) }
        case .refused(let tag, let refusal):
            if let purpose = requests.close(tag) { read(refusal, for: purpose) } else { inform(.refused(tag, refusal)) }
        case .notified(let line): handle(notification: line)
        case .performed(let outcome): inform(.performed(outcome))
        }
    }

    private var messages: Messages { state.messages }

    /// Asks for all that is due: the status, the list on the screen, its pages and its changes.
    private mutating func pursue() {
        guard state.link == .connected else { return }
        state.daemon.pursue(at: state.moment.monotonic, language: state.person.language, &requests)
        // Fields and orders that a reload took away must not be asked for.
        guard !requests.isAsking(.describe), let name = state.shownCollection, state.description(of: name) != nil else {
            return
        }
        withList(name) { list, context in list.pursue(&context) }
    }

    // MARK: - The daemon

    private mutating func read(_ answer: AnswerValue, for purpose: RequestPurpose) {
        switch purpose {
        case .hello: state.daemon.read(hello: answer)
        case .describe: read(description: answer)
        case .status:
            for (name, meta) in state.daemon.read(status: answer, at: state.moment.monotonic) { update(meta, of: name) }
        case .list(let name, let question):
            if state.lists[name] != nil {
                withList(name) { list, context in list.handle(answer, to: question, &context) }
            } else if case .subscription = question, let number = answer[SubscribeResult.subscription] {
                var context = state.listContext(of: name, requests)
                ListSubscription.end(number, &context)
                requests = context.requests
            }
        case .unsubscribe: break
        case .refresh(let name, let isAsked): refreshed(name, answer, isAsked: isAsked)
        }
    }

    private mutating func read(_ refusal: Refusal, for purpose: RequestPurpose) {
        switch purpose {
        // The next status shows that the description is missing.
        case .hello, .unsubscribe, .describe: break
        case .status: state.daemon.statusEnded(at: state.moment.monotonic)
        case .list(let name, let question):
            guard state.lists[name] != nil else { return }
            withList(name) { list, context in list.handle(refusal, to: question, &context) }
        case .refresh(let name, let isAsked):
            state.lists.endRefresh(name)
            if isAsked { state.notice = Notice(kind: .wrong, text: messages.refused(refusal)) }
        }
    }

    /// Takes over the state of a collection, as far as its list was shown.
    private mutating func update(_ meta: AnswerMeta, of name: String) {
        if state.lists[name] != nil { withList(name) { list, context in list.update(meta, &context) } }
    }

    /// Reads the description of the collections: after a start, a lost connection or a reload.
    private mutating func read(description answer: AnswerValue) {
        let old = state.collections
        let isNew = state.daemon.read(description: answer, isFirst: start != nil, at: state.moment.monotonic)
        // Only the connection is new: the list subscribes again.
        guard isNew else { return resume() }
        let lacks = mendLists(after: old)
        if let start {
            self.start = nil
            begin(start)
        } else if state.tabs.contains(state.tab) {
            resume()
        } else {
            let gone = old.firstIndex { .collection($0.name) == state.tab } ?? 0
            show(state.tabs[min(gone, state.tabs.count - 1)])
        }
        if !lacks.isEmpty { state.notice = Notice(kind: .news, text: lacks.joined(separator: " · ")) }
    }

    /// Ends the lists of collections that are gone, and takes out of the queries what the others do not have any more.
    ///
    /// - Returns: the texts about it.
    private mutating func mendLists(after old: [CollectionDescription]) -> [String] {
        var texts: [String] = []
        for name in state.lists.names {
            guard let collection = state.description(of: name) else {
                texts.append(messages.collectionGone(old.first { $0.name == name }?.title ?? name))
                withList(name) { list, context in list.end(&context) }
                state.lists.remove(name)
                continue
            }
            var query = state[name].query
            let lacks = query.mend(for: collection)
            if !lacks.isEmpty { withList(name) { list, context in list.change(to: query, &context) } }
            texts += lacks.map(messages.gone)
        }
        return texts
    }

    private mutating func begin(_ start: BrowseStart) {
        let wanted = state.collections.first { $0.name == start.collection || $0.singular == start.collection }
        guard let collection = wanted ?? state.collections.first else { return show(.status) }
        withList(collection.name) { list, _ in list.begin(with: start.query) }
        show(.collection(collection.name))
        if wanted == nil, let name = start.collection {
            state.notice = Notice(kind: .wrong, text: messages.unknownCollection(name))
        }
    }

    /// Goes on with the shown list: its subscription goes on from its clock.
    private mutating func resume() {
        if let name = state.shownCollection { withList(name) { list, context in list.resume(&context) } }
    }

    /// Handles a notification: an event of a list, or the progress of a refresh. Any other is passed over.
    private mutating func handle(notification line: AnswerValue) {
        guard let parameters = line["params"] else { return }
        switch line["method"]?.string {
        case EventNotification.method:
            let event = FeedEvent(parameters)
            guard let number = event.subscription, let name = state.lists.name(ofSubscription: number) else { return }
            withList(name) { list, context in list.handle(event, &context) }
        case ProgressNotification.method:
            guard let name = parameters[RefreshProgressNotification.collection] else { return }
            state.lists.refreshed(name, to: RefreshProgress(parameters))
        default: break
        }
    }

    // MARK: - Keys

    /// Handles an input of the terminal: obeys it, or has it wait for the rows that it is about.
    private mutating func handle(_ input: InputEvent) {
        let isLate = keys.since.map { state.moment.monotonic >= $0 + ListState.searchingDelay } ?? false
        // The rows may take long, and after Esc nobody waits for them.
        if isLate, input == .key(.escape) { keys.removeAll() }
        guard input.isImmediate || keys.isEmpty && !awaitsRows(input) else {
            return keys.append(input, at: state.moment.monotonic)
        }
        obey(input)
    }

    /// Obeys the keys whose rows have come.
    private mutating func obeyKeys() {
        while let input = keys.first, !awaitsRows(input) {
            keys.removeFirst()
            obey(input)
        }
    }

    /// Whether an input is about rows that are on their way.
    private mutating func awaitsRows(_ input: InputEvent) -> Bool {
        let need = state.need(of: input, isBeginning: start != nil)
        if need == .firstList { return true }
        guard need != .nothing, let name = state.shownCollection else { return false }
        if need == .typedRows { edit(name) { editing, list, context in editing.askTyped(&list, &context) } }
        return state[name].awaitsSelection
    }

    /// Does something; if it shows an error, a question or a form, the keys that wait are dropped.
    ///
    /// - Parameter isKey: whether a key asked for it.
    private mutating func watch(isKey: Bool = false, _ body: (inout BrowseModel) -> Void) {
        let (notice, depth, prompt) = (state.notice, state.layers.count, state.stack.prompt)
        body(&self)
        let isError = state.notice?.kind == .wrong && state.notice != notice
        let isQuestion = state.layers.count >= depth && state.stack.prompt?.isNew(after: prompt) ?? false
        guard isError || isQuestion else { return }
        keys.removeAll()
        hasInterrupted = hasInterrupted || isKey || isQuestion
    }

    private mutating func obey(_ input: InputEvent) {
        state.notice = nil
        watch(isKey: true) { $0.perform(input) }
    }

    private mutating func perform(_ input: InputEvent) {
        switch input {
        case .key(let key): perform(key)
        case .paste(let text): inform(.paste(text))
        case .wheel(let step):
            guard !inform(.wheel(step)), let name = state.shownCollection else { return }
            withList(name) { list, context in list.move(by: step * Self.wheelRecords, &context) }
        case .press(let row, let column): press(state.pressTarget(at: CellPosition(row: row, column: column)))
        }
    }

    private mutating func perform(_ key: Key) {
        // These mean the same everywhere, also where text is typed.
        switch key {
        case .control("c"): return requests.add(.quit(.interrupted))
        case .control("l"): return requests.add(.redraw)
        case .control("z"): return requests.add(.suspend)
        default: break
        }
        if inform(.key(key)) { return }
        guard let action = BrowseKeys.action(of: key, in: state.area) else { return }
        perform(action, by: key)
    }

    private mutating func perform(_ action: BrowseAction, by key: Key) {
        switch action {
        case .previousRecord, .nextRecord, .previousPage, .nextPage, .first, .last, .previousGroup, .nextGroup:
            if let name = state.shownCollection { withList(name) { list, context in list.move(action, &context) } }
        case .nextTab: show(state.tab(by: 1))
        case .previousTab: show(state.tab(by: -1))
        case .chooseTab:
            if let number = BrowseKeys.tabNumber(of: key), state.tabs.indices.contains(number - 1) {
                show(state.tabs[number - 1])
            }
        case .back: clearQuery()
        case .leave: if !clearQuery() { requests.add(.quit(.done)) }
        case .archived:
            guard let name = state.shownCollection, state.description(of: name) != nil else { return }
            edit(name) { editing, list, context in editing.changeArchivedMode(of: &list, &context) }
        case .refresh: refresh(state.stack.target?.collection ?? state.subjectCollection)
        case .refreshAll: refresh(nil)
        case .accept: askToAccept()
        case .mouse:
            state.isMouseOn.toggle()
            requests.add(.mouse(isOn: state.isMouseOn))
            state.notice = Notice(kind: .news, text: messages.mouse(isOn: state.isMouseOn))
        case .redraw: requests.add(.redraw)
        case .quit: requests.add(.quit(.interrupted))
        case .open, .search, .filter, .view, .sort, .archive, .undo, .copyID, .copyRecord, .openAddress, .add, .edit,
            .actions, .deal, .followingRecord, .precedingRecord, .upstream, .help:
            performInStack(action)
        }
    }

    /// Clears the search, the filter or the view of the shown list; false if there is none.
    @discardableResult
    private mutating func clearQuery() -> Bool {
        guard let name = state.shownList else { return false }
        return edit(name) { editing, list, context in editing.clear(&list, &context) }
    }

    /// Obeys a press of the mouse: on a tab it shows it; on a row it selects it, and opens the selected one.
    private mutating func press(_ target: PressTarget) {
        switch target {
        case .nothing: break
        case .tab(let index):
            if state.tabs[index] == state.tab { state.stack.closeAll() }
            show(state.tabs[index])
        case .entry(let index):
            state.stack.select(entry: index)
            inform(.key(.enter))
        case .operation(let index): if state.stack.select(operation: index) { inform(.key(.enter)) }
        case .collection(let index): if state.stack.select(collection: index) { inform(.key(.enter)) }
        case .row(let index):
            guard let name = state.shownCollection else { return }
            if state[name].held.selected != index {
                withList(name) { list, context in list.select(index, &context) }
            } else if state.layers.isEmpty {
                performInStack(.open)
            }
        }
    }

    // MARK: - Tabs

    /// Shows a tab, and asks for what it shows.
    private mutating func show(_ tab: BrowseTab) {
        if tab == state.tab, start == nil, state.lists[state.shownCollection ?? ""] != nil { return }
        inform(.hidden)
        if let old = state.shownList { withList(old) { list, context in list.hide(&context) } }
        state.lists.endEditing()
        state.stack.closeAll()
        state.tab = tab
        if case .collection(let name) = tab {
            // The record that was selected there before stays so, and the screen may have another size now.
            revealSelection()
            withList(name) { list, context in list.reload(&context) }
        } else {
            inform(.opened)
        }
    }

    /// Keeps the selection of the shown list in view, as after a change of the size.
    private mutating func revealSelection() {
        if let name = state.shownList { withList(name) { list, context in list.reveal(context) } }
    }

    // MARK: - Lists

    /// Has a list decide something, and applies the consequences for the rest of the screen.
    private mutating func withList(_ name: String, _ decide: (inout ListState, inout ListContext) -> Void) {
        edit(name) { _, list, context in decide(&list, &context) }
    }

    /// Has a person's changes of a query decide something about a list.
    private mutating func edit<Result>(
        _ name: String, _ decide: (inout QueryEditing, inout ListState, inout ListContext) -> Result
    ) -> Result {
        var context = state.listContext(of: name, requests)
        let result = state.lists.decide(&context, decide)
        requests = context.requests
        apply(context.outcome, of: name)
        return result
    }

    private mutating func apply(_ outcome: ListOutcome, of name: String) {
        if outcome.dropsKeys { keys.removeAll() }
        if outcome.interruptsKeys { hasInterrupted = true }
        if outcome.needsDescription { state.daemon.needDescription() }
        if let problem = outcome.inputProblem { state.stack.report(problem) }
        if let notice = outcome.notice { state.notice = notice }
        for id in outcome.changedIDs where state.stack.target?.id == id { inform(.changed(collection: name, id: id)) }
        if outcome.followsSelection { followSelection() }
        if outcome.joinsRefresh { askRefresh(name, isAsked: false) }
    }

    /// Shows the selected record in the detail, where one is open.
    private mutating func followSelection() {
        guard let target = state.selectedTarget, let shown = state.stack.target, shown.collection == target.collection,
            shown.id != target.id
        else { return }
        withStack { stack, context in stack.follow(target, &context) }
    }

    // MARK: - Layers

    /// Hands an event to the layers, and returns whether it was theirs.
    @discardableResult
    private mutating func inform(_ event: LayerEvent) -> Bool {
        let area = state.tabArea
        return withStack { stack, context in stack.handle(event, in: area, &context) }
    }

    /// Does what a key means for a record or a layer.
    private mutating func performInStack(_ action: BrowseAction) {
        let subject = state.actionSubject
        withStack { stack, context in stack.perform(action, on: subject, &context) }
    }

    /// Has the layers decide something, and applies its effects on the lists.
    ///
    /// - Returns: whether the event was theirs.
    @discardableResult
    private mutating func withStack(_ decide: (inout LayerStack, inout LayerContext) -> LayerOutcome) -> Bool {
        var context = state.layerContext(requests: requests.source)
        let outcome = decide(&state.stack, &context)
        requests.source = context.requests
        requests.add(outcome.commands)
        if let notice = outcome.notice { state.notice = notice }
        for effect in outcome.effects { apply(effect) }
        return outcome.isHandled
    }

    private mutating func apply(_ effect: ListEffect) {
        switch effect {
        case .query(let name, let change): edit(name) { $0.apply(change, to: &$1, &$2) }
        case .restored(let name, let change):
            if state.lists[name] != nil { edit(name) { $0.restore(change, of: &$1, &$2) } }
        case .entered(let name): if state.lists[name] != nil { edit(name) { $0.enter(&$1, &$2) } }
        case .changed(let name, let change):
            // The number of archived records is another one now.
            if case .archived = change { state.daemon.hurryStatus(at: state.moment.monotonic) }
            if state.lists[name] != nil { withList(name) { list, context in list.show(change, &context) } }
        case .step(let distance):
            guard let name = state.shownCollection else { return }
            guard state.hasRecord(at: distance) else {
                state.notice = Notice(kind: .news, text: distance > 0 ? messages.endOfList : messages.startOfList)
                return
            }
            withList(name) { list, context in list.move(by: distance, &context) }
        case .accept(let name): askRefresh(name, isAsked: true, isAccepted: true)
        case .show(let name): show(.collection(name))
        }
    }

    // MARK: - Refreshes

    /// Requests a refresh of a collection, or of all, after a key; one that is under way is enough.
    private mutating func refresh(_ name: String?) {
        if state.link != .connected {
            state.notice = Notice(kind: .wrong, text: messages.notConnected)
        } else if let name, state[name].refresh != nil {
            state.notice = Notice(kind: .news, text: messages.refreshing)
        } else {
            askRefresh(name, isAsked: true)
        }
    }

    /// Sends a refresh; a notice reports its outcome if it was asked for.
    private mutating func askRefresh(_ name: String?, isAsked: Bool, isAccepted: Bool = false) {
        state.lists.askRefresh(
            name, isAsked: isAsked, isAccepted: isAccepted, by: state.person, at: state.moment, &requests)
        // Elsewhere the second row shows it.
        if isAsked, name == nil || name != state.shownCollection {
            state.notice = Notice(kind: .news, text: messages.refreshing)
        }
    }

    /// Reads the outcome of a refresh.
    private mutating func refreshed(_ name: String?, _ answer: AnswerValue, isAsked: Bool) {
        state.lists.endRefresh(name)
        let outcomes = answer[RefreshResult.collections]
        for outcome in outcomes {
            guard let collection = outcome[RefreshResult.Outcome.collection],
                let meta = AnswerMeta(outcome["meta"])
            else { continue }
            update(meta, of: collection)
        }
        state.daemon.hurryStatus(at: state.moment.monotonic)
        if isAsked { state.notice = state.refreshNotice(of: outcomes) }
    }

    /// Asks whether what the guard holds is to be accepted.
    private mutating func askToAccept() {
        guard let held = state.heldCollection else {
            return state.notice = Notice(kind: .news, text: messages.nothingHeld)
        }
        withStack { stack, context in
            stack.askToAccept(held.name, records: held.records, insteadOf: held.before, &context)
        }
    }
}
