// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// One attempt to write: the body that goes out, and the answer up to its cap.
final class WriteTransfer: AnswerReceiver {
    /// The size of the body in bytes.
    let bodySize: Int
    /// The bytes that had been sent when the connection was ready for the request; nil before.
    private(set) var bytesBefore: Int?
    private(set) var answer: [UInt8] = []
    /// Whether the answer is longer than what is kept of it.
    private(set) var isCut = false
    private var body: UploadBody

    /// - Throws: The reason `file`.
    init(_ contents: [HTTPContent]) throws(HTTPError) {
        let body = try UploadBody(contents)
        bodySize = body.size
        self.body = body
    }

    /// Notes that the request is about to be sent; false if it was sent before, and then it must not be.
    func begin() -> Bool {
        guard bytesBefore == nil else { return false }
        bytesBefore = received?.sentBytes ?? 0
        return true
    }

    /// Fills `room` with the next bytes of the body and returns their number; nil ends the transfer.
    func fill(_ room: inout MutableRawSpan) -> Int? {
        do {
            return try body.read(into: &room)
        } catch {
            failure = error
            return nil
        }
    }

    override func takeBody(_ part: RawSpan) -> Bool {
        let room = HTTPWriteAnswer.maxBody - answer.count
        let kept = part.extracting(first: min(room, part.byteCount))
        unsafe kept.withUnsafeBytes { buffer in unsafe answer.append(contentsOf: buffer) }
        isCut = part.byteCount > room
        return !isCut
    }
}
