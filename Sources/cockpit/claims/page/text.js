// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

// Text from records, made safe to show, and numbers, sizes and times in the person's language.

let polish = false;

/// Chooses the language of all texts: `pl`, or else English.
export function setLanguage(language) { polish = language === "pl"; }
export const language = () => polish ? "pl" : "en";
export const pick = (english, other) => polish ? other : english;

// Escaped are control characters, those that change the direction of text, and those that cannot be seen: the same as
// claimsctl escapes.
const unsafe = new RegExp("[\\0-\\x1f\\x7f-\\x9f\\xad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180e\\u200b\\u200e\\u200f"
    + "\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff0-\\ufffb\\ud800-\\udfff\\u{1bca0}-\\u{1bca3}"
    + "\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e00ff}\\u{e01f0}-\\u{e0fff}]", "u");
const unsafeOrFlag = new RegExp("\\u{1f3f4}[\\u{e0020}-\\u{e007e}]{1,6}\\u{e007f}|" + unsafe.source, "gu");
const crowded = /\p{M}{8}/u;
const maxClusterScalars = 8;

function name(scalar) {
    const code = scalar.codePointAt(0);
    const digits = code.toString(16);
    if (code > 0xFFFF) return `\\u{${digits}}`;
    return code < 0x100 ? `\\x${digits.padStart(2, "0")}` : `\\u${digits.padStart(4, "0")}`;
}

function escape(text, kept) {
    if (crowded.test(text)) {
        const parts = new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text);
        text = Array.from(parts, part => [...part.segment].slice(0, maxClusterScalars).join("")).join("");
    }
    if (!unsafe.test(text)) return text;
    return text.replace(unsafeOrFlag, found => found === kept || found.length > 2 ? found : name(found));
}

/// The text on one line: line ends and tabs become blanks, unsafe characters are escaped.
export function line(text) { return escape(String(text).replace(/\r\n|[\r\n\t]/g, " "), ""); }

/// The text with its line feeds.
export function lines(text) { return escape(String(text).replace(/\r\n?/g, "\n").replace(/\t/g, " "), "\n"); }

/// The start of a text that is longer than so many characters, and whether it was cut.
export function cut(text, most) {
    if (text.length <= most) return [text, false];
    const end = text.charCodeAt(most - 1) >> 10 === 0x36 ? most - 1 : most;   // not between surrogates
    return [text.slice(0, end), true];
}

// MARK: - Numbers

/// An integer, or the text of one, in groups of three digits.
export function number(value) {
    const text = String(value);
    return /^-?\d+$/.test(text) ? text.replace(/\B(?=(\d{3})+$)/g, pick(",", "\u00a0")) : text;
}

/// The form of a noun that follows a number. Forms: English after 1, else; Polish after 1, 2 to 4, 5, and of a part.
export function noun(count, forms, afterPreposition = false) {
    const [one, other, polishOne, two, five, part] = forms;
    if (!polish) return count === 1 ? one : other;
    if (afterPreposition) return count === 1 ? part : five;
    if (count === 1) return polishOne;
    const ones = count % 10;
    return ones >= 2 && ones <= 4 && Math.floor(count / 10) % 10 !== 1 ? two : five;
}

export const counted = (count, forms) => `${number(count)} ${noun(count, forms)}`;

export const nouns = {
    records: ["record", "records", "rekord", "rekordy", "rekordów", "rekordu"],
    newer: ["newer", "newer", "nowy", "nowe", "nowych", "nowego"],
    days: ["day", "days", "dzień", "dni", "dni", "dnia"],
    years: ["year", "years", "rok", "lata", "lat", "roku"],
    collections: ["collection", "collections", "kolekcja", "kolekcje", "kolekcji", "kolekcji"],
    operations: ["operation", "operations", "operacja", "operacje", "operacji", "operacji"],
    files: ["file", "files", "plik", "pliki", "plików", "pliku"],
    clients: ["client", "clients", "klient", "klienci", "klientów", "klienta"],
    characters: ["character", "characters", "znak", "znaki", "znaków", "znaku"],
    decimals: ["decimal", "decimals", "miejsce po przecinku", "miejsca po przecinku", "miejsc po przecinku", "miejsca po przecinku"],
    problems: ["problem", "problems", "problem", "problemy", "problemów", "problemu"],
    mistakes: ["mistake", "mistakes", "błąd", "błędy", "błędów", "błędu"],
    need: ["needs", "need", "wymaga", "wymagają", "wymaga", ""],
};

const units = ["B", "KiB", "MiB", "GiB", "TiB"];
function unitOf(bytes) {
    let power = 0;
    for (let size = Math.max(0, bytes); size >= 1024 && power < units.length - 1; size = Math.floor(size / 1024)) power++;
    return power;
}
function scaled(bytes, power) {
    const size = Math.max(0, bytes) / 1024 ** power;
    if (power === 0 || size >= 100) return String(Math.round(size));
    return (Math.round(size * 10) / 10).toFixed(1).replace(".", pick(".", ","));
}

/// A size in bytes: `1.4 MiB`.
export const size = bytes => `${scaled(bytes, unitOf(bytes))} ${units[unitOf(bytes)]}`;

