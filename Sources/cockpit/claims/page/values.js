// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

// The values of a record as elements: labels for codes, local times, badges. Ids, codes, numbers and times are not cut.

import { bdi, h } from "./dom.js";
import { cut, dateAndClock, instant, line, lines, longTime, number, shortTime } from "./text.js";
import { say } from "./words.js";

const maxListCharacters = 4096, unfoldedCharacters = 64 << 10;
const isNumber = type => type === "integer" || type === "decimal";

/// Whether a record has a value for a field. Records come from JSON: a field may be called like a member of objects.
export const has = (record, name) => Object.hasOwn(record, name) && record[name] !== null;

/// The value as text, as the daemon wrote it: JSON for lists and objects.
export const text = value => typeof value === "string" ? value : JSON.stringify(value);

/// The label of a code.
export function label(description, field, code) {
    return line(description.codes(field).get(code)?.label ?? code);
}

/// The value of a field in a list; null where the record has none.
export function cell(description, field, record) {
    if (!has(record, field.name)) return null;
    const value = record[field.name];
    const shown = text(value);
    if (field.type === "enum") {
        const code = description.codes(field).get(shown);
        return code?.badge ? badge(line(code.badge)) : h("span", { class: "code" }, bdi(line(code?.label ?? shown)));
    }
    if (field.type === "instant") {
        const ms = instant(shown);
        return ms === null ? bdi(line(shown)) : h("time", { datetime: shown, title: dateAndClock(ms), text: shortTime(ms) });
    }
    if (field.type === "bool") return h("span", { text: say(value === true ? "yes" : "no") });
    const [kept, isCut] = cut(shown, maxListCharacters);
    return h("bdi", { class: isNumber(field.type) ? "number" : field.type, text: line(kept) + (isCut ? "…" : "") });
}

/// A badge: a word and a mark, so that it is not told by colour alone.
export const badge = (word, kind = "wrong") => h("span", { class: `badge ${kind}` }, bdi(word));

/// The value of a field in the view of one record, whole, with its line ends, as nodes; null where there is none.
export function whole(description, field, record) {
    if (!has(record, field.name)) return null;
    const shown = text(record[field.name]);
    if (field.type === "enum") {
        const name = label(description, field, shown);
        const raw = Object.hasOwn(record, `${field.name}.raw`) ? line(record[`${field.name}.raw`]) : null;
        const details = [name === line(shown) ? null : line(shown), raw].filter(part => part !== null).join("; ");
        const isBadge = Boolean(description.codes(field).get(shown)?.badge);
        return [isBadge ? badge(name) : bdi(name), details ? h("span", { class: "quiet" }, " (", bdi(details), ")") : null];
    }
    if (field.type === "instant") {
        const ms = instant(shown);
        return ms === null ? bdi(line(shown)) : h("time", { datetime: shown, text: longTime(ms) });
    }
    if (field.type === "bool") return say(record[field.name] === true ? "yes" : "no");
    return h("bdi", { class: isNumber(field.type) ? "number" : field.type, text: lines(shown) });
}

/// The value of a field as a text of one line: in previews, histories, copies. Long ones are cut.
export function shownText(description, field, record, most = maxListCharacters) {
    if (!record || !has(record, field.name)) return say("noValue");
    const shown = text(record[field.name]);
    if (field.type === "enum") return label(description, field, shown);
    if (field.type === "bool") return say(record[field.name] === true ? "yes" : "no");
    const ms = field.type === "instant" ? instant(shown) : null;
    const [kept, isCut] = cut(shown, most);
    return ms === null ? line(kept) + (isCut ? "…" : "") : dateAndClock(ms);
}

/// A text, of which more is shown by a button where it is long.
export function longText(content) {
    let [part, isCut] = cut(content, maxListCharacters);
    if (!isCut) return [bdi(lines(part))];
    const shown = bdi(lines(part));
    const more = h("button", { type: "button", onclick: () => {
        [part, isCut] = cut(content, part.length + unfoldedCharacters);
        shown.textContent = lines(part);
        more.textContent = left();
        more.hidden = !isCut;
    } });
    const left = () => say("showMore", { number: number(content.length - part.length) });
    more.textContent = left();
    return [shown, " ", more];
}

/// The title of a record: its text in bold, or its id.
export function title(description, record) {
    const field = description.fields.find(field => field.bold && has(record, field.name));
    return line(cut(text(field ? record[field.name] : record.id), maxListCharacters)[0]);
}
