// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsTestSupport
@testable import ClaimsTriggers
import Glibc
import Testing

struct TriggerStateTests {
    private static let head = Reported.Head(
        collection: "books", fields: ["title"], key: Reported.Key(first: 1, last: 2))
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open() throws -> TriggerState { try TriggerState(folder("state")) }

    private func keep(_ state: TriggerState, _ id: String, clock: String, _ changes: [Reported.Change]) throws {
        let moment = Reported.Moment(clock: clock, at: 7, condition: "ok")
        try state.keep(
            id, count: 1, moment, hasForgotten: false,
            changes: { body throws(SystemError) in for change in changes { try body(change) } },
            lines: { write throws(SystemError) in try write(Array("\(id)\nline\n".utf8)) })
    }

    private var first: [Reported.Change] { [.begin(Self.head), .put(Array("a".utf8), [1])] }

    @Test func `a batch that is kept is there after a crash, and its commit is made once it is told`() throws {
        do { try keep(open(), "one", clock: "e.1", first) }
        let state = try open()
        #expect(state.waiting == TriggerState.Waiting(id: "one", count: 1))
        #expect(try Files.readText(state.batchPath, cap: 100) == "one\nline\n")
        #expect(Files.permissions(state.batchPath) == 0o600 && Files.permissions(state.folder) == 0o700)
        #expect(state.reported == nil)
        try state.markReported()
        try state.commitWaiting(at: 9)
        #expect(state.waiting == nil && state.reported?.moment.clock == "e.1" && state.reported?.moment.reportedAt == 9)
        #expect(try Directory.list(folder("state")) == ["lock", "told"])
    }

    @Test func `after the command has ended with 0 a crash at any step repeats the commit, and not the command`() throws
    {
        do {
            let state = try open()
            try keep(state, "one", clock: "e.1", first)
            try state.markReported()
        }
        // Before the commit, after it, and after the batch has gone.
        for step in 0..<3 {
            let copy = try TemporaryFolder()
            for name in try Directory.list(folder("state")) {
                try copy.write("state/\(name)", Files.readAll(folder("state/\(name)"), cap: 1 << 20))
            }
            if step > 0 {
                let done = try Files.readAll(copy("state/done.commit"), cap: 1 << 20)
                do { try TriggerState(copy("state")).commitWaiting(at: 9) }
                try copy.write("state/done.commit", done)
                if step == 1 { try copy.write("state/batch.ndjson", "one\nline\n") }
            }
            let state = try TriggerState(copy("state"))
            #expect(state.waiting == TriggerState.Waiting(id: "one", count: 1, isReported: true), "\(step)")
            try state.commitWaiting(at: 9)
            #expect(state.reported?.members.count == 1 && state.waiting == nil && state.moved.isEmpty, "\(step)")
        }
    }

    @Test func `what a crash leaves before a batch is kept is passed over`() throws {
        do {
            let state = try open()
            try keep(state, "one", clock: "e.1", first)
        }
        Files.remove(folder("state/batch.ndjson"))
        try folder.write("state/batch.ndjson.new", "half a batch")
        let state = try open()
        #expect(state.waiting == nil && state.reported == nil && state.moved.isEmpty)
        try keep(state, "two", clock: "e.2", first)
        #expect(state.waiting?.id == "two")
    }

    @Test func `damaged files are moved aside and told`() throws {
        do {
            let state = try open()
            try keep(state, "one", clock: "e.1", first)
            try state.markReported()
            try state.commitWaiting(at: 9)
            try keep(state, "two", clock: "e.2", [.put(Array("b".utf8), [2])])
        }
        var commit = try Files.readAll(folder("state/batch.commit"), cap: 1 << 20)
        commit[commit.count - 3] ^= 1
        try folder.write("state/batch.commit", commit)
        do {
            let state = try open()
            #expect(state.waiting == nil && state.moved.count == 2 && state.reported?.members.count == 1)
        }
        var reported = try Files.readAll(folder("state/told"), cap: 1 << 20)
        reported[30] ^= 1
        try folder.write("state/told", reported)
        let state = try open()
        #expect(state.reported == nil && state.moved == [folder("state/told.damaged")])
    }

    @Test func `one process at a time has the state, and its id is told to others`() throws {
        let state = try open()
        let error = #expect(throws: SystemError.self) { try TriggerState(folder("state")) }
        #expect(error?.errno == EWOULDBLOCK && error?.message.contains("\(getpid())") == true)
        _ = state.folder
    }
}
