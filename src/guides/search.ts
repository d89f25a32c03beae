// Finds words in the sections of the guides and in the refusals. Everything is in memory: a thousand texts, of which an
// index of words says which have one that begins as a word of the question does.

import type { RefusalDefinition } from "#kernel/refusal.ts";
import { type Html, html } from "#platform/html/html.ts";

import type { Guide } from "./guide.ts";
import { markdownHtml } from "./markdown.ts";

/** The most excerpts of an answer, and the most characters of a question. */
const FOUND_MAX = 20;
export const QUESTION_LENGTH_MAX = 200;
/** An excerpt begins so many characters before what was found, and has so many in all. */
const BEFORE = 60;
const EXCERPT_LENGTH = 220;

export interface Found {
  readonly path: string;
  /** The guide, or what else the text belongs to. */
  readonly part: string;
  readonly title: string;
  readonly excerpt: Html;
}

interface Text {
  readonly path: string;
  readonly part: string;
  readonly title: string;
  readonly text: string;
}

/** Returns what finds the texts that have every word of a question, those with its very phrase first. */
export function searchOf(
  guides: readonly Guide[],
  refusals: readonly RefusalDefinition[],
): (question: string) => readonly Found[] {
  const texts = [...guides.flatMap(sectionsOf), ...refusals.map(textOfRefusal)];
  const folded = texts.map(({ title, text }) => ({ title: fold(title), text: fold(text) }));
  const index = new WordIndex(folded.map(({ title, text }) => `${title} ${text}`));
  return (question) => {
    const phrase = fold(question).trim();
    const words = [...new Set(wordsOf(phrase))];
    if (words.length === 0) return [];
    const found = index.havingAll(words).flatMap((at) => {
      const [text, read] = [texts[at], folded[at]];
      return text === undefined || read === undefined
        ? []
        : [{ text, rank: rankOf(read, phrase, words) }];
    });
    return found
      .toSorted((one, other) => one.rank - other.rank)
      .slice(0, FOUND_MAX)
      .map(({ text: { text, ...where } }) => ({
        ...where,
        excerpt: excerptOf(text, phrase, words),
      }));
  };
}

/** The places of texts by the words that they have. */
class WordIndex {
  readonly #places = new Map<string, Set<number>>();
  readonly #sorted: readonly string[];

  constructor(folded: readonly string[]) {
    for (const [at, text] of folded.entries()) {
      for (const word of wordsOf(text)) {
        const known = this.#places.get(word);
        if (known === undefined) this.#places.set(word, new Set([at]));
        else known.add(at);
      }
    }
    this.#sorted = [...this.#places.keys()].toSorted();
  }

  /** The texts that have, for each of these, a word that begins so; in their order. */
  havingAll(beginnings: readonly string[]): readonly number[] {
    const [first = new Set<number>(), ...others] = beginnings.map((one) => this.#having(one));
    const all = [...first].filter((at) => others.every((one) => one.has(at)));
    return all.toSorted((one, other) => one - other);
  }

  #having(beginning: string): ReadonlySet<number> {
    const words = this.#sorted.slice(
      firstFrom(this.#sorted, beginning),
      firstFrom(this.#sorted, `${beginning}\uFFFF`),
    );
    return new Set(words.flatMap((word) => [...(this.#places.get(word) ?? [])]));
  }
}

/** The phrase in a heading stands first, then in a text, then its words in a heading. */
function rankOf(
  { title, text }: Pick<Text, "title" | "text">,
  phrase: string,
  words: readonly string[],
): number {
  if (title.includes(phrase)) return 0;
  if (text.includes(phrase)) return 1;
  const inTitle = wordsOf(title);
  return words.every((word) => inTitle.some((one) => one.startsWith(word))) ? 2 : 3;
}

function fold(text: string): string {
  return text.toLowerCase();
}

function wordsOf(folded: string): string[] {
  return folded.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The first place of a sorted list whose word is not before this one. */
function firstFrom(sorted: readonly string[], word: string): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sorted[middle] ?? "") < word) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** The parts of a guide below each of its headings, without markup. */
function sectionsOf({ name, title, text }: Guide): Text[] {
  const page = markdownHtml(text).text;
  return page
    .split(/(?=<h[1-3] id=")/)
    .map((part) => /^<h([1-3]) id="([^"]+)">(.*?)<\/h\1>([^]*)$/.exec(part))
    .filter((heading) => heading !== null)
    .map(([, level, id, heading = "", rest = ""]) => ({
      path: level === "1" ? `/guides/${name}` : `/guides/${name}#${id}`,
      part: title,
      title: plain(heading),
      text: plain(rest),
    }));
}

const entities: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&amp;": "&",
};

function plain(markup: string): string {
  return markup
    .replaceAll(/<\/?(?:a|code|em|strong)\b[^>]*>/g, "")
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (entity) => entities[entity] ?? entity)
    .replaceAll(/\s+/g, " ")
    .trim();
}

function textOfRefusal({ code, title, explanation }: RefusalDefinition): Text {
  const { cause = "", remedy = "", faults = {} } = explanation ?? {};
  const meanings = Object.entries(faults).map(([fault, meaning]) => `${fault}: ${meaning}`);
  return {
    path: `/docs/errors#${code}`,
    part: "Errors",
    title: code,
    text: [title, cause, remedy, ...meanings].join(" ").replaceAll("`", ""),
  };
}

/** The text around the phrase, else around the first of the words, with all of them marked. */
function excerptOf(text: string, phrase: string, words: readonly string[]): Html {
  const folded = fold(text);
  const first = [phrase, ...words].find((one) => folded.includes(one));
  const found = first === undefined ? 0 : folded.indexOf(first);
  const start = found <= BEFORE ? 0 : text.indexOf(" ", found - BEFORE) + 1;
  const isCut = start + EXCERPT_LENGTH < text.length;
  const end = isCut ? text.lastIndexOf(" ", start + EXCERPT_LENGTH) : text.length;
  const shown = text.slice(start, Math.max(end, start + BEFORE));
  const marked = [phrase, ...words].map((one) => one.replaceAll(/[\^$\\.*+?()[\]{}|/]/g, "\\$&"));
  const marks = new RegExp(`(?<![\\p{L}\\p{N}])(${marked.join("|")})`, "giu");
  const parts = shown
    .split(marks)
    .map((part, index) => (index % 2 === 0 ? part : html`<mark>${part}</mark>`));
  return html`${start > 0 && "… "}${parts}${isCut && " …"}`;
}
