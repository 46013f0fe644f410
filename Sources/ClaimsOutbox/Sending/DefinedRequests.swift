// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
import ClaimsPlatform
import ClaimsUpstream

/// Makes the requests of operations by the definitions in force.
public struct DefinedRequests: RequestMaker {
    /// The parts of the catalog that requests are made of.
    public struct Catalog: Sendable {
        /// The definition in force of a collection; nil for a collection without one.
        public var definition: @Sendable (_ collection: String) -> Definition?
        /// The upstream's object of an operation's record, with the accepted operations before it; nil where there is none.
        public var object: @Sendable (Operation) -> [UInt8]?
        /// The state of an id that a value refers to.
        public var reference: @Sendable (WriteReference) -> ReferenceState
        public var limits: @Sendable () -> TransferLimits
        /// The reason why the rules in force do not allow an operation; nil where they do.
        public var objection: @Sendable (Operation) -> Message?
        /// The path of a kept file.
        public var path: @Sendable (_ sha256: String) -> String

        public init(
            definition: @escaping @Sendable (_ collection: String) -> Definition?,
            object: @escaping @Sendable (Operation) -> [UInt8]?,
            reference: @escaping @Sendable (WriteReference) -> ReferenceState,
            limits: @escaping @Sendable () -> TransferLimits,
            objection: @escaping @Sendable (Operation) -> Message? = { _ in nil },
            path: @escaping @Sendable (_ sha256: String) -> String
        ) {
            self.definition = definition
            self.object = object
            self.reference = reference
            self.limits = limits
            self.objection = objection
            self.path = path
        }
    }

    let catalog: Catalog

    public init(_ catalog: Catalog) { self.catalog = catalog }

    public func origin(of operation: Operation) -> String? {
        plan(of: operation)?.request(operation)?.address.origin
    }

    public func interval(of collection: String) -> Int64? {
        catalog.definition(collection).flatMap { $0.source.isConfigured ? $0.source.interval.wholeMilliseconds : nil }
    }

    public func request(of operation: Operation, over base: [UInt8]?) -> Preparation {
        guard let plan = plan(of: operation), let request = plan.request(operation) else {
            return .held(.definition, Message(.writeNotOffered, operation.action.name))
        }
        guard var write = CheckedWrite(operation.values, action: plan.action, in: plan.definition) else {
            let names = operation.touched.filter { plan.definition.fieldIndex($0) == nil }
            return .held(.definition, Message(.writeUnfitting, names.joined(separator: ", ")))
        }
        // One that was sent is asked about again as it was, whatever the rules say now.
        if operation.isUnsent, let message = catalog.objection(operation) { return .held(.definition, message) }
        var renamed: [WriteReference: String] = [:]
        for reference in write.references(in: plan.definition) {
            switch catalog.reference(reference) {
            case .known: break
            case .renamed(let id): renamed[reference] = id
            case .pending(let create) where create == operation.id: break
            case .pending(let create): return .waits(for: create)
            case .dropped: return .held(.reference, Message(.writeReferenceDropped, reference.id))
            }
        }
        write = write.replacing(in: plan.definition) { renamed[$0] }
        do throws(ComposeError) {
            return .ready(try outgoing(operation, write, request, plan, over: base))
        } catch {
            let names = operation.touched.joined(separator: ", ")
            return .held(.definition, Message(.writeUnfitting, names))
        }
    }

    public func look(at operation: Operation) -> OutgoingRequest? {
        guard let plan = plan(of: operation), operation.action != .create,
            let request = try? WriteComposer(plan.definition).match(for: plan.subject(operation, .record))
        else { return nil }
        return OutgoingRequest(
            plan.rules(request, operation), headers: request.headers.map { ($0.name, $0.value) },
            auth: request.auth, tls: request.tls, limits: HTTPLimits(catalog.limits(), plan.definition))
    }

    private func plan(of operation: Operation) -> SendingPlan? {
        catalog.definition(operation.collection).flatMap { SendingPlan($0, operation.action) }
    }

    private func outgoing(
        _ operation: Operation, _ write: CheckedWrite, _ request: WriteRequest, _ plan: SendingPlan,
        over base: [UInt8]?
    ) throws(ComposeError) -> OutgoingRequest {
        let composer = WriteComposer(plan.definition)
        let step = operation.nextStep(sendsFilesApart: plan.sendsFilesApart)
        let subject = plan.subject(operation, step)
        var composed: ComposedRequest
        var body = HTTPWriteRequest.Body.none
        switch step {
        case .record:
            let known = operation.action == .create ? nil : catalog.object(operation)
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
            auth: composed.auth, tls: composed.tls, body: body, limits: HTTPLimits(catalog.limits(), plan.definition),
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
        .file(path: catalog.path(file.sha256), size: Int(file.size), sha256: file.sha256)
    }
}

/// The state of an id that a value refers to.
public enum ReferenceState: Sendable, Equatable {
    /// The id of a record of the upstream, or one that nobody here has given.
    case known
    /// The upstream has given the record another id.
    case renamed(String)
    /// The record is a new one that the upstream has not accepted yet, or whose id is not known.
    case pending(OperationID)
    /// The record was a new one, and was given up.
    case dropped
}
