// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A manual page, with the page of the reference that it is made from.
public struct ManualPage: Sendable {
    /// The name, such as `claimsd`.
    public let name: String
    /// The section of the manual, from 1 to 8.
    public let section: Int
    /// The text after the name in the NAME section.
    public let summary: String
    /// The name of the page of the reference, without its suffix.
    public let page: String
    /// The command lines of the SYNOPSIS section, in Markdown; empty for a page without that section.
    public let synopsis: [String]
    /// The references of the SEE ALSO section, such as `claimsd(8)`.
    public let related: [String]

    /// The reference to the page, such as `claimsd(8)`.
    public var reference: String { "\(name)(\(section))" }
    /// The name of the page's file, such as `claimsd.8`.
    public var fileName: String { "\(name).\(section)" }

    /// All manual pages, in the order of the reference.
    public static let all: [ManualPage] = [
        ManualPage(
            name: "claimsd", section: 8, summary: "keep collections of remote records and answer queries about them",
            page: "Daemon",
            synopsis: [
                "**claimsd** [**--config-dir** *DIR*] [**--data-dir** *DIR*] [**--cache-dir** *DIR*] "
                    + "[**--state-dir** *DIR*] [**--socket** *PATH*]",
                "**claimsd** **--check-config** [**--config-dir** *DIR*] [**--data-dir** *DIR*]",
                "**claimsd** **--define** *FILE*|*URL*|**-** [**--name** *NAME*] [**--root** *POINTER*] [**--lang** *LANG*]",
                "**claimsd** **--try** *FILE* [**--site** *SITE*] [**--credential** *NAME*=*PATH*]... [**--lang** *LANG*]",
                "**claimsd** **--version**|**--state-version**",
            ],
            related: [
                "claimsctl(1)", "claimsd.json5(5)", "claimsd-collections(5)", "claimsd-protocol(7)",
                "claimsd-access(7)", "claimsd-feeds(7)", "claimsd-fleet(7)", "claimsd-recipes(7)",
                "claimsd-refreshing(7)",
                "claimsd-sources(7)", "claimsd-stores(7)", "claimsd-systemd(7)", "claimsd-triggers(7)",
                "claimsd-web(7)",
                "claimsd-writing(7)", "claimsd-messages(7)", "claimsd-performance(7)",
            ]),
        ManualPage(
            name: "claimsctl", section: 1, summary: "ask claimsd from the command line", page: "Client",
            synopsis: ["**claimsctl** [*OPTIONS*] *VERB* [*SELECTOR*] [*TERMS*...] [*OPTIONS*]"],
            related: [
                "claimsctl-browse(1)", "claims-filters(7)", "claimsd-feeds(7)", "claimsd-protocol(7)",
                "claimsd-recipes(7)", "claimsd-sources(7)", "claimsd-writing(7)", "ssh(1)", "claimsd(8)",
            ]),
        ManualPage(
            name: "claimsctl-browse", section: 1, summary: "look through collections of claimsd on a terminal",
            page: "Browse",
            synopsis: [
                "**claimsctl browse** [*SELECTOR*] [*TERMS*...] [**--view** *VIEW*] [**--sort** *KEYS*] "
                    + "[**--archived** *WHICH*] [**--lang** *LANG*] [**--plain**]"
            ],
            related: ["claimsctl(1)", "claims-filters(7)", "claimsd-writing(7)", "claimsd(8)"]),
        ManualPage(
            name: "claimsd.json5", section: 5, summary: "settings of claimsd", page: "Settings",
            synopsis: ["/etc/claimsd/claimsd.json5", "/usr/share/claimsd/claimsd.json5"],
            related: ["claimsd-collections(5)", "claimsd-access(7)", "claimsd(8)"]),
        ManualPage(
            name: "claimsd-collections", section: 5, summary: "definition files of claimsd's collections",
            page: "DefinitionFiles",
            synopsis: ["/etc/claimsd/collections.d/*NAME*.json5", "/usr/share/claimsd/collections.d/*NAME*.json5"],
            related: [
                "claimsd.json5(5)", "claims-filters(7)", "claimsd-access(7)", "claimsd-refreshing(7)",
                "claimsd-sources(7)", "claimsd-writing(7)", "claimsd(8)",
            ]),
        ManualPage(
            name: "claimsd-access", section: 7, summary: "who sees which collections of claimsd", page: "Access",
            synopsis: [],
            related: [
                "claimsd-collections(5)", "claimsd.json5(5)", "claimsd-protocol(7)", "claimsd-writing(7)", "unix(7)",
                "claimsd(8)",
            ]),
        ManualPage(
            name: "claimsd-writing", section: 7, summary: "rules of records that are written through claimsd",
            page: "Writing", synopsis: [],
            related: ["claimsd-collections(5)", "claimsd.json5(5)", "claimsd-protocol(7)", "claimsd(8)"]),
        ManualPage(
            name: "claimsd-protocol", section: 7, summary: "the protocol on claimsd's socket", page: "Protocol",
            synopsis: [],
            related: [
                "claimsctl(1)", "claims-filters(7)", "claimsd-feeds(7)", "claimsd-recipes(7)", "claimsd-writing(7)",
                "claimsd(8)",
            ]),
        ManualPage(
            name: "claims-filters", section: 7, summary: "filters and orders of claimsd's records", page: "Filters",
            synopsis: [], related: ["claimsctl(1)", "claimsd-protocol(7)"]),
        ManualPage(
            name: "claimsd-feeds", section: 7, summary: "how clients of claimsd follow changes", page: "Feeds",
            synopsis: [], related: ["claimsd-protocol(7)", "claims-filters(7)", "claimsctl(1)"]),
        ManualPage(
            name: "claimsd-recipes", section: 7, summary: "programs and files to begin with", page: "Recipes",
            synopsis: [],
            related: ["claimsctl(1)", "claimsd-protocol(7)", "nc(1)", "jq(1)", "ssh(1)", "systemd.timer(5)"]),
        ManualPage(
            name: "claimsd-triggers", section: 7, summary: "commands that are run with what has changed",
            page: "Triggers",
            synopsis: ["/etc/claimsd/triggers.d/*NAME*.json5", "claimsd-trigger@*NAME*.service"],
            related: [
                "claimsctl(1)", "claimsd-feeds(7)", "claims-filters(7)", "claimsd-collections(5)", "curl(1)",
                "systemd.service(5)", "claimsd(8)",
            ]),
        ManualPage(
            name: "claimsd-refreshing", section: 7, summary: "how claimsd keeps collections up to date",
            page: "Refreshing", synopsis: [],
            related: ["claimsd-collections(5)", "claimsd-sources(7)", "claimsd.json5(5)", "claimsd(8)"]),
        ManualPage(
            name: "claimsd-fleet", section: 7, summary: "many hosts, one that asks the upstream", page: "Fleet",
            synopsis: ["/etc/claimsd/fleet.json5"],
            related: [
                "claimsd-collections(5)", "claimsd-refreshing(7)", "claimsd-sources(7)", "claimsd-systemd(7)",
                "openssl-genpkey(1ssl)", "claimsd(8)",
            ]),
        ManualPage(
            name: "claimsd-sources", section: 7, summary: "how claimsd fetches records from an API", page: "Sources",
            synopsis: [],
            related: [
                "claimsd-collections(5)", "claimsd.json5(5)", "claimsd-refreshing(7)", "claimsd-systemd(7)",
                "claimsd-recipes(7)", "claimsctl(1)", "claimsd(8)",
            ]),
        ManualPage(
            name: "claimsd-stores", section: 7, summary: "what claimsd keeps on disk, and how to recover it",
            page: "Stores", synopsis: [], related: ["sqlite3(1)", "claimsd(8)"]),
        ManualPage(
            name: "claimsd-systemd", section: 7, summary: "claimsd as a service of systemd", page: "Service",
            synopsis: [],
            related: [
                "systemd.service(5)", "systemd.socket(5)", "systemd.exec(5)", "systemd-analyze(1)", "claimsd(8)",
            ]),
        ManualPage(
            name: "claimsd-web", section: 7, summary: "claimsd in the browser, as a page of Cockpit", page: "Web",
            synopsis: [],
            related: [
                "cockpit-ws(8)", "cockpit.conf(5)", "claimsctl-browse(1)", "claimsd-writing(7)", "claimsd(8)",
            ]),
        ManualPage(
            name: "claimsd-messages", section: 7, summary: "what claimsd writes to the journal", page: "Messages",
            synopsis: [], related: ["journalctl(1)", "systemd.journal-fields(7)", "claimsd(8)"]),
        ManualPage(
            name: "claimsd-performance", section: 7, summary: "how fast claimsd is, and how that was measured",
            page: "Performance", synopsis: [], related: ["claimsd(8)"]),
    ]

    /// The manual page that a page of the reference has become.
    static func made(of page: String) -> (name: String, section: Int)? {
        all.first { $0.page == page }.map { ($0.name, $0.section) }
    }
}
