// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform

/// The command line of claims-upstream.
struct UpstreamOptions {
    private(set) var folder: String?
    private(set) var port: UInt16 = 0
    private(set) var untilEOF = false
    private(set) var wantsHelp = false
    /// The faults of paths, in force from the start.
    private(set) var script: [(path: String, behaviours: [Behaviour])] = []

    /// The stores with their records.
    private(set) var stores: [(path: String, records: [JSONValue])] = []
    private(set) var rules: [(path: String, rules: StoreRules)] = []

    private(set) var tokens: [(path: String, rules: TokenRules)] = []

    /// The size of the largest file with the records of a store, in bytes.
    private static let maxRecords = 1 << 30

    static let help = """
        claims-upstream: an HTTP server for demonstrations and tests: it serves a folder, keeps records that clients
        change, and misbehaves on command.

        usage: claims-upstream [--folder DIR] [--store PATH=FILE] [OPTION...]

          --folder DIR      serve the files of DIR: ETag, Last-Modified, 304
          --store PATH=FILE keep the records of FILE, a JSON array, in memory, and let clients change them
          --tokens PATH=JSON  a token server; as PUT /_control/tokens/PATH
          --rules PATH=JSON how the store at PATH behaves; as PUT /_control/stores/PATH
          --port N          listen on 127.0.0.1:N; 0, the default, is any free port
          --fault PATH=JSON what PATH does instead; as PUT /_control/faults/PATH, may be repeated
          --script FILE     a JSON object with one such member for each path
          --until-eof       exit when stdin ends
          --help            this text

        Prints "listening on 127.0.0.1:PORT" once it does. Exits on SIGTERM and SIGINT.

          PUT    /_control/faults/PATH    {"fault": NAME, …}, or an array of such steps; PATH/* is all below, * any path
          DELETE /_control/faults/PATH    PATH behaves again, held requests go on; without a path all
          POST   /_control/release/PATH   lets the held requests for PATH go on ("hold": true)
          PUT    /_control/accept         {"times": N}: the next N connections are reset
          GET    /_control/requests       what was asked; ?path=P&count=N waits until there were N requests for P
          DELETE /_control/requests       forgets them
          GET    /_control/writes         what was written, how often, with which key; ?path=P&count=N as above
          DELETE /_control/writes         forgets them, and the keys
          PUT    /_control/stores/PATH    the rules of a store; makes it if there is none
          GET    /_control/records/PATH   the records of a store, those not shown yet too
          PUT    /_control/records/PATH   replaces them; of PATH/ID one, null removes it
          PUT    /_control/tokens/PATH    the rules of a token server; makes it if there is none
          GET    /_control/tokens/PATH    the number of grants and refusals, all tokens, the refresh token
          POST   /_control/revoke/PATH    ends its access tokens; ?refresh=true the refresh token too
          PUT    /_control/limits/PATH    a limit on the requests for PATH; PATH/* is all below, * any path
          DELETE /_control/limits         ends all limits

        A store at PATH takes POST of a record, as JSON or as multipart/form-data with the part "record" and files; at
        PATH/ID GET, PUT, PATCH (a merge patch) and DELETE; at PATH/ID/NAME POST of JSON, an action, and POST and PUT of
        anything else: a file. If-Match is honoured. Rules:
          {"id": MEMBER, "ids": "server" | "client", "answer": "body" | "location" | "none",
           "tags": "strong" | "weak" | "none", "keys": "honoured" | "ignored" | "busy", "key_header": NAME,
           "actions": {NAME: MERGE PATCH, …}, "files": MEMBER}
        busy answers 409 to a key whose first request is not answered yet. A key with another content answers 422.

        Faults: \(Fault.allCases.map(\.rawValue).joined(separator: " "))
        Members of a step: \(Behaviour.members.joined(separator: " "))
          method         the step is for this method only
          times          the number of requests that it is for; all if it has none
          hold           true: waits before anything is done; "answer": after the write, before its answer
          read, pace     the bytes of the body that are read; how many of them each delay_ms
          commit         how often a write is done: by default once, and with close, hang, not_modified, redirect, reset
                         and status not at all. It is answered as if it had been done once
          change         a merge patch that goes over what is written
          show_after     the number of requests for the records, show_after_ms the time, that do not see the write
          status, headers, body, json replace those of the answer; a header that is null is left out
          require, require_query  headers, parameters that a request must have; else 401
          tokens         the path of the token server whose tokens a request must have; else 401
          reads          true: a POST asks for records, as a GET does

        A NAME below is a parameter of the query; /A/POINTER there is a member of a JSON body. Members of a step with the
        fault "paged":
          style          pointer, link, parameter (the number of the page), cursor, offset
          parameter      the NAME of that; limit is that of the wanted size, of which size is the greatest
          from           the number of the first page: 1 or 0
          items, next, more  pointers to the records, to the next address or cursor, to whether there is more
          last           the cursor of the last page: null, absent, empty, kept; numbers: cursors are numbers
          fail_page      that page fails with status, fail_headers and fail_json, fail_times times or for ever
          loop, repeat   every page leads to itself; that page is as the one before
          clamp, past    beyond the end: the last page again; that status
          ignore         true: all requests have the first page
          shift          so many records come, or with less than 0 go, ahead of each further page
          endless        true: the records begin again after the last one
        since: {"parameter": NAME, …} answers with what has changed: with "field": M, records whose member M is not
        before the position ("after": true: is after it); with "token": POINTER, what changed in a store since the
        token there, of which an "epoch" with another text ends all (410). "deleted": POINTER, the ids that are gone.

        A token server at PATH takes forms by POST (RFC 6749). Rules:
          {"client": TEXT, "secret": TEXT, "send": "basic" | "body" | "any" | "none", "refresh": TOKEN, "rotate": true,
           "expires_in": SECONDS or null, "life_ms": N, "form": {NAME: TEXT, …}, "answer": MERGE PATCH}
        With refresh the grant is refresh_token, else client_credentials. life_ms is the life that tokens really have.

        A limit: {"rate": N, "window_ms": N, "headers": "RateLimit-" | "X-RateLimit-" | "X-Rate-Limit-",
        "reset": "seconds" | "epoch", "retry_after": TEXT}. More requests than that are answered with 429.

        """

