// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

// The form of an action: its fields and files, what is wrong with them, its preview, and how it is submitted.

import { bdi, button, h } from "./dom.js";
import { Field, previewOf, problemLinks } from "./fields.js";
import { Files, filesOf } from "./files.js";
import { Lost, newOperation } from "./link.js";
import { link, problemLine, problemText, Screen } from "./screen.js";
import { counted, line, nouns, zone } from "./text.js";
import { shownText, title } from "./values.js";
import { knows, phrase, say, word } from "./words.js";

const maxLosses = 5;

/// A form of an action, or of other values for an operation. Phases: `loading`, `editing`, `submitting`, `unanswered`
/// (sent, and the connection was lost), `ended`.
export class FormScreen extends Screen {
    #phase = "loading";
    #op = newOperation();
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

    build() {
        const parts = Object.assign(this.parts, {
            problems: h("div",
                { class: "problems", role: "group", "aria-labelledby": "problems", tabindex: "-1", hidden: true }),
            told: h("p", { class: "band", role: "status", hidden: true }), entries: h("div"),
            shown: h("section", { class: "preview", tabindex: "-1", hidden: true, "aria-label": say("preview") }),
            submit: h("button", { class: "main" }), preview: button(say("preview"), () => this.#preview()),
        });
        parts.acts = h("div", { class: "acts" }, parts.submit, parts.preview,
            link(this.#origin, say("leave"), { class: "button" }));
        parts.form = h("form", { class: "form", novalidate: true, onsubmit: event => {
            event.preventDefault();
            this.#submit();
        } }, parts.problems, parts.told, parts.entries, parts.shown, parts.acts);
        return [parts.title, parts.form];
    }

    begin() {
        this.hearDescribed(() => this.#redescribed());
        this.#load();
    }

    unmount() {
        this.#phase = "ended";
        super.unmount();
        this.#files?.stop();
    }

    /// A connection stands again: goes on where the form was. What got no answer is sent again, and done once.
    connected() {
        if (this.#phase === "loading") this.#load();
        else if (this.#phase === "unanswered") this.#send();
        else {
            this.#files?.send();
            this.store.renew(this.address.collection);
        }
    }

    get hasInput() { return this.#question !== null; }
    leave() { return this.#question ? this.app.ask(this.#question, {}, say("leave")) : true; }

    get #question() {
        if (this.#phase === "submitting" || this.#phase === "unanswered") return "leaveUnanswered";
        return this.#phase === "editing" && this.#isChanged ? "leaveForm" : null;
    }

    get #isCorrection() { return this.address.screen === "correction"; }
    get #isChanged() { return this.#fields.some(field => field.isChanged) || Boolean(this.#files?.isChanged); }
    get #hasEntries() { return this.#fields.length > 0 || this.#files !== null; }

    get #origin() {
        const { collection, id } = this.address;
        if (this.#isCorrection) return { screen: "operation", id };
        return id === undefined ? { screen: "list", collection } : { screen: "detail", collection, id };
    }

    async #load() {
        const { store } = this;
        try {
            if (this.#isCorrection) {
                const { operations: [operation] } = await store.ask("outbox",
                    { action: "get", ops: [this.address.id] });
                if (!operation) throw new Error(say("isGone", { id: this.address.id }));
                this.#operation = operation;
                this.address = { ...this.address, collection: operation.collection, action: operation.action };
            }
            const { collection, id, action } = this.address;
            this.description = await store.describe(collection);
            const obstacle = this.app.acts.obstacle(action, this.description);
            if (obstacle) throw new Error(obstacle);
            this.#action = this.description.action(action);
            if (!this.#isCorrection && id !== undefined) {
                this.#record = (await store.ask("detail", { collection, id })).record;
            }
        } catch (problem) {
            if (problem instanceof Lost || this.#phase === "ended") return;
            this.#phase = "ended";
            this.parts.title.textContent = say("notPossible");
            this.parts.entries.replaceChildren(problemLine(problem));
            this.parts.submit.hidden = this.parts.preview.hidden = true;
            return;
        }
        if (this.#phase === "ended") return;
        this.#draw();
        this.#set("editing");
        if (!this.#hasEntries) this.#preview();
    }

    /// Draws the form; what was typed before in fields of the same names stays.
    #draw() {
        const { description, parts } = this;
        const action = this.#action;
        const drafts = new Map(this.#fields.map(field => [field.name, field.draft]));
        const { properties = {}, required = [] } = action.fields;
        const given = this.#operation?.values ?? null;
        const form = {
            app: this.app, description, changed: () => { parts.shown.hidden = true; }, left: () => this.#checkSoon(),
        };
        // An operation on a record is corrected in what it gives; a new record can get more.
        const isNarrow = given !== null && action.name !== "create";
        const values = given ?? this.#record ?? {};
        this.#fields = Object.keys(properties).filter(name => !isNarrow || Object.hasOwn(given, name)).map(name => {
            const field = new Field(form, name, properties[name], required.includes(name));
            field.fill(Object.hasOwn(values, name) ? values[name] : null);
            if (drafts.get(name)) field.restore(drafts.get(name));
            return field;
        });
        const rules = this.#isCorrection ? null : action.files ?? null;
        if (!rules) {
            this.#files?.stop();
            this.#files = null;
        } else if (!this.#files) {
            const canTake = description.writes.to === "local";
            this.#files = new Files(this.app, this.address.collection,
                { rules, canTake, changed: () => this.#filesChanged() });
            this.#files.keep(this.#record ? filesOf(this.#record, description) : []);
        }
        parts.entries.replaceChildren(...[...this.#fields, this.#files].filter(Boolean).map(one => one.element));
        const name = line(action.title);
        const of = this.#record ? title(description, this.#record) : this.#operation ? line(this.#operation.id) : null;
        parts.submit.textContent = this.#isCorrection ? say("tryAgain") : action.name === "update" ? say("save") : name;
        parts.submit.classList.toggle("danger", action.name === "delete");
        parts.preview.hidden = this.#isCorrection || !this.#hasEntries;
        this.entitle(...this.#isCorrection ? phrase("otherValues", { title: of })
            : [bdi(name), ...of === null ? [] : [": ", bdi(of)]]);
    }

    /// A reload has changed the definition: the fields are made anew, and keep what was typed.
    #redescribed() {
        if (this.#phase !== "editing") return;
        const description = this.store.known(this.address.collection);
        const obstacle = this.app.acts.obstacle(this.#action.name, description);
        const typed = this.#fields.filter(field => field.isChanged);
        if (!obstacle) {
            this.description = description;
            this.#action = description.action(this.#action.name);
            const focused = document.activeElement?.id;
            this.#draw();
            if (focused) document.getElementById(focused)?.focus();
        }
        const gone = typed.filter(field => !this.#fields.some(other => other.name === field.name));
        const fields = gone.map(field => field.title).join(", ");
        this.#tell(obstacle ?? (fields ? say("fieldsGone", { fields }) : say("formChanged")));
    }

    #set(phase) {
        this.#phase = phase;
        const isBusy = phase === "submitting" || phase === "unanswered";
        const { title: heading, entries, acts, form } = this.parts;
        if (isBusy) heading.focus({ preventScroll: true });
        for (const part of [entries, acts]) part.inert = isBusy;
        form.setAttribute("aria-busy", String(isBusy));
        this.#tell(isBusy ? say(phase) : null);
    }

    #tell(text) {
        this.parts.told.textContent = text ?? "";
        this.parts.told.hidden = !text;
    }

    #filesChanged() {
        this.parts.shown.hidden = true;
        if (!this.#files || this.#files.isSending) return undefined;
        if (!this.#isResuming) return this.#checkSoon();
        this.#isResuming = false;
        if (!this.#files.problems.length) return this.#send();
        this.#set("editing");
        return this.#list();
    }

    // MARK: - Asking the daemon

    /// Has the daemon check what stands there; what is wrong is shown of fields that were left.
    async #checkSoon() {
        if (this.#phase !== "editing" || this.#isCorrection) return;
        for (const field of this.#fields) if (field.isVisited && field.ownProblem) field.show([field.ownProblem]);
        if (!this.#isChanged || this.#fields.some(field => field.ownProblem)) return;
        if (this.#isCheckDue = this.#check !== null) return;
        this.store.renew(this.address.collection);
        const check = this.#check = {};
        const problems = await this.#ask({ isDryRun: true }).then(() => [], problem =>
            problem.kind === "invalid" ? problem.data.errors : null);
        if (this.#check !== check || this.#phase !== "editing") return;
        this.#check = null;
        if (problems) this.#show(this.#mendFiles(problems), { onlyVisited: true });
        if (this.#isCheckDue) this.#checkSoon();
    }

    /// Submits what stands there. A dry run takes the files for its time too, so one waits for the answer to another.
    #ask({ isDryRun }) {
        const asked = this.#asked.then(() => this.store.ask("submit", this.#params(isDryRun)));
        this.#asked = asked.catch(() => {});
        return asked;
    }

    get #values() {
        const isNew = this.address.id === undefined;
        const given = this.#fields.filter(field => isNew ? (field.value ?? null) !== null : field.isChanged);
        return Object.fromEntries(given.map(field => [field.name, field.value]));
    }

    #params(isDryRun) {
        const { collection, action, id } = this.address;
        const expect = this.#fields.filter(field => field.isComparable).map(field => [field.name, field.original]);
        const params = {
            fields: this.#values, attach: this.#files?.uploads ?? [], detach: this.#files?.taken ?? [],
            expect: id === undefined ? {} : Object.fromEntries(expect),
        };
        for (const key of ["fields", "attach", "detach"]) if (!Object.keys(params[key]).length) delete params[key];
        if (id === undefined || !this.#fields.length) delete params.expect;
        return { collection, action, id, op: this.#op, dry_run: isDryRun, time_zone: zone(), ...params };
    }

    /// Sends the files again that the daemon has lost, and leaves out the problems that say so.
    #mendFiles(problems) {
        const isLost = ({ field, kind }) => field === this.#action.files?.field && kind === "unknown";
        if (!problems.some(isLost) || this.#losses++ >= maxLosses) return problems;
        this.#files.sendAgain();
        return problems.filter(problem => !isLost(problem));
    }

    // MARK: - What is wrong

    /// Puts each problem under its field or the files; returns those of neither.
    #show(problems, { onlyVisited = false } = {}) {
        const rest = new Set(problems);
        const take = name => problems.filter(problem => problem.field === name && rest.delete(problem));
        for (const field of this.#fields) {
            const own = take(field.name);
            if (!onlyVisited || field.isVisited) field.show(field.ownProblem ? [field.ownProblem] : own);
        }
        if (this.#files) {
            const own = take(this.#action.files.field);
            if (!onlyVisited || this.#files.isChanged) this.#files.show(own);
        }
        return [...rest];
    }

    /// Lists all that is wrong, with links to the fields, in focus. Without anything wrong it hides the list.
    #list(others = [], heading = null) {
        const items = [
            ...[...this.#fields, this.#files].filter(Boolean).flatMap(problemLinks),
            ...others.map(problem => h("li", {}, bdi(problemText(problem)))),
        ];
        const { problems } = this.parts;
        problems.hidden = !items.length && !heading;
        if (problems.hidden) return false;
        problems.replaceChildren(h("h2", { id: "problems" },
            heading ?? say("problems", { problems: counted(items.length, nouns.problems) })), h("ul", {}, items));
        problems.focus();
        this.shell.tell(problems.firstChild.textContent, { isUrgent: true });
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
        const hindrance = !["open", "mute"].includes(this.app.link.state) ? "notAnswered" : this.#files?.isSending
            ? "stillSending" : mustDiffer && !this.#isChanged ? "nothingChanged" : null;
        this.#tell(hindrance && say(hindrance));
        if (hindrance) return false;
        this.#check = null;
        this.#isCheckDue = false;
        return true;
    }

    #refused(problem) {
        if (this.#phase === "ended") return undefined;
        if (problem instanceof Lost) {
            const isSent = this.#phase === "submitting" || this.#phase === "unanswered";
            return isSent ? this.#set("unanswered") : this.#tell(problemText(problem));
        }
        this.#set("editing");
        if (problem.kind === "invalid") {
            const errors = problem.data.errors ?? [];
            const others = this.#mendFiles(errors);
            if (others.length || !errors.length) return this.#list(this.#show(others));
            // It goes on by itself once the files are there.
            this.#set("submitting");
            this.#tell(say("filesAgain"));
            this.#isResuming = true;
            return undefined;
        }
        if (problem.kind !== "conflict" || !problem.data.served) return this.#list([problem]);
        for (const [name, value] of Object.entries(problem.data.served)) {
            this.#record = { ...this.#record, [name]: value };
            this.#fields.find(field => field.name === name)?.serve(value,
                shownText(this.description, this.description.field(name), { [name]: value }));
        }
        return this.#list([], say("changedMeanwhile"));
    }

    // MARK: - Preview and submission

    async #preview() {
        if (this.#phase !== "editing" || !this.#isReady()) return;
        let answer;
        try {
            answer = await this.#ask({ isDryRun: true });
        } catch (problem) { return this.#refused(problem); }
        if (this.#phase !== "editing") return undefined;
        this.#show([]);
        this.#list();
        const { shown } = this.parts;
        shown.replaceChildren(h("h2", {}, say("preview")), ...previewOf(answer, this.description, this.#action.name, this.#record));
        shown.hidden = false;
        return this.#hasEntries ? shown.focus() : undefined;
    }

    async #submit() {
        if (this.#phase !== "editing" || !this.#isReady()) return;
        if (this.#action.name === "delete" && !await this.app.ask("deleteQuestion",
            { title: title(this.description, this.#record) }, line(this.#action.title))) return;
        this.#send();
    }

    async #send() {
        this.#set("submitting");
        const { store, shell } = this;
        const { router } = this.app;
        const { collection, id } = this.address;
        try {
            if (this.#isCorrection) {
                const params = { action: "retry", ops: [id], fields: this.#values };
                const { refused = [] } = await store.ask("outbox", params);
                if (refused[0]) throw new Error(say("notDone", { state: word("state", refused[0].state) }));
                this.#phase = "ended";
                await router.go(this.#origin, { replace: true });
                return shell.notify("did.retry");
            }
            const answer = await this.#ask({ isDryRun: false });
            this.#phase = "ended";
            await router.go(this.#action.name === "delete" ? { screen: "list", collection }
                : { screen: "detail", collection, id: answer.id }, { replace: true });
            this.#tellOutcome(answer);
            return store.refreshStatus();
        } catch (problem) { return this.#refused(problem); }
    }

    #tellOutcome({ id, action, state, changed = [], record, repeated }) {
        // The answer to a repetition may have no record any more: what was given has a title too.
        const about = { id, ...this.#record, ...this.#values, ...record };
        const rest = state === "done" ? "" : ` · ${word("state", state)}`;
        const values = {
            title: title(this.description, about),
            fields: changed.map(field => line(this.description.heading(field))).join(", "),
            extra: (repeated ? ` ${say("arrivedBefore")}` : "") + rest,
        };
        const key = knows(`submitted.${action}`) ? `submitted.${action}` : "submitted.other";
        this.shell.notify(key, values, { kind: state === "held" ? "wrong" : "done" });
    }
}
