// HTML as values: what a template says is markup, and what is put into it is text. Invariant: a supplied text is
// never markup, an attribute of its own, a script, or an address that runs one.

// Rules: where the holes of an HTML template stand, from the text around them.

/** Between tags, in a quoted value, at the beginning of an address, or among the attributes of a tag. */
type HolePlace = "text" | "value" | "address" | "tag";

/** The place of each hole between the parts. Throws where no escaping would make a text safe. */
function placesOf(parts: readonly string[]): HolePlace[] {
  const reader = new TemplateReader();
  return parts.slice(0, -1).map((part) => {
    reader.read(part);
    const place = reader.place();
    if (place === null || (place === "tag" && !/\s$/.test(part)))
      throw new Error(`Nothing may be put in here: ${part.slice(-80)}`);
    return place;
  });
}

/** The construct that is open where a part ends. `stuck` is every place in which nothing may stand. */
type Open =
  | { readonly kind: "text" | "tag" | "comment" | "code" | "stuck" }
  | { readonly kind: "value"; readonly name: string; readonly quote: string; isEmpty: boolean };

const NO_TEXT = /^(?:on.*|style|srcdoc|srcset)$/i;
const ADDRESSES = /^(?:href|src|action|formaction|poster|cite|data|xlink:href)$/i;
/** Elements whose content is read by another language than HTML. */
const CODE = /^(?:script|style|iframe|noembed|noframes|noscript|xmp|plaintext)$/i;

class TemplateReader {
  #open: Open = { kind: "text" };
  /** The element whose tag is open, or whose content is code. */
  #element = "";

  place(): HolePlace | null {
    const open = this.#open;
    if (open.kind === "text" || open.kind === "tag") return open.kind;
    if (open.kind !== "value" || NO_TEXT.test(open.name)) return null;
    const isFirst = open.isEmpty;
    open.isEmpty = false;
    return isFirst && ADDRESSES.test(open.name) ? "address" : "value";
  }

  read(part: string): void {
    let rest = part;
    while (rest !== "") rest = rest.slice(this.#step(rest));
  }

  /** Reads the next piece and returns its length. */
  #step(rest: string): number {
    const open = this.#open;
    if (open.kind === "value") return this.#inValue(open, rest);
    if (open.kind === "tag") return this.#inTag(rest);
    if (open.kind === "comment") return this.#until(rest, /-->/);
    if (open.kind === "code") return this.#until(rest, new RegExp(`</${this.#element}\\s*>`, "i"));
    if (open.kind === "text") return this.#inText(rest);
    throw new Error("The template goes on where nothing may stand.");
  }

  #inText(rest: string): number {
    const plain = /^[^<]+/.exec(rest)?.[0];
    if (plain !== undefined) return plain.length;
    if (rest.startsWith("<!--")) return this.#to({ kind: "comment" }, 4);
    const tag = /^<(\/?[a-z][a-z0-9-]*|!doctype)(?=[\s/>])/i.exec(rest);
    if (tag === null) return this.#to({ kind: "stuck" }, rest.length);
    this.#element = tag[1] ?? "";
    return this.#to({ kind: "tag" }, tag[0].length);
  }

  #inTag(rest: string): number {
    const between = /^[\s/]+/.exec(rest)?.[0];
    if (between !== undefined) return between.length;
    if (rest.startsWith(">")) {
      return this.#to({ kind: CODE.test(this.#element) ? "code" : "text" }, 1);
    }
    const given = /^([^\s"'<>/=]+)(?:\s*=\s*(["'])|(?=[\s/>]|$))/.exec(rest);
    if (given === null) return this.#to({ kind: "stuck" }, rest.length);
    const [whole, name = "", quote] = given;
    if (quote === undefined) return whole.length;
    return this.#to({ kind: "value", name, quote, isEmpty: true }, whole.length);
  }

  #inValue(open: Open & { kind: "value" }, rest: string): number {
    const end = rest.indexOf(open.quote);
    if (end !== 0) open.isEmpty = false;
    return end < 0 ? rest.length : this.#to({ kind: "tag" }, end + 1);
  }

  #until(rest: string, ending: RegExp): number {
    const end = ending.exec(rest);
    return end === null ? rest.length : this.#to({ kind: "text" }, end.index + end[0].length);
  }

  #to(next: Open, length: number): number {
    this.#open = next;
    return length;
  }
}

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

// Rules: a text that is written from the right, such as a name in Arabic, among other words (Unicode, UAX 9).

/** Letters that are written from the right, and the marks that a locale of them puts into amounts and days. */
const FROM_THE_RIGHT =
  /[\u0590-\u08FF\u200F\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/**
 * The text as a part of a sentence or a list. Without the two marks around it, the digits that follow a text from the
 * right are read as its own: `2 × قميص, 3 × كوب` would show each number at the other item.
 */
export function isolated(text: string): string {
  return FROM_THE_RIGHT.test(text) ? `\u2068${text}\u2069` : text;
}
