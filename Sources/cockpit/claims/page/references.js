// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

// A field that holds ids of another collection: its records are found by searching.

import { bdi, button, focusButton, h, quiet } from "./dom.js";
import { problemText } from "./screen.js";
import { line, quoted } from "./text.js";
import { title } from "./values.js";
import { say } from "./words.js";

const maxFound = 8;
const typingPause = 150;

/// The chosen records of a field, and the search for others. Options: id, title, isSingle, described (attributes of the
/// input), changed().
export class References {
    #app;
    #collection;
    #options;
    #ids = [];
    #titles = new Map();
    #found = [];
    #active = -1;
    #timer;
    #asked = null;

    constructor(app, collection, options) {
        this.#app = app;
        this.#collection = collection;
        this.#options = options;
        const { id, described } = options;
        const name = line(app.store.entry(collection)?.title ?? collection);
        this.input = h("input", {
            id, type: "text", role: "combobox", autocomplete: "off", spellcheck: "false", ...described, "aria-required": null,
            "aria-expanded": "false", "aria-autocomplete": "list", "aria-controls": `${id}-found`,
            "aria-label": say("searchIn", { title: options.title, name }), placeholder: say("findIn", { name }),
            oninput: () => {
                clearTimeout(this.#timer);
                this.#timer = setTimeout(() => this.#search(), typingPause);
            },
            onkeydown: event => this.#key(event), onblur: () => this.#close(),
        });
        this.chosen = h("ul", { class: "items" });
        this.list = h("ul", { class: "options", role: "listbox", id: `${id}-found`, "aria-label": name, hidden: true });
        this.note = h("p", { class: "note", role: "status" });
        this.element = h("div", {}, this.chosen, h("div", { class: "combo" }, this.input, this.list), this.note);
    }

    fill(value) {
        const ids = this.#options.isSingle ? [value] : Array.isArray(value) ? value : [];
        this.#ids = ids.filter(id => id !== null && id !== "").map(String);
        this.#draw();
        for (const id of this.#ids) this.#learn(id);
    }

    get value() {
        if (this.#options.isSingle) return this.#ids[0] ?? null;
        return this.#ids.length ? [...this.#ids] : null;
    }

    /// The title of a record that was chosen before; without it its id is shown.
    async #learn(id) {
        try {
            const description = await this.#app.store.describe(this.#collection);
            const { record } = await this.#app.store.ask("detail", { collection: this.#collection, id });
            this.#titles.set(id, title(description, record));
            this.#draw();
        } catch { /* the check of the form tells of ids that are not there */ }
    }

    async #search() {
        this.#asked?.abort();
        const text = this.input.value.trim();
        if (!text) return this.#close();
        const asked = this.#asked = new AbortController();
        try {
            const description = await this.#app.store.describe(this.#collection);
            const fields = ["id", ...description.fields.filter(field => field.bold).map(field => field.name)];
            const find = filter => this.#app.store.ask("search",
                { collection: this.#collection, filter, fields, limit: maxFound }, { signal: asked.signal });
            const filters = [`id=${quoted(text)}`, text.split(/\s+/).map(quoted).join(" ")];
            const answers = await Promise.all(filters.map(find));
            if (this.#asked !== asked) return undefined;
            const records = new Map(answers.flatMap(answer => answer.records).map(record => [record.id, record]));
            for (const id of this.#ids) records.delete(id);
            for (const record of records.values()) this.#titles.set(record.id, title(description, record));
            this.#found = [...records.keys()].slice(0, maxFound);
            return this.#show();
        } catch (problem) {
            if (this.#asked === asked) this.note.textContent = problemText(problem);
            return undefined;
        }
    }

    #show() {
        this.#active = this.#found.length ? 0 : -1;
        this.list.replaceChildren(...this.#found.map((id, index) => h("li", {
            role: "option", id: `${this.#options.id}-${index}`,
            onmousedown: event => {
                event.preventDefault();
                this.#choose(id);
            },
        }, this.#name(id))));
        this.list.hidden = !this.#found.length;
        this.note.textContent = this.#found.length ? "" : say("nothingFound");
        this.#mark();
    }

    #name(id) {
        const name = this.#titles.get(id) ?? line(id);
        return [bdi(name), name === line(id) ? null : quiet(" ", bdi(id))];
    }

    #mark() {
        const active = this.list.children[this.#active];
        for (const item of this.list.children) item.ariaSelected = String(item === active);
        this.input.ariaExpanded = String(!this.list.hidden);
        this.input.setAttribute("aria-activedescendant", active?.id ?? "");
        active?.scrollIntoView({ block: "nearest" });
    }

    #close() {
        clearTimeout(this.#timer);
        this.#asked?.abort();
        this.#asked = null;
        this.#found = [];
        this.#active = -1;
        this.list.hidden = true;
        this.note.textContent = "";
        this.#mark();
    }

    #key(event) {
        const count = this.#found.length;
        if (event.key === "Enter") {
            // Enter would submit the form.
            event.preventDefault();
            if (this.#active >= 0) this.#choose(this.#found[this.#active]);
        } else if (event.key === "Escape" && count) {
            event.preventDefault();
            this.#close();
        } else if (count && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
            event.preventDefault();
            this.#active = (this.#active + (event.key === "ArrowDown" ? 1 : count - 1)) % count;
            this.#mark();
        }
    }

    #choose(id) {
        this.#ids = this.#options.isSingle ? [id] : [...this.#ids, id];
        this.input.value = "";
        this.#close();
        this.#draw();
        this.#options.changed();
    }

    #draw() {
        const remove = index => {
            this.#ids.splice(index, 1);
            this.#draw();
            this.#options.changed();
            focusButton(this.chosen, index, this.input);
        };
        this.chosen.replaceChildren(...this.#ids.map((id, index) => h("li", {}, h("span", {}, this.#name(id)),
            button(say("remove"), () => remove(index),
                { "aria-label": say("named.remove", { name: this.#titles.get(id) ?? line(id) }) }))));
    }
}
