// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsProtocol
import ClaimsTerminal

/// The requests of a list for rows: the jump to other ones, the pages around those that are held, and comparisons.
struct ListRequests: Sendable {
    /// The records that are to replace the rows; nil for none.
    private(set) var jump: ListJump?
    /// The question that the jump was sent with.
    private(set) var askedQuery = ListQuery()
    /// The time since which a question has no answer.
    private(set) var waitingSince: UInt64?
    /// The time before which nothing is asked again, after a refusal that passes.
    private(set) var retryAt: UInt64?
    /// The rows that a move still has to go, as they were not there; negative: upwards.
    private(set) var owed = 0
    /// The request of the jump; nil before it is sent, and between two tries.
    private var jumpTag: BrowseRequest.Tag?
    /// The page of the jump that waits for the page before it.
    private var staged: ListPage?
    /// The request for the page after the rows.
    private var forward: BrowseRequest.Tag?
    /// The request for the page before the rows.
    private var backward: BrowseRequest.Tag?
    /// The request for the rows once more, after a subscription.
    private var comparison: BrowseRequest.Tag?
    /// The row from which on a comparison that was refused for now is asked for again; nil for none.
    private var postponedComparison: String?
    /// The time at which it is asked for again, in nanoseconds of the monotonic clock; nil if none is postponed.
    private(set) var comparisonAt: UInt64?
    /// The request whether the text that no record has is the id of one.
    private var namesake: BrowseRequest.Tag?
    /// The time of the last jump that was sent, in nanoseconds of the monotonic clock.
    private var lastAsked: UInt64?

    /// The shortest time between two requests for a query that is being typed, in nanoseconds.
    private static let typingInterval: UInt64 = 40_000_000
    /// The time before a refusal that passes is asked again, in nanoseconds, if the daemon names none.
    private static let retryTime: UInt64 = 1_000_000_000
    /// The maximum time before a refusal that passes is asked again, in milliseconds.
    private static let maxRetryTime: Int64 = 60_000
    /// The number of rows beyond the view below which the next page is asked for.
    private static let margin = 50

    /// Whether rows are being read once more, because they may be older than the subscription.
    var isComparing: Bool { comparison != nil || postponedComparison != nil }
    /// Whether rows are on their way.
    var awaitsRows: Bool { jumpTag != nil || forward != nil || backward != nil || comparison != nil }
    /// Whether it is not known yet if the text that no record has is the id of one.
    var awaitsNamesake: Bool { namesake != nil }

    // MARK: - The jump

    /// Sets what the list shows next, in place of what was under way.
    mutating func set(_ jump: ListJump, _ context: inout ListContext) {
        // A question that was typed waits for its time, and the answer to the one before may come meanwhile.
        if !jump.isTyped {
            context.requests.cancel(jumpTag)
            jumpTag = nil
            staged = nil
        }
        // A move does not give up the rows of another question.
        let isMove = jump.isMove && self.jump?.isMove ?? true
        self.jump = jump
        self.jump?.isMove = isMove
        owed = 0
    }

    /// Gives up a jump that only goes elsewhere in the same list.
    ///
    /// - Returns: whether there was one.
    mutating func dropMove(_ context: inout ListContext) -> Bool {
        guard jump?.isMove == true else { return false }
        context.requests.cancel(jumpTag)
        (jump, jumpTag, staged, waitingSince) = (nil, nil, nil, nil)
        return true
    }

    /// Asks at once for what was typed.
    mutating func endTyping() { jump?.isTyped = false }

    /// Begins another question: it waits since now, unless the one before does longer.
    mutating func wait(since now: UInt64) { waitingSince = waitingSince ?? now }

    /// Ends the wait for an answer to the question.
    mutating func endWait() { waitingSince = nil }

    /// Drops the jump: its rows are there, or do not come.
    mutating func endJump() { (jump, waitingSince) = (nil, nil) }

    /// Forgets the jump of a list that is not shown any more.
    mutating func dropJump() { jump = nil }

