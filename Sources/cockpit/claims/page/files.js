// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

// Files: what a form refuses and how it sends the others in parts; those of a record are shown if they are pictures, and
// can be saved.

import { bdi, button, focusButton, h, note, quiet } from "./dom.js";
import { Lost } from "./link.js";
import { problemLine } from "./screen.js";
import { line, size, sizeOf, withHint } from "./text.js";
import { has } from "./values.js";
import { say } from "./words.js";

/// The bytes of a part before Base64: a line of the socket has at most 1 MiB.
const partBytes = 512 << 10;
const headBytes = 16, maxNameBytes = 255;
const signatures = [
    ["image/png", 0, "\x89PNG\r\n\x1a\n"], ["image/jpeg", 0, "\xff\xd8\xff"], ["application/pdf", 0, "%PDF-"],
    ...["II*\0", "II+\0", "MM\0*", "MM\0+"].map(mark => ["image/tiff", 0, mark]),
    ...["heic", "heix", "heim", "heis", "mif1"].map(brand => ["image/heic", 4, `ftyp${brand}`]),
];

/// The type that the first bytes of a file tell, as the daemon finds it; undefined for any other.
export function typeOf(head) {
    const text = String.fromCharCode(...head);
    return signatures.find(([, at, mark]) => text.startsWith(mark, at))?.[0];
}

/// The rules in words: `jpeg, png, pdf, at most 20.0 MiB`.
const rulesText = rules =>
    `${rules.types.map(type => line(type.split("/").pop())).join(", ")}, ${say("atMost", { bound: size(rules.size) })}`;

function base64(blob) {
    return new Promise((resolve, reject) => {
        const reader = new FileReader();
        reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(",") + 1));
        reader.onerror = () => reject(reader.error);
        reader.readAsDataURL(blob);
    });
}

/// The files of a form: { name, size, sha256?, file?, sent, upload?, problem?, isTaken? }. Those without `file` are the
/// record's; `sha256` of a new one comes with its last part.
export class Files {
    id = "files";
    title = say("files");
    #app;
    #collection;
    #options;
    #entries = [];
    #sending = null;
    #problems = [];

    /// Options: rules, canTake (whether files of the record can be taken away), changed().
    constructor(app, collection, options) {
        this.#app = app;
        this.#collection = collection;
        this.#options = options;
        const { rules } = options;
        const take = files => this.add([...files]);
        this.input = h("input", {
            type: "file", id: this.id, class: "unseen", multiple: rules.max > 1, accept: rules.types.join(","),
            "aria-describedby": "files-note files-problems", onchange: () => {
                take(this.input.files);
                this.input.value = "";
            },
        });
        this.list = h("ul", { class: "items" });
        this.below = h("div", { id: "files-problems" });
        const isOver = event => this.element.classList.toggle("over",
            event.type === "dragover" && event.dataTransfer.types.includes("Files"));
        this.element = h("fieldset", {
            class: "entry drop", ondragleave: isOver,
            ondragover: event => { if (isOver(event)) event.preventDefault(); },
            ondrop: event => {
                event.preventDefault();
                isOver(event);
                take(event.dataTransfer.files);
            },
        }, h("legend", {}, say("files"), rules.min > 0 ? quiet(` (${say("required")})`) : null),
        this.list, this.input, h("label", { class: "button", for: this.id }, say("chooseFiles")),
        h("p", { class: "note", id: "files-note" }, `${rulesText(rules)}. ${say("dropHere")}`), this.below);
    }

    /// Shows the files that the record has.
    keep(files) {
        this.#entries = files.map(file => ({ ...file }));
        this.#draw();
    }

