// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

// The keys of a form.

extension FormState {
    mutating func take(_ key: Key, _ context: inout LayerContext) -> LayerOutcome {
        // Somebody who goes on typing does not want to be interrupted.
        isPreviewDue = false
        switch phase {
        case .loading, .checking: return key == .escape ? .close : .stay
        case .submitting: return .stay
        case .unanswered:
            guard key == .escape else { return .stay }
            return .open(QuestionState(purpose: .leaveForm, text: context.messages.leaveUnansweredQuestion))
        case .preview: return takeInPreview(key, &context)
        case .editing: return takeInEditor(key, &context)
        }
    }

    private mutating func takeInPreview(_ key: Key, _ context: inout LayerContext) -> LayerOutcome {
        if key == .control("s") || key == .enter || context.messages.isYes(key) { return submit(&context) }
        if let action = BrowseKeys.action(of: key, in: .detail), let line = context.scrolled(scroll, by: action) {
            scroll = line
            return .stay
        }
        guard key == .escape || key == .left || key == .character("n") || key == .character("q") else { return .stay }
        // Without entries the form consists of its preview.
        if entryCount == 0 { return .close }
        phase = .editing
        return .stay
    }

    private mutating func takeInEditor(_ key: Key, _ context: inout LayerContext) -> LayerOutcome {
        switch key {
        case .escape:
            guard isChanged else { return .close }
            return .open(QuestionState(purpose: .leaveForm, text: context.messages.leaveQuestion))
        case .control("s"): return preview(&context)
        case .tab: return move(to: focus + 1, &context)
        case .backTab: return move(to: focus - 1, &context)
        default: break
        }
        if takeInEntry(key) { return .stay }
        switch key {
        case .down: return move(to: focus + 1, &context)
        case .up: return move(to: focus - 1, &context)
        case .pageDown: return move(to: entryCount - 1, &context)
        case .pageUp: return move(to: 0, &context)
        // Behind the last entry comes the preview.
        case .enter: return focus == entryCount - 1 ? preview(&context) : move(to: focus + 1, &context)
        default: return .stay
        }
    }

    private mutating func takeInEntry(_ key: Key) -> Bool {
        if fields.indices.contains(focus) { return fields[focus].take(key) }
        let index = focus - fields.count
        guard files.indices.contains(index) else { return false }
        return files[index].take(key, canDetach: canDetach)
    }

    mutating func paste(_ text: String) -> LayerOutcome {
        guard case .editing = phase else { return .stay }
        if fields.indices.contains(focus) {
            fields[focus].paste(text)
        } else if files.indices.contains(focus - fields.count) {
            files[focus - fields.count].paste(text)
        }
        return .stay
    }

    /// Goes to another entry; the one that is left is checked, or its file sent.
    private mutating func move(to index: Int, _ context: inout LayerContext) -> LayerOutcome {
        let outcome = leave(&context)
        focus = max(0, min(index, entryCount - 1))
        return outcome
    }

    /// Checks the entry that is left: the file of a path is sent, any value is checked by the daemon.
    mutating func leave(_ context: inout LayerContext) -> LayerOutcome {
        guard fields.indices.contains(focus) else { return sendFile(at: focus - fields.count, &context) }
        fields[focus].isVisited = true
        return check(&context)
    }
}