    /// The time at which a question that was typed may be sent; nil if none waits.
    func typedAt(_ query: ListQuery) -> UInt64? {
        guard let jump, jump.isTyped, let last = lastAsked, jumpTag == nil || askedQuery != query else { return nil }
        return last + Self.typingInterval
    }

    /// Asks for the records of the jump, if its time has come.
    ///
    /// - Returns: whether they were asked for; nothing else is under way then.
    mutating func pursueJump(_ query: ListQuery, _ context: inout ListContext) -> Bool {
        guard let jump, let collection = context.collection, jumpTag == nil || askedQuery != query else {
            return false
        }
        let now = context.moment.monotonic
        if let time = typedAt(query), now < time { return false }
        for tag in [jumpTag, forward, backward, comparison, namesake] { context.requests.cancel(tag) }
        (staged, namesake, forward, backward, comparison) = (nil, nil, nil, nil, nil)
        (postponedComparison, comparisonAt) = (nil, nil)
        askedQuery = query
        lastAsked = now
        wait(since: now)
        var parameters = query.parameters(of: collection, for: context.person)
        parameters.page.anchor =
            switch jump.target {
            case .start: .start
            case .end: .end
            case .record(let id, _): .id(id)
            case .rank(let rank): .rank(Int64(rank))
            }
        jumpTag = context.ask(.search, parameters, for: .jump)
        return true
    }

    /// The pages that a jump has brought, and the index of the one that begins at its target.
    typealias Landing = (pages: [ListPage], anchor: Int)

    /// Reads the page that a jump leads to, and asks for the page before it if the selection stays on its line only so.
    ///
    /// - Parameter lines: the height of the view.
    /// - Returns: the pages; nil while one is missing.
    mutating func landed(on page: ListPage, lines: Int, _ context: inout ListContext) -> Landing? {
        guard let jump, case .record(let id, let line) = jump.target else { return ([page], 0) }
        let isGone = page.anchored == AnchorMatch.gone.rawValue
        if isGone, let follower = jump.followers.first {
            self.jump?.target = .record(follower, line: line)
            self.jump?.followers.removeFirst()
            return nil
        }
        // A record that was the last of a list has nothing after it, and the end of a list fills the view.
        let isShort = page.next == nil && page.rows.count < lines
        let needsBefore = line > 0 || isShort || page.rows.first?.id != id
        guard !isGone, needsBefore, let previous = page.previous else { return ([page], 0) }
        staged = page
        jumpTag = askPage(previous, for: .pageBeforeJump, &context)
        return nil
    }

    /// Joins the page before a jump's target with the page that waits for it.
    mutating func landed(before page: ListPage) -> Landing? {
        guard let staged else { return nil }
        self.staged = nil
        return ([page, staged], 1)
    }

    // MARK: - Pages

    /// Asks for the pages after and before the rows, if the view is near their ends.
    ///
    /// - Returns: whether one was asked for.
    mutating func pursueWindows(_ held: HeldRows, lines: Int, _ context: inout ListContext) -> Bool {
        guard jump == nil, let selected = held.selected else { return false }
        let margin = max(Self.margin, 2 * lines)
        var hasAsked = false
        if forward == nil, let next = held.next,
            held.rows.count - max(held.top, selected) < lines + margin || owed > 0
        {
            forward = askPage(next, for: .pageAfter, &context)
            hasAsked = true
        }
        if backward == nil, let previous = held.previous, min(held.top, selected) < margin || owed < 0 {
            backward = askPage(previous, for: .pageBefore, &context)
            hasAsked = true
        }
        return hasAsked
    }

    private func askPage(
        _ cursor: String, for question: ListQuestion, _ context: inout ListContext
    ) -> BrowseRequest.Tag? {
        guard let collection = context.collection else { return nil }
        var parameters = askedQuery.parameters(of: collection, for: context.person)
        parameters.page.cursor = cursor
        return context.ask(.search, parameters, for: question)
    }

    /// Remembers the rows that a move still has to go, if the list goes on there.
    mutating func owe(_ rows: Int, in held: HeldRows) {
        let goesOn = rows > 0 ? held.next != nil : held.previous != nil
        owed = rows != 0 && goesOn ? rows : 0
    }

