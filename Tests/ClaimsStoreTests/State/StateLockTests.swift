// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot
import ClaimsTestSupport
import Glibc
import Testing

@testable import ClaimsStore

/// state.db while another program has it locked.
@Suite struct StateLockTests {
    @Test func `changes are refused together, however many there are, and go on afterwards`() throws {
        let fixture = try StoreFixture()
        try fixture.commit(["1", "2"])
        do {
            let other = try Database(path: fixture.store.database.path, access: .update)
            try other.execute("BEGIN EXCLUSIVE", "lock")
            let codes = Monitor<[StoreError.Code?]>([])
            let start = SystemClock.monotonic
            let count = 500
            for _ in 0..<count {
                let change = ArchiveChange(
                    collection: "things", ids: [Array("1".utf8)], isArchiving: true, uid: 0, at: 0)
                fixture.store.archive(change) { result in
                    var code: StoreError.Code?
                    if case .failure(let error) = result { code = error.code }
                    let told = code
                    codes.update { $0.append(told) }
                }
            }
            // A refresh waits with them.
            #expect { try fixture.store.record(SourceRow(), of: "things") } throws: {
                ($0 as? StoreError)?.code == .busy
            }
            let all = try #require(codes.wait(upTo: LineClient.timeout) { $0.count == count ? $0 : nil })
            // They wait for the lock together: one after the other would take minutes.
            #expect(SystemClock.monotonic - start < 30_000_000_000)
            #expect(all.allSatisfy { $0 == .busy })
            #expect(fixture.view?.snapshot?.count == 2)
            try other.execute("ROLLBACK", "unlock")
        }
        #expect(try fixture.archive(["1"]).changed.count == 1)
        #expect(fixture.view?.archive.rows.count == 1)
    }

    @Test func `a link in the place of the lock is not followed, and what it leads to stays as it is`() throws {
        let folder = try TemporaryFolder()
        let other = try folder.write("other", "precious")
        try Directory.create(folder("state"))
        try #require(unsafe symlink(other, folder("state/\(StateDatabase.lockName)")) == 0)
        #expect {
            try StateStore(directory: folder("state"))
        } throws: {
            ($0 as? StoreError)?.code == .misplaced
        }
        #expect(try folder.read("other") == "precious")
    }

    @Test(arguments: [true, false])
    func `a pipe or a folder in the place of the lock is told`(isPipe: Bool) throws {
        let folder = try TemporaryFolder()
        let path = folder(StateDatabase.lockName)
        if isPipe { try #require(unsafe mkfifo(path, 0o600) == 0) } else { try Directory.create(path) }
        let error = #expect(throws: StoreError.self) { try StateStore(directory: folder.path) }
        #expect(error?.code == .misplaced && error?.detail == (isPipe ? "no file" : "a folder"))
        #expect(try Directory.list(folder.path) == [StateDatabase.lockName])
    }
}
