// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsUpstream
import Testing

/// The messages of transfers that failed; those of reading and of writing are the same.
@Suite struct TransferMessageTests {
    private func text(_ error: HTTPError, _ url: String = "https://u:p@api.example:8443/things?key=s3cret") -> String {
        let limits = TransferLimits(connect: .milliseconds(500), firstByte: .seconds(30), transfer: .seconds(60))
        return Message(error, url: url, limits: limits).text("en")
    }

    @Test func `each cause of a connection that is not secure is told by itself`() {
        let texts = [FailureReason.untrusted, .expired, .name, .clientCertificate, .handshake].map { cause in
            text(HTTPError(.insecure, detail: "certificate verify failed", cause: cause))
        }
        #expect(Set(texts).count == texts.count, "\(texts)")
        #expect(texts[2].contains("api.example:8443"))
    }

    @Test func `limits are told with their fractions`() {
        #expect(text(HTTPError(.timeout(.connect))) == "The server could not be connected to within 0.5 s")
        #expect(text(HTTPError(.timeout(.transfer))) == "The server's answer was not complete within 60 s")
    }

    @Test(arguments: [
        HTTPError(.invalidURL), HTTPError(.file, detail: "gone"), HTTPError(.credential, detail: "it is empty"),
        HTTPError(.unknownHost), HTTPError(.unreachable, cause: .refused), HTTPError(.unreachable, cause: .noRoute),
        HTTPError(.unreachable, cause: .reset), HTTPError(.insecure, cause: .name),
    ]) func `no message has the query of an address or its user`(error: HTTPError) {
        let text = text(error)
        #expect(text.contains("api.example:8443") && !text.contains("s3cret") && !text.contains("u:p"), "\(text)")
    }
}
