// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol

/// Tells of a word that no text has that it names a record, begins the ids of records, or names a collection, one that is left
/// out because of a mistake too.
struct Namesake {
    private let context: CommandContext
    private var invocation: Invocation { context.invocation }

    /// The number of collections that a word is looked for in as an id.
    private static let maxCollections = 16

    init(_ context: CommandContext) { self.context = context }

    /// Tells what the only word of these terms names, where that is something and the daemon says so.
    ///
    /// - Parameter verb: the verb that takes the id.
    func tell(of terms: [Term], for verb: String = "detail") {
        let words = FilterComposer.words(terms)
        guard !invocation.isQuiet, words.count == 1, let text = text(words[0], verb) else { return }
        context.notice(text)
    }

    private func text(_ word: String, _ verb: String) -> String? {
        let messages = context.messages
        let selector = invocation.selector
        let known = ((try? context.descriptions(context.requestDescription(of: nil))) ?? []).prefix(Self.maxCollections)
        let own = known.filter { selector == nil || [$0.name, $0.singular].contains(selector?.name) }
        let folded = word.lowercased()
        let named = known.first { [$0.name, $0.singular, $0.title].map { $0.lowercased() }.contains(folded) }
        if let named, selector == nil { return messages.isCollection(word, "claimsctl list \(named.argument)") }
        if let owner = own.first(where: { isRecord(word, in: $0.name) }) {
            let argument = selector?.argument ?? owner.argument
            return messages.isRecord(word, "claimsctl \(verb) \(argument) \(ShellWord.quoted(word))")
        }
        for collection in own {
            guard let id = collection.fields.first(where: { $0.type == .id })?.name else { continue }
            let filter = "\(id).starts=\(FilterComposer.quoted(word))"
            guard let count = count(filter, in: collection.name), count > 0 else { continue }
            let plain = ShellWord.quoted("\(id).starts=\(word)")
            let argument = selector?.argument ?? collection.argument
            return messages.beginsIDs(word, count, "claimsctl list \(argument) \(plain)")
        }
        return named.map { messages.isCollection(word, "claimsctl list \($0.argument)") }
            ?? (selector == nil ? leftOut(folded) : nil)
    }

    /// The daemon's words about a collection whose definition has a mistake, if the word is its name or begins it.
    private func leftOut(_ word: String) -> String? {
        do throws(CommandError) {
            _ = try context.descriptions(context.requestDescription(of: word))
        } catch {
            guard case .client(.refused(let refusal)) = error else { return nil }
            let mistakes: [AnswerValue] = refusal.data?[StatusResult.problems] ?? []
            let name: String? = mistakes.first?[StatusResult.Problem.collection]
            guard name?.hasPrefix(word) == true else { return nil }
            return Escaping.line([refusal.message, refusal.hint].compactMap(\.self).joined(separator: "; "))
        }
        return nil
    }

    private func isRecord(_ id: String, in collection: String) -> Bool {
        var parameters = DetailParameters()
        parameters.collection = collection
        parameters.id = RecordID(id)
        return (try? context.call(.detail, parameters)) != nil
    }

    private func count(_ filter: String, in collection: String) -> Int64? {
        var parameters = CountParameters()
        parameters.collection = collection
        parameters.selection.filter = FilterValue(filter)
        return (try? context.call(.count, parameters))?[CountResult.total]
    }
}
