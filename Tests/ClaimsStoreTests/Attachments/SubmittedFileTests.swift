// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import Testing

@testable import ClaimsStore

struct SubmittedFileTests {
    private let fixture: LocalFixture
    private let attachments: AttachmentStore

    init() throws {
        fixture = try LocalFixture()
        attachments = try AttachmentStore(directory: fixture.folder.path, now: LocalFixture.now)
    }

    private func upload(last: UInt8 = 0, name: String = "scan.png", uid: UInt32 = 1000) throws -> String {
        let image = AttachmentFixture.image(100, last: last)
        let new = NewUpload(
            name, size: 100, for: "things", field: "files", types: ["image/png"], uid: uid, connection: 1)
        let part = try attachments.begin(new, limits: AttachmentFixture.limits, now: LocalFixture.now)
        return try attachments.write(image, as: part, now: LocalFixture.now).upload
    }

    private typealias Answer = Monitor<Result<SubmitOutcome, SubmitRefusal>?>

    private func submit(
        _ uploads: [String], op number: Int = 1, isDryRun: Bool = false, title: JSONValue = "a"
    ) throws -> SubmitOutcome {
        try result(of: beginSubmit(uploads, op: number, isDryRun: isDryRun, title: title))
    }

    private func result(of answer: Answer) throws -> SubmitOutcome {
        guard let result = answer.wait({ $0 }) else { throw TestFailure("no answer") }
        return try result.get()
    }

    private func beginSubmit(
        _ uploads: [String], op number: Int = 1, isDryRun: Bool = false, title: JSONValue = "a"
    ) -> Answer {
        var submission = Submission(
            LocalFixture.op(number), OperationAction("create"), on: nil, of: "things", uid: 1000,
            calendar: CivilCalendar(now: LocalFixture.now),
            limits: .init(pending: 1000, pendingBytes: 1 << 20, historyBytes: 1 << 20))
        submission.fields = ["title": title]
        submission.uploads = uploads
        submission.isDryRun = isDryRun
        let answer = Answer(nil)
        fixture.store.submit(submission, with: attachments) { result in answer.update { $0 = result } }
        return answer
    }

    /// The kinds of the problems that a submission is refused for.
    private func problems(_ uploads: [String], op number: Int = 1, title: JSONValue = "a") throws -> [FieldProblemKind]
    {
        do {
            _ = try submit(uploads, op: number, title: title)
            return []
        } catch SubmitRefusal.invalid(let problems) {
            return problems.map(\.kind)
        }
    }

    @Test func `a record lists the files of its uploads, which end with the commit`() throws {
        let upload = try upload()
        let outcome = try submit([upload])
        let record = try JSONValue.parse(try #require(outcome.record))
        let digest = AttachmentFixture.digest(AttachmentFixture.image())
        #expect(
            record["files"] == [["name": "scan.png", "type": "image/png", "size": 100, "sha256": .string(digest)]])
        #expect(try problems([upload], op: 2) == [.unknown])
        #expect(try attachments.read(digest, size: 100, 0..<100) == AttachmentFixture.image())
    }

    @Test func `the same operation again is answered as known, although its upload has ended`() throws {
        let upload = try upload()
        let first = try submit([upload])
        let second = try submit([upload])
        #expect(second.isRepeated && second.id == first.id && fixture.served.count == 1)
    }

    @Test func `the same operation with the same file uploaded once more is answered as known`() throws {
        let first = try submit([try upload()])
        let again = try upload()
        let second = try submit([again])
        #expect(second.isRepeated && second.id == first.id && fixture.served.count == 1)
        #expect(try problems([again], op: 2) == [.unknown])
    }

    @Test func `the same operation with another file, or one of another name, is refused`() throws {
        _ = try submit([try upload()])
        let (same, changed, renamed) = (try upload(), try upload(last: 1), try upload(name: "other.png"))
        // An upload that is not there has no content to compare.
        for uploads in [[changed], [renamed], [same, changed], [], ["0123"]] {
            guard case .knownOperation? = try fixture.refusal({ _ in try submit(uploads) }) else {
                Issue.record("not refused: \(uploads)")
                continue
            }
        }
        // The uploads are left for another operation.
        #expect(try !submit([changed], op: 2).isRepeated)
    }

    @Test func `an upload can be submitted again after a preview or a refusal`() throws {
        let upload = try upload()
        _ = try submit([upload], isDryRun: true)
        #expect(try problems([upload], title: nil) == [.required])
        #expect(fixture.served.isEmpty)
        _ = try submit([upload])
        #expect(fixture.served.count == 1)
    }

