// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

// Operations on their way to upstreams: the list, and one with its values, attempts, and what can be decided about it.

import { pausedText } from "./condition.js";
import { bdi, bdiLines, button, fact, h, labelled, note, quiet, renew, showDialog } from "./dom.js";
import { Lost } from "./link.js";
import { link, problemLine, recordLink, Screen, table, wayBack } from "./screen.js";
import { age, clause, clock, dotted, instant, line, longTime, number } from "./text.js";
import { badge, moment, shownText, title } from "./values.js";
import { knows, phrase, say, word } from "./words.js";

const pace = 5000, fastPace = 1000, maxOperations = 200, maxTitles = 30;

// generated: states
const stuckStates = ["held", "uncertain", "conflict", "rejected", "unconfirmed"];
const settledStates = ["confirmed", "done", "dropped"];
// end

// generated: decisions
const allowed = {
    queued: { unsent: ["retry", "correct", "hold", "drop"], sent: ["retry", "hold", "drop"] },
    held: { unsent: ["retry", "correct", "drop"], sent: ["retry", "drop"] },
    "held, damaged": { always: ["drop"] },
    uncertain: { always: ["done", "again", "drop"] },
    conflict: { always: ["mine", "drop"] },
    rejected: { always: ["retry", "correct", "drop"] },
    unconfirmed: { unsent: ["retry", "correct", "done", "drop"], sent: ["retry", "done", "drop"] },
};
// end

/// The decisions that an operation allows, as the daemon's own table says. The daemon knows more, and may refuse one.
export function decisions({ state, reason, attempts }) {
    const row = allowed[`${state}, ${reason}`] ?? allowed[state] ?? { always: [] };
    const offered = row.always ?? (attempts > 0 ? row.sent : row.unsent);
    // Other values come first after a refusal of these.
    return state === "rejected" ? ["correct", ...offered.filter(decision => decision !== "correct")] : offered;
}

const stateBadge = state => badge(word("state", state),
    stuckStates.includes(state) ? "wrong" : settledStates.includes(state) ? "good" : "pending");

/// The next step: when it is tried, what it waits for, why it is stuck.
function nextText({ stuck_behind: stuck, waits_for: waits, message, reason, next_try }) {
    if (stuck || waits) return say(stuck ? "waitsForStuck" : "waitsFor", { op: (stuck ?? waits).slice(0, 8) });
    const next = instant(next_try);
    const why = message ?? reason ?? "";
    if (next === null) return line(why);
    return dotted(say("nextTryAt", { clock: clock(next) }), clause(why));
}

/// Both screens ask again as long as they are shown, and have the descriptions of the collections that they name.
class AskingScreen extends Screen {
    /// Whether something is about to happen, so that it is looked at more often.
    isMoving = false;
    descriptions = new Map();
    #timer = null;

    begin() { this.connected(); }

