// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// Reads one collection's definition, merged from its files, and notes everything that is wrong with it.
struct DefinitionReader {
    let name: String
    let root: ConfigurationNode
    /// Where a relative path in a file leads: the folder of the daemon's files that the file belongs to.
    let folder: (_ file: String) -> String
    var fields: [Field] = []
    var vocabularies: [Vocabulary] = []
    var groups: [RecordGroup] = []

    init(name: String, node: JSON5Node, log: ProblemLog, folder: @escaping (String) -> String) {
        self.name = name
        root = ConfigurationNode(node: node, keyPath: "", log: log)
        self.folder = folder
    }

    /// The definition; nil if anything is wrong.
    mutating func read() -> Definition? {
        guard
            let object = root.object(
                "title", "singular", "source", "bundle", "fields", "vocabularies", "groups", "group_by", "sort",
                "sorts", "views", "list", "archive", "deal")
        else { return nil }
        let title = object["title"].flatMap { $0.name("a title") }
        let singular = readSingular(object["singular"])
        readGroups(object["groups"])
        let names = readVocabularies(object["vocabularies"])
        readFields(object, vocabularies: names)
        let groupBy = object["group_by"].flatMap { readGroupBy($0) }
        let orders = readOrders(object["sorts"])
        let defaultOrder = object["sort"].flatMap { readOrder($0, named: orders)?.order }
        let views = readViews(object["views"])
        let list = object["list"].flatMap { readList($0) }
        let archive = object["archive"].flatMap { $0.bool() }
        let deal = object["deal"].flatMap { readDeal($0) }
        let source = readSource(object["source"])
        let bundle = object["bundle"].flatMap { readBundle($0) }
        guard root.log.problems.isEmpty else { return nil }
        return Definition(
            name: name, title: title, singular: singular, source: source, bundle: bundle, fields: fields,
            vocabularies: vocabularies, groups: groups, groupBy: groupBy, defaultOrder: defaultOrder, orders: orders,
            views: views, list: list, isArchivable: archive ?? false, deal: deal)
    }

    /// The singular; without one it is the collection's name.
    private func readSingular(_ node: ConfigurationNode?) -> String? {
        let expected = "a word of a-z, 0-9, _ and - that begins with a letter"
        guard let singular = node == nil ? name : node?.string(expected) else { return nil }
        if !ReservedNames.isName(String(singular.map { $0 == "-" ? "_" : $0 })) {
            (node ?? root).complain(expected: expected)
        }
        if ReservedNames.options.contains(singular) {
            (node ?? root).complain("'\(singular)' is an option of claimsctl; expected another word as the singular")
        }
        return singular
    }

    private func readGroupBy(_ node: ConfigurationNode) -> Int? {
        guard let field = readField(node) else { return nil }
        if fields[field].type != .enum { node.complain("'\(fields[field].name)' is no enum field") }
        return field
    }

    private func readList(_ node: ConfigurationNode) -> [Int]? {
        var list: [Int] = []
        for element in node.elements(of: "an array of field names") ?? [] {
            guard let field = readField(element) else { continue }
            if list.contains(field) { element.complain("'\(fields[field].name)' is in the list already") }
            list.append(field)
        }
        return list
    }

    private func readDeal(_ node: ConfigurationNode) -> LocalizedText? {
        guard let object = node.object("message") else { return nil }
        guard let message = object["message"] else {
            object.complain(missing: "message", "a text with {field} for the values of a record")
            return nil
        }
        guard let text = message.localizedText() else { return nil }
        for wording in text.wordings {
            for piece in wording.text.split(separator: "{", omittingEmptySubsequences: false).dropFirst() {
                let name = String(piece.prefix { $0 != "}" })
                if !fields.contains(where: { $0.name == name }) {
                    message.complain(unknown: name, "field", among: fields.map(\.name))
                }
            }
        }
        return text
    }

    private func readBundle(_ node: ConfigurationNode) -> String? {
        guard let path = node.name("the path of a file, such as \"bundles/NAME.json\"") else { return nil }
        return path.hasPrefix("/") ? path : "\(folder(node.node.file))/\(path)"
    }

    /// The field that a node names.
    func readField(_ node: ConfigurationNode) -> Int? {
        guard let name = node.string("the name of a field") else { return nil }
        return field(named: name, node)
    }

    func field(named name: String, _ node: ConfigurationNode) -> Int? {
        if let index = fields.firstIndex(where: { $0.name == name }) { return index }
        node.complain(unknown: name, "field", among: fields.map(\.name))
        return nil
    }
}
