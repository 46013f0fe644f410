// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import Testing
import claims_manual

/// The tables of keys, against the reader of the files.
@Suite struct KeyTableTests {
    /// A definition with every object that one can have, each with a key that nobody knows.
    private static let definition = """
        {
          STRANGER,
          title: "Books", singular: "book", group_by: "shelf", list: ["id"],
          source: {
            STRANGER, url: null, next: { STRANGER, link: true }, limits: { STRANGER },
            auth: { STRANGER, oauth2: { STRANGER, url: "https://id.example/token" } }, tls: { STRANGER },
            since: { STRANGER }, sites: { STRANGER },
            join: {
              STRANGER, auth: { basic: { STRANGER } }, on: ["author_id", "/id"], take: { author: "/name" },
            },
          },
          fields: {
            id: { STRANGER, type: "id", from: ["/id"] },
            author_id: { type: "text", from: ["/author"] },
            author: { type: "text" },
            shelf: { type: "enum", from: ["/shelf"], vocabulary: "shelf" },
          },
          vocabularies: { shelf: { STRANGER, fallback: "ATTIC", codes: { ATTIC: { STRANGER, group: "up" } } } },
          groups: { up: { STRANGER } },
          views: { high: { STRANGER, filter: "shelf=attic" } },
          history: { STRANGER },
          access: { STRANGER, rules: [{ STRANGER, to: "all" }] },
          deal: { STRANGER, message: "{id}" },
          writes: {
            STRANGER, auth: { key: { STRANGER } }, fields: { author_id: { STRANGER } }, attachments: { STRANGER }, idempotency: { STRANGER },
            create: { STRANGER }, actions: { lend: { STRANGER } },
          },
        }
        """
    private static let unknownKey = "wholly_unknown_key"

    private static func load(_ file: String, _ text: String) -> Configuration {
        Configuration.load(
            configDirectory: "/config", dataDirectory: "/data",
            files: ConfigurationFiles(
                read: { $0 == "/config/\(file)" ? .bytes(Array(text.utf8)) : .missing },
                list: { folder in
                    let isListed = folder == "/config/collections.d" && file.hasPrefix("collections.d/")
                    return .names(isListed ? ["books.json5"] : [])
                }))
    }

    /// For each object of the file, by its path, the keys that the reader says it might have.
    private static func keys(_ configuration: Configuration) -> [String: Set<String>] {
        var keys: [String: Set<String>] = [:]
        for problem in configuration.problems {
            guard let list = problem.message.firstRange(of: "expected one of ") else { continue }
            let names = problem.message[list.upperBound...].split(separator: ", ").map(String.init)
            let path = problem.keyPath == unknownKey ? "" : String(problem.keyPath.dropLast(unknownKey.count + 1))
            keys[path] = Set(names)
        }
        return keys
    }

    @Test func `the tables have every key of a definition, and no other`() {
        let text = Self.definition.replacing("STRANGER", with: "\(Self.unknownKey): 1")
        let known = Self.keys(Self.load("collections.d/books.json5", text))
        var examples = known
        // A create has no condition, and only a create has an id; the table is that of all actions.
        examples["writes.actions.lend"]?.insert("id")
        let create = examples.removeValue(forKey: "writes.create") ?? []
        #expect(create.union(["when"]) == examples["writes.actions.lend"])
        for table in KeyTable.definitions + KeyTable.writes + KeyTable.rules {
            // A request has one kind of `auth`, so each stands in another request.
            let path = table.path.replacing("source.auth.basic", with: "source.join.auth.basic")
                .replacing("source.auth.key", with: "writes.auth.key")
                .replacing("writes.fields.NAME", with: "writes.fields.author_id")
                .replacing("fields.NAME", with: "fields.id").replacing("vocabularies.NAME", with: "vocabularies.shelf")
                .replacing("codes.CODE", with: "codes.ATTIC")
                .replacing("writes.actions.NAME", with: "writes.actions.lend")
                .replacing("access.rules", with: "access.rules[0]").replacing("groups.NAME", with: "groups.up")
                .replacing("views.NAME", with: "views.high")
            #expect(Set(table.keys.map(\.name)) == examples.removeValue(forKey: path), "\(table.path)")
        }
        #expect(examples.isEmpty)
    }

    @Test func `the tables have every key of the settings, and no other`() {
        let text =
            "{ STRANGER, limits: { STRANGER }, hosts: { NAME: { STRANGER } }, guard: { STRANGER }, history: { STRANGER }, outbox: { STRANGER }, roles: { STRANGER }, access: { STRANGER, journal: { STRANGER } } }"
        var known = Self.keys(Self.load("claimsd.json5", text.replacing("STRANGER", with: "\(Self.unknownKey): 1")))
        for table in KeyTable.settings {
            #expect(Set(table.keys.map(\.name)) == known[table.path], "\(table.path)")
            known[table.path] = nil
        }
        #expect(known.isEmpty)
    }

    /// One key with one value, in a settings file.
    private func settings(_ table: KeyTable, _ key: TableKey, _ value: String) -> Configuration {
        let object = "{ \(key.name): \(value) }"
        // The defaults of a host are those of all hosts.
        let keys = table.path.replacing("hosts.NAME", with: "hosts.'*'").split(separator: ".")
        return Self.load("claimsd.json5", keys.reversed().reduce(object) { "{ \($1): \($0) }" })
    }

    @Test func `the defaults of the settings are those in the tables`() {
        for table in KeyTable.settings {
            for key in table.keys {
                let configuration = settings(table, key, key.standard ?? "")
                #expect(configuration.problems.isEmpty, "\(table.path).\(key.name)")
                #expect(configuration.settings == Settings(), "\(table.path).\(key.name)")
            }
        }
    }

    @Test func `the ranges of the settings are those in the tables`() {
        for table in KeyTable.settings {
            for key in table.keys {
                let (good, bad): ([String], [String]) =
                    switch key.type {
                    case .integer(let range):
                        (
                            ["\(range.lowerBound)", "\(range.upperBound)"],
                            ["\(range.lowerBound - 1)", "\(range.upperBound + 1)", "true"]
                        )
                    case .size(let least): (["\(least)"], ["\(least - 1)", "-1", "true"])
                    case .span(let least, let maximum):
                        (
                            ["\"\(least)ms\""] + (maximum.map { ["\"\($0)ms\""] } ?? []),
                            ["-1"] + (least == 0 ? [] : ["\"\(least - 1)ms\""])
                                + (maximum.map { ["\"\($0 + 1)ms\""] } ?? [])
                        )
                    case .share: (["0", "1"], ["-0.1", "1.1", "\"half\""])
                    case .bool: (["true", "false"], ["1"])
                    case .other: ([], ["1"])
                    }
                for value in good {
                    #expect(settings(table, key, value).problems.isEmpty, "\(table.path).\(key.name): \(value)")
                }
                for value in bad {
                    #expect(!settings(table, key, value).problems.isEmpty, "\(table.path).\(key.name): \(value)")
                }
            }
        }
    }
}
