// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Testing

extension InstalledServiceTests {
    /// Triggers as units of a booted systemd, with the shipped actions and receivers of the tests' own.
    @Suite struct Triggers {
        /// A machine with a service that serves units and documents.
        private func service() throws -> InstalledService {
            let service = try InstalledService.fresh([
                "/etc/claimsd/collections.d/units.json5": #"{ source: { url: "file:///srv/units.json" } }"#,
                "/etc/claimsd/collections.d/documents.json5": #"{ source: { url: "file:///srv/documents.json" } }"#,
                "/srv/units.json": Site.units, "/srv/documents.json": Self.documents,
                "/srv/receivers.py": try Files.readText(
                    Paths.join(Paths.parent(Paths.parent(#filePath)), "Triggers/receivers.py"), cap: 1 << 16),
            ])
            try service.start()
            try service.machine.eventually("claimsctl count --unit 2>/dev/null | grep -qx 7")
            try service.machine.eventually("claimsctl count --document 2>/dev/null | grep -qx 2")
            return service
        }

        /// One document expires in ten days, and one in a year.
        private static let documents: String = {
            func time(_ days: Int64) -> String {
                let civil = TimeZoneRules.utc.civil(SystemClock.wall + days * 86_400_000)
                func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
                return "\(civil.year)-\(two(civil.month))-\(two(civil.day))T08:00:00Z"
            }
            return """
                [{"id":"7","title":"Paszport Łucji","type":"identification","status":"verified","expiresAt":"\(time(10))"},
                 {"id":"8","title":"Pass","type":"gym_membership","status":"pending","expiresAt":"\(time(365))"}]
                """
        }()

        private func end(_ service: InstalledService) {
            _ = try? service.machine.run(
                """
                systemctl disable --now $(systemctl list-units --all --plain --no-legend 'claimsd-trigger@*' | cut -d ' ' -f 1)
                systemctl stop smtp smtp2 hook; systemctl clean --what=state 'claimsd-trigger@*'
                rm -rf /etc/systemd/system/claimsd-trigger@* /var/lib/claimsd-trigger /var/lib/private/claimsd-trigger
                systemctl daemon-reload; systemctl reset-failed
                """)
        }

        @Test func `every block of the page works`() throws {
            let service = try service()
            let machine = service.machine
            defer { end(service) }
            var page = try DocumentedBlocks("Triggers")
            for (unit, arguments) in [
                ("smtp", "smtp 25 /srv/mail"), ("smtp2", "smtp 2525 /srv/mail2"),
                ("hook", "http 8080 /srv/hook 'claimsd:example password'"),
            ] {
                try machine.check("systemd-run --quiet --unit=\(unit) python3 /srv/receivers.py \(arguments)")
            }
            try machine.eventually(
                "python3 -c 'import socket; [socket.create_connection((\"localhost\", p)) for p in (25, 2525, 8080)]'")

            // The two steps.
            try write(try page.nextDefinition(), service)
            try machine.check(page.next("sh"))
            try machine.eventually("test -s /srv/mail")
            let mail = try JSONValue.parse(Array(try machine.check("cat /srv/mail").utf8))
            #expect(mail["to"] == .array(["clerk@example.org"]))
            let message = mail["message"]?.string ?? ""
            #expect(message.contains("To: clerk@example.org\r\n") && message.contains("\r\nSubject: "), "\(message)")
            #expect(try service.property("NRestarts", of: "claimsd-trigger@documents-expiring") == "0")

            // In Polish, to another server, after what was told is forgotten.
            try write(try page.nextFile("ini"), service)
            try machine.check(
                """
                systemctl daemon-reload && systemctl stop claimsd-trigger@documents-expiring &&
                systemctl clean --what=state claimsd-trigger@documents-expiring &&
                systemctl start claimsd-trigger@documents-expiring
                """)
            try machine.eventually("test -s /srv/mail2")
            let text = try machine.check(
                """
                python3 -c 'import email, email.policy, json
                m = email.message_from_string(json.load(open("/srv/mail2"))["message"], policy=email.policy.default)
                print(m["From"], m["Subject"], m.get_content(), sep="\\n")'
                """)
            #expect(text.hasPrefix("claimsd@example.org\nDokumenty, Wygasają w ciągu 30 dni: nowe: 1\n"), "\(text)")
            #expect(text.contains("Paszport Łucji") && !text.contains("gym"), "\(text)")

            // A webhook with a password.
            try write(try page.nextDefinition(), service)
            try write(try page.nextFile(""), service)
            try write(try page.nextFile("ini"), service)
            try machine.check(page.next("sh"))
            try machine.eventually("test -s /srv/hook")
            let hook = try JSONValue.parse(Array(try machine.check("head -n 1 /srv/hook").utf8))
            #expect(hook["allowed"] == .bool(true) && hook["path"]?.string == "/units", "\(hook)")
            #expect(hook["type"]?.string == "application/x-ndjson")
            let body = hook["body"]?.string ?? ""
            #expect(body.contains(hook["key"]?.string ?? "?") && body.split(separator: "\n").count == 6, "\(body)")
            #expect(page.blocks.isEmpty, "a block that no test runs: \(page.blocks)")
        }

        @Test func `instances keep to themselves, and everybody sees how they are doing`() throws {
            let service = try service()
            let machine = service.machine
            defer { end(service) }
            try service.write([
                "/etc/claimsd/triggers.d/one.json5":
                    #"{ collection: "units", first: "all", command: ["/bin/sh", "-c", "id -un; cat >/dev/null; cat /var/lib/claimsd-trigger/two/told"] }"#,
                "/etc/claimsd/triggers.d/two.json5": #"{ collection: "units", command: ["/bin/true"] }"#,
            ])
            try machine.check("systemctl start claimsd-trigger@two claimsd-trigger@one")
            try machine.eventually(
                "journalctl -u claimsd-trigger@one | grep -Eq 'told: (Permission denied|No such file)'")
            #expect(try machine.check("journalctl -u claimsd-trigger@one").contains("trigger-one"))
            #expect(
                try machine.check(
                    "stat -c '%U %a' /var/lib/private/claimsd-trigger/one /var/lib/private/claimsd-trigger/two")
                    == "trigger-one 700\ntrigger-two 700\n")
            try machine.eventually(
                "setpriv --reuid=65534 --clear-groups claimsctl trigger -o jsonl | grep -q '\"name\":\"one\",\"state\":\"retrying\"'"
            )
            let status = try machine.check("systemctl status claimsd-trigger@one --no-pager")
            #expect(status.contains("Status: \"retrying"), "\(status)")
            #expect(!(try machine.check("cat /run/claimsd-trigger/one/status.json").contains("Pump")))
            // A reader without rights may test everything that matches.
            let test = try machine.run("setpriv --reuid=65534 --regid=claims --clear-groups claimsctl trigger test two")
            #expect(test.isSuccess && test.output.split(separator: "\n").count == 8, "\(test)")
            // A process that is killed comes back by itself, and a stop takes its status away.
            try machine.check("systemctl kill --signal=KILL --kill-whom=main claimsd-trigger@two")
            try machine.eventually(
                "test \"$(systemctl show -P NRestarts claimsd-trigger@two)\" = 1 && systemctl is-active claimsd-trigger@two"
            )
            try machine.check("systemctl stop claimsd-trigger@one claimsd-trigger@two")
            #expect(try machine.check("claimsctl trigger -o json").contains(#""name":"one","state":"stopped""#))
            // Only root gives up waiting changes, and they stay the instance's.
            let forbidden = try machine.run("setpriv --reuid=65534 --clear-groups claimsctl trigger skip one")
            #expect(forbidden.status == .exited(5), "\(forbidden)")
            try machine.check("claimsctl trigger skip one")
            #expect(try machine.run("claimsctl trigger skip one").status == .exited(3))
            #expect(try machine.check("find /var/lib/private/claimsd-trigger/ -mindepth 1 -user root") == "")
            // A mistake is told where administrators look.
            try service.write(["/etc/claimsd/triggers.d/two.json5": #"{ colection: "units" }"#])
            #expect(try !machine.run("systemctl start claimsd-trigger@two").isSuccess)
            let failed = try machine.run("systemctl status claimsd-trigger@two --no-pager").output
            #expect(failed.contains("did you mean 'collection'?"), "\(failed)")
            #expect(try service.property("ExecMainStatus", of: "claimsd-trigger@two") == "2")
        }
    }
}

/// The blocks of a page of the reference, in their order.
struct DocumentedBlocks {
    var blocks: [(language: String, text: String)] = []

    init(_ page: String) throws {
        let path = Paths.join(Repository.root, "Sources/claimsd/Documentation.docc/\(page).md")
        var block: (language: String, text: String)?
        for line in try Files.readText(path, cap: 1 << 20).split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                if let block { blocks.append(block) }
                block = block == nil ? (String(line.dropFirst(3)), "") : nil
            } else {
                block?.text += line + "\n"
            }
        }
    }

    /// Takes the next block, which must be of that language.
    mutating func next(_ language: String) throws -> String {
        guard let first = blocks.first, first.language == language else {
            throw TestFailure("the next block is no \(language): \(String(describing: blocks.first))")
        }
        return blocks.removeFirst().text
    }

    /// Takes the next block if it is a definition, whose first line names its file; nil if it is none.
    mutating func nextDefinition() throws -> (path: String, text: String)? {
        guard let text = blocks.first?.text, text.hasPrefix("// /"), let end = text.firstIndex(of: "\n") else {
            return nil
        }
        return (String(text[..<end].dropFirst(3)), try next("json5"))
    }

    /// Takes the next block, whose first line names the file that it is.
    mutating func nextFile(_ language: String) throws -> (path: String, text: String) {
        let text = try next(language)
        guard text.hasPrefix("# "), let end = text.firstIndex(of: "\n") else {
            throw TestFailure("no file: \(text)")
        }
        return (String(text[..<end].dropFirst(2)), text)
    }
}

extension InstalledServiceTests.Triggers {
    private func write(_ file: (path: String, text: String)?, _ service: InstalledService) throws {
        guard let file else { throw TestFailure("the next block is no file") }
        try service.write([file.path: file.text])
    }
}
