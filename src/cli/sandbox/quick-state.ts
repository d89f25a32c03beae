// The short way of `duka sandbox snapshot` and `restore`, which a suite may run before each of its tests: where the
// directory is named and the sandbox does it, no other module of the program is loaded.

import { resolve } from "node:path";

import { isObject } from "#kernel/assume.ts";
import { askServer } from "#platform/operator/ask-server.ts";
import { print, reportLost } from "#platform/process/output.ts";

/** The name of a snapshot without one. */
export const STATE_DEFAULT = "default";

/** The verbs of states, and what each has done. */
export const stateVerbs = { snapshot: "Saved", restore: "Restored" } as const;
export type StateVerb = keyof typeof stateVerbs;

/** The sentence that is printed when it is done. */
export function doneSentence(verb: StateVerb, name: string, clock: string): string {
  return `${stateVerbs[verb]} "${name}" at ${clock}.`;
}

/** Returns the exit code if it was done; null if the whole command line is to say why not, or what else is asked for. */
export async function runQuickState(args: readonly string[]): Promise<number | null> {
  const asked = readAsked(args);
  if (asked === null) return null;
  const { verb, name, directory } = asked;
  try {
    const answer = await askServer(resolve(directory), `sandbox.${verb}`, { name });
    const output = answer.answered ? answer.output : null;
    if (!isObject(output) || typeof output["clock"] !== "string") return null;
    print(doneSentence(verb, name, output["clock"]));
    return reportLost() ? 1 : 0;
  } catch {
    // An act that is refused has changed nothing, and is refused again.
    return null;
  }
}

/** `sandbox <verb> [name] --data-dir <directory>`; null for anything else. */
function readAsked(args: readonly string[]) {
  const [group, verb = "", ...rest] = args;
  if (group !== "sandbox" || !isVerb(verb)) return null;
  const [option, directory = "", ...others] = rest.slice(-2);
  const [name = STATE_DEFAULT, ...more] = rest.slice(0, -2);
  const isPlain = option === "--data-dir" && directory !== "" && !name.startsWith("-");
  return isPlain && others.length + more.length === 0 ? { verb, name, directory } : null;
}

function isVerb(word: string): word is StateVerb {
  return Object.hasOwn(stateVerbs, word);
}
