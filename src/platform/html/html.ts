// HTML as values: what a template says is markup, and what is put into it is text. Invariant: a supplied text is
// never markup, an attribute of its own, a script, or an address that runs one.

import { type HolePlace, placesOf } from "./places.ts";

/** HTML that a template made. */
class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/** An attribute that is there or not, such as `checked`. */
class Attribute {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type { Attribute, Html };

/** The values that may be put into a template: nothing for null and false, and all of a list. */
export type Hole = Html | Attribute | string | number | null | undefined | false | readonly Hole[];

interface Template {
  readonly first: string;
  /** The text after each hole, and where the hole stands. */
  readonly rest: readonly { readonly place: HolePlace; readonly text: string }[];
}

/** A template is read once, however often it is used. */
const templates = new WeakMap<TemplateStringsArray, Template>();

/**
 * The HTML of a template. Text is escaped for the place where it stands; an address that could run a script becomes
 * `#`. Throws where no escaping would make a text safe: in the name of a tag, an unquoted value, an event handler, a
 * style, a script or a comment. Line breaks and indents of the template itself are one space.
 */
export function html(parts: TemplateStringsArray, ...holes: readonly Hole[]): Html {
  let template = templates.get(parts);
  if (template === undefined) templates.set(parts, (template = readTemplate(parts)));
  let text = template.first;
  for (const [index, { place, text: after }] of template.rest.entries()) {
    const put = textAt(place, holes[index]);
    text = (place === "tag" && put === "" ? text.trimEnd() : text + put) + after;
  }
  return new Html(text);
}

function readTemplate(parts: readonly string[]): Template {
  const [first = "", ...after] = parts.map((part) => part.replaceAll(/\s*\n\s*/g, " "));
  const rest = placesOf(parts).map((place, index) => ({ place, text: after[index] ?? "" }));
  return { first, rest };
}

/** An attribute with a value, a name alone for true, nothing for null and false. Only ours may be named. */
export function attribute(name: string, value: string | boolean | null): Attribute | null {
  if (value === null || value === false) return null;
  return new Attribute(value === true ? name : `${name}="${Bun.escapeHTML(value)}"`);
}

/** A text that is HTML already, written by us. */
export function trusted(text: string): Html {
  return new Html(text);
}

function textAt(place: HolePlace, hole: Hole): string {
  if (place === "text") return textOf(hole);
  if (isNothing(hole)) return "";
  if (place === "tag") return attributesOf(hole);
  if (typeof hole === "object") throw new Error(MISPLACED);
  const text = String(hole);
  return Bun.escapeHTML(place === "address" && !HARMLESS.test(text) ? "#" : text);
}

const MISPLACED = "Text belongs in a value, an attribute in a tag, and HTML between tags.";

function attributesOf(hole: Hole): string {
  if (isNothing(hole)) return "";
  if (hole instanceof Attribute) return hole.text;
  if (typeof hole !== "object" || hole instanceof Html) throw new Error(MISPLACED);
  return hole
    .map(attributesOf)
    .filter((text) => text !== "")
    .join(" ");
}

function textOf(hole: Hole): string {
  if (typeof hole === "string") return Bun.escapeHTML(hole);
  if (hole instanceof Html) return hole.text;
  if (typeof hole === "number") return String(hole);
  if (isNothing(hole)) return "";
  if (hole instanceof Attribute) throw new Error("An attribute belongs in a tag.");
  return hole.map(textOf).join("");
}

function isNothing(hole: Hole): hole is null | undefined | false {
  return hole === null || hole === undefined || hole === false;
}

/** Addresses that lead somewhere and run nothing. */
const HARMLESS = /^(?:https?:|mailto:|tel:|[/?#])/i;
