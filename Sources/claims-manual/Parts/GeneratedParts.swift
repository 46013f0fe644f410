// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The parts of the reference that are generated from the program's own tables.
public struct GeneratedParts: Sendable {
    private let catalog: MessageCatalog

    /// Makes the parts; the catalogue is the only one that is not in the program.
    public init(catalog: MessageCatalog) {
        self.catalog = catalog
    }

    /// The blocks of one part.
    ///
    /// - Parameter name: the name in the part's opening mark, such as `filter operators`.
    /// - Throws: a `ManualError` for an unknown name.
    public func blocks(of name: String) throws(ManualError) -> [Block] {
        if let table = KeyTable.all.first(where: { $0.part == name }) { return [table.block] }
        switch name {
        case "methods": return MethodsPart.blocks
        case "events": return EventsPart.blocks
        case "errors": return [ErrorsPart.block]
        case "filter operators": return [OperatorsPart.block]
        case "field types": return [FieldTypesPart.block]
        case "states": return [ConditionsPart.states]
        case "freshness": return [ConditionsPart.freshness]
        case "sources": return [ConditionsPart.sources]
        case "failures": return [ConditionsPart.failures]
        case "browse keys": return [BrowseKeysPart.block]
        case "verbs": return VerbsPart.blocks
        case "options": return [OptionsPart.block]
        case "metrics": return [MetricsPart.block]
        case "client exit codes": return [ExitCodesPart.block]
        case "messages": return catalog.blocks
        default: throw ManualError("there is no part called '\(name)'")
        }
    }
}
