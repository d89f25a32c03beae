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
  const places = new Map<string, Set<number>>();
  for (const [index, { title, text }] of folded.entries()) {
    for (const word of wordsOf(`${title} ${text}`)) {
      const known = places.get(word);
      if (known === undefined) places.set(word, new Set([index]));
      else known.add(index);
    }
  }
  const sorted = [...places.keys()].toSorted();
  const beginningWith = (beginning: string): ReadonlySet<number> => {
    const end = firstFrom(sorted, `${beginning}\uFFFF`);
    const words = sorted.slice(firstFrom(sorted, beginning), end);
    return new Set(words.flatMap((word) => [...(places.get(word) ?? [])]));
  };
  const rankIn = (index: number, phrase: string, words: readonly string[]): number => {
    const { title = "", text = "" } = folded[index] ?? {};
    if (title.includes(phrase)) return 0;
    if (text.includes(phrase)) return 1;
    return words.every((word) => wordsOf(title).some((one) => one.startsWith(word))) ? 2 : 3;
  };
  return (question) => {
    const phrase = fold(question).trim();
    const words = [...new Set(wordsOf(phrase))];
    if (words.length === 0) return [];
    const having = words
      .map(beginningWith)
      .reduce((all, one) => new Set([...all].filter((index) => one.has(index))));
    return [...having]
      .map((index) => ({ index, rank: rankIn(index, phrase, words) }))
      .toSorted((one, other) => one.rank - other.rank || one.index - other.index)
      .slice(0, FOUND_MAX)
      .flatMap(({ index }) => texts.slice(index, index + 1))
      .map(({ text, ...where }) => ({ ...where, excerpt: excerptOf(text, phrase, words) }));
  };
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
