// Parameters in the form encoding of Stripe's API: `a[b][0]=c`, in bodies and queries.

import { isObject } from "#kernel/assume.ts";

import { invalid } from "./errors.ts";

/** A parameter: text, or others by name. Lists are objects whose names are numbers. */
export type Tree = string | { readonly [name: string]: Tree };

interface Growing {
  [name: string]: string | Growing;
}

/** The parameters by name. The same name twice, or a text that is an object too, is refused. */
export function readForm(text: string): Record<string, Tree> {
  const root: Growing = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = pathOf(name);
    const last = path.at(-1) ?? "";
    const parent = path.slice(0, -1).reduce((branch, part) => grow(branch, part, name), root);
    const place = last === "" ? String(Object.keys(parent).length) : last;
    if (parent[place] !== undefined) throw invalid(`Invalid hash: ${name} was given twice.`);
    parent[place] = value;
  }
  return root;
}

/** The same parameters have the same text, in whichever order they were sent. */
export function canonicalForm(text: string): string {
  return [...new URLSearchParams(text)]
    .map(([name, value]) => `${name}=${value}`)
    .toSorted()
    .join("&");
}

function grow(branch: Growing, part: string, name: string): Growing {
  const place = part === "" ? String(Object.keys(branch).length) : part;
  const next = branch[place];
  if (typeof next === "string") throw invalid(`Invalid hash: ${name} is a text, too.`);
  if (next !== undefined) return next;
  const grown: Growing = {};
  branch[place] = grown;
  return grown;
}

function pathOf(name: string): string[] {
  const [first = "", ...rest] = name.split("[");
  return [first, ...rest.map((part) => part.replace(/\]$/, ""))];
}

/** The value at the path; undefined if nothing does. */
export function treeAt(tree: Tree, path: readonly string[]): Tree | undefined {
  const [name, ...rest] = path;
  if (name === undefined) return tree;
  const next = isObject(tree) ? tree[name] : undefined;
  return next === undefined ? undefined : treeAt(next, rest);
}