    /// The rows that a move still has to go in a direction, which are owed no longer.
    mutating func settleDebt(isForward: Bool) -> Int? {
        guard owed != 0, (owed > 0) == isForward else { return nil }
        defer { owed = 0 }
        return owed
    }

    /// Gives up the pages around the rows, which may be older than a subscription.
    mutating func cancelWindows(_ context: inout ListContext) {
        for tag in [forward, backward] { context.requests.cancel(tag) }
        (forward, backward) = (nil, nil)
    }

    // MARK: - Comparisons and namesakes

    /// Asks for the rows once more, from one of them on.
    mutating func compare(from anchor: String, rows: Int, _ context: inout ListContext) {
        guard let collection = context.collection else { return }
        var parameters = askedQuery.parameters(of: collection, for: context.person)
        parameters.page.anchor = .id(anchor)
        parameters.page.limit = Int64(min(PageParameters.maxLimit, max(ListPage.maxRows, rows)))
        comparison = context.ask(.search, parameters, for: .comparison(from: anchor))
        (postponedComparison, comparisonAt) = (nil, nil)
    }

    /// Puts off a comparison that a busy daemon refused. Other requests do not wait for it.
    mutating func postponeComparison(from anchor: String, after refusal: Refusal, _ context: ListContext) {
        guard refusal.kind == ErrorKind.busy.rawValue else { return }
        postponedComparison = anchor
        comparisonAt = Self.retryTime(after: refusal, context)
    }

    /// The row from which on a comparison is to be asked for again by now; nil if none is.
    func dueComparison(at now: UInt64) -> String? {
        comparisonAt.flatMap { $0 <= now ? postponedComparison : nil }
    }

    /// Asks for the record of an id, in place of any other; nil for none.
    mutating func askNamesake(_ id: String?, _ context: inout ListContext) {
        context.requests.cancel(namesake)
        namesake = nil
        guard let id else { return }
        var parameters = DetailParameters()
        parameters.collection = context.name
        parameters.id = RecordID(id)
        parameters.language = context.person.language
        namesake = context.ask(.detail, parameters, for: .namesake(id: id))
    }

    // MARK: - Ends

    /// Ends the request of a question, which was answered or refused.
    mutating func close(_ question: ListQuestion) {
        switch question {
        case .jump, .pageBeforeJump: jumpTag = nil
        case .pageAfter: forward = nil
        case .pageBefore: backward = nil
        case .comparison: comparison = nil
        case .namesake: namesake = nil
        case .subscription: break
        }
    }

    /// Forgets what a refused jump has brought.
    mutating func dropStaged() { staged = nil }

    /// Forgets the pages around the rows, as a cursor of them is not valid any more.
    mutating func dropWindows() { (forward, backward) = (nil, nil) }

    /// Asks again after a refusal that passes.
    mutating func retry(after refusal: Refusal, _ context: ListContext) {
        retryAt = Self.retryTime(after: refusal, context)
    }

    private static func retryTime(after refusal: Refusal, _ context: ListContext) -> UInt64 {
        let wanted = refusal.retryAfter.map { UInt64(clamping: min($0, maxRetryTime)) * 1_000_000 }
        return context.moment.monotonic + max(wanted ?? retryTime, typingInterval)
    }

    /// Asks as soon as anything is due.
    mutating func endRetry() { retryAt = nil }

    /// Forgets the requests of a lost connection. The jump stays.
    mutating func lose() {
        (jumpTag, staged, forward, backward, comparison) = (nil, nil, nil, nil, nil)
        (namesake, retryAt, postponedComparison, comparisonAt) = (nil, nil, nil, nil)
    }

    /// Gives up all requests that are under way.
    mutating func cancelAll(_ context: inout ListContext) {
        for tag in [jumpTag, forward, backward, comparison, namesake] { context.requests.cancel(tag) }
        (postponedComparison, comparisonAt) = (nil, nil)
    }
}
