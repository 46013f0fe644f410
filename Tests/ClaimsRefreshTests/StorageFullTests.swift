// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsStore
import ClaimsTestSupport
import Testing

@testable import ClaimsRefresh

@Suite(.enabled(if: SmallFileSystem.isPossible)) struct StorageFullTests {
    private func archive(_ id: String, in fixture: RefreshFixture) -> Result<ArchiveChange.Outcome, StoreError>? {
        let answer = Monitor<Result<ArchiveChange.Outcome, StoreError>?>(nil)
        fixture.store.archive(
            ArchiveChange(collection: "things", ids: [Array(id.utf8)], isArchiving: true, uid: 0, at: 0)
        ) { result in answer.update { $0 = result } }
        return answer.wait(upTo: LineClient.timeout) { $0 }
    }

    private func records(_ count: Int, _ name: String) -> String {
        "[" + (0..<count).map { #"{"id":\#($0),"name":"\#(name) \#($0)"}"# }.joined(separator: ",") + "]"
    }

    @Test func `with the state's disk full, reading goes on, and changes work again once there is room`() throws {
        let disk = try SmallFileSystem(megabytes: 8)
        let fixture = try RefreshFixture(stateIn: disk.folder.path)
        try fixture.refresh()
        #expect(try archive("1", in: fixture)?.get().changed.count == 1)
        try disk.fill()
        var codes: Set<StoreError.Code> = []
        // The log may have some room of its own left.
        for id in 0..<2000 where codes.isEmpty {
            if case .failure(let error)? = archive(String(id % 4 + 1), in: fixture) { codes.insert(error.code) }
            if case .failure(let error)? = unarchive(String(id % 4 + 1), in: fixture) { codes.insert(error.code) }
        }
        #expect(codes == [.storageFull])
        try fixture.serve(records(3000, "new"))
        let report = try fixture.refresh(RefreshOptions(accept: true))
        #expect(report.outcome == .failed && report.failure?.message.key == .storageFull)
        #expect(fixture.documents.count == 4 && fixture.meta?.lastError?.reason == .storageFull)
        disk.clear()
        #expect(try fixture.refresh(RefreshOptions(accept: true)).outcome == .updated)
        #expect(try archive("2500", in: fixture)?.get().changed.count == 1)
        #expect(fixture.store.database.check() == nil)
    }

    @Test func `with the cache's disk full, the old generation stays until there is room for the next`() throws {
        let disk = try SmallFileSystem(megabytes: 2)
        let fixture = try RefreshFixture(cacheIn: disk.folder.path)
        try fixture.refresh()
        try disk.fill()
        try fixture.serve(records(5000, "new"))
        let report = try fixture.refresh()
        #expect(report.outcome == .failed && report.failure?.message.key == .storageFull)
        #expect(fixture.documents.count == 4 && fixture.meta?.generation == 1)
        let files = try Directory.list(disk.folder.path)
        #expect(files.count == 2)
        disk.clear()
        #expect(try fixture.refresh().outcome == .updated)
        #expect(fixture.documents.count == 5000)
    }

    @Test func `a snapshot that found no room at start is built once there is some`() throws {
        let disk = try SmallFileSystem(megabytes: 4)
        let first = try RefreshFixture(cacheIn: disk.folder.path)
        try first.serve(records(5000, "old"))
        try first.refresh()
        first.close()
        for name in try Directory.list(disk.folder.path) { Files.remove(disk.folder(name)) }
        try disk.fill()
        let second = try RefreshFixture(after: first, cacheIn: disk.folder.path)
        #expect(second.meta?.state == .failed && second.view?.condition.problem?.code == .storageFull)
        #expect(try second.refresh().failure?.message.key == .storageFull)
        disk.clear()
        #expect(try second.refresh(RefreshOptions(force: true)).outcome == .unchanged)
        #expect(second.documents.count == 5000 && second.meta?.state == .ready)
    }

    private func unarchive(_ id: String, in fixture: RefreshFixture) -> Result<ArchiveChange.Outcome, StoreError>? {
        let answer = Monitor<Result<ArchiveChange.Outcome, StoreError>?>(nil)
        fixture.store.archive(
            ArchiveChange(collection: "things", ids: [Array(id.utf8)], isArchiving: false, uid: 0, at: 0)
        ) { result in answer.update { $0 = result } }
        return answer.wait(upTo: LineClient.timeout) { $0 }
    }
}
