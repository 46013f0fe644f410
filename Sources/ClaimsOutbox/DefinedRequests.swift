// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
public import ClaimsModel
import ClaimsPlatform
import ClaimsStore
import ClaimsUpstream

/// The definitions, records and settings that requests are made of. Calls may be made on any thread.
public protocol RequestCatalog: Sendable {
    /// The bounds of transfers in force.
    var limits: TransferLimits { get }

    /// The definition in force of a collection; nil for a collection without one.
    func definition(of collection: String) -> Definition?

    /// The upstream's object of an operation's record, with the accepted operations before it; nil if there is none.
    func object(before operation: Operation) -> [UInt8]?

    /// The state of an id that a value refers to.
    func state(of reference: WriteReference) -> ReferenceState

    /// The reason why the rules in force do not allow an operation; nil if they do.
    func objection(to operation: Operation) -> Message?

    /// The path of a kept file.
    func path(of sha256: String) -> String
}

/// Makes the requests of operations by the definitions in force.
public struct DefinedRequests: RequestMaker {
    let catalog: any RequestCatalog

    public init(_ catalog: any RequestCatalog) { self.catalog = catalog }

    public func origin(of operation: Operation) -> String? {
        plan(of: operation)?.request(operation)?.address.origin
    }

    public func origins() -> (Operation) -> String? {
        var known: [KnownAction: (sendsFilesApart: Bool, record: String?)] = [:]
        return { operation in
            let action = KnownAction(collection: operation.collection, name: operation.action.name)
            let found =
                known[action]
                ?? {
                    let plan = plan(of: operation)
                    return (plan?.sendsFilesApart ?? false, plan?.action.request?.address.origin)
                }()
            known[action] = found
            guard found.sendsFilesApart else { return found.record }
            // Its files may go elsewhere.
            return origin(of: operation)
        }
    }

    /// An action whose rules have been looked up.
    private struct KnownAction: Hashable {
        var collection: String
        var name: String
    }

    public func interval(of collection: String) -> Int64? {
        catalog.definition(of: collection).flatMap {
            $0.source.isConfigured ? $0.source.interval.wholeMilliseconds : nil
        }
    }

    public func request(of operation: Operation, over base: [UInt8]?) -> Preparation {
        guard let plan = plan(of: operation), let request = plan.request(operation) else {
            return .held(.definition, Message(.writeNotOffered, operation.action.name))
        }
        guard var write = CheckedWrite(operation.values, action: plan.action, in: plan.definition) else {
            let names = operation.touched.filter { plan.definition.fieldIndex($0) == nil }
            return .held(.definition, Message(.writeUnfitting, names.joined(separator: ", ")))
        }
        var renamed: [WriteReference: String] = [:]
        for reference in write.references(in: plan.definition) {
            switch catalog.state(of: reference) {
            case .known: break
            case .renamed(let id): renamed[reference] = id
            case .pending(let create) where create == operation.id: break
            case .pending(let create): return .waits(for: create)
            case .dropped: return .held(.reference, Message(.writeReferenceDropped, reference.id))
            }
        }
        write = write.replacing(in: plan.definition) { renamed[$0] }
        var operation = operation
        operation.values.given = write.values(in: plan.definition).given
        // An operation that was sent before is inspected again without changes, whatever the rules say now.
        if operation.isUnsent, let message = catalog.objection(to: operation) { return .held(.definition, message) }
        do throws(ComposeError) {
            var ready = try outgoing(operation, write, by: request, of: plan, over: base)
            if !renamed.isEmpty { ready.given = operation.values.given }
            return .ready(ready)
        } catch {
            let names = operation.touched.joined(separator: ", ")
            return .held(.definition, Message(.writeUnfitting, names))
        }
    }

    public func inspection(of operation: Operation) -> OutgoingRequest? {
        guard let plan = plan(of: operation), operation.action != .create,
            let request = try? WriteComposer(plan.definition).match(for: plan.subject(operation, .record))
        else { return nil }
        return OutgoingRequest(
            plan.rules(request, operation), headers: request.headers.map { ($0.name, $0.value) },
            auth: request.auth, tls: request.tls, limits: catalog.limits.ofWrites(plan.definition))
    }

    private func plan(of operation: Operation) -> SendingPlan? {
        catalog.definition(of: operation.collection).flatMap { SendingPlan($0, operation.action) }
    }

