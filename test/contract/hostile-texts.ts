// Texts that programs and pages bring along, by the categories of Unicode and by the kinds that were seen, and where a
// schema takes texts.

import { isObject } from "#kernel/assume.ts";

type Json = Readonly<Record<string, unknown>>;

/** Categories whose characters are dropped, changed or kept: three of each, far apart. */
const categories = [
  "Cf",
  "Cc",
  "Zl",
  "Zp",
  "Zs",
  "Pd",
  "Nd",
  "Mn",
  "Mc",
  "Me",
  "Lm",
  "Sk",
  "So",
  "Co",
];
/** The planes beyond have letters alone, but for tags and selectors of variation. */
const ranges: readonly (readonly [number, number])[] = [
  [1, 0xd7ff],
  [0xe000, 0x1ffff],
  [0xe0001, 0xe01ef],
];

function charactersOf(category: string): string[] {
  const form = new RegExp(`^\\p{${category}}$`, "u");
  const all: string[] = [];
  for (const [first, last] of ranges) {
    for (let code = first; code <= last; code += 1) {
      const one = String.fromCodePoint(code);
      if (form.test(one)) all.push(one);
    }
  }
  const at = [0, Math.floor(all.length / 2), all.length - 1];
  return [...new Set(at.map((index) => all[index] ?? ""))];
}

const seen: readonly string[] = [
  "\u200B",
  "\u202A",
  "\u2069",
  "\uFE0E",
  "\u2011",
  "\u2212",
  "\r\n",
  "\v",
  "e\u0301",
  "\uFB01",
  "\uFF11",
  "\u{1F469}\u200D\u{1F4BB}",
  "\u{1F3F4}\u{E0067}\u{E0062}\u{E007F}",
  "\u0646\u200C\u0647",
  "\u115F",
  "\uFFFE",
  "'\"<&>\\",
  "%00${x}",
  "; --",
  "=1+1",
];

/** About sixty texts, none of them with U+0000 or a lone surrogate. */
export const hostileTexts: readonly string[] = [
  ...new Set([...categories.flatMap(charactersOf), ...seen]),
];

/** A text that a schema takes. */
export interface Taken {
  /** The form that it is read into. */
  readonly form: string;
  /** True if not every text is taken. */
  readonly isNarrow: boolean;
  /** Says what is taken; undefined if every text is. */
  readonly sentence: unknown;
  readonly lengthMax: number;
}

/** Words of schemas whose texts machines write. */
const byMachine = ["enum", "const", "format", "x-closed"];
/** Forms that are kept as they come, or are addresses of the web. */
const kept = ["verbatim", "picture"];

/** Returns what the schema says of a text; null if it takes none, or one that machines write. */
function textOf(schema: unknown): Taken | null {
  if (!isObject(schema)) return null;
  if (Array.isArray(schema["anyOf"])) return textOfAny(schema["anyOf"]);
  if (schema["type"] !== "string") return null;
  const { "x-text": given } = schema;
  const form = typeof given === "string" ? given : "line";
  if (form !== "email" && (kept.includes(form) || byMachine.some((word) => word in schema))) {
    return null;
  }
  const isNarrow = "pattern" in schema || !["line", "paragraphs"].includes(form);
  const { "x-sentence": sentence, maxLength } = schema;
  return { form, isNarrow, sentence, lengthMax: Number(maxLength ?? 1_000) };
}

/** Decimals are numbers that may be written as texts. */
function textOfAny(branches: readonly unknown[]): Taken | null {
  if (branches.some((one) => Object(one).type === "number")) return null;
  return branches.map(textOf).find((one) => one !== null) ?? null;
}

/** The places of all texts of a schema, with `*` for each item of a list. */
export function textPlaces(schema: unknown, place = ""): string[] {
  if (!isObject(schema)) return [];
  const isText = textOf(schema) !== null;
  const branches = Array.isArray(schema["anyOf"]) ? schema["anyOf"] : [];
  const inner = Object.entries(Object(schema["properties"])).flatMap(([name, one]) =>
    textPlaces(one, `${place}/${name}`),
  );
  const found = [
    ...(isText ? [place] : []),
    ...inner,
    ...textPlaces(schema["items"], `${place}/*`),
    ...branches
      .filter((one) => textOf(one) === null && Object(one).type !== "string")
      .flatMap((one) => textPlaces(one, place)),
  ];
  return [...new Set(found)];
}

/** Makes the text for a place; undefined leaves it out. */
export type TextMaker = (place: string, taken: Taken, sample: unknown) => unknown;

/** A value of a body, and where it stands. */
interface Sampled {
  readonly sample: unknown;
  readonly place: string;
}

/** The sample with a made text at each place where the schema takes one, also where the sample has none. */
export function withTexts(schema: unknown, { sample, place }: Sampled, make: TextMaker): unknown {
  const branch = branchFor(schema, sample);
  if (Array.isArray(sample)) {
    return sample.map((one, at) =>
      withTexts(branch["items"], { sample: one, place: `${place}/${at}` }, make),
    );
  }
  if (isObject(sample)) {
    const properties: Json = isObject(branch["properties"]) ? branch["properties"] : {};
    const texts = Object.entries(properties).filter(([, one]) => textOf(one) !== null);
    const names = new Set([...Object.keys(sample), ...texts.map(([name]) => name)]);
    const filled = [...names].map((name) => [
      name,
      withTexts(properties[name], { sample: sample[name], place: `${place}/${name}` }, make),
    ]);
    return Object.fromEntries(filled.filter(([, value]) => value !== undefined));
  }
  const taken = textOf(schema);
  const isText = sample === undefined || sample === null || typeof sample === "string";
  return taken === null || !isText ? sample : make(place, taken, sample);
}

function branchFor(schema: unknown, sample: unknown): Json {
  if (!isObject(schema)) return {};
  const branches = Array.isArray(schema["anyOf"]) ? schema["anyOf"] : [schema];
  const word = Array.isArray(sample) ? "items" : "properties";
  return branches.filter(isObject).find((one) => word in one) ?? {};
}
