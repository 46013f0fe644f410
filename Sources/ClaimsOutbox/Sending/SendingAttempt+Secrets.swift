// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsUpstream

extension SendingAttempt {
    /// The secrets of a request, or what their lack means for it.
    func secrets(_ request: OutgoingRequest, _ operation: Operation) -> Result<RequestSecrets, Lack> {
        secrets(need(request, operation)).mapError { Lack($0, request) }
    }

    /// Sends a request. Where its token is refused it is sent once more with another one, if that is to be had: the
    /// upstream has refused the body with it.
    ///
    /// - Parameter paced: has the pass of the request, and gets one for the other.
    func deliver(
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
            // The refusal stands where the host wants no other request now.
            return outcome
        }
        // The other token may have taken its time. What somebody else has done meanwhile is not overwritten.
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
    enum Lack: Error {
        /// The outbox ends.
        case cancelled
        /// The finding of a look at the record.
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
                let message = Message(.transferTimeout, MessageArgument.seconds(request.limits.total))
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
            HTTPWriteRequest.Method(rawValue: request.rules.method) ?? .get, url: request.rules.url,
            headers: request.headers, credential: secrets.credential, body: request.body, limits: request.limits)
        write.security = secrets.security
        return write
    }
}
