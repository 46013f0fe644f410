// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsStore
import ClaimsUpstream

/// One attempt to send an operation, on the calling thread: it makes the request, records it, sends it, and finds out how
/// it ended. The outcome is committed by the caller.
struct SendingAttempt {
    /// The end of an attempt.
    enum End: Sendable {
        /// An outcome for the operation as it is in state.db by then; nil if nothing changes.
        case decided(OriginSignal?, @Sendable (Operation) -> Operation?)
        /// The operation was changed meanwhile. Nothing was sent.
        case overtaken
        /// The host must not be asked before that time, in milliseconds since 1970. Nothing was sent.
        case heldUp(until: Int64)
        /// It could not be recorded, so nothing was sent.
        case unrecorded(StoreError)
    }

    /// The longest wait for the host. Then the operation waits without a thread.
    private static let maxPause = Duration.seconds(1800)

    let store: any OutboxStore
    let maker: any RequestMaker
    let writer: HTTPWriter
    /// Gives the secrets of requests, and decides when requests to hosts begin, including refreshes.
    let access: UpstreamAccess
    let clock: WallClock
    let cancellation: HTTPCancellation
    /// Ends a wait for the host.
    let waits: HTTPCancellation
    /// The operations before it in its lane.
    let earlier: [Operation]
    let progress: (SendingProgress) -> Void

    func run(_ operation: Operation, attempt: () throws(StoreError) -> Int64) -> End {
        var base: [UInt8]?
        var etag: String?
        if !operation.delivery.isRecordSent, let request = maker.inspection(of: operation) {
            switch inspect(request, operation) {
            case .success(let (body, tag)): (base, etag) = (body, tag)
            case .failure(let end): return end.end
            }
        }
        switch maker.request(of: operation, over: base) {
        case .held(let reason, let message):
            let now = clock.now()
            return .decided(nil) { $0.state == .queued ? $0.unsendable(reason, message, now: now) : nil }
        case .waits(let create):
            return .decided(nil) { current in
                guard current.state == .queued else { return nil }
                var current = current
                current.delivery.waitsFor = create
                return current
            }
        case .ready(var request):
            if let etag { request.headers.append(("If-Match", etag)) }
            return send(request, operation, attempt: attempt)
        }
    }

    // MARK: - The record as the upstream has it

    /// The end of an attempt, thrown in place of an inspection's result.
    private struct Ended: Error {
        var end: End
    }

    private func inspect(
        _ request: OutgoingRequest, _ operation: Operation
    ) -> Result<(body: [UInt8], etag: String?), Ended> {
        let secrets: RequestSecrets
        switch self.secrets(request, operation) {
        case .success(let found): secrets = found
        case .failure(let lack): return .failure(Ended(end: end(lack, request)))
        }
        let paced = pacedRequest
        if let end = waitForHost(request, paced) { return .failure(Ended(end: end)) }
        let finding: MatchFinding
        let outcome = deliver(request, operation, with: secrets, paced)
        switch outcome {
        case .unsent(let error), .unanswered(let error):
            let message = Message(attempt: error, url: request.rules.url, limits: request.limits)
            finding = .failed(message, retryAfter: nil)
        case .answered(let answer):
            let message = Message(.httpStatus, HTTPStatus.text(answer.status))
            switch answer.status {
            case 200 where answer.isWhole:
                finding = maker.finding(answer.body, for: operation, after: earlier)
                if case .changed(let fields) = finding, fields.isEmpty {
                    let strong = answer.etag.flatMap { $0.hasPrefix("W/") ? nil : $0 }
                    return .success((answer.body, strong))
                }
            case 404, 410: finding = .gone
            case 401, 407: finding = .refused(message)
            case 200..<300, 408, 425, 429, 500...: finding = .failed(message, retryAfter: answer.retryAfter)
            default: finding = .forbidden(message)
            }
        }
        return .failure(Ended(end: inspected(request, finding)))
    }

    private func inspected(_ request: OutgoingRequest, _ finding: MatchFinding) -> End {
        let table = OutcomeTable(request.rules, now: clock.now(), random: RandomBytes.integer())
        let decide: @Sendable (Operation) -> Operation? = { current in
            current.state == .queued ? table.inspected(current, finding).operation : nil
        }
        return .decided(finding.signal, decide)
    }

