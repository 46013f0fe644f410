// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsTestSupport
import Testing

@testable import ClaimsBrowse

/// Random keys, answers, refusals and lost connections over everything that can open.
@Suite struct LayerRandomTests {
    private static let keys: [Key] = [
        .enter, .tab, .backTab, .escape, .up, .down, .left, .right, .home, .end, .pageUp, .pageDown, .backspace,
        .control("s"), .control("u"), .control("w"), "y", "n", "x", "a", "-", "2", "3", "j", "k", "g", "G", "U", "?",
    ]
    private static let actions: [BrowseAction] = [
        .open, .search, .filter, .view, .sort, .archive, .undo, .copyID, .copyRecord, .openAddress, .add, .edit,
        .actions, .deal, .help,
    ]
    private static let answers = [
        #"{"record":{"id":"7","title":"Sea","kind":"leaf"},"message":"m"}"#, #"{"versions":[]}"#,
        #"{"op":"u","id":"7","action":"update","state":"queued","changed":["title"]}"#,
        #"{"changed":["7"],"unchanged":[],"missing":[],"clock":"1.1"}"#, "{}", "null", "[]",
        #"{"operations":[{"op":"a","collection":"forms","id":"7","action":"update","state":"held","attempts":0}]}"#,
    ]

    @Test(arguments: 0..<8) func `whatever happens, each position stays within what it counts`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var script = try LayerScript(LayerExample.forms(to: seed % 2 == 0 ? "local" : "upstream"), LayerExample.books)
        script.area = seed % 3 == 0 ? .outbox : .list
        script.take(.opened)
        for step in 0..<300 {
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<10: script.press(Self.keys.randomElement(using: &random) ?? .escape)
            case 10..<13:
                let action = Self.actions.randomElement(using: &random) ?? .open
                if script.stack.layers.count < 4 { try script.perform(action, on: #"{"id":"7","title":"Sea"}"#) }
            case 13..<17 where !script.asked.isEmpty:
                try script.answer(Self.answers.randomElement(using: &random) ?? "{}")
            case 17 where !script.asked.isEmpty:
                let kind = ["invalid", "conflict", "not_found", "busy"].randomElement(using: &random) ?? ""
                try script.refuse(kind, "no", #","errors":[{"field":"title","message":"?"}],"served":{"title":1}"#)
            case 18:
                script.lose()
                script.reconnect()
            default: script.take(.paste("pasted \u{301}text"))
            }
            check(script.stack, "seed \(seed), step \(step)")
        }
    }

    private func check(_ stack: LayerStack, _ moment: Comment) {
        #expect(stack.layers.count <= LayerStack.maxLayers, moment)
        let count = stack.outbox.operations?.count ?? 0
        #expect(stack.outbox.selected.map { (0..<count).contains($0) } ?? (count == 0), moment)
        for layer in stack.layers {
            switch layer {
            case .form(let form):
                #expect(form.entries.count == 0 || (0..<form.entries.count).contains(form.focus), moment)
            case .sheet(let sheet):
                #expect(sheet.entries.isEmpty || sheet.entries.indices.contains(sheet.selected), moment)
            case .input(let input): #expect((0...input.line.text.count).contains(input.line.cursor), moment)
            case .detail(let detail): #expect((0...20).contains(detail.scroll), moment)
            case .operation, .help, .question, .deal: break
            }
        }
    }
}
