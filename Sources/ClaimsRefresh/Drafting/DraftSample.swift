// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON
import ClaimsModel
import ClaimsUpstream

/// The answer that a definition is drafted from, and where it came from.
public struct DraftSample: Sendable {
    private let body: FetchedBody
    /// The address that was asked; nil for a file.
    private let url: String?
    /// Whether the answer had a `Link` header that names a next page.
    private let hasLink: Bool

    private init(_ body: FetchedBody, url: String?, hasLink: Bool) {
        self.body = body
        self.url = url
        self.hasLink = hasLink
    }

    /// A document that was read from a file.
    public init(_ bytes: [UInt8]) { self.init(FetchedBody(bytes), url: nil, hasLink: false) }

    /// Asks an address once, without a definition, on the calling thread.
    ///
    /// - Parameter spoolDirectory: the folder of the unnamed files that hold large bodies.
    public static func fetch(_ url: String, spoolDirectory: String) throws(FetchFailure) -> DraftSample {
        do throws(HTTPError) {
            let limits = HTTPLimits(TransferLimits())
            if url.hasPrefix("file:") {
                let body = try FileTransfer.read(url, limits: limits, spoolDirectory: spoolDirectory)
                return DraftSample(body, url: url, hasLink: false)
            }
            let client = try HTTPClient(spoolDirectory: spoolDirectory)
            let response = try client.perform(
                HTTPRequest(url: url, headers: [("Accept", "application/json")], limits: limits))
            return DraftSample(response.body, url: url, hasLink: response.linkNext != nil)
        } catch {
            throw .of(error, fetching: url)
        }
    }

    /// A draft of a definition for it.
    ///
    /// - Parameter root: the pointer to the records; nil to take the largest array of objects.
    public func draft(named name: String, root: JSONPointer?, taken: TakenNames) -> DefinitionDraft {
        var draft = DefinitionDraft(name: name, root: root, url: url)
        draft.hasLink = hasLink
        draft.taken = taken
        return draft
    }

    /// The definition that a draft is for this answer.
    public func text(of draft: DefinitionDraft) throws(DraftError) -> String {
        try body.withBytes { bytes throws(DraftError) in try draft.text(of: bytes) }
    }
}