/// A part of a size, in the unit of the whole: `1.2 of 3.0 MiB`.
export function sizeOf(part, whole) {
    const power = unitOf(Math.max(part, whole));
    return `${scaled(part, power)} ${pick("of", "z")} ${scaled(whole, power)} ${units[power]}`;
}

// MARK: - Times

const second = 1000, minute = 60 * second, hour = 60 * minute, day = 24 * hour, year = 365 * day;

/// A span in its largest unit, rounded down: `40 s`, `12 min`, `3 h`, `2 days`.
export function span(ms, afterPreposition = false) {
    ms = Math.abs(ms);
    if (ms < minute) return `${Math.max(1, Math.floor(ms / second))} s`;
    if (ms < hour) return `${Math.floor(ms / minute)} min`;
    if (ms < day) return `${Math.floor(ms / hour)} ${pick("h", "godz.")}`;
    const [unit, forms] = ms < year ? [day, nouns.days] : [year, nouns.years];
    const count = Math.floor(ms / unit);
    return `${number(count)} ${noun(count, forms, afterPreposition)}`;
}

/// A span in seconds with tenths, or in milliseconds: `1.7 s`, `350 ms`.
export const shortSpan = ms => ms < second ? `${Math.max(0, ms)} ms` : `${number(Math.floor(ms / second))}${pick(".", ",")}${Math.floor(ms % second / 100)} s`;

/// The distance of an instant from now, by the minute: `12 min ago`, `in 2 days`, `now`.
export function relative(ms, now = Date.now()) {
    const distance = ms - now;
    if (Math.abs(distance) < minute) return pick("now", "teraz");
    if (distance < 0) return pick(`${span(distance)} ago`, `${span(distance)} temu`);
    const unit = distance < hour ? minute : distance < day ? hour : day;
    const rounded = span(Math.floor((distance + unit / 2) / unit) * unit);
    return pick(`in ${rounded}`, `za ${rounded}`);
}

/// How old data is, by the minute.
export const age = ms => ms < minute ? "<1 min" : span(ms);

const two = value => String(value).padStart(2, "0");
const timeOfDay = time => `${two(time.getHours())}:${two(time.getMinutes())}`;

/// The day in the browser's zone, `2026-11-20`.
export function date(ms) {
    const time = new Date(ms);
    const years = time.getFullYear();
    return `${years < 0 ? "-" : ""}${String(Math.abs(years)).padStart(4, "0")}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}

/// The time of day, `08:01`, with the day before it on any other day.
export function clock(ms, now = Date.now()) {
    const text = timeOfDay(new Date(ms));
    return date(ms) === date(now) ? text : `${date(ms)} ${text}`;
}

/// The time of day with seconds.
export const exactClock = ms => `${timeOfDay(new Date(ms))}:${two(new Date(ms).getSeconds())}`;
export const dateAndClock = ms => `${date(ms)} ${exactClock(ms)}`;

/// An instant in a list: its distance within a week, else the day.
export const shortTime = (ms, now = Date.now()) => Math.abs(ms - now) < 7 * day ? relative(ms, now) : date(ms);

/// An instant whole: `2026-11-20 08:01:02 CET, 3 h ago`.
export function longTime(ms, now = Date.now()) {
    const parts = new Intl.DateTimeFormat("en", { timeZoneName: "short" }).formatToParts(new Date(ms));
    const zone = parts.find(part => part.type === "timeZoneName")?.value ?? "";
    return `${dateAndClock(ms)} ${zone}, ${relative(ms, now)}`;
}

/// The milliseconds of an instant of the protocol; null for anything else.
export function instant(text) {
    const ms = typeof text === "string" && /^-?\d{4,}-\d\d-\d\dT/.test(text) ? Date.parse(text) : NaN;
    return Number.isNaN(ms) ? null : ms;
}

let zoneName = null;
/// The name of the browser's time zone. To ask for it takes a millisecond, which each letter of a search would wait.
export const zone = () => zoneName ??= Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";

/// The time of day of an instant of the protocol; empty without one.
export function clockAt(text) {
    const ms = instant(text);
    return ms === null ? "" : clock(ms);
}

// MARK: - Sentences

/// Parts of a line of facts; those that are not there are left out.
export const dotted = (...parts) => parts.filter(Boolean).join(" · ");

/// A text as a phrase of a filter.
export const quoted = text => `"${text.replace(/["\\]/g, "\\$&")}"`;

/// A message of the daemon as a clause: no full stop, a small letter at its start.
export function clause(message) {
    const text = line(message).replace(/\.+$/, "");
    return /^\p{Lu}[\p{Ll} ]/u.test(text) ? text[0].toLowerCase() + text.slice(1) : text;
}

/// A message of the daemon with its hint, on one line.
export const withHint = ({ message, hint }) => line(message) + (hint ? ` (${line(hint)})` : "");

export const capitalized = text => text.slice(0, 1).toUpperCase() + text.slice(1);

/// The title of a collection within a sentence: in English in small letters.
export function inText(title) {
    return polish || /^.\p{Lu}/u.test(title) ? title : title.slice(0, 1).toLowerCase() + title.slice(1);
}
