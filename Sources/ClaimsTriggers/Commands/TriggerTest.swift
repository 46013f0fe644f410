// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsTerminal

/// `trigger test NAME`: prints the batch that a cut would give now, and changes nothing.
struct TriggerTest {
    private let context: CommandContext
    private let name: String
    private let folders: TriggerFolders

    init(_ context: CommandContext, _ name: String) throws(CommandError) {
        self.context = context
        self.name = name
        folders = TriggerFolders(context.invocation.acting, environment: context.surroundings.environment)
    }

    func run() throws(CommandError) -> ExitCode {
        var definition = try TriggerCommand.definition(of: name, folders)
        let reported = try readState(&definition)
        let spool: EntrySpool
        do throws(SystemError) { spool = try EntrySpool(in: "/tmp") } catch { throw Self.failed(error) }
        let outcome: CutRequests.Outcome
        do throws(CutFailure) {
            outcome = try CutRequests(definition, DirectCaller(context: context)).read(reported, into: spool)
        } catch {
            throw Self.failed(error)
        }
        let now = context.surroundings.now()
        let id = OperationID(time: now, random: (RandomBytes.integer(), RandomBytes.integer())).text
        let result = CutResult(outcome, definition, reported, batch: id, now: now, isTest: true)
        var failure: CommandError?
        do throws(SystemError) {
            try result.writeLines(spool) { line throws(SystemError) in
                do throws(CommandError) {
                    if failure == nil { try context.write(line) }
                } catch {
                    failure = error
                }
            }
        } catch {
            throw Self.failed(error)
        }
        if let failure { throw failure }
        try context.flush()
        noticeFirst(definition, reported, result)
        return .done
    }

    /// The reported set. State that may not be read counts as none, with all that matches as new.
    private func readState(_ definition: inout TriggerDefinition) throws(CommandError) -> Reported? {
        let path = TriggerState.log(in: folders.state(of: name))
        do throws(SystemError) {
            if case .log(let log) = try ReportedLog.read(path) { return log.reported }
            context.notice(context.messages.stateIsDamaged(path))
            return nil
        } catch {
            guard error.isForbidden else { throw Self.failed(error) }
            definition = definition.reportingAll
            context.notice(context.messages.stateIsHidden(path))
            return nil
        }
    }

    private func noticeFirst(_ definition: TriggerDefinition, _ reported: Reported?, _ result: CutResult) {
        guard reported?.moment.clock == nil, definition.first == .skip, let members = result.members else { return }
        context.notice(context.messages.firstRunSkips(members))
    }

    private static func failed(_ error: SystemError) -> CommandError {
        .failed(.failure, kind: "input", message: error.text)
    }

    private static func failed(_ failure: CutFailure) -> CommandError {
        switch failure {
        case .away(let error), .refused(let error): error
        case .tooMany: .failed(.failure, kind: "too_many", message: .tooManyMembers)
        case .store(let error): failed(error)
        }
    }
}

/// Asks on the connection of a command.
private struct DirectCaller: CutRequests.Caller {
    let context: CommandContext

    func describe(_ parameters: DescribeParameters) throws(CommandError) -> AnswerValue {
        try context.call(.describe, parameters)
    }

    func changes(_ parameters: ChangesParameters) throws(CommandError) -> AnswerValue {
        try context.call(.changes, parameters)
    }
}

extension TranslatedText {
    /// The text about a set that is too large for a trigger.
    static var tooManyMembers: TranslatedText {
        TranslatedText(
            en: "more than \(Reported.maxMembers) records match, which is too many for a trigger",
            pl: "pasuje ponad \(Reported.maxMembers) rekordów, za dużo dla wyzwalacza")
    }
}
