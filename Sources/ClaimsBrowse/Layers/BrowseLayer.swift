// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A screen, sheet, input or question over a tab.
///
/// The states are types of their own in this folder.
enum BrowseLayer: Sendable {
    /// A record with all its fields; from 120 columns beside the list, else instead of it.
    case detail(DetailState)
    /// An operation of the outbox with its values and attempts.
    case operation(OperationLayer)
    /// The table of keys.
    case help(HelpState)
    /// A choice among entries: orders, views, actions.
    case sheet(SheetState)
    /// A line of input: search, filter.
    case input(InputState)
    /// A question that y answers.
    case question(QuestionState)
    /// A form of an action.
    case form(FormState)
    /// A deal, which is celebrated for a second.
    case deal(DealState)

    /// The layer of a state; nil for the state of a tab.
    init?(_ machine: any LayerMachine) {
        switch machine {
        case let state as DetailState: self = .detail(state)
        case let state as OperationLayer: self = .operation(state)
        case let state as HelpState: self = .help(state)
        case let state as SheetState: self = .sheet(state)
        case let state as InputState: self = .input(state)
        case let state as QuestionState: self = .question(state)
        case let state as FormState: self = .form(state)
        case let state as DealState: self = .deal(state)
        default: return nil
        }
    }

    /// Hands an event to the layer.
    mutating func handle(_ event: LayerEvent, _ context: inout LayerContext) -> LayerOutcome {
        switch self {
        case .detail(let state): handle(event, &context, by: state, BrowseLayer.detail)
        case .operation(let state): handle(event, &context, by: state, BrowseLayer.operation)
        case .help(let state): handle(event, &context, by: state, BrowseLayer.help)
        case .sheet(let state): handle(event, &context, by: state, BrowseLayer.sheet)
        case .input(let state): handle(event, &context, by: state, BrowseLayer.input)
        case .question(let state): handle(event, &context, by: state, BrowseLayer.question)
        case .form(let state): handle(event, &context, by: state, BrowseLayer.form)
        case .deal(let state): handle(event, &context, by: state, BrowseLayer.deal)
        }
    }

    private mutating func handle<Machine: LayerMachine>(
        _ event: LayerEvent, _ context: inout LayerContext, by machine: Machine, _ wrap: (Machine) -> BrowseLayer
    ) -> LayerOutcome {
        var machine = machine
        let outcome = machine.handle(event, &context)
        self = wrap(machine)
        return outcome
    }

    /// The time of the monotonic clock at which `LayerEvent.woken` is due; nil for never.
    var wakeAt: UInt64? {
        switch self {
        case .form(let state): state.wakeAt
        case .deal(let state): state.wakeAt
        case .detail, .operation, .help, .sheet, .input, .question: nil
        }
    }
}
