// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

// Operations on their way to upstreams: the list, and one with its values, attempts, and what can be decided about it.

import { bdi, h, newID } from "./dom.js";
import { Lost } from "./link.js";
import { href } from "./router.js";
import { age, clause, clock, dateAndClock, instant, line, lines, longTime, number, withHint } from "./text.js";
import { badge, shownText, title } from "./values.js";
import { knows, phrase, say, word } from "./words.js";

const pace = 5000, fastPace = 1000, maxOperations = 200, maxTitles = 30;
const stuckStates = ["held", "uncertain", "conflict", "rejected", "unconfirmed"];
const settledStates = ["confirmed", "done", "dropped"];

/// What the state of an operation lets a person decide, as the daemon's own table says. The daemon knows more, and may
/// refuse it.
export function decisions({ state, reason, attempts }) {
    const sendable = attempts > 0 ? ["retry"] : ["retry", "correct"];
    switch (state) {
    case "queued": return [...sendable, "hold", "drop"];
    case "held": return reason === "damaged" ? ["drop"] : [...sendable, "drop"];
    case "uncertain": return ["done", "again", "drop"];
    case "conflict": return ["mine", "drop"];
    case "rejected": return ["correct", "retry", "drop"];
    case "unconfirmed": return [...sendable, "done", "drop"];
    default: return [];
    }
}

const stateBadge = state =>
    badge(word("state", state),
    stuckStates.includes(state) ? "wrong" : settledStates.includes(state) ? "good" : "pending");

/// What comes next: when it is tried, what it waits for, why it is stuck.
function nextText(operation) {
    if (operation.stuck_behind) return say("waitsForStuck", { op: operation.stuck_behind.slice(0, 8) });
    if (operation.waits_for) return say("waitsFor", { op: operation.waits_for.slice(0, 8) });
    const reason = operation.message ?? operation.reason ?? "";
    const next = instant(operation.next_try);
    return next === null ? line(reason)
        : [say("nextTryAt", { clock: clock(next) }), clause(reason)].filter(Boolean).join(" · ");
}

/// Both screens ask again as long as they are shown, and have the descriptions of the collections that they name.
class AskingScreen {
    app;
    address;
    /// Whether something is about to happen, so that it is looked at more often.
    isMoving = false;
    descriptions = new Map();
    parts;
    #timer = null;
    #isEnded = false;

    constructor(app) { this.app = app; }

    mount(main, address) {
        this.address = address;
        this.parts = { title: h("h1", { tabindex: "-1" }),
            body: h("div", { class: "detail" }, h("p", {}, say("loadingRecord"))) };
        this.build(main);
        this.poll();
        return this.parts.title;
    }

