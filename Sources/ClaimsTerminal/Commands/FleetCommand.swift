// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol

extension Verb {
    static let fleet = Verb(
        "fleet",
        summary: TranslatedText(
            en: "show which hosts share sources with this one, and which of them asks",
            pl: "pokazuje, które hosty dzielą źródła z tym i który z nich pyta"),
        synopsis: "",
        details: TranslatedText(
            en: """
                Shows the hosts that may ask upstreams for all, when each was last read, and for each source which host
                asks and what of its definition is another one there; then how many archive marks wait to be shared. The
                exit code is 11 if an address, a source or the database of marks has an error. claimsd-fleet(7) explains
                what to do.
                """,
            pl: """
                Pokazuje hosty, które mogą pytać serwery za wszystkich, kiedy każdy ostatnio odczytano, oraz dla każdego
                źródła, który host pyta i co w jego definicji jest tam inne; potem, ile znaczników archiwum czeka na
                udostępnienie. Kod wyjścia to 11, jeśli adres, źródło lub baza danych znaczników ma błąd. Co zrobić,
                objaśnia claimsd-fleet(7).
                """),
        takesSelector: false, maxArguments: 0)
}

/// `fleet`: the hosts that share sources.
enum FleetCommand {
    private typealias Address = FleetResult.Address
    private typealias Source = FleetResult.SharedSource
    private typealias Marks = FleetResult.SharedMarks

