// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON

/// `detail`: everything about some records. Those that are missing are named, the others shown.
enum DetailCommand {
    /// How many requests are under way at once; the daemon reads no more than 32.
    private static let window = 16

    static func run(_ session: Session) throws(CommandError) -> ExitCode {
        let references = try references(session)
        var printer = DetailPrinter(session, isAlone: references.count == 1)
        let connection = try session.connection()
        let described = printer.needsDescription ? try describe(references, session, connection) : [:]
        let language = session.format.isForPeople ? session.language : session.explicitLanguage
        var missing: [String] = []
        var pending: [Connection.RequestID] = []
        for index in references.indices {
            while pending.count < min(index + window, references.count) {
                let reference = references[pending.count]
                pending.append(
                    connection.request("detail") { writer in
                        writer.member("collection", reference.collection)
                        writer.member("id", reference.id)
                        if let maxAge = session.invocation.maxAge { writer.member("max_age_ms", maxAge) }
                        if let language { writer.member("lang", language) }
                    })
            }
            let reference = references[index]
            do throws(CommandError) {
                let answer = try session.answer(to: pending[index])
                var collection: CollectionDescription?
                if let id = described[reference.collection] {
                    collection = try printer.description(reference.collection, id)
                }
                try printer.take(answer, collection)
            } catch {
                guard case .client(.refused(let refusal)) = error, refusal.kind == "not_found"
                else {
                    throw error
                }
                missing.append(
                    session.invocation.selector == nil ? "\(reference.collection)/\(reference.id)" : reference.id)
            }
        }
        try printer.finish()
        try session.flush()
        guard !missing.isEmpty else {
            session.noticeFreshness(printer.metas)
            return .done
        }
        session.report(ErrorReport(.notFound, missing: missing))
        return .notFound
    }

    private static func references(_ session: Session) throws(CommandError) -> [RecordReference] {
        do throws(UsageError) {
            let references = try RecordReference.read(session.invocation)
            if references.isEmpty {
                throw UsageError("'detail' needs an id", hint: "for example: claimsctl detail --book 7")
            }
            return references
        } catch {
            throw .usage(error)
        }
    }

    /// One request for each collection, sent along with the first records'.
    private static func describe(
        _ references: [RecordReference], _ session: Session, _ connection: Connection
    ) throws(CommandError) -> [String: Connection.RequestID] {
        var described: [String: Connection.RequestID] = [:]
        for reference in references where described[reference.collection] == nil {
            described[reference.collection] = DescribeRequest.send(reference.collection, session, on: connection)
        }
        return described
    }
}
