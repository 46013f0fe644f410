// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

// The values of a record as elements: labels for codes, local times, badges. Ids, codes, numbers and times are not cut.

import { bdi, bdiLines, button, h, quiet } from "./dom.js";
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

/// A value and what it is called: the label of a code, yes or no; or the time that it is. Null where there is none.
function read(description, field, record) {
    if (!record || !has(record, field.name)) return null;
    const value = record[field.name];
    const shown = text(value);
    const words = { enum: () => label(description, field, shown), bool: () => say(value === true ? "yes" : "no") }[field.type]?.();
    const code = field.type === "enum" ? description.codes(field).get(shown) : null;
    return { shown, words, badge: code?.badge, ms: field.type === "instant" ? instant(shown) : null };
}

const plain = (field, content) => h("bdi", { class: isNumber(field.type) ? "number" : field.type, text: content });
const shortened = ([kept, isCut]) => line(kept) + (isCut ? "…" : "");

/// The value of a field in a list; null where the record has none.
export function cell(description, field, record) {
    const value = read(description, field, record);
    if (!value) return null;
    const { shown, words, badge: mark, ms } = value;
    if (mark) return badge(line(mark));
    if (words) return h("span", { class: "code" }, bdi(words));
    if (ms !== null) return h("time", { datetime: shown, title: dateAndClock(ms), text: shortTime(ms) });
    return plain(field, shortened(cut(shown, maxListCharacters)));
}

/// An instant of the protocol, as its time or as other words for it.
export const moment = (at, shown) => h("time", { datetime: at, text: shown ?? dateAndClock(instant(at)) });

/// A badge: a word and a mark, so that it is not told by colour alone.
export const badge = (word, kind = "wrong") => h("span", { class: `badge ${kind}` }, bdi(word));

/// The value of a field in the view of one record, whole, with its line ends, as nodes; null where there is none.
export function whole(description, field, record) {
    const value = read(description, field, record);
    if (!value) return null;
    const { shown, words, badge: mark, ms } = value;
    if (field.type === "enum") {
        const raw = Object.hasOwn(record, `${field.name}.raw`) ? line(record[`${field.name}.raw`]) : null;
        const details = [words === line(shown) ? null : line(shown), raw].filter(part => part !== null).join("; ");
        return [mark ? badge(words) : bdi(words), details ? quiet(" (", bdi(details), ")") : null];
    }
    if (ms !== null) return h("time", { datetime: shown, text: longTime(ms) });
    return words ?? plain(field, lines(shown));
}

/// The value of a field as a text of one line: in previews, histories, copies. Long ones are cut.
export function shownText(description, field, record, most = maxListCharacters) {
    const { shown, words, ms } = read(description, field, record) ?? { words: say("noValue") };
    return words ?? (ms === null ? shortened(cut(shown, most)) : dateAndClock(ms));
}

/// A text, of which more is shown by a button where it is long.
export function longText(content) {
    let [part, isCut] = cut(content, maxListCharacters);
    if (!isCut) return [bdiLines(part)];
    const shown = bdiLines(part);
    const left = () => say("showMore", { number: number(content.length - part.length) });
    const more = button(left(), () => {
        [part, isCut] = cut(content, part.length + unfoldedCharacters);
        shown.textContent = lines(part);
        more.textContent = left();
        more.hidden = !isCut;
    });
    return [shown, " ", more];
}

/// The title of a record: its text in bold, or its id.
export function title(description, record) {
    const field = description.fields.find(field => field.bold && has(record, field.name));
    return line(cut(text(field ? record[field.name] : record.id), maxListCharacters)[0]);
}
