// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsTerminal
import Testing

@testable import ClaimsBrowse

// Scenes over collections that can be written to.

extension ScreenExample {
    /// Takes over what a conversation with the layers has opened.
    private mutating func take(_ script: LayerScript) {
        daemon(collections: state.collections + script.collections)
        state.stack = script.stack
    }

    private func script() throws -> LayerScript {
        var script = try LayerScript(LayerExample.forms(to: "upstream"))
        script.language = language
        return script
    }

    /// Opens a form with a problem, or its preview.
    mutating func openForm(isPreview: Bool) throws {
        var script = try script()
        try script.perform(.add)
        script.press(.right, .tab)
        script.type("Zażółć gęślą jaźń 日本")
        script.press(.control("s"))
        if isPreview {
            try script.answer(
                #"{"action":"create","record":{"id":"u","kind":"card","title":"Zażółć gęślą jaźń"},"changed":["kind","title"],"#
                    + #""request":{"method":"POST","url":"https://example.org/forms"}}"#)
        } else {
            let message = language == "pl" ? "za długie: najwyżej 20 znaków" : "too long: at most 20 characters"
            try script.refuse(
                "invalid", "invalid",
                #","errors":[{"field":"title","kind":"max_length","message":"\#(message)"}]"#)
        }
        take(script)
    }

    /// Opens the actions on a record, one of which is not granted.
    mutating func openActions() throws {
        var script = try LayerScript(LayerExample.forms(granted: false))
        script.language = language
        try script.perform(.actions, on: #"{"id":"7","title":"Old"}"#)
        take(script)
    }

    /// Shows the outbox with operations in several states.
    mutating func openOutbox() throws {
        take(try script())
        state.tab = .outbox
        let reason = language == "pl" ? "Serwer odrzucił: brak tytułu." : "The server said no: the title is missing."
        let operations = try Self.value(
            #"[{"op":"01990000-0000-7000-8000-000000000001","collection":"forms","id":"7","action":"renew","#
                + #""state":"rejected","message":"\#(reason)","attempts":3,"submitted_at":"2026-11-20T08:01:00.000Z","#
                + #""submitted_by":"anna","fields":["kind"],"values":{"kind":"leaf","note":null},"before":{"kind":"card"},"#
                + #""log":[{"attempt":1,"at":"2026-11-20T08:02:00.000Z","state":"rejected","status":422,"message":"\#(reason)"}]},"#
                + #"{"op":"01990000-0000-7000-8000-000000000002","collection":"forms","id":"x","action":"create","#
                + #""state":"queued","attempts":0,"submitted_at":"2026-11-20T07:13:00.000Z","submitted_by":"jan","#
                + #""next_try":"2026-11-20T08:14:00.000Z"}]"#)
        let titles = [
            "01990000-0000-7000-8000-000000000001": "Gym contract 2027",
            "01990000-0000-7000-8000-000000000002": "Zażółć gęślą jaźń",
        ]
        let paused = try Self.value(
            #"[{"origin":"https://example.org","since":"2026-11-20T08:00:00.000Z","reason":"HTTP 503","next_try":"2026-11-20T08:15:00.000Z"}]"#
        ).elements
        let outbox = OutboxState(operations.elements, titles: titles, total: 2, paused: paused, selected: 0)
        state.stack = LayerStack(state.layers, outbox: outbox, health: state.health)
    }
}