    @Test func `a preview leaves its uploads to a submission beside it, and finds those of one`() throws {
        let upload = try upload()
        let (hasBegun, mayGoOn) = (Monitor(false), Monitor(false))
        fixture.store.database.background(
            { _ in
                hasBegun.update { $0 = true }
                _ = mayGoOn.wait { $0 ? true : nil }
            }, closed: { _ in })
        _ = hasBegun.wait { $0 ? true : nil }
        // All three wait for the store now.
        let first = beginSubmit([upload], op: 1, isDryRun: true)
        let submission = beginSubmit([upload], op: 2)
        let second = beginSubmit([upload], op: 3, isDryRun: true)
        mayGoOn.update { $0 = true }
        for preview in [first, second] { #expect(try result(of: preview).record != nil) }
        #expect(try result(of: submission).record != nil && fixture.served.count == 1)
        #expect(try problems([upload], op: 4) == [.unknown])
    }

    @Test func `an upload that is not there is told with all other problems`() throws {
        #expect(try problems(["0123"]) == [.unknown])
        #expect(try problems(["0123"], title: nil) == [.required, .unknown])
        #expect(try problems([try upload(uid: 1001)]) == [.unknown])
        #expect(fixture.served.isEmpty)
    }

    @Test func `a sweep keeps what records have, and removes what they have no more`() throws {
        let outcome = try submit([try upload()])
        let digest = AttachmentFixture.digest(AttachmentFixture.image())
        #expect(try fixture.store.filesInUse() == [digest])
        #expect(try fixture.store.sweep(attachments, now: LocalFixture.now) == 0)
        try fixture.submit("update", String(decoding: outcome.id, as: UTF8.self), op: 2) { $0.detached = [digest] }
        #expect(try fixture.store.sweep(attachments, now: LocalFixture.now) == 1)
        #expect(throws: AttachmentError.missing) { try attachments.read(digest, size: 100, 0..<1) }
    }

    @Test func `files of an unsettled operation and of rows that no definition reads stay`() throws {
        let plain = try LocalFixture.upstream()
        var rules = try #require(plain.writes)
        rules.attachments?.sending = .multipart
        let upstream = try LocalFixture(
            nil,
            Definition(
                name: plain.name, source: plain.source, fields: plain.fields, isArchivable: true, writes: rules))
        #expect(try upstream.store.filesInUse().isEmpty)
        let file = OperationFile(sha256: String(repeating: "a1", count: 32), name: "a", type: "image/png", size: 1)
        _ = try upstream.submit("create", nil, ["title": "a"], op: 1) { $0.files = [file] }
        #expect(try upstream.store.filesInUse() == [file.sha256])
        _ = try submit([try upload()])
        fixture.store.close()
        let without = try OpenerFixture(fixture.folder, definitions: [])
        #expect(try without.store.filesInUse() == [AttachmentFixture.digest(AttachmentFixture.image())])
    }

    @Test func `no file goes for thirty days after the state was recovered or put back`() throws {
        let upload = try upload()
        _ = try attachments.claim([upload], uid: 1000, collection: "things")
        attachments.consume([upload])
        let day: Int64 = 86_400_000
        try attachments.holdFiles(now: LocalFixture.now)
        try attachments.holdFiles(now: LocalFixture.now - day)
        let after = try AttachmentStore(directory: fixture.folder.path, now: LocalFixture.now)
        #expect(try fixture.store.sweep(after, now: LocalFixture.now + 30 * day - 1) == 0)
        #expect(try fixture.store.sweep(after, now: LocalFixture.now + 30 * day) == 1)
    }

    @Test(arguments: [
        ("", 0), (#""""#, 0), (#"{"a":"DIGEST"}"#, 1), (#"["DIGEST","DIGEST"]"#, 1), (#"DIGEST"#, 0), (#""DIGEST"#, 0),
        (#""DIGESTa""#, 0), (#"{"a\"":"x","b":"DIGEST"}"#, 1), (#"{"a":"\"DIGEST\""}"#, 0), (#"["",["DIGEST"]]"#, 1),
    ])
    func `digests are found in JSON`(text: String, count: Int) {
        let digest = String(repeating: "0a", count: 32)
        var scan = DigestScan()
        scan.read(Array(text.replacing("DIGEST", with: digest).utf8).rawSpan)
        #expect(scan.digests == (count == 0 ? [] : [digest]))
    }

    @Test func `too many files are refused, and can be submitted in part`() throws {
        let uploads = try (0..<3).map { try upload(last: $0) }
        #expect(try problems(uploads) == [.count])
        _ = try submit(Array(uploads.prefix(2)))
        #expect(fixture.served.count == 1)
    }
}
