// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsTestSupport
import Testing

@testable import ClaimsStore

@Suite struct StartingOverlayTests {
    @Test(arguments: [0, 1, 63, 64, 301])
    func `the overlay that two threads make at a start is the one of all operations`(count: Int) throws {
        let fixture = try SnapshotFixture((0..<90).map { #"{"id":"\#($0)","title":"Book \#($0)"}"# }, Shelf.written)
        let committed = CommittedRecords(file: fixture.snapshot)
        var operations: [StoredOperation] = []
        for number in 0..<count {
            let action: OperationAction = number % 90 < number ? .create : .update
            var operation = Operation(
                OperationID(time: Int64(number), random: (1, 2)), action, on: "\(number)", of: "shelf",
                number: Int64(number), submittedAt: 5, submittedBy: 7)
            operation.values.given["title"] = .string("New \(number)")
            operations.append(
                StoredOperation(
                    operation, content: ContentHash.digest(of: operation.id.bytes.rawSpan), seq: 1, changed: ["title"]))
        }
        let starting = StartingOverlay(operations, over: committed, fixture.definition, joined: nil)
        let overlay = try starting.finish()
        let whole = try RecordOverlay.build(
            OverlayComposer(fixture.definition, base: committed).entries(operations), over: committed,
            definition: fixture.definition, joined: nil)
        #expect((overlay == nil) == (count == 0) && overlay?.version == whole?.version)
        #expect(overlay?.count == whole?.count && overlay?.objectBytes == whole?.objectBytes)
        #expect(overlay?.counts == whole?.counts)
        for number in 0..<count {
            let id = Array("\(number)".utf8)
            let (one, other) = (overlay?.record(forID: id.rawSpan), whole?.record(forID: id.rawSpan))
            #expect(one?.document == other?.document && one != nil)
        }
        guard count > 64, let overlay else { return }
        // The next commit takes over what a thread makes of both halves.
        let task = try #require(OverlayRenewal.begin(overlay))
        task.run()
        let next = try overlay.applying([], over: committed, definition: fixture.definition, joined: nil)
        #expect(overlay.isFull && next?.older?.rowCount == count && next?.newer == nil)
    }
}