    get isChanged() { return this.#entries.some(entry => entry.file || entry.isTaken); }
    get isSending() { return this.#entries.some(isUnderWay); }
    get uploads() { return this.#entries.filter(entry => entry.file && entry.sha256).map(entry => entry.upload); }

    /// The files to be taken away, as `submit` names them.
    get taken() {
        const kept = this.#entries.filter(entry => !entry.file);
        const isOnly = entry => kept.filter(other => other.sha256 === entry.sha256).length === 1;
        return kept.filter(entry => entry.isTaken).map(entry => isOnly(entry) ? entry.sha256 : keyOf(entry));
    }

    get problems() {
        const own = this.#entries.filter(entry => entry.problem);
        return [...this.#problems, ...own.map(entry => ({ message: `${line(entry.name)}: ${entry.problem}` }))];
    }

    /// Shows what the daemon says of the files.
    show(problems) {
        this.#problems = problems;
        this.below.replaceChildren(...problems.map(problemLine));
    }

    /// Takes files that were chosen or dropped. What the rules refuse is told, and not sent.
    async add(files) {
        this.show([]);
        for (const file of files) {
            const entry = { name: file.name, size: file.size, file, sent: 0 };
            entry.problem = this.#refusal(file) ?? await this.#typeRefusal(file);
            this.#entries.push(entry);
        }
        this.#changed();
        this.send();
    }

    #refusal(file) {
        const { rules } = this.#options;
        const counted = this.#entries.filter(entry => !entry.isTaken && !entry.problem);
        if (counted.some(entry => entry.name === file.name && entry.size === file.size)) return say("fileTwice");
        if (counted.length >= rules.max) return say("tooManyFiles", { max: rules.max });
        if (file.size > rules.size) return say("fileTooLarge", { size: size(file.size), max: size(rules.size) });
        const isBad = new TextEncoder().encode(file.name).length > maxNameBytes || /[/\p{Cc}]/u.test(file.name);
        return isBad ? say("badFileName") : undefined;
    }

    async #typeRefusal(file) {
        try {
            const type = typeOf(new Uint8Array(await file.slice(0, headBytes).arrayBuffer()));
            return this.#options.rules.types.includes(type) ? undefined
                : say("wrongFileType", { rules: rulesText(this.#options.rules) });
        } catch { return say("fileUnreadable"); }
    }

    /// Sends what is not sent yet, one file after the other, each part after the answer to the one before.
    async send() {
        for (let entry; !this.#sending && (entry = this.#entries.find(isUnderWay));) {
            const stop = new AbortController();
            this.#sending = { entry, stop };
            try {
                while (!entry.sha256) await this.#sendPart(entry, stop.signal);
            } catch (problem) {
                // Uploads of a connection end with it: the next one begins anew.
                Object.assign(entry, { sent: 0, upload: undefined });
                if (problem instanceof Lost) return;
                const problems = problem.data?.errors ?? [problem];
                if (!stop.signal.aborted) entry.problem = problems.map(withHint).join(" · ");
            } finally {
                this.#sending = null;
                this.#changed();
            }
        }
    }

    async #sendPart(entry, signal) {
        const data = await base64(entry.file.slice(entry.sent, entry.sent + partBytes))
            .catch(() => { throw new Error(say("fileUnreadable")); });
        signal.throwIfAborted();
        const part = entry.upload ? { upload: entry.upload, offset: entry.sent }
            : { collection: this.#collection, name: entry.name, size: entry.size };
        const answer = await this.#app.store.ask("attach", { ...part, data });
        signal.throwIfAborted();
        Object.assign(entry, { upload: answer.upload, sent: answer.received, sha256: answer.sha256 });
        const row = this.list.children[this.#entries.indexOf(entry)];
        const bar = row?.querySelector("progress");
        if (!bar) return;
        bar.value = entry.sent;
        bar.nextSibling.textContent = sizeOf(entry.sent, entry.size);
    }

    /// Sends all new files again: the daemon has forgotten what it had.
    sendAgain() {
        const fresh = { sent: 0, upload: undefined, sha256: undefined };
        for (const entry of this.#entries) if (entry.file) Object.assign(entry, fresh);
        this.#changed();
        this.send();
    }

    stop() {
        this.#sending?.stop.abort();
        this.#entries = [];
    }

    #remove(entry) {
        const index = this.#entries.indexOf(entry);
        if (!entry.file) entry.isTaken = !entry.isTaken;
        else {
            if (this.#sending?.entry === entry) this.#sending.stop.abort();
            this.#entries.splice(index, 1);
        }
        this.#changed();
        focusButton(this.list, index, this.input);
    }

    #changed() {
        this.#draw();
        this.#options.changed();
    }

    #draw() {
        this.list.replaceChildren(...this.#entries.map(entry => {
            const name = line(entry.name);
            const verb = entry.isTaken ? "keep" : isUnderWay(entry) ? "cancel" : "remove";
            return h("li", { class: entry.isTaken ? "taken" : null }, h("span", { class: "name" }, bdi(name)), stateOf(entry, name),
                entry.file || this.#options.canTake ? button(say(verb), () => this.#remove(entry),
                    { "aria-label": say(`named.${verb}`, { name }) }) : null);
        }));
    }
}

function stateOf(entry, name) {
    if (entry.problem) return h("span", { class: "problem" }, bdi(entry.problem));
    if (entry.isTaken) return quiet(say("fileTaken"));
    if (!isUnderWay(entry)) return quiet(size(entry.size), entry.file ? ` · ${say("fileSent")}` : "");
    return [h("progress", { max: Math.max(1, entry.size), value: entry.sent, "aria-label": name }),
        quiet(sizeOf(entry.sent, entry.size))];
}

const isUnderWay = entry => entry.file && !entry.sha256 && !entry.problem;

/// Pictures up to this size are shown without being asked for.
const shownBytes = 4 << 20;
const maxSavedNameBytes = 96;
const pictures = ["image/jpeg", "image/png"];
const endings = {
    "image/png": [".png"], "image/jpeg": [".jpg", ".jpeg"], "application/pdf": [".pdf"],
        "image/tiff": [".tiff", ".tif"], "image/heic": [".heic", ".heif"],
};

/// The files of a record that the daemon keeps, those under way at the end: { name, type, size, sha256 }.
export function filesOf(record, description) {
    const field = description.fileField;
    const listed = field && has(record, field) && Array.isArray(record[field]) ? record[field] : [];
    const files = [...listed, ...record.pending?.attachments ?? []].filter(file => /^[0-9a-f]{64}$/i.test(file?.sha256))
        .map(({ name, type, size: bytes, sha256 }) => ({
            name: String(name ?? sha256), type: String(type ?? ""), sha256,
            size: Number.isSafeInteger(bytes) ? Math.max(0, bytes) : 0,
        }));
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
    while (new TextEncoder().encode(letters.join("") + ending).length > maxSavedNameBytes) letters.pop();
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
        const attempt = act => act().catch(problem => {
            if (!this.#off.signal.aborted) this.#app.acts.fail(problem);
        }).finally(() => { bar.hidden = true; });
        const show = () => attempt(async () => frame.replaceChildren(h("img", { alt: name, src: await this.#address(file, bar),
            onerror: () => frame.replaceChildren(note(say("noPicture"))) })));
        const save = () => attempt(async () => {
            const saved = safeName(file.name, file.type);
            h("a", { href: await this.#address(file, bar), download: saved }).click();
            this.#app.shell.notify("savedAs", { name: saved });
        });
        const isPicture = pictures.includes(file.type);
        const isLarge = file.size > shownBytes;
        if (isPicture && !isLarge) show();
        return h("li", { "data-file": keyOf(file) }, isPicture ? frame : null, h("div", { class: "row" },
            h("span", { class: "name" }, bdi(name)), quiet([line(file.type), size(file.size)].filter(Boolean).join(", ")),
            isPicture && isLarge ? button(say("show"), show, { "aria-label": say("showNamed", { name }) }) : null,
            button(say("save"), save, { "aria-label": say("saveNamed", { name }) }), bar));
    }

    /// The address of a file's bytes within this page.
    async #address(file, bar) {
        const known = this.#addresses.get(file.sha256);
        if (known) return known;
        const parts = [];
        const { collection, id } = this.#about;
        bar.hidden = false;
        for (let offset = 0, answer; !answer?.eof;) {
            answer = await this.#app.store.ask("fetch_attachment",
                { collection, id, sha256: file.sha256, offset, length: partBytes }, this.#off);
            const bytes = Uint8Array.from(atob(answer.data), letter => letter.charCodeAt(0));
            if (!bytes.length) break;
            parts.push(bytes);
            bar.value = offset += bytes.length;
        }
        // Nothing but a picture keeps its type: no file is ever a page of its own.
        const type = pictures.includes(file.type) ? file.type : "application/octet-stream";
        const address = URL.createObjectURL(new Blob(parts, { type }));
        this.#addresses.set(file.sha256, address);
        return address;
    }
}
