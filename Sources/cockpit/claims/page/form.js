// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

// The form of an action: its fields and files, what is wrong with them, its preview, and how it is submitted.

import { bdi, h } from "./dom.js";
import { Field, outcomeOf, previewOf, problemLinks } from "./fields.js";
import { Files, filesOf } from "./files.js";
import { Lost, newOperation, Refusal } from "./link.js";
import { href } from "./router.js";
import { counted, line, nouns, withHint, zone } from "./text.js";
import { shownText, title } from "./values.js";
import { phrase, say, word } from "./words.js";

const maxLosses = 5;

/// A form of an action, or of other values for an operation. Phases: `loading`, `editing`, `submitting`, `unanswered`
/// (sent, and the connection was lost), `ended`.
export class FormScreen {
    #app;
    #address;
    #phase = "loading";
    #op = newOperation();
    #description = null;
    #action = null;
    #record = null;
    #operation = null;
    #fields = [];
    #files = null;
    #check = null;
    #asked = Promise.resolve();
    #losses = 0;
    #isCheckDue = false;
    #isResuming = false;   // the operation goes out as soon as its files are sent again
    #off = new AbortController();
    #parts;

    constructor(app) { this.#app = app; }

    mount(main, address) {
        this.#address = address;
        const preview = h("button", { type: "button", onclick: () => this.#preview() }, say("preview"));
        this.#parts = {
            title: h("h1", { tabindex: "-1" }),
            problems: h("div", { class: "problems", role: "group", "aria-labelledby": "problems", tabindex: "-1" }),
            told: h("p", { class: "band", role: "status", hidden: true }), entries: h("div"), preview,
            shown: h("section", { class: "preview", tabindex: "-1", hidden: true, "aria-label": say("preview") }),
            submit: h("button", { class: "main" }), acts: h("div", { class: "acts" }),
        };
        const { problems, told, entries, shown, submit, acts } = this.#parts;
        problems.hidden = true;
        acts.append(submit, preview, h("a", { class: "button", href: href(this.#origin) }, say("leave")));
        this.element = h("form", { class: "form", novalidate: true, onsubmit: event => {
            event.preventDefault();
            this.#submit();
        } }, problems, told, entries, shown, acts);
        main.replaceChildren(this.#parts.title, this.element);
        const described = event => { if (event.detail === this.#address.collection) this.#redescribed(); };
        this.#app.store.addEventListener("described", described, this.#off);
        this.#load();
        return this.#parts.title;
    }

    unmount() {
        this.#phase = "ended";
        this.#off.abort();
        this.#files?.stop();
    }

    /// A connection stands again: goes on where the form was. What got no answer is sent again, and done once.
    connected() {
        if (this.#phase === "loading") this.#load();
        else if (this.#phase === "unanswered") this.#send();
        else {
            this.#files?.send();
            this.#app.store.renew(this.#address.collection).catch(() => {});
        }
    }

    get hasInput() { return this.#phase !== "ended" && this.#question !== null; }
    leave() { return this.#question ? this.#app.ask(this.#question, {}, say("leave")) : true; }

    get #question() {
        if (this.#phase === "submitting" || this.#phase === "unanswered") return "leaveUnanswered";
        return this.#phase === "editing" && this.#isChanged ? "leaveForm" : null;
    }

    get #isCorrection() { return this.#address.screen === "correction"; }
    get #isChanged() { return this.#fields.some(field => field.isChanged) || Boolean(this.#files?.isChanged); }

    get #origin() {
        const { collection, id } = this.#address;
        if (this.#isCorrection) return { screen: "operation", id };
        return id === undefined ? { screen: "list", collection, query: {} } : { screen: "detail", collection, id };
    }

    async #load() {
        const { store } = this.#app;
        try {
            if (this.#isCorrection) {
                const { operations: [operation] } = await store.ask("outbox",
                    { action: "get", ops: [this.#address.id] });
                if (!operation) throw new Error(say("isGone", { id: line(this.#address.id) }));
                this.#operation = operation;
                this.#address = { ...this.#address, collection: operation.collection, action: operation.action };
            }
            const { collection, id, action } = this.#address;
            this.#description = await store.describe(collection);
            const obstacle = this.#app.acts.obstacle(action, this.#description);
            if (obstacle) throw new Error(obstacle);
            this.#action = this.#description.action(action);
            if (!this.#isCorrection && id !== undefined) this.#record = (await store.ask("detail",
                { collection, id })).record;
        } catch (problem) {
            if (problem instanceof Lost || this.#phase === "ended") return;
            this.#phase = "ended";
            this.#parts.title.textContent = say("notPossible");
            this.#parts.entries.replaceChildren(h("p", { class: "problem" }, bdi(withHint(problem))));
            this.#parts.submit.hidden = this.#parts.preview.hidden = true;
            return;
        }
        if (this.#phase === "ended") return;
        this.#build();
        this.#set("editing");
        if (!this.#hasEntries) this.#preview();
    }

    get #hasEntries() { return this.#fields.length > 0 || this.#files !== null; }

    /// Draws the form; what was typed before in fields of the same names stays.
    #build() {
        const drafts = new Map(this.#fields.map(field => [field.name, field.draft]));
        const { properties = {}, required = [] } = this.#action.fields;
        const given = this.#operation?.values ?? null;
        const form = { app: this.#app, description: this.#description,
            changed: () => { this.#parts.shown.hidden = true; },
            left: () => this.#checkSoon() };
        // An operation on a record is corrected in what it gives; a new record can get more.
        const isNarrow = given !== null && this.#action.name !== "create";
        const names = Object.keys(properties).filter(name => !isNarrow || Object.hasOwn(given, name));
        const values = given ?? this.#record ?? {};
        this.#fields = names.map(name => {
            const field = new Field(form, name, properties[name], required.includes(name));
            field.fill(Object.hasOwn(values, name) ? values[name] : null);
            if (drafts.get(name)) field.restore(drafts.get(name));
            return field;
        });
        const rules = this.#isCorrection ? null : this.#action.files ?? null;
        if (!rules) {
            this.#files?.stop();
            this.#files = null;
        } else if (!this.#files) {
            const canTake = this.#description.writes.to === "local";
            this.#files = new Files(this.#app, this.#address.collection,
                { rules, canTake, changed: () => this.#filesChanged() });
            this.#files.keep(this.#record ? filesOf(this.#record, this.#description) : []);
        }
        this.#parts.entries.replaceChildren(...this.#fields.map(field => field.element),
            ...this.#files ? [this.#files.element] : []);
        const name = line(this.#action.title);
        const of = this.#record ? title(this.#description, this.#record) : this.#operation ? line(this.#operation.id)
            : null;
        this.#parts.title.replaceChildren(...this.#isCorrection ? phrase("otherValues", { title: of })
            : [bdi(name), ...of === null ? [] : [": ", bdi(of)]]);
        this.#parts.submit.textContent = this.#isCorrection ? say("tryAgain") : this.#action.name === "update"
            ? say("save") : name;
        this.#parts.submit.classList.toggle("danger", this.#action.name === "delete");
        this.#parts.preview.hidden = this.#isCorrection || !this.#hasEntries;
        this.#app.shell.locate(this.#address, this.#parts.title.textContent);
    }

    /// A reload has changed the definition: the fields are made anew, and keep what was typed.
    #redescribed() {
        if (this.#phase !== "editing") return;
        const description = this.#app.store.known(this.#address.collection);
        const obstacle = this.#app.acts.obstacle(this.#action.name, description);
        const typed = this.#fields.filter(field => field.isChanged);
        if (!obstacle) {
            this.#description = description;
            this.#action = description.action(this.#action.name);
            const focused = document.activeElement?.id;
            this.#build();
            if (focused) document.getElementById(focused)?.focus();
        }
        const gone = typed.filter(field => !this.#fields.some(other => other.name === field.name)).map(field =>
            field.title);
        this.#tell(obstacle ?? (gone.length ? say("fieldsGone", { fields: gone.join(", ") }) : say("formChanged")));
    }

    #set(phase) {
        this.#phase = phase;
        const isBusy = phase === "submitting" || phase === "unanswered";
        if (isBusy) this.#parts.title.focus({ preventScroll: true });
        for (const part of [this.#parts.entries, this.#parts.acts]) part.inert = isBusy;
        this.element.setAttribute("aria-busy", String(isBusy));
        this.#tell(isBusy ? say(phase) : null);
    }

    #tell(text) {
        this.#parts.told.textContent = text ?? "";
        this.#parts.told.hidden = !text;
    }

    #filesChanged() {
        this.#parts.shown.hidden = true;
        if (!this.#files || this.#files.isSending) return;
        if (!this.#isResuming) {
            this.#checkSoon();
            return;
        }
        this.#isResuming = false;
        if (!this.#files.problems.length) this.#send();
        else {
            this.#set("editing");
            this.#list();
        }
    }

    /// Has the daemon check what stands there; what is wrong is shown of fields that were left.
    async #checkSoon() {
        if (this.#phase !== "editing" || this.#isCorrection) return;
        for (const field of this.#fields) if (field.isVisited && field.ownProblem) field.show([field.ownProblem]);
        if (!this.#isChanged || this.#fields.some(field => field.ownProblem)) return;
        if (this.#isCheckDue = this.#check !== null) return;
        this.#app.store.renew(this.#address.collection).catch(() => {});
        const check = this.#check = {};
        let problems = [];
        try {
            await this.#ask({ isDryRun: true });
        } catch (problem) {
            problems = problem.kind === "invalid" ? problem.data.errors : null;
        }
        if (this.#check !== check || this.#phase !== "editing") return;
        this.#check = null;
        if (problems) this.#show(this.#mendFiles(problems), { onlyVisited: true });
        if (this.#isCheckDue) this.#checkSoon();
    }

    /// Submits what stands there. A dry run takes the files for its time too, so one waits for the answer to another.
    #ask({ isDryRun }) {
        const asked = this.#asked.then(() => this.#app.store.ask("submit", this.#params(isDryRun)));
        this.#asked = asked.catch(() => {});
        return asked;
    }

    /// Sends the files again that the daemon has lost, and leaves out the problems that say so.
    #mendFiles(problems) {
        const isLost = ({ field, kind }) => field === this.#action.files?.field && kind === "unknown";
        if (!problems.some(isLost) || this.#losses++ >= maxLosses) return problems;
        this.#files.sendAgain();
        return problems.filter(problem => !isLost(problem));
    }

    /// Puts each problem under its field or the files; returns those of neither.
    #show(problems, { onlyVisited = false } = {}) {
        for (const field of this.#fields) {
            if (onlyVisited && !field.isVisited) continue;
            field.show(field.ownProblem ? [field.ownProblem]
                : problems.filter(problem => problem.field === field.name));
        }
        const files = this.#files && this.#action.files.field;
        if (files && (!onlyVisited
            || this.#files.isChanged)) this.#files.show(problems.filter(problem => problem.field === files));
        return problems.filter(problem => problem.field !== files
            && !this.#fields.some(field => field.name === problem.field));
    }

    /// Lists all that is wrong, with links to the fields, in focus. Without anything wrong it hides the list.
    #list(others = [], heading = null) {
        const items = [
            ...this.#fields.flatMap(problemLinks), ...problemLinks(this.#files ?? { problems: [] }),
            ...others.map(problem => h("li", {}, bdi(withHint(problem)))),
        ];
        const { problems } = this.#parts;
        problems.hidden = !items.length && !heading;
        if (problems.hidden) return false;
        problems.replaceChildren(h("h2", { id: "problems" },
            heading ?? say("problems", { problems: counted(items.length, nouns.problems) })), h("ul", {}, items));
        problems.focus();
        this.#app.shell.tell(problems.firstChild.textContent, { isUrgent: true });
        return true;
    }

    /// Whether nothing here speaks against asking the daemon.
    #isReady() {
        for (const field of this.#fields) {
            field.isVisited = true;
            if (field.ownProblem) field.show([field.ownProblem]);
        }
        if (this.#fields.some(field => field.ownProblem)) return !this.#list();
        const mustDiffer = this.#isCorrection || this.#action.name === "update";
        const hindrance = !["open", "mute"].includes(this.#app.link.state) ? "notAnswered" : this.#files?.isSending
            ? "stillSending" : mustDiffer && !this.#isChanged ? "nothingChanged" : null;
        this.#tell(hindrance && say(hindrance));
        if (hindrance) return false;
        this.#check = null;
        this.#isCheckDue = false;
        return true;
    }

    async #preview() {
        if (this.#phase !== "editing" || !this.#isReady()) return;
        let answer;
        try {
            answer = await this.#ask({ isDryRun: true });
        } catch (problem) { return this.#refused(problem); }
        if (this.#phase !== "editing") return undefined;
        this.#show([]);
        this.#list();
        const { shown } = this.#parts;
        shown.replaceChildren(...previewOf(answer, this.#description, this.#action, this.#record));
        shown.hidden = false;
        return this.#hasEntries ? shown.focus() : undefined;
    }

    get #values() {
        const isNew = this.#address.id === undefined;
        const given = this.#fields.filter(field => isNew ? (field.value ?? null) !== null : field.isChanged);
        return Object.fromEntries(given.map(field => [field.name, field.value]));
    }

    #params(isDryRun) {
        const { collection, action, id } = this.#address;
        const values = this.#values;
        const uploads = this.#files?.uploads ?? [];
        const taken = this.#files?.taken ?? [];
        const expect = Object.fromEntries(this.#fields.filter(field => field.isComparable).map(field =>
            [field.name, field.original]));
        return {
            collection, action, op: this.#op, dry_run: isDryRun, time_zone: zone(),
                ...Object.keys(values).length ? { fields: values } : {},
            ...uploads.length ? { attach: uploads } : {}, ...taken.length ? { detach: taken } : {},
            ...id === undefined ? {} : { id, ...this.#fields.length ? { expect } : {} },
        };
    }

    async #submit() {
        if (this.#phase !== "editing" || !this.#isReady()) return;
        if (this.#action.name === "delete"
            && !await this.#app.ask("deleteQuestion", { title: title(this.#description, this.#record) },
                line(this.#action.title))) return;
        this.#send();
    }

    async #send() {
        this.#set("submitting");
        const { store, shell, router } = this.#app;
        const { collection, id } = this.#address;
        try {
            if (this.#isCorrection) {
                const answer = await store.ask("outbox", { action: "retry", ops: [id], fields: this.#values });
                const [refused] = answer.refused ?? [];
                if (refused) throw new Error(say("notDone", { state: word("state", refused.state) }));
                this.#phase = "ended";
                await router.go(this.#origin, { replace: true });
                shell.notify("did.retry");
                return;
            }
            const answer = await this.#ask({ isDryRun: false });
            this.#phase = "ended";
            const record = answer.record ?? this.#record;
            const name = record ? title(this.#description, record) : line(answer.id);
            await router.go(this.#action.name === "delete" ? { screen: "list", collection, query: {} }
                : { screen: "detail", collection, id: answer.id }, { replace: true });
            const { key, values, kind } = outcomeOf(answer, name, this.#description);
            shell.notify(key, values, { kind });
            store.refreshStatus();
        } catch (problem) { this.#refused(problem); }
    }

    #refused(problem) {
        if (this.#phase === "ended") return;
        if (problem instanceof Lost) {
            if (this.#phase === "submitting" || this.#phase === "unanswered") this.#set("unanswered");
            else this.#tell(say("notAnswered"));
            return;
        }
        this.#set("editing");
        if (!(problem instanceof Refusal)) {
            this.#list([problem]);
        } else if (problem.kind === "invalid") {
            const errors = problem.data.errors ?? [];
            const others = this.#mendFiles(errors);
            if (others.length || !errors.length) this.#list(this.#show(others));
            else {
                // It goes on by itself once the files are there.
                this.#set("submitting");
                this.#tell(say("filesAgain"));
                this.#isResuming = true;
            }
        } else if (problem.kind === "conflict" && problem.data.served) {
            for (const [name, value] of Object.entries(problem.data.served)) {
                this.#record = { ...this.#record, [name]: value };
                this.#fields.find(field => field.name === name)?.serve(value,
                    shownText(this.#description, this.#description.field(name), { [name]: value }));
            }
            this.#list([], say("changedMeanwhile"));
        } else this.#list([problem]);
    }
}