    private func end(_ lack: Lack, _ request: OutgoingRequest) -> End {
        switch lack {
        case .cancelled: .overtaken
        case .found(let finding): inspected(request, finding)
        }
    }

    // MARK: - The write

    private func send(
        _ request: OutgoingRequest, _ operation: Operation, attempt: () throws(StoreError) -> Int64
    ) -> End {
        let secrets: RequestSecrets
        switch self.secrets(request, operation) {
        case .success(let found): secrets = found
        case .failure(let lack): return end(lack, request)
        }
        // This comes before the attempt is recorded, because a waiting operation is not sent.
        let paced = pacedRequest
        if let end = waitForHost(request, paced) { return end }
        let number: Int64
        let begun: Operation
        do throws(StoreError) {
            number = try attempt()
            guard let found = try begin(request, operation, number) else { return .overtaken }
            begun = found
        } catch {
            return .unrecorded(error)
        }
        do throws(StoreError) {
            try store.recordAttempt(number)
        } catch {
            return self.end(.unsent(Message(.storage, error.message)), request, signal: nil)
        }
        let outcome = deliver(request, operation, with: secrets, paced) { sent, size in
            progress(SendingProgress(of: operation, request.step, sent: sent, size: size))
        }
        return end(outcome, request, begun)
    }

    /// One request among all writes, which a host's gate treats as one source.
    private var pacedRequest: PacedRequests {
        PacedRequests(access.gate, as: .writes, cancellation: waits, pause: Self.maxPause)
    }

    /// Waits until a request may begin; returns the end of the attempt if it may not. An invalid address is found when
    /// it is sent.
    private func waitForHost(_ request: OutgoingRequest, _ paced: PacedRequests) -> End? {
        do throws(HTTPError) {
            try paced.begin(to: HTTPURL(request.rules.url).host)
            return nil
        } catch {
            switch paced.refusal {
            case .tooLong(let until): return .heldUp(until: until)
            case .cancelled: return .overtaken
            case nil: return nil
            }
        }
    }

    /// Records in state.db that bytes may leave from now on.
    ///
    /// - Returns: the operation in the state in which it is sent; nil if it was changed meanwhile.
    private func begin(
        _ request: OutgoingRequest, _ operation: Operation, _ number: Int64
    ) throws(StoreError) -> Operation? {
        let table = OutcomeTable(request.rules, now: clock.now(), random: 0)
        let (id, given) = (operation.id, request.given)
        let begun = try store.changeOperations { lookup in
            guard let current = lookup(id), current.state == .queued, current.values == operation.values,
                current.record == operation.record,
                current.delivery.isRecordSent == operation.delivery.isRecordSent
            else { return [] }
            var renamed = current
            // From now on the operation shows the values that the upstream will show.
            if let given { renamed.values.given = given }
            return [table.begin(renamed, attempt: number)]
        }
        return begun.first { $0.id == id && $0.state == .sending }
    }

    private func end(_ outcome: HTTPWriteOutcome, _ request: OutgoingRequest, _ operation: Operation) -> End {
        let end: AttemptEnd
        switch outcome {
        case .unsent(let error):
            let message = Message(attempt: error, url: request.rules.url, limits: request.limits)
            switch error.reason {
            case .file: end = .impossible(.damaged, message)
            case .invalidURL: end = .impossible(.definition, message)
            default: end = .unsent(message)
            }
        case .unanswered(let error):
            end = .unanswered(Message(attempt: error, url: request.rules.url, limits: request.limits))
        case .answered(let answer):
            let id = request.newID(answer)
            let body = String(decoding: answer.body.prefix(OperationAnswer.maxBody), as: UTF8.self)
            end = .answered(
                AttemptAnswer(
                    answer.status, body: body, retryAfter: answer.retryAfter,
                    id: id.map { store.isTaken($0, by: operation) ? .taken($0) : .given($0) } ?? .none))
        }
        let table = OutcomeTable(request.rules, now: clock.now(), random: 0)
        return self.end(end, request, signal: table.end(operation, end, of: request.step).signal)
    }

    private func end(_ end: AttemptEnd, _ request: OutgoingRequest, signal: OriginSignal?) -> End {
        let table = OutcomeTable(request.rules, now: clock.now(), random: RandomBytes.integer())
        let step = request.step
        return .decided(signal) { current in
            current.state == .sending ? table.end(current, end, of: step).operation : nil
        }
    }

