// Takes or tries one draft of a file in the shop: a transaction of its own, whose refusal is the draft's faults.

import { assume } from "#kernel/assume.ts";
import type { Fault } from "#kernel/fault.ts";
import { isUnavailable, Refusal } from "#kernel/refusal.ts";
import { type Actor, type Database, run, type Tx } from "#platform/database/database.ts";
import { readTexts, type TextFinder } from "#platform/http/intake/texts.ts";
import type { JsonValue } from "#platform/http/strict-json.ts";

/** The policies for what the shop has. */
export const policies = ["update", "skip", "refuse"] as const;
export type Policy = (typeof policies)[number];

/** A fault of a draft, at a JSON Pointer into its body. */
export interface DraftFault {
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

/** The outcome of a draft that was taken, or of one that would be; `keys` are what no other has. */
export interface DraftOutcome {
  readonly outcome: "create" | "update" | "unchanged" | "skip";
  readonly keys: readonly string[];
}

/** The answer of one draft. */
export interface DraftAnswer {
  readonly outcome: DraftOutcome["outcome"] | "refuse";
  readonly keys: readonly string[];
  readonly faults: readonly DraftFault[];
}

/** How drafts are taken. */
export interface TakeTerms {
  readonly database: Database;
  readonly existing: Policy;
  /** Without it they are only tried. */
  readonly applies: boolean;
  readonly actor: Actor;
  /** Whom the audit log names for each change; null where one entry stands for the whole file. */
  readonly recorded: { readonly by: string | null } | null;
}

/** Thrown to undo what was only tried. */
class Tried extends Error {
  readonly outcome: DraftOutcome;

  constructor(outcome: DraftOutcome) {
    super("The draft was only tried.");
    this.name = "Tried";
    this.outcome = outcome;
  }
}

/** The same handle for a story that is undone: it announces nothing and wakes no reader. */
function onTrial(tx: Tx): Tx {
  return {
    now: tx.now,
    actor: tx.actor,
    vault: tx.vault,
    ...(tx.memory && { memory: tx.memory }),
    isTrial: true,
    [run]: (statement, values) => tx[run](statement, values),
    wake: () => {},
    alone: () => tx.alone(),
    scrub: () => {},
    emit: async () => {},
  };
}

/** The outcome that was tried; throws any other error again. */
async function asTried(_: Tx, error: unknown): Promise<DraftOutcome> {
  if (!(error instanceof Tried)) throw error;
  return error.outcome;
}

/**
 * Puts the texts of a draft in their stored form, as those of a request, and returns them. `country` is that of phones
 * without a code.
 */
export async function readGiven(
  body: unknown,
  textsOf: TextFinder,
  country: string | null,
): Promise<ReturnType<TextFinder>> {
  // The cast holds: the body was JSON.
  const texts = textsOf(assume<JsonValue>(body));
  await readTexts(texts, () => Promise.resolve(country));
  return texts;
}

/** Runs the story, and undoes it unless it is to be applied. `faultsOf` finds the places of a refusal. */
export async function importDraft(
  { database, applies, actor }: TakeTerms,
  story: (tx: Tx) => Promise<DraftOutcome>,
  faultsOf: (refusal: Refusal) => readonly DraftFault[],
): Promise<DraftAnswer> {
  const takeOrTry = async (tx: Tx) => {
    if (applies) return story(tx);
    throw new Tried(await story(onTrial(tx)));
  };
  try {
    return { ...(await database.write(takeOrTry, { actor, otherwise: asTried })), faults: [] };
  } catch (error) {
    if (!(error instanceof Refusal) || isUnavailable(error)) throw error;
    return refusedDraft(faultsOf(error));
  }
}

/** The answer of a draft with these faults; one without a pointer is of the whole body. */
export function refusedDraft(
  faults: readonly (Pick<Fault, "pointer" | "detail"> & { readonly code: string })[],
): DraftAnswer {
  const shown = faults.map(({ pointer = "", code, detail }) => ({ pointer, code, detail }));
  return { outcome: "refuse", keys: [], faults: shown };
}