    static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        let answer = try context.call(.fleet, FleetParameters())
        let (messages, time) = (context.messages, context.time)
        let (addresses, sources) = (answer[FleetResult.addresses], answer[FleetResult.sources])
        let marks = answer[FleetResult.marks]
        let table = sourceRows(sources, time)
        var presentation = Presentation(answer, rows: allRows(addresses, sources, marks))
        presentation.text = { options in
            guard let name = answer[FleetResult.name] else { return messages.noFleet + "\n" }
            let hosts = addressRows(addresses, time)
            return "\(Escaping.line(name)), \(Escaping.line(answer[FleetResult.host] ?? ""))\n\n"
                + hosts.text(width: options.width, isColored: options.isColored) + "\n"
                + table.text(width: options.width, isColored: options.isColored)
                + (marks.map { "\n" + line(of: $0, time) + "\n" } ?? "")
        }
        try context.print(presentation)
        try context.flush()
        let hasError =
            addresses.contains { AnswerMeta.Failure($0[Address.error]) != nil }
            || sources.contains { AnswerMeta.Failure($0[Source.error]) != nil }
            || marks.map { AnswerMeta.Failure($0[Marks.error]) != nil } ?? false
        return hasError ? .upstreamFailed : .done
    }

    /// Addresses and sources in one table, for other programs.
    private static func allRows(
        _ addresses: [AnswerValue], _ sources: [AnswerValue], _ marks: AnswerValue?
    ) -> TableRows {
        var rows = TableRows(
            ["kind", "name", "host", "time", "differs", "error"].map { ($0, LayoutColumn(heading: $0.uppercased())) })
        func add(_ cells: String...) { rows.append(cells.map { ($0, Cell(Escaping.line($0))) }) }
        for address in addresses {
            let host = address[Address.host] ?? ""
            let error = AnswerMeta.Failure(address[Address.error])?.message ?? ""
            add("address", address[Address.url] ?? "", host, address[Address.contact]?.string ?? "", "", error)
        }
        for source in sources {
            let differs = differences(of: source)
            let error = AnswerMeta.Failure(source[Source.error])?.message ?? ""
            add(
                "source", source[Source.source] ?? "", source[Source.leader] ?? "", source[Source.asOf]?.string ?? "",
                differs,
                error)
        }
        if let marks {
            let error = AnswerMeta.Failure(marks[Marks.error])?.message ?? ""
            add("marks", "\(marks[Marks.queued] ?? 0)", "", marks[Marks.contact]?.string ?? "", "", error)
        }
        return rows
    }

    /// The state of the shared marks in one line.
    private static func line(of marks: AnswerValue, _ time: LocalTime) -> String {
        let messages = time.messages
        let contact = Instant.parse(marks[Marks.contact]?.string ?? "").map { time.short($0.ms) }
        var line = messages.fleetMarks(queued: marks[Marks.queued] ?? 0, contact: contact)
        if let unshared = marks[Marks.unshared], unshared > 0 { line += "; " + messages.fleetUnshared(unshared) }
        if let error = AnswerMeta.Failure(marks[Marks.error])?.message { line += "\n" + Escaping.line(error) }
        return line
    }

    /// The parts of the definition that are others on the host that asks.
    private static func differences(of source: AnswerValue) -> String {
        [Source.request, Source.definition, Source.access].filter { source[$0] == "differs" }.map { "\($0.name)" }
            .joined(separator: " ")
    }

    private static func addressRows(_ addresses: [AnswerValue], _ time: LocalTime) -> TableRows {
        let messages = time.messages
        var rows = TableRows([
            ("host", LayoutColumn(heading: messages.fleetHost.uppercased(), isEmphasized: true)),
            ("contact", LayoutColumn(heading: messages.fleetRead.uppercased())),
            ("url", LayoutColumn(heading: "URL", isElastic: true)),
            ("error", LayoutColumn(heading: messages.heading(.lastError), isElastic: true)),
        ])
        for address in addresses {
            let host = address[Address.host] ?? ""
            let (contact, url) = (address[Address.contact]?.string ?? "", address[Address.url] ?? "")
            let error = AnswerMeta.Failure(address[Address.error])?.message ?? ""
            rows.append([
                (host, Cell(Escaping.line(host), style: .bold)),
                (contact, Cell(Instant.parse(contact).map { time.short($0.ms) } ?? "")),
                (url, Cell(Escaping.line(url))), (error, Cell(Escaping.line(error))),
            ])
        }
        return rows
    }

    private static func sourceRows(_ sources: [AnswerValue], _ time: LocalTime) -> TableRows {
        let messages = time.messages
        var rows = TableRows([
            ("collection", LayoutColumn(heading: messages.refreshOf.uppercased(), isEmphasized: true)),
            ("leader", LayoutColumn(heading: messages.fleetAsks.uppercased())),
            ("role", LayoutColumn(heading: messages.fleetRole.uppercased())),
            ("as_of", LayoutColumn(heading: messages.fleetConfirmed.uppercased())),
            ("differs", LayoutColumn(heading: messages.fleetDiffers.uppercased())),
            ("error", LayoutColumn(heading: messages.heading(.lastError), isElastic: true)),
        ])
        for source in sources {
            let name = source[Source.source] ?? ""
            let (leader, asOf) = (source[Source.leader] ?? "", source[Source.asOf]?.string ?? "")
            let differs = differences(of: source)
            let error = AnswerMeta.Failure(source[Source.error])?.message ?? ""
            rows.append([
                (name, Cell(Escaping.line(name), style: .bold)), (leader, Cell(Escaping.line(leader))),
                (source[Source.role] ?? "", Cell(messages.fleetRole(source[Source.role] ?? ""))),
                (asOf, Cell(Instant.parse(asOf).map { time.short($0.ms) } ?? "")),
                (differs, Cell(Escaping.line(differs))),
                (error, Cell(Escaping.line(error))),
            ])
        }
        return rows
    }

    /// The fleet in a line of `status`: `north: follows desk-a, 4 s ago; marks 0 queued`; nil where there is none.
    static func summary(of answer: AnswerValue, _ time: LocalTime) -> String? {
        guard let name = answer[FleetResult.name] else { return nil }
        let (messages, host) = (time.messages, answer[FleetResult.host] ?? "")
        let sources = answer[FleetResult.sources]
        var parts: [String] = []
        if sources.contains(where: { $0[Source.role] == "leads" }) { parts.append(messages.fleetAsksHere) }
        if sources.contains(where: { $0[Source.role] == "home" }) { parts.append(messages.fleetWritesHere) }
        for leader in Set(sources.compactMap { $0[Source.leader] }).subtracting([host]).sorted() {
            let address = answer[FleetResult.addresses].first { $0[Address.host] == leader }
            let contact = Instant.parse(address?[Address.contact]?.string ?? "").map { time.short($0.ms) }
            parts.append(messages.fleetFollows(leader, contact: contact))
        }
        if parts.isEmpty { parts.append(messages.fleetWithoutLeader) }
        if let marks = answer[FleetResult.marks] { parts.append(messages.fleetQueued(marks[Marks.queued] ?? 0)) }
        return Escaping.line("\(name): " + parts.joined(separator: "; "))
    }
}
