// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsProtocol
import ClaimsTerminal

/// An operation of the outbox with its values, the upstream's answer and the attempts.
struct OperationLayer: LayerMachine {
    let op: String
    /// The operation as the list shows it, then as `get` does.
    private(set) var operation: AnswerValue
    /// The title of its record; nil until the values have come.
    private(set) var title: String?
    private(set) var refusal: Refusal?
    /// The first line that is shown.
    private(set) var scroll = 0
    private var tag: BrowseRequest.Tag?

    init(_ operation: AnswerValue) {
        self.operation = operation
        op = operation[OutboxResult.Operation.op] ?? ""
    }

    mutating func handle(_ event: LayerEvent, _ context: inout LayerContext) -> LayerOutcome {
        typealias Operation = OutboxResult.Operation
        switch event {
        case .opened, .connected: return ask(&context)
        case .answered(let tag, let value):
            guard tag == self.tag else { return .unhandled }
            guard let whole = value[OutboxResult.operations].first else {
                return .notice(context.messages.isGone(op), .wrong)
            }
            operation = whole
            let collection = whole[Operation.collection] ?? ""
            title =
                context.title(of: whole[Operation.values], in: collection)
                ?? context.title(of: whole[Operation.before], in: collection)
        case .refused(let tag, let refusal):
            guard tag == self.tag else { return .unhandled }
            self.refusal = refusal
        case .wheel(let step): scroll = context.scrolled(scroll, by: step * LayerContext.wheelLines)
        case .key(let key):
            switch BrowseKeys.action(of: key, in: .outbox) {
            case .back?, .leave?: return .close
            case .refresh?: return ask(&context)
            case .actions?:
                let title =
                    title
                    ?? context.title(
                        of: operation[Operation.id] ?? "", in: operation[Operation.collection] ?? "")
                return .open(SheetState.verbs(operation, title: title, &context))
            case .copyID?: return operation[Operation.id].map { .commands(.copy($0)) } ?? .stay
            case .copyRecord?: return .commands(.copy(operation.source))
            case let action?:
                guard let line = context.scrolled(scroll, by: action) else { return .unhandled }
                scroll = line
            case nil: return .stay
            }
        case .paste, .performed, .lost, .woken, .hidden, .changed: break
        }
        return .stay
    }

    private mutating func ask(_ context: inout LayerContext) -> LayerOutcome {
        guard context.isConnected else { return .stay }
        var parameters = OutboxParameters.get(op)
        parameters.language = context.messages.language
        let request = context.requests.request(.outbox, parameters)
        tag = request.tag
        return .commands(.ask(request))
    }
}
