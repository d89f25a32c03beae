// Runs the live cases against a vendor's test account, or against its face.

import type { LiveCase } from "./live-cases.ts";
import { type Account, LiveWorld, type Outside } from "./live-world.ts";
import { type Recording, recordingOf } from "./recording.ts";
import { Relay } from "./relay.ts";

export interface LiveRun {
  readonly account: Account;
  readonly cases: readonly LiveCase[];
  readonly outside: Outside;
  readonly print: (line: string) => void;
}

export interface CaseResult {
  readonly name: string;
  /** `left_out`: a person would have to act, and none is there. */
  readonly state: "held" | "failed" | "left_out";
  /** Null where nothing was called. */
  readonly recording: Recording | null;
}

/** Runs the cases one after another, prints what became of each, and returns it with what the vendor answered. */
export async function runLive({
  account,
  cases,
  outside,
  print,
}: LiveRun): Promise<readonly CaseResult[]> {
  await using relay = new Relay(account.address);
  const world = new LiveWorld({ ...account, address: relay.address }, outside);
  const results: CaseResult[] = [];
  for (const one of cases) {
    const state = await stateOf(one, world, print);
    print(
      `${state === "held" ? "held    " : state === "failed" ? "FAILED  " : "left out"} ${one.what}`,
    );
    const exchanges = relay.take();
    const about = { vendor: account.vendor.id, case: one.name, now: outside.now() };
    const isTold = exchanges.length > 0 && state === "held";
    const recording = isTold ? recordingOf(exchanges, { ...about, secret: account.secret }) : null;
    results.push({ name: one.name, state, recording });
  }
  return results;
}

async function stateOf(
  { run, needsPerson = false }: LiveCase,
  world: LiveWorld,
  print: (line: string) => void,
): Promise<CaseResult["state"]> {
  if (needsPerson && world.outside.askPerson === null) return "left_out";
  try {
    await run(world);
    return "held";
  } catch (error) {
    print(error instanceof Error ? error.message : String(error));
    return "failed";
  }
}