    private func outgoing(
        _ operation: Operation, _ write: CheckedWrite, by request: WriteRequest, of plan: SendingPlan,
        over base: [UInt8]?
    ) throws(ComposeError) -> OutgoingRequest {
        let composer = WriteComposer(plan.definition)
        let step = operation.nextStep(sendsFilesApart: plan.sendsFilesApart)
        let subject = plan.subject(operation, step)
        var composed: ComposedRequest
        var body = HTTPWriteRequest.Body.none
        switch step {
        case .record:
            let known = operation.action == .create ? nil : catalog.object(before: operation)
            composed = try composer.request(of: write, for: subject, over: base ?? known)
            if let bytes = composed.body { body = .content(.bytes(bytes)) }
            if plan.isMultipart, !operation.values.files.isEmpty {
                body = .multipart(parts(composed.body ?? [], operation.values.files))
                composed.headers.removeAll { $0.name.lowercased() == "content-type" }
            }
        case .file(let index):
            let file = operation.values.files[index]
            composed = try composer.finished(request, for: subject)
            composed.headers.append(Header(name: "Content-Type", value: file.type))
            composed.headers.append(Header(name: "Content-Disposition", value: FileDisposition.value(file.name)))
            body = .content(content(of: file))
        }
        let own = plan.keepsID ? operation.record : nil
        let newID = composed.newID
        return OutgoingRequest(
            plan.rules(composed, operation), step: step, headers: composed.headers.map { ($0.name, $0.value) },
            auth: composed.auth, tls: composed.tls, body: body, limits: catalog.limits.ofWrites(plan.definition),
            newID: { answer in own ?? newID.flatMap { AnsweredID.find($0, in: answer) } })
    }

    /// The parts of a form with a record and its files.
    private func parts(_ record: [UInt8], _ files: [OperationFile]) -> [HTTPPart] {
        [HTTPPart(name: "record", type: "application/json", content: .bytes(record))]
            + files.map { file in
                HTTPPart(name: "file", fileName: file.name, type: file.type, content: content(of: file))
            }
    }

    /// The bytes of a kept file, which are sent only as they were attached.
    private func content(of file: OperationFile) -> HTTPContent {
        .file(path: catalog.path(of: file.sha256), size: Int(file.size), sha256: file.sha256)
    }

    public func finding(_ object: [UInt8], for operation: Operation, after earlier: [Operation]) -> MatchFinding {
        guard let definition = catalog.definition(of: operation.collection) else { return .changed([]) }
        var tape = JSONTape()
        do throws(JSONError) {
            _ = try tape.parse(object.rawSpan, depth: JSONValue.maximumDepth)
        } catch {
            return .failed(Message(.notJSON, MessageArgument.of(error)), retryAfter: nil)
        }
        var decoder = RecordDecoder(definition: definition)
        var record = DecodedRecord()
        guard case .accepted = decoder.decode(tape, object.rawSpan, into: &record),
            let fields = try? JSONValue.parse(record.document, depth: JSONValue.maximumDepth).object
        else {
            let kind = tape.count > 0 ? tape[0].kind : .null
            return .failed(Message(.rootNotArray, MessageArgument.of(kind)), retryAfter: nil)
        }
        var operation = operation
        operation.values.wasInSnapshot = true
        let view = LaneView(
            lane: earlier + [operation], index: earlier.count, record: RecordEvidence(fields: fields),
            evidence: RefreshEvidence(definition, began: 0, now: 0, isComplete: true))
        if view.isShown { return .shown }
        return .changed(view.changedFields)
    }
}

/// The state of an id that a value refers to.
public enum ReferenceState: Sendable, Equatable {
    /// The id of a record of the upstream, or an id that was not given here.
    case known
    /// The upstream has given the record another id.
    case renamed(String)
    /// The record is a new one that the upstream has not accepted yet, or whose id is not known.
    case pending(OperationID)
    /// The record was a new one, and was given up.
    case dropped
}

extension AnsweredID {
    /// The id of a new record in an answer; nil if it has no id that records can have.
    static func find(_ rule: WriteRequest.NewID, in answer: HTTPWriteAnswer) -> String? {
        let id: String?
        switch rule {
        case .pointer(let pointer):
            guard answer.isWhole else { return nil }
            var tape = JSONTape()
            guard (try? tape.parse(answer.body.rawSpan, depth: JSONValue.maximumDepth)) != nil,
                let node = tape.resolve(pointer, in: answer.body.rawSpan)
            else { return nil }
            let value = JSONValue(tape, node, in: answer.body.rawSpan)
            id = value.string ?? value.number
        case .location: id = answer.location.flatMap(lastSegment)
        }
        return id.flatMap { IDForm.objection(to: Array($0.utf8).rawSpan) == nil ? $0 : nil }
    }

    /// The last segment of an address' path, without percent-encoding; nil if that is no text.
    private static func lastSegment(_ address: String) -> String? {
        var path = Substring(address.prefix { $0 != "?" && $0 != "#" })
        if let mark = path.firstRange(of: "://") {
            guard let slash = path[mark.upperBound...].firstIndex(of: "/") else { return nil }
            path = path[slash...]
        }
        let segments = path.split(separator: "/")
        guard let last = segments.last else { return nil }
        guard let bytes = PercentEncoding.decodePath(last) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}
