// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// Reads the equal upstreams of a collection.
extension DefinitionReader {
    /// The keys that a site may have of its own. They are merged over those of the source.
    static let siteKeys = ["url", "query", "headers", "body", "auth", "credential", "tls"].filter {
        requestKeys.contains($0)
    }

    /// The sites of a source.
    ///
    /// - Parameter source: the object that the sites are merged over.
    func readSites(_ node: ConfigurationNode, of source: ConfigurationObject) -> SiteList? {
        guard let object = node.object("field", "each") else { return nil }
        let field = object["field"].flatMap { readSiteField($0) }
        if object["field"] == nil { object.complain(missing: "field", "the name of a field of the type text") }
        guard let each = object["each"] else {
            object.complain(missing: "each", "an object of sites by name")
            return nil
        }
        // A mistake in the source itself is one in each site.
        let isSound = root.log.problems.isEmpty
        var sites: [Site] = []
        let entries = each.entries(of: "an object of sites by name")
        for (name, value) in entries {
            if !Site.isName(name) {
                value.complain(
                    "'\(name)' is not the name of a site; expected a-z, 0-9, _ and -, at most \(Site.maxNameLength), beginning with a letter"
                )
            }
            guard value.object(Self.siteKeys) != nil, isSound else { continue }
            if let request = readRequest(of: value, over: source) { sites.append(Site(name, request)) }
        }
        if entries.isEmpty { each.complain("expected at least one site") }
        if entries.count > SiteList.maxSites { each.complain("more than \(SiteList.maxSites) sites") }
        return SiteList(field: field, sites: sites)
    }

    /// The field whose value is the name of the site. Nothing else fills it.
    private func readSiteField(_ node: ConfigurationNode) -> Int? {
        guard let index = readField(node) else { return nil }
        let field = fields[index]
        if field.type != .text {
            node.complain("'\(field.name)' is of the type \(field.type.rawValue); expected a field of the type text")
        } else if !field.from.isEmpty {
            node.complain("'\(field.name)' has 'from'; expected a field without, because the site's name fills it")
        }
        return index
    }

    private func readRequest(of site: ConfigurationNode, over source: ConfigurationObject) -> ReadRequest? {
        let own = Set(site.entries(of: "an object").map(\.key))
        var common = source.node.node
        common.value = .object(
            source.members.filter { member in
                // A site that says who asks says all of it.
                let isReplaced =
                    ["auth", "credential"].contains(member.key) && !own.isDisjoint(with: ["auth", "credential"])
                return Self.requestKeys.contains(member.key) && !isReplaced
            })
        let merged = common.merging(site.node)
        guard
            let object = ConfigurationNode(node: merged, keyPath: site.keyPath, log: site.log).object(Self.requestKeys)
        else { return nil }
        let request = readRequest(object)
        if request.url == nil, object["url"] == nil {
            site.complain("it has no 'url', and neither has the source; expected one of them to have it")
        }
        return request
    }

    /// Notes what cannot stand beside sites.
    func checkSites(_ source: ConfigurationNode?, _ read: Source, _ writes: WriteRules?) {
        guard read.sites != nil, let object = source?.node.members, let source else { return }
        guard let node = object.first(where: { $0.key == "sites" }).map({ source.child("sites", $0.node) }) else {
            return
        }
        if read.join?.request.url != nil {
            node.complain("a source with sites has no 'join.url'; expected one of them")
        }
        if writes?.destination != nil { node.complain("a source with sites has no 'writes.to'; expected one of them") }
    }
}

extension JSON5Node {
    /// The members of an object; nil where it is none.
    fileprivate var members: [JSON5Member]? {
        if case .object(let members) = value { members } else { nil }
    }
}
