// The few ways in which the pages change themselves. Names come from other people:
// everything is put in as text, and only where it differs, so that focus stays put.

import { decimalMark, words } from "./words.js";

// A text in the reader's language; %1, %2 and so on are the values. English texts are the keys, as in the command.
export function tr(english, ...values) {
  const text = words[english] ?? english;
  return values.length === 0 ? text : text.replace(/%(\d)/g, (place, number) => values[number - 1] ?? place);
}

let templates;

// A message of the command in the reader's language: an English text with its values. A value of several words may be a message itself.
export function trMessage(english) {
  if (words[english]) return words[english];
  templates ??= Object.keys(words)
    .filter((key) => key.includes("%1") && !words[key].includes(" | ") && key.replace(/%\d/g, "").length > 4)
    .sort((one, other) => other.length - one.length)
    .map((key) => [key, new RegExp(`^${key.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/%\d/g, "(.+?)")}$`)]);
  const inner = (value) => (value.includes(" ") ? trMessage(value) : value);
  for (const [key, pattern] of templates) {
    const match = english.match(pattern);
    if (match) return tr(key, ...match.slice(1).map(inner));
  }
  const colon = english.indexOf(": ");
  return colon < 0 ? english : `${inner(english.slice(0, colon))}: ${inner(english.slice(colon + 2))}`;
}

// The name of an activity comes in English, with its place before it.
export function activityName(name) {
  const [, place, activity] = name.match(/^(Indoor|Outdoor) (.+)$/) ?? [];
  if (!words[`${place} %1`]) return tr(name);
  return tr(`${place} %1`, tr(activity[0].toUpperCase() + activity.slice(1)));
}

// Values come with a decimal point.
export const local = (text) => (typeof text === "string" ? text.replace(/(\d)\.(?=\d)/g, `$1${decimalMark}`) : text);

export const byID = (id) => document.getElementById(id);

export function make(tag, className, ...contents) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  node.append(...contents);
  return node;
}

export function setText(node, text) {
  const wanted = String(text ?? "");
  if (node.textContent !== wanted) node.textContent = wanted;
}

// Sets an attribute, or takes it away where there is no value.
export function setAttribute(node, name, value) {
  if (value === null || value === undefined) node.removeAttribute(name);
  else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

// Brings the children of `parent` in line with `items`; children whose key stays are kept.
export function reconcile(parent, items, keyOf, create, update) {
  const keys = items.map((item, index) => String(keyOf(item, index)));
  const wanted = new Set(keys);
  const kept = new Map();
  for (const child of [...parent.children]) {
    if (wanted.has(child.dataset.key)) kept.set(child.dataset.key, child);
    else child.remove();
  }
  items.forEach((item, index) => {
    let node = kept.get(keys[index]);
    if (!node) {
      node = create(item);
      node.dataset.key = keys[index];
    }
    update(node, item);
    const there = parent.children[index];
    if (there !== node) parent.insertBefore(node, there ?? null);
  });
}

// For items that have no name of their own but their place.
export const place = (_, index) => index;
