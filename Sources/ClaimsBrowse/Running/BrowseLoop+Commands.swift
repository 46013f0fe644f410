// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsPlatform
import ClaimsTerminal

// The commands of the model, and their outcomes.

extension BrowseLoop {
    private var messages: Messages { Messages(model.state.person.language) }

    func perform(_ command: BrowseCommand) {
        switch command {
        case .ask(let request): link.ask(request.method, request.parameters, for: .model(request.tag))
        case .cancel(let tag): link.cancel(.model(tag))
        case .copy(let text): copy(text)
        case .open(let target): open(target)
        case .upload(let number, let path, let collection): upload(number, path: path, collection: collection)
        case .redraw: redraw()
        case .suspend: suspend(wholeGroup: true)
        case .mouse(let isOn): terminal.setMouse(isOn: isOn)
        case .quit(let code): quit(code)
        }
    }

    func receive(_ arrival: BrowseLink.Arrival) {
        switch arrival {
        case .connected: take(.connected)
        case .lost:
            for (number, transfer) in transfers {
                transfers[number] = nil
                take(.performed(transfer.failure(messages.connectionLost)))
            }
            take(.lost)
        case .silent(let since): take(.silent(since: since))
        case .answering: take(.answering)
        case .notification(let line): take(.notified(line))
        case .answer(.model(let tag), .success(let result)): take(.answered(tag, result))
        case .answer(.model(let tag), .failure(let refusal)): take(.refused(tag, refusal))
        case .answer(.file(let number), let answer): take(answer, for: number)
        case .answer(.nobody, _): break
        }
    }
}

// Copying and opening.

extension BrowseLoop {
    private func copy(_ text: String) {
        let isSent = terminal.copy(text)
        let otherwise: CommandOutcome =
            isSent ? .copied(text) : .notCopied(text, reason: messages.tooLongToCopy)
        guard desktop.isTmux else { return take(.performed(otherwise)) }
        let messages = messages
        do throws(SystemError) {
            try programs.start("tmux", ["load-buffer", "-w", "-"], input: Array(text.utf8)) { status in
                status == .exited(0)
                    ? .copied(text) : .notCopied(text, reason: messages.programFailed("tmux", code: status.code))
            }
        } catch {
            take(.performed(otherwise))
        }
    }

    private func open(_ target: OpenTarget) {
        switch target {
        case .address(let address): open(target, desktop.way(toOpen: address), text: address)
        case .attachment(let collection, let id, let file):
            do throws(SystemError) {
                let language = model.state.person.language
                begin(
                    try FetchTransfer(
                        target, of: (collection, id), file, language: language, environment: environment))
            } catch {
                take(.performed(.notOpened(target, reason: messages.text(error.reasonText))))
            }
        }
    }

    private func open(_ target: OpenTarget, _ way: Desktop.Way, text: String) {
        switch way {
        case .refused: take(.performed(.notOpened(target, reason: messages.isNoAddress)))
        case .copying: copy(text)
        case .program(let name, let arguments):
            let messages = messages
            do throws(SystemError) {
                try programs.start(name, arguments) { status in
                    // A program that was ended by a signal has not failed.
                    guard case .exited(let code) = status, code != 0 else { return nil }
                    return .notOpened(target, reason: messages.programFailed(name, code: code))
                }
                take(.performed(.opened(target)))
            } catch {
                take(.performed(.notOpened(target, reason: messages.text(error.text))))
            }
        }
    }
}

// Files.

extension BrowseLoop {
    private func upload(_ number: SentFile.Number, path: String, collection: String) {
        do throws(SystemError) {
            let language = model.state.person.language
            begin(try UploadTransfer(number, path: path, collection: collection, language: language))
        } catch {
            take(.performed(.notUploaded(number, reason: messages.text(error.reasonText))))
        }
    }

    private func begin(_ transfer: any AttachmentTransfer) {
        guard link.isStanding else { return take(.performed(transfer.failure(messages.connectionLost))) }
        lastTransfer += 1
        let number = TransferNumber(value: lastTransfer)
        transfers[number] = transfer
        follow(transfer.begin(), of: number)
    }

    private func take(_ answer: Result<AnswerValue, Refusal>, for number: TransferNumber) {
        guard let transfer = transfers[number] else { return }
        switch answer {
        case .success(let result): follow(transfer.take(result), of: number)
        case .failure(let refusal): follow(.failed(reason: messages.transferRefused(refusal)), of: number)
        }
    }

    private func follow(_ step: TransferStep, of number: TransferNumber) {
        switch step {
        case .ask(let method, let parameters): link.ask(method, parameters, for: .file(number))
        case .tell(let outcome, let method, let parameters):
            link.ask(method, parameters, for: .file(number))
            take(.performed(outcome))
        case .finished(let outcome):
            transfers[number] = nil
            take(.performed(outcome))
        case .fetched(let target, let path):
            transfers[number] = nil
            open(target, desktop.way(toOpenFile: path), text: path)
        case .failed(let reason):
            guard let transfer = transfers.removeValue(forKey: number) else { return }
            take(.performed(transfer.failure(reason)))
        }
    }
}
