// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsClient
import ClaimsPlatform
import ClaimsProtocol
import ClaimsTerminal
import ClaimsTestSupport
import Testing

@testable import ClaimsBrowse

@Suite struct AttachmentTransferTests {
    private func answer(_ json: String) throws -> AnswerValue { try AnswerDocument(Array(json.utf8)).root }

    @Test func `a file is sent part by part, and then it has a name for submit`() throws {
        let folder = try TemporaryFolder()
        let size = (512 << 10) + 7
        try folder.write("scan.pdf", String(repeating: "x", count: size))
        let number = SentFile.Number(value: 3)
        let transfer = try UploadTransfer(
            number, path: folder("scan.pdf"), collection: "papers", language: "pl")
        guard
            case .report(.uploading(number, 0, Int64(size)), .attach, let first as AttachParameters) = transfer.begin()
        else { throw TestFailure("no first part") }
        #expect(first.collection == "papers" && first.name == "scan.pdf" && first.size == Int64(size))
        #expect(first.data.bytes.count == 512 << 10 && first.language == "pl")
        let next = transfer.handle(try answer(#"{"upload":"u1","received":524288}"#))
        guard case .report(.uploading(number, 524288, _), .attach, let second as AttachParameters) = next else {
            throw TestFailure("no second part")
        }
        #expect(second.upload == "u1" && second.offset == 524288 && second.data.bytes.count == 7)
        let end = transfer.handle(try answer(#"{"upload":"u1","received":524295,"type":"application/pdf"}"#))
        guard case .finished(.uploaded(number, let file)) = end else { throw TestFailure("no end") }
        #expect(file == SentFile(upload: "u1", name: "scan.pdf", type: "application/pdf", size: Int64(size)))
    }

    @Test func `a folder and a file that is not there are refused`() throws {
        let folder = try TemporaryFolder()
        for path in [folder.path, folder("none"), "/dev/null"] {
            #expect(throws: SystemError.self) {
                try UploadTransfer(SentFile.Number(value: 1), path: path, collection: "papers", language: nil)
            }
        }
    }

    @Test func `a file is fetched into a private copy, of which no part is left behind`() throws {
        let folder = try TemporaryFolder()
        let told = RecordFile(
            name: "../scan.html", type: "application/pdf", size: 6,
            sha256: SHA256.hexadecimal(of: Array("abcdef".utf8).rawSpan))
        let target = OpenTarget.attachment(collection: "papers", id: "7", file: told)
        func transfer() throws -> FetchTransfer {
            try FetchTransfer(
                target, of: ("papers", "7"), told, language: nil,
                environment: { $0 == "XDG_RUNTIME_DIR" ? folder.path : nil })
        }
        func part(_ text: String, isEnd: Bool) throws -> AnswerValue {
            try answer(#"{"data":"\#(Base64.encode(Array(text.utf8)))","eof":\#(isEnd)}"#)
        }
        let whole = try transfer()
        guard case .ask(.fetchAttachment, _) = whole.begin() else { throw TestFailure("nothing is asked") }
        let next = whole.handle(try part("abc", isEnd: false))
        guard case .ask(.fetchAttachment, let second as FetchAttachmentParameters) = next else {
            throw TestFailure("no second part")
        }
        #expect(second.offset == 3 && second.id == "7")
        guard case .fetched(target, let path) = whole.handle(try part("def", isEnd: true)) else {
            throw TestFailure("not fetched")
        }
        #expect(path.hasPrefix(folder.path) && path.hasSuffix("scan.html.pdf"))
        #expect(try Files.readText(path, cap: 100) == "abcdef")
        // Others: longer, shorter, with another content.
        for text in ["abcdefg", "abcde", "abcdeg"] {
            guard case .failed = try transfer().handle(try part(text, isEnd: true)) else {
                throw TestFailure("taken: \(text)")
            }
        }
        // One that breaks off.
        do { _ = try transfer().begin() }
        let names = try Directory.list(Paths.parent(path))
        #expect(names == [Paths.name(path)])
    }
}