    init(_ arguments: ArraySlice<String>) throws(UpstreamError) {
        var rest = arguments
        while let name = rest.popFirst() {
            switch name {
            case "--help": wantsHelp = true
            case "--until-eof": untilEOF = true
            case "--folder": folder = try Self.value(&rest, of: name)
            case "--port":
                guard let number = UInt16(try Self.value(&rest, of: name)) else {
                    throw UpstreamError("--port takes a number up to 65535")
                }
                port = number
            case "--fault":
                let (path, text) = try Self.pair(&rest, of: name)
                script.append((path, try Behaviour.steps(Array(text.utf8))))
            case "--rules":
                let (path, text) = try Self.pair(&rest, of: name)
                rules.append((path, try StoreRules(Array(text.utf8))))
            case "--tokens":
                let (path, text) = try Self.pair(&rest, of: name)
                tokens.append((path, try TokenRules(try Self.json(of: Array(text.utf8)))))
            case "--store":
                let (path, file) = try Self.pair(&rest, of: name)
                guard let records = try Self.json(file, cap: Self.maxRecords).array else {
                    throw UpstreamError("\(file) is not an array")
                }
                stores.append((path, records))
            case "--script":
                try read(try Self.value(&rest, of: name))
            default:
                throw UpstreamError("unknown option \(name); see --help")
            }
        }
        if folder == nil && stores.isEmpty && !wantsHelp {
            throw UpstreamError("--folder or --store is missing; see --help")
        }
    }

    private mutating func read(_ path: String) throws(UpstreamError) {
        guard let members = try Self.json(path, cap: 1 << 20).object?.members else {
            throw UpstreamError("\(path) is not an object")
        }
        for member in members { script.append((member.key, try Behaviour.steps(member.value))) }
    }

    private static func json(_ path: String, cap: Int) throws(UpstreamError) -> JSONValue {
        do { return try JSONValue.parse(try Files.readAll(path, cap: cap)) } catch {
            throw UpstreamError("\(path): \(error)")
        }
    }

    private static func json(of text: [UInt8]) throws(UpstreamError) -> JSONValue {
        do throws(JSONError) { return try JSONValue.parse(text) } catch {
            throw UpstreamError("not JSON: \(error.message)")
        }
    }

    /// A value of the form PATH=TEXT.
    private static func pair(
        _ rest: inout ArraySlice<String>, of name: String
    ) throws(UpstreamError) -> (path: String, text: String) {
        let value = try value(&rest, of: name)
        guard let sign = value.firstIndex(of: "=") else { throw UpstreamError("\(name) takes PATH=…") }
        return (String(value[..<sign]), String(value[value.index(after: sign)...]))
    }

    private static func value(_ rest: inout ArraySlice<String>, of name: String) throws(UpstreamError) -> String {
        guard let value = rest.popFirst() else { throw UpstreamError("\(name) takes a value") }
        return value
    }
}
