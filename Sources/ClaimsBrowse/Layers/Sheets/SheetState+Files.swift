// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsTerminal

extension LayerOutcome {
    /// Opens the file or address of a record; of several a sheet offers the choice.
    static func opening(_ target: RecordTarget, _ context: LayerContext) -> LayerOutcome {
        let files = RecordFiles(target.record, context.collection(target.collection))
        let entries =
            files.files.map { file in
                SheetState.Entry(
                    choice: .open(
                        .attachment(collection: target.collection, id: target.id, file: file)),
                    title: Escaping.line(file.name), note: file.note(context.messages))
            }
            + files.addresses.map { address in
                SheetState.Entry(choice: .open(.address(address)), title: Escaping.line(address))
            }
        switch entries.count {
        case 0: return .notice(context.messages.nothingToOpen, .wrong)
        case 1:
            guard case .open(let file) = entries[0].choice else { return .stay }
            return .commands(.open(file))
        default:
            return .open(
                SheetState(.files, collection: target.collection, title: context.messages.openTitle, entries: entries))
        }
    }
}
