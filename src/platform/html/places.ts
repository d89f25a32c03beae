// Rules: where the holes of an HTML template stand, from the text around them.

/** Between tags, in a quoted value, at the beginning of an address, or among the attributes of a tag. */
export type HolePlace = "text" | "value" | "address" | "tag";

/** The place of each hole between the parts. Throws where no escaping would make a text safe. */
export function placesOf(parts: readonly string[]): HolePlace[] {
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
