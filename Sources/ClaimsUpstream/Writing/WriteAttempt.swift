// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CCurl
import ClaimsModel
import ClaimsPlatform

/// One attempt to write with the handles that it alone uses.
struct WriteAttempt: ~Copyable {
    /// The end of an attempt; the answer is in the transfer.
    enum End {
        case unsent(HTTPError)
        case unanswered(HTTPError)
        case answered(isWhole: Bool)
    }

    // The order matters: the easy handle goes after the multi handle that may still know it.
    private let multi: MultiHandle
    /// The handle to prepare before the attempt is performed.
    let easy: EasyHandle
    private let transfer: WriteTransfer
    private let isSecure: Bool
    private let host: String

    /// - Throws: The kind `other` if libcurl cannot be loaded.
    init(_ transfer: WriteTransfer, to url: HTTPURL) throws(HTTPError) {
        let multi = try MultiHandle()
        let easy = try EasyHandle()
        self.multi = multi
        self.easy = easy
        self.transfer = transfer
        isSecure = url.scheme == "https"
        host = url.host
    }

    /// Runs the prepared request to its end, to a deadline, or to its cancellation.
    ///
    /// - Parameter limits: a `firstByte` of zero means no limit.
    func perform(
        limits: TransferLimits, cancellation: HTTPCancellation?, progress: (_ sent: Int, _ total: Int) -> Void
    ) -> End {
        do {
            return .answered(isWhole: try run(limits: limits, cancellation: cancellation, progress: progress))
        } catch {
            if hasSent { return .unanswered(error) }
            let status = easy.reading.tunnelStatus
            return .unsent(
                HTTPError(
                    error.reason, status: status == 0 ? nil : status, detail: error.detail, cause: error.cause))
        }
    }

    /// Whether a byte of the request may have left.
    ///
    /// Without TLS libcurl counts the bytes that the kernel took. With TLS the kernel may hold a part of a record that
    /// is not counted yet, so the request counts as sent once it was about to be.
    private var hasSent: Bool {
        guard let before = transfer.bytesBefore else { return false }
        return isSecure || easy.reading.sentBytes > before
    }

    /// Returns whether the whole answer was kept.
    private func run(
        limits: TransferLimits, cancellation: HTTPCancellation?, progress: (_ sent: Int, _ total: Int) -> Void
    ) throws(HTTPError) -> Bool {
        easy.deliver(to: transfer)
        easy.announceConnection(to: transfer)
        let start = SystemClock.monotonic
        try multi.add(easy)
        unsafe cancellation?.attach(multi.pointer)
        defer {
            unsafe cancellation?.attach(nil)
            multi.remove(easy)
            transfer.received = nil
        }
        let extra = (transfer.bodySize + HTTPWriteRequest.bytesPerSecond - 1) / HTTPWriteRequest.bytesPerSecond
        let end = start &+ (limits.transfer + .seconds(extra)).wholeNanoseconds
        let firstByteEnd = limits.firstByte > .zero ? start &+ limits.firstByte.wholeNanoseconds : end
        var reported = 0
        while true {
            let result = try multi.advance()
            let sent = easy.reading.sentBodyBytes
            if sent > reported {
                reported = sent
                progress(sent, transfer.bodySize)
            }
            if let failure = transfer.failure { throw failure }
            if let result { return try check(result) }
            if cancellation?.isCancelled == true { throw HTTPError(.cancelled, status: transfer.status) }
            let now = SystemClock.monotonic
            if now >= end { throw HTTPError(.timeout(.transfer), status: transfer.status) }
            let hasFirstByte = transfer.bodySize > 0 ? transfer.hasBegun : easy.reading.hasFirstByte
            if !hasFirstByte, now >= firstByteEnd { throw HTTPError(.timeout(.firstByte)) }
            let deadline = hasFirstByte ? end : min(end, firstByteEnd)
            try multi.wait(milliseconds: Int32(clamping: (deadline - now + 999_999) / 1_000_000))
        }
    }

    private func check(_ result: CURLcode) throws(HTTPError) -> Bool {
        let hasAnswer = transfer.headers.isComplete
        if result == CURLE_OK, hasAnswer { return true }
        if transfer.isCut || (result == CURLE_BAD_CONTENT_ENCODING && hasAnswer) { return false }
        if result == CURLE_OK { throw HTTPError(.truncated, detail: "the connection ended within the headers") }
        throw CurlFailure(easy, transfer, host: host).error(result)
    }
}

/// One attempt to write: the body that goes out, and the answer up to its cap.
final class WriteTransfer: AnswerReceiver {
    /// The size of the body in bytes.
    let bodySize: Int
    /// The bytes that had been sent when the connection was ready for the request; nil before.
    private(set) var bytesBefore: Int?
    private(set) var answer: [UInt8] = []
    /// Whether the answer is longer than its kept part.
    private(set) var isCut = false
    private var body: UploadBody

    /// - Throws: The reason `file`.
    init(_ contents: [HTTPContent]) throws(HTTPError) {
        let body = try UploadBody(contents)
        bodySize = body.size
        self.body = body
    }

    /// Records that the request is about to be sent. Returns false if it was sent before: then it must not be sent
    /// again.
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

    override func acceptBody(_ part: RawSpan) -> Bool {
        let room = HTTPWriteAnswer.maxBody - answer.count
        let kept = part.extracting(first: min(room, part.byteCount))
        unsafe kept.withUnsafeBytes { buffer in unsafe answer.append(contentsOf: buffer) }
        isCut = part.byteCount > room
        return !isCut
    }
}

extension EasyHandle {
    /// Takes the body from `transfer`, which must outlive the transfer, and announces it as `size` bytes.
    ///
    /// libcurl gets no function to begin the body anew, so that it cannot send it a second time.
    func sendBody(of transfer: WriteTransfer, size: Int) {
        let context = unsafe Unmanaged.passUnretained(transfer).toOpaque()
        set(CURLOPT_UPLOAD, true)
        _ = unsafe ccurl_setopt_offset(pointer, CURLOPT_INFILESIZE_LARGE, curl_off_t(size))
        _ = unsafe ccurl_setopt_pointer(pointer, CURLOPT_READDATA, context)
        _ = unsafe ccurl_setopt_callback(pointer, CURLOPT_READFUNCTION) { bytes, size, count, context in
            guard let context = unsafe context else { return Int(CURL_READFUNC_ABORT) }
            let transfer = unsafe Unmanaged<WriteTransfer>.fromOpaque(context).takeUnretainedValue()
            var room = unsafe MutableRawSpan(_unsafeStart: bytes, byteCount: size * count)
            return transfer.fill(&room) ?? Int(CURL_READFUNC_ABORT)
        }
    }

    /// Informs `transfer`, which must outlive the transfer, when a connection can carry the request.
    func announceConnection(to transfer: WriteTransfer) {
        let context = unsafe Unmanaged.passUnretained(transfer).toOpaque()
        _ = unsafe ccurl_setopt_pointer(pointer, CURLOPT_PREREQDATA, context)
        _ = unsafe ccurl_setopt_before_request(pointer) { context, _, _, _, _ in
            guard let context = unsafe context else { return Int32(CURL_PREREQFUNC_ABORT) }
            let transfer = unsafe Unmanaged<WriteTransfer>.fromOpaque(context).takeUnretainedValue()
            return Int32(transfer.begin() ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT)
        }
    }
}