    unmount() {
        this.#isEnded = true;
        clearTimeout(this.#timer);
    }

    connected() { this.poll(); }

    async poll() {
        clearTimeout(this.#timer);
        try {
            if (!document.hidden) await this.ask();
        } catch (problem) {
            if (!(problem instanceof Lost)) this.parts.body.replaceChildren(h("p", { class: "problem" },
                bdi(withHint(problem))));
        }
        if (!this.#isEnded) this.#timer = setTimeout(() => this.poll(), this.isMoving ? fastPace : pace);
    }

    async learn(operations) {
        for (const { collection } of operations) {
            if (this.descriptions.has(collection)) continue;
            // A collection without its definition keeps its operations.
            this.descriptions.set(collection, await this.app.store.describe(collection).catch(() => null));
        }
    }

    actionTitle(operation) { return line(this.descriptions.get(operation.collection)?.action(operation.action)?.title
        ?? operation.action); }

    collectionTitle(operation) { return line(this.descriptions.get(operation.collection)?.title
        ?? operation.collection); }

    /// The title of the record, from the values that the operation gives or finds, else as it is served.
    async recordTitle({ op, id, collection, values, before }) {
        const description = this.descriptions.get(collection);
        const known = description
            && [values, before].find(record => record
            && description.fields.some(field => field.bold && record[field.name]));
        if (known) return title(description, known);
        if (id === op) return say("newRecord");
        const answer = description && await this.app.store.ask("detail", { collection, id }).catch(() => null);
        return answer ? title(description, answer.record) : line(id);
    }
}

/// The list of operations: those that are not settled, or all.
export class OutboxScreen extends AskingScreen {
    #titles = new Map();
    #isWhole = false;

    build(main) {
        const { title: heading, body } = this.parts;
        heading.textContent = say("outbox");
        this.parts.notes = h("div");
        const id = newID();
        main.replaceChildren(heading, h("p", { class: "row" }, h("input", { type: "checkbox", id, onchange: event => {
            this.#isWhole = event.target.checked;
            this.poll();
        } }), h("label", { for: id }, say("settledToo"))), this.parts.notes, body);
    }

    async ask() {
        const list = state => this.app.store.ask("outbox", { limit: maxOperations, ...state ? { state } : {} });
        // Those that need somebody are shown, however many others there are.
        const answers = await Promise.all(this.#isWhole ? [list()] : [list("stuck"), list("unsettled")]);
        const found = new Map(answers.flatMap(answer => answer.operations).map(operation => [operation.op, operation]));
        const operations = [...found.values()].sort((one, other) => other.submitted_at.localeCompare(one.submitted_at));
        await this.learn(operations);
        const unknown = operations.map(one => one.op).filter(op => !this.#titles.has(op)).slice(0, maxTitles);
        const whole = unknown.length ? await this.app.store.ask("outbox", { action: "get", ops: unknown })
            : { operations: [] };
        await Promise.all(whole.operations.map(async operation =>
            this.#titles.set(operation.op, await this.recordTitle(operation))));
        this.#draw(operations, answers.at(-1));
    }

    #draw(operations, { total, paused = [] }) {
        const { body, notes } = this.parts;
        notes.replaceChildren(...paused.map(one => h("p", { class: "band" }, phrase("paused", {
            origin: line(one.origin), reason: clause(one.reason), clock: clock(instant(one.next_try)),
        }))), ...operations.length < total
            ? [h("p", { class: "note" }, say("newestOf", { shown: number(operations.length), total: number(total) }))]
            : []);
        const focused = body.contains(document.activeElement) ? document.activeElement.href : null;
        body.replaceChildren(operations.length ? h("table", { class: "operations" },
            h("thead", {}, h("tr", {},
                ["operationState", "operationAction", "operationRecord", "operationAge",
                "operationNext"].map(key => h("th", { scope: "col" }, say(key))))),
            h("tbody", {}, operations.map(one =>
                h("tr", {}, h("td", {}, stateBadge(one.state)), h("td", {}, bdi(this.actionTitle(one))),
                h("th", { scope: "row" },
                    h("a", { href: href({ screen: "operation", id: one.op }) },
                    bdi(this.#titles.get(one.op) ?? line(one.id))),
                    " ", h("span", { class: "quiet" }, bdi(this.collectionTitle(one)))),
                h("td", {}, age(Date.now() - instant(one.submitted_at))), h("td", {}, bdi(nextText(one)))))))
            : h("p", { class: "empty" }, say(this.#isWhole ? "noOperations" : "nothingUnderWay")));
        if (focused) [...body.querySelectorAll("a")].find(link => link.href === focused)?.focus();
    }
}

/// One operation.
export class OperationScreen extends AskingScreen {
    #text = null;
    #title = "";

    build(main) {
        const { title: heading, body } = this.parts;
        heading.textContent = say("operation");
        this.parts.acts = h("div", { class: "decisions" });
        this.parts.facts = h("div", { class: "detail" });
        main.replaceChildren(h("nav", { class: "way" },
            h("a", { href: href({ screen: "outbox" }) }, "‹ ", say("outbox"))), heading, this.parts.facts,
            this.parts.acts, body);
    }

    async ask() {
        const { operations: [operation] } = await this.app.store.ask("outbox",
            { action: "get", ops: [this.address.id] });
        if (operation) await this.learn([operation]);
        const known = this.#text;
        this.isMoving = ["queued", "sending", "accepted"].includes(operation?.state);
        this.#text = JSON.stringify(operation);
        if (this.#text === known) return;
        if (operation) {
            this.#title = await this.recordTitle(operation);
            this.#draw(operation);
        } else {
            this.parts.body.replaceChildren(h("p", { class: "problem" },
                phrase("isGone", { id: line(this.address.id) })));
            this.parts.facts.replaceChildren();
            this.parts.acts.replaceChildren();
        }
    }

    #draw(operation) {
        const { title: heading, body } = this.parts;
        heading.replaceChildren(bdi(this.actionTitle(operation)), ": ", bdi(this.#title));
        this.app.shell.locate(this.address, heading.textContent);
        const facts = [];
        const add = (key, ...content) => facts.push(h("div", {}, h("dt", {}, say(key)), h("dd", {}, content)));
        add("operationState", stateBadge(operation.state));
        const next = nextText(operation);
        if (next) add(stuckStates.includes(operation.state) ? "reason" : "operationNext", bdi(next));
        add("operationRecord", h("a",
            { href: href({ screen: "detail", collection: operation.collection, id: operation.id }) },
            bdi(this.collectionTitle(operation)), " · ", bdi(line(operation.id))));
        add("submittedAt", longTime(instant(operation.submitted_at)), ", ", bdi(line(operation.submitted_by)));
        add("operation", bdi(line(operation.op)));
        const { answer, log = [] } = operation;
        this.parts.facts.replaceChildren(h("dl", {}, facts));
        body.replaceChildren(...this.#values(operation),
            ...answer ? [h("h2", {}, say("upstreamAnswer")), h("p", {}, `status ${answer.status}`),
                h("pre", {}, bdi(lines(answer.body ?? answer.base64 ?? "")))] : [],
            ...log.length ? [h("h2", {}, say("attempts")),
                h("ol", { class: "log" },
                log.map(one => h("li", {}, h("time", { datetime: one.at, text: dateAndClock(instant(one.at)) }), " ",
                bdi([one.state && word("state", one.state), one.status && `status ${one.status}`,
                    clause(one.message ?? "")].filter(Boolean).join(" · ")))))] : []);
        this.#drawDecisions(operation);
    }

    /// The values before, given, and at the upstream, side by side.
    #values({ collection, values = {}, before, theirs }) {
        const description = this.descriptions.get(collection);
        const names = Object.keys(values);
        if (!names.length || !description) return [];
        const columns = [["before", before], ["given", values], ["theirs", theirs]].filter(([, record]) => record);
        return [h("h2", {}, say("values")), h("div", { class: "scroller" }, h("table", {},
            h("thead", {}, h("tr", {},
                ["field", ...columns.map(([key]) => key)].map(key => h("th", { scope: "col" }, say(key))))),
            h("tbody", {}, names.map(name =>
                h("tr", {}, h("th", { scope: "row" }, bdi(line(description.heading(name)))),
                columns.map(([, record]) =>
                    h("td", {}, bdi(shownText(description, description.field(name), record)))))))))];
    }

    #drawDecisions(operation) {
        const { acts } = this.parts;
        const focused = acts.contains(document.activeElement) ? document.activeElement.dataset.key : null;
        const isOwn = operation.submitted_by === this.app.session.user || this.app.store.hasRole("admin");
        const obstacle = isOwn ? null : say("needsRole", { role: "admin" });
        const fields = this.descriptions.get(operation.collection)?.action(operation.action)?.fields.properties ?? {};
        const offered = decisions(operation).filter(decision => decision !== "correct" || Object.keys(fields).length);
        acts.replaceChildren(...offered.map((decision, index) => h("p", {},
            this.app.acts.button(say(`decision.${decision}`), () => this.#decide(decision, operation), obstacle,
                { "data-key": decision, class: decision === "drop" ? "danger" : index ? null : "main" }),
            " ", h("span", { class: "note" }, say(`note.${decision}`)))),
                ...obstacle && offered.length ? [h("p", { class: "note" }, obstacle)] : []);
        if (focused) (acts.querySelector(`[data-key="${focused}"]`) ?? this.parts.title).focus();
    }

    async #decide(decision, operation) {
        const { op } = operation;
        if (decision === "correct") {
            this.app.router.go({ screen: "correction", id: op });
            return;
        }
        const params = ["mine", "done", "again"].includes(decision) ? { action: "resolve", as: decision }
            : { action: decision };
        if (decision === "done" && operation.action === "create") {
            params.id = await this.#askID();
            if (!params.id) return;
        } else if (knows(`ask.${decision}`)
            && !await this.app.ask(`ask.${decision}`, { title: this.#title }, say(`decision.${decision}`))) return;
        try {
            const { refused: [refused] = [], changed = [] } = await this.app.store.ask("outbox",
                { ...params, ops: [op] });
            if (refused) this.app.shell.notify("notDone", { state: word("state", refused.state) }, { kind: "wrong" });
            else if (!changed.length) this.app.shell.notify("isGone", { id: line(op) }, { kind: "wrong" });
            else this.app.shell.notify(`did.${params.action}`);
        } catch (problem) { this.app.acts.fail(problem); }
        this.#text = null;
        this.poll();
        this.app.store.refreshStatus();
    }

    /// The id that the upstream has given to a new record; empty where it is not told.
    #askID() {
        return new Promise(resolve => {
            const id = newID();
            const input = h("input", { id, type: "text", autocomplete: "off", required: true });
            const dialog = h("dialog", { onclose: () => {
                dialog.remove();
                resolve(dialog.returnValue === "yes" ? input.value.trim() : "");
            } }, h("form", { method: "dialog" }, h("label", { for: id }, say("newRecordID")), input,
                h("button", { value: "no", formnovalidate: true }, say("cancel")),
                    h("button", { value: "yes", class: "main" }, say("decision.done"))));
            document.body.append(dialog);
            dialog.showModal();
            input.focus();
        });
    }
}
