// Makes mutants: copies of the source in which one line says something else. A mutant that every test passes shows
// what is not tested.

import { codeOnly } from "../support/source-text.ts";

export interface Mutant {
  readonly path: string;
  /** The line, from 1. */
  readonly line: number;
  readonly what: string;
  readonly before: string;
  readonly after: string;
}

interface Change {
  readonly what: string;
  readonly after: string;
}

const OPERATORS: readonly [from: string, to: string][] = [
  ["<", "<="],
  ["<=", "<"],
  [">", ">="],
  [">=", ">"],
  ["+", "-"],
  ["-", "+"],
  ["&&", "||"],
  ["||", "&&"],
  ["===", "!=="],
  ["!==", "==="],
];
/** Lines around the changed one, by which a patch finds its place in a file that has moved on. */
const CONTEXT_LINES = 3;

/** Every mutant of a file. Imports, comments and texts stay as they are. */
export function mutantsOf(path: string, text: string): Mutant[] {
  const lines = text.split("\n");
  return codeOnly(text)
    .split("\n")
    .flatMap((code, index) => {
      const before = lines[index] ?? "";
      return /^(?:import|export \{)/.test(code)
        ? []
        : changesOf(before, code).map((change) => ({ path, line: index + 1, before, ...change }));
    });
}

function changesOf(line: string, code: string): Change[] {
  return [
    ...otherOperators(line, code),
    ...otherConstants(line, code),
    ...negatedConditions(line, code),
    ...droppedStatements(code),
  ];
}

/** Operators stand between spaces, unlike the brackets of types. */
function otherOperators(line: string, code: string): Change[] {
  return OPERATORS.flatMap(([from, to]) =>
    placesOf(code, ` ${from} `).map((at) => ({
      what: `${from} to ${to}`,
      after: replaced(line, { at, length: from.length + 2, by: ` ${to} ` }),
    })),
  );
}

function otherConstants(line: string, code: string): Change[] {
  return [...code.matchAll(/(?<![\w.$])\d[\d_]*(?![\w.])/g)].flatMap(({ 0: digits, index }) =>
    [1, -1].map((step) => {
      const by = String(Number(digits.replaceAll("_", "")) + step);
      return {
        what: `${digits} to ${by}`,
        after: replaced(line, { at: index, length: digits.length, by }),
      };
    }),
  );
}

function negatedConditions(line: string, code: string): Change[] {
  const at = /^\s*(?:\} else )?if \(/.exec(code)?.[0].length;
  const length = at === undefined ? -1 : lengthInBrackets(code.slice(at));
  if (at === undefined || length < 0) return [];
  const by = `!(${line.slice(at, at + length)})`;
  return [{ what: "a condition negated", after: replaced(line, { at, length, by }) }];
}

/** The length of what stands before the closing bracket; -1 if it closes on another line. */
function lengthInBrackets(code: string): number {
  let depth = 0;
  return [...code].findIndex((character) => {
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    return depth < 0;
  });
}

function droppedStatements(code: string): Change[] {
  return /^\s*await .*;$/.test(code) ? [{ what: "an awaited statement dropped", after: "" }] : [];
}

function placesOf(code: string, part: string): number[] {
  const places = [];
  for (let at = code.indexOf(part); at >= 0; at = code.indexOf(part, at + 1)) places.push(at);
  return places;
}

function replaced(line: string, part: { at: number; length: number; by: string }): string {
  return line.slice(0, part.at) + part.by + line.slice(part.at + part.length);
}

/** The file with the line changed. */
export function mutatedText({ line, after }: Mutant, text: string): string {
  return text
    .split("\n")
    .with(line - 1, after)
    .join("\n");
}

/** The mutant as `git apply` reads it, with what it changes as the title. */
export function patchOf(mutant: Mutant, text: string): string {
  const lines = text.split("\n");
  const first = Math.max(0, mutant.line - 1 - CONTEXT_LINES);
  const above = lines.slice(first, mutant.line - 1).map((line) => ` ${line}`);
  const below = lines
    .slice(mutant.line, Math.min(lines.length - 1, mutant.line + CONTEXT_LINES))
    .map((line) => ` ${line}`);
  const count = above.length + 1 + below.length;
  return [
    `${mutant.path}:${mutant.line}: ${mutant.what}`,
    `--- a/${mutant.path}`,
    `+++ b/${mutant.path}`,
    `@@ -${first + 1},${count} +${first + 1},${count} @@`,
    ...above,
    `-${mutant.before}`,
    `+${mutant.after}`,
    ...below,
    "",
  ].join("\n");
}