    unmount() {
        super.unmount();
        clearTimeout(this.#timer);
    }

    async connected() {
        clearTimeout(this.#timer);
        try {
            if (!document.hidden) await this.load();
        } catch (problem) {
            if (!(problem instanceof Lost || this.isLeft)) this.parts.body.replaceChildren(problemLine(problem));
        }
        if (!this.isLeft) this.#timer = setTimeout(() => this.connected(), this.isMoving ? fastPace : pace);
    }

    async learn(operations) {
        for (const { collection } of operations) {
            if (this.descriptions.has(collection)) continue;
            // A collection without its definition keeps its operations.
            this.descriptions.set(collection, await this.store.describe(collection).catch(() => null));
        }
    }

    get(ops) { return this.ask("outbox", { action: "get", ops }).then(answer => answer.operations); }
    describe(operation) { return this.descriptions.get(operation.collection); }
    action(operation) { return this.describe(operation)?.action(operation.action) ?? null; }
    actionTitle(operation) { return line(this.action(operation)?.title ?? operation.action); }
    collectionName(operation) { return bdi(this.describe(operation)?.title ?? operation.collection); }

    /// The title of the record, from the values that the operation gives or finds, else as it is served.
    async recordTitle(operation) {
        const { op, id, collection, values, before } = operation;
        const description = this.describe(operation);
        const known = description && [values, before].find(record =>
            record && description.fields.some(field => field.bold && record[field.name]));
        if (known) return title(description, known);
        if (id === op) return say("newRecord");
        const answer = description && await this.ask("detail", { collection, id }).catch(() => null);
        return answer ? title(description, answer.record) : line(id);
    }
}

/// The list of operations: those that are not settled, or all.
export class OutboxScreen extends AskingScreen {
    #titles = new Map();
    #isWhole = false;

    build() {
        const { parts } = this;
        parts.title.textContent = say("outbox");
        parts.notes = h("div");
        parts.body = h("div", { class: "detail" }, h("p", {}, say("loadingRecord")));
        const [label, , box] = labelled(say("settledToo"), h("input", { type: "checkbox", onchange: event => {
            this.#isWhole = event.target.checked;
            this.connected();
        } }));
        return [parts.title, h("p", { class: "row" }, box, label), parts.notes, parts.body];
    }

    async load() {
        const list = state => this.ask("outbox", { limit: maxOperations, ...state ? { state } : {} });
        // Those that need somebody are shown, however many others there are.
        const answers = await Promise.all(this.#isWhole ? [list()] : [list("stuck"), list("unsettled")]);
        const found = new Map(answers.flatMap(answer => answer.operations).map(operation => [operation.op, operation]));
        const operations = [...found.values()].sort((one, other) => other.submitted_at.localeCompare(one.submitted_at));
        await this.learn(operations);
        const unknown = operations.map(one => one.op).filter(op => !this.#titles.has(op)).slice(0, maxTitles);
        await Promise.all((unknown.length ? await this.get(unknown) : []).map(async operation =>
            this.#titles.set(operation.op, await this.recordTitle(operation))));
        this.#draw(operations, answers.at(-1));
    }

    #draw(operations, { total, paused = [] }) {
        renew(this.parts.notes, paused.map(one => h("p", { class: "band" }, pausedText(one))), operations.length < total
            ? note(say("newestOf", { shown: number(operations.length), total: number(total) })) : null);
        const heads = ["operationState", "operationAction", "operationRecord", "operationAge", "operationNext"];
        renew(this.parts.body, operations.length ? table(heads, operations.map(one => [
            h("td", {}, stateBadge(one.state)), bdi(this.actionTitle(one)),
            h("th", { scope: "row" }, link({ screen: "operation", id: one.op },
                bdi(this.#titles.get(one.op) ?? one.id), { "data-key": one.op }), " ", quiet(this.collectionName(one))),
            age(Date.now() - instant(one.submitted_at)), bdi(nextText(one)),
        ]), { name: "operations" }) : h("p", { class: "empty" }, say(this.#isWhole ? "noOperations" : "nothingUnderWay")));
    }
}

/// One operation.
export class OperationScreen extends AskingScreen {
    #text = null;
    #title = "";

    build() {
        const { parts } = this;
        parts.title.textContent = say("operation");
        parts.facts = h("div", { class: "detail" });
        parts.acts = h("div", { class: "decisions" });
        parts.body = h("div", { class: "detail" }, h("p", {}, say("loadingRecord")));
        return [wayBack({ screen: "outbox" }, say("outbox")), parts.title, parts.facts, parts.acts, parts.body];
    }

    async load() {
        const [operation] = await this.get([this.address.id]);
        if (operation) await this.learn([operation]);
        const known = this.#text;
        this.isMoving = ["queued", "sending", "accepted"].includes(operation?.state);
        this.#text = JSON.stringify(operation ?? null);
        if (this.#text === known) return;
        const { body, facts, acts } = this.parts;
        if (operation) {
            this.#title = await this.recordTitle(operation);
            this.#draw(operation);
        } else {
            body.replaceChildren(h("p", { class: "problem" }, phrase("isGone", { id: this.address.id })));
            facts.replaceChildren();
            acts.replaceChildren();
        }
    }

    #draw(operation) {
        const { state, collection, id, op, submitted_at: at, submitted_by: by, answer, log = [] } = operation;
        const { facts, acts, body } = this.parts;
        this.entitle(bdi(this.actionTitle(operation)), ": ", bdi(this.#title));
        const next = nextText(operation);
        facts.replaceChildren(h("dl", {}, fact(say("operationState"), stateBadge(state)),
            next ? fact(say(stuckStates.includes(state) ? "reason" : "operationNext"), bdi(next)) : null,
            fact(say("operationRecord"), recordLink(collection, id, [this.collectionName(operation), " · ", bdi(id)])),
            fact(say("submittedAt"), longTime(instant(at)), ", ", bdi(by)), fact(say("operation"), bdi(op))));
        body.replaceChildren(...this.#values(operation),
            ...answer ? [h("h2", {}, say("upstreamAnswer")), h("p", {}, `status ${answer.status}`),
                h("pre", {}, bdiLines(answer.body ?? answer.base64 ?? ""))] : [],
            ...log.length ? [h("h2", {}, say("attempts")), h("ol", { class: "log" }, log.map(one => h("li", {},
                moment(one.at), " ", bdi(dotted(one.state && word("state", one.state),
                    one.status && `status ${one.status}`, clause(one.message ?? ""))))))] : []);
        this.#drawDecisions(operation, acts);
    }

    /// The values before, given, and at the upstream, side by side.
    #values(operation) {
        const { values = {}, before, theirs } = operation;
        const description = this.describe(operation);
        if (!Object.keys(values).length || !description) return [];
        const columns = [["before", before], ["given", values], ["theirs", theirs]].filter(([, record]) => record);
        const rows = Object.keys(values).map(name => [bdi(description.heading(name)),
            ...columns.map(([, record]) => bdi(shownText(description, description.field(name), record)))]);
        return [h("h2", {}, say("values")), table(["field", ...columns.map(([key]) => key)], rows)];
    }

    #drawDecisions(operation, acts) {
        const isOwn = operation.submitted_by === this.app.session.user || this.store.hasRole("admin");
        const obstacle = isOwn ? null : say("needsRole", { role: "admin" });
        const fields = this.action(operation)?.fields.properties ?? {};
        const offered = decisions(operation).filter(decision => decision !== "correct" || Object.keys(fields).length);
        const hadFocus = acts.contains(document.activeElement);
        // Made anew: what they do is about the operation as it is now.
        const focused = document.activeElement?.dataset.key;
        acts.replaceChildren(...offered.map((decision, index) => h("p", {},
            button(say(`decision.${decision}`), () => this.#decide(decision, operation),
                { obstacle, "data-key": decision, class: decision === "drop" ? "danger" : index ? null : "main" }),
            " ", h("span", { class: "note" }, say(`note.${decision}`)))),
        ...obstacle && offered.length ? [note(obstacle)] : []);
        if (hadFocus) (acts.querySelector(`[data-key="${focused}"]`) ?? this.parts.title).focus();
    }

    async #decide(decision, operation) {
        const { op, action } = operation;
        if (decision === "correct") return this.app.router.go({ screen: "correction", id: op });
        const isResolution = ["mine", "done", "again"].includes(decision);
        const params = isResolution ? { action: "resolve", as: decision } : { action: decision };
        if (decision === "done" && action === "create") {
            params.id = await this.#askID();
            if (!params.id) return undefined;
        } else if (knows(`ask.${decision}`)
            && !await this.app.ask(`ask.${decision}`, { title: this.#title }, say(`decision.${decision}`))) return undefined;
        try {
            const { refused: [refused] = [], changed = [] } = await this.store.ask("outbox", { ...params, ops: [op] });
            if (refused) this.shell.warn("notDone", { state: word("state", refused.state) });
            else if (!changed.length) this.shell.warn("isGone", { id: op });
            else this.shell.notify(`did.${params.action}`);
        } catch (problem) { this.app.acts.fail(problem); }
        this.#text = null;
        this.connected();
        return this.store.refreshStatus();
    }

    /// The id that the upstream has given to a new record; empty where it is not told.
    #askID() {
        return new Promise(resolve => {
            const input = h("input", { type: "text", autocomplete: "off", required: true, autofocus: true });
            // Enter in the field takes the first button.
            showDialog(labelled(say("newRecordID"), input), [["yes", say("decision.done"), { class: "main" }],
                ["no", say("cancel"), { formnovalidate: true }]],
            value => resolve(value === "yes" ? input.value.trim() : ""));
        });
    }
}