    /// The secrets of a request, or the end of the attempt if they are not available.
    private func secrets(_ request: OutgoingRequest, _ operation: Operation) -> Result<RequestSecrets, Lack> {
        secrets(need(request, operation)).mapError { Lack($0, request) }
    }

    /// Sends a request. If its token is refused, the request is sent once more with another token, if one is available:
    /// the upstream has refused the body together with the token.
    ///
    /// - Parameter paced: has the pass of the request, and gets one for the second request.
    private func deliver(
        _ request: OutgoingRequest, _ operation: Operation, with secrets: RequestSecrets, _ paced: PacedRequests,
        progress: (_ sent: Int, _ total: Int) -> Void = { _, _ in }
    ) -> HTTPWriteOutcome {
        let outcome = writer.send(write(request, secrets), cancellation: cancellation, progress: progress)
        paced.end(outcome)
        guard case .answered(let answer) = outcome, answer.status == 401, secrets.isRenewable,
            case .success(let newer) = self.secrets(need(request, operation), after: secrets)
        else { return outcome }
        do throws(HTTPError) {
            try paced.begin(to: HTTPURL(request.rules.url).host)
        } catch {
            // The refusal stays if the host wants no other request now.
            return outcome
        }
        // Getting the other token may have taken long. Changes of other people since then are not overwritten.
        if store.isContradicted(operation.id) {
            let unsent = HTTPWriteOutcome.unsent(HTTPError(.cancelled))
            paced.end(unsent)
            return unsent
        }
        let repeated = writer.send(write(request, newer), cancellation: cancellation, progress: progress)
        paced.end(repeated)
        return repeated
    }

    /// Why a request has no secrets. Nothing of it was sent.
    private enum Lack: Error {
        /// The outbox ends.
        case cancelled
        /// The finding of an inspection of the record.
        case found(MatchFinding)

        init(_ failure: AccessFailure, _ request: OutgoingRequest) {
            switch failure {
            case _ where failure.isCancelled: self = .cancelled
            case .credential(_, let message, _): self = .found(.refused(message))
            case .token(let error, let url):
                let message = Message(error, url: url, limits: request.limits)
                self = .found(
                    .failed(Message(.tokenFailed, MessageArgument.of(message)), retryAfter: error.retryAfter))
            case .tokenNotJSON(let error):
                let message = Message(.notJSON, MessageArgument.of(error))
                self = .found(.failed(Message(.tokenFailed, MessageArgument.of(message)), retryAfter: nil))
            case .transfer(let error):
                let message = Message(attempt: error, url: request.rules.url, limits: request.limits)
                self = .found(.failed(message, retryAfter: error.retryAfter))
            case .pause:
                let message = Message(.transferTimeout, MessageArgument.seconds(request.limits.transfer))
                self = .found(.failed(message, retryAfter: nil))
            }
        }
    }

    private func secrets(
        _ need: SecretNeed, after refused: RequestSecrets? = nil
    ) -> Result<RequestSecrets, AccessFailure> {
        do throws(AccessFailure) {
            return .success(try access.secrets(need, after: refused, cancellation: cancellation))
        } catch { return .failure(error) }
    }

    private func need(_ request: OutgoingRequest, _ operation: Operation) -> SecretNeed {
        SecretNeed(
            auth: request.auth, tls: request.tls, collection: operation.collection, limits: request.limits)
    }

    private func write(_ request: OutgoingRequest, _ secrets: RequestSecrets) -> HTTPWriteRequest {
        var write = HTTPWriteRequest(
            request.rules.method, url: request.rules.url, headers: request.headers, credential: secrets.credential,
            body: request.body, limits: request.limits)
        write.security = secrets.security
        return write
    }
}

extension MatchFinding {
    /// The meaning of an inspection for its origin.
    fileprivate var signal: OriginSignal {
        switch self {
        case .shown, .gone, .changed: .success
        case .failed, .forbidden: .failure
        case .refused(let message): .refusal(message)
        }
    }
}

extension Message {
    /// The message of an attempt that ended without an answer.
    init(attempt error: HTTPError, url: String, limits: TransferLimits) {
        switch error.reason {
        case .cancelled: self.init(.writeInterrupted)
        // The file that was to be sent is kept by the daemon.
        case .file: self.init(.storage, error.detail)
        default: self.init(error, url: url, limits: limits)
        }
    }
}
