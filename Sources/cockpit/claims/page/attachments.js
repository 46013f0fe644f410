// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

// The files of a record: pictures are shown, all can be saved.

import { bdi, h } from "./dom.js";
import { line, size } from "./text.js";
import { has } from "./values.js";
import { say } from "./words.js";

const partBytes = 512 << 10;
/// Pictures up to this size are shown without being asked for.
const shownBytes = 4 << 20;
const maxNameBytes = 96;
const pictures = ["image/jpeg", "image/png"];
const endings = {
    "image/png": [".png"], "image/jpeg": [".jpg", ".jpeg"], "application/pdf": [".pdf"], "image/tiff": [".tiff", ".tif"], "image/heic": [".heic", ".heif"],
};

/// The files of a record that the daemon keeps, those under way at the end: { name, type, size, sha256 }.
export function filesOf(record, description) {
    const field = description.fileField;
    const listed = field && has(record, field) && Array.isArray(record[field]) ? record[field] : [];
    const files = [...listed, ...record.pending?.attachments ?? []].filter(file => /^[0-9a-f]{64}$/i.test(file?.sha256))
        .map(({ name, type, size: bytes, sha256 }) => ({ name: String(name ?? sha256), type: String(type ?? ""), size: Number.isSafeInteger(bytes) ? Math.max(0, bytes) : 0, sha256 }));
    return [...new Map(files.map(file => [keyOf(file), file])).values()];
}

const keyOf = file => `${file.sha256}/${file.name}`;

/// A name that is safe as that of a file: without slashes and characters that cannot be seen, and not hidden.
export function safeName(name, type) {
    const clean = line(name.replace(/[/\\]/g, "_")).replace(/[\\/:*?"<>|]/g, "_").trim().replace(/^[.-]/, "_") || "_";
    const usual = endings[type] ?? [];
    const isUsual = !usual.length || usual.some(ending => clean.toLowerCase().endsWith(ending));
    const dot = clean.lastIndexOf(".");
    const ending = !isUsual ? usual[0] : dot > 0 && clean.length - dot <= 8 ? clean.slice(dot) : "";
    const letters = [...isUsual && ending ? clean.slice(0, dot) : clean];
    while (new TextEncoder().encode(letters.join("") + ending).length > maxNameBytes) letters.pop();
    return letters.join("") + ending;
}

/// The files of one record as a list, with the bytes that were fetched.
export class Attachments {
    element = h("ul", { class: "attachments" });
    #app;
    #about;
    #addresses = new Map();
    #off = new AbortController();

    /// `about`: collection and id of the record.
    constructor(app, about) {
        this.#app = app;
        this.#about = about;
    }

    /// Shows files; those that are shown already stay as they are.
    show(files) {
        const rows = new Map([...this.element.children].map(row => [row.dataset.file, row]));
        this.element.replaceChildren(...files.map(file => rows.get(keyOf(file)) ?? this.#row(file)));
    }

    /// Gives up what was fetched: it stays in memory as long as it has an address.
    stop() {
        this.#off.abort();
        for (const address of this.#addresses.values()) URL.revokeObjectURL(address);
    }

    #row(file) {
        const name = line(file.name);
        const bar = h("progress", { max: Math.max(1, file.size), value: 0, hidden: true, "aria-label": name });
        const frame = h("div", { class: "picture" });
        const attempt = act => act().catch(problem => { if (!this.#off.signal.aborted) this.#app.acts.fail(problem); }).finally(() => { bar.hidden = true; });
        const show = () => attempt(async () => {
            const picture = h("img", { alt: name, src: await this.#address(file, bar), onerror: () => frame.replaceChildren(h("p", { class: "note", text: say("noPicture") })) });
            frame.replaceChildren(picture);
        });
        const save = () => attempt(async () => {
            const saved = safeName(file.name, file.type);
            h("a", { href: await this.#address(file, bar), download: saved }).click();
            this.#app.shell.notify("savedAs", { name: saved });
        });
        const isPicture = pictures.includes(file.type);
        const isLarge = file.size > shownBytes;
        if (isPicture && !isLarge) show();
        return h("li", { "data-file": keyOf(file) }, isPicture ? frame : null, h("div", { class: "row" },
            h("span", { class: "name" }, bdi(name)), h("span", { class: "quiet" }, [line(file.type), size(file.size)].filter(Boolean).join(", ")),
            isPicture && isLarge ? h("button", { type: "button", onclick: show, "aria-label": say("showNamed", { name }) }, say("show")) : null,
            h("button", { type: "button", onclick: save, "aria-label": say("saveNamed", { name }) }, say("save")), bar));
    }

    /// The address of a file's bytes within this page.
    async #address(file, bar) {
        const known = this.#addresses.get(file.sha256);
        if (known) return known;
        const parts = [];
        bar.hidden = false;
        for (let offset = 0, answer; !answer?.eof;) {
            answer = await this.#app.store.ask("fetch_attachment", { ...this.#about, sha256: file.sha256, offset, length: partBytes }, { signal: this.#off.signal });
            const bytes = Uint8Array.from(atob(answer.data), letter => letter.charCodeAt(0));
            if (!bytes.length) break;
            parts.push(bytes);
            bar.value = offset += bytes.length;
        }
        // Nothing but a picture keeps its type: no file is ever a page of its own.
        const address = URL.createObjectURL(new Blob(parts, { type: pictures.includes(file.type) ? file.type : "application/octet-stream" }));
        this.#addresses.set(file.sha256, address);
        return address;
    }
}
