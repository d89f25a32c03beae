// Records every system call of a shop under the load of a crowd, from its first start to its end, and at
// which call each client was answered.

import { mkdirSync, readFileSync, realpathSync } from "node:fs";

import { openRunningDuka, program, type RunningDuka } from "../support/running-duka.ts";
import { openScratchFolder } from "../support/scratch.ts";
import { Crowd } from "./crowd.ts";
import { Chance } from "./fault.ts";
import { type Deed, Ledger } from "./ledger.ts";
import type { Shelves } from "./seen-shop.ts";
import { fillShelves } from "./shop-under-test.ts";
import { type Call, readCalls, recording } from "./system-calls.ts";

const CLIENTS = 16;

export interface RecordedShop {
  readonly calls: readonly Call[];
  /** The recorded folder; it contains the data directory `data`. */
  readonly root: string;
  /** The first key, which was printed once. */
  readonly key: string;
  readonly shelves: Shelves;
  /** Every request of the crowd, by its mark. */
  readonly deeds: ReadonlyMap<string, Deed>;
  /** The request that created a secret, and the answer that shows it. */
  readonly secret: Secret;
}

export interface Secret {
  readonly mark: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly text: string;
}

export interface RecordingTerms {
  readonly seed: number;
  /** Acknowledgements after which the shop is closed. */
  readonly deeds: number;
  /** The command that serves a data directory; by default Duka. */
  readonly served?: (directory: string) => readonly string[];
}

/** Runs a recorded shop with a crowd, closes it and reads the recording. */
export async function recordShop({ seed, deeds, served }: RecordingTerms): Promise<RecordedShop> {
  using scratch = openScratchFolder();
  const root = `${realpathSync(scratch.path)}/shop`;
  const trace = scratch.file("trace");
  mkdirSync(root);
  const directory = `${root}/data`;
  const duka = await openRunningDuka(
    {
      folder: root,
      program: recording(trace, served?.(directory) ?? [...program, "serve"]),
      // Thousands of lines without use, which strace would also have to read.
      settings: { DUKA_LOG_LEVEL: "error" },
      // The recording has to have every write of the files.
      isFromNothing: true,
    },
    [],
  );
  const servingId = Number(readFileSync(`${directory}/duka.pid`, "utf8"));
  const used = await useShop(duka, { seed, deeds }).catch((error: unknown) => {
    process.kill(servingId, "SIGKILL");
    throw error;
  });
  // The signal goes to the recorded program: strace does not pass signals on.
  process.kill(servingId, "SIGTERM");
  await duka.ended();
  return { root, calls: readCalls(readFileSync(trace, "latin1"), root), ...used };
}

/** Lets the crowd work until this much is acknowledged. */
async function useShop(
  duka: RunningDuka,
  { seed, deeds }: Pick<RecordingTerms, "seed" | "deeds">,
): Promise<Omit<RecordedShop, "calls" | "root">> {
  const { key } = duka;
  const ledger = new Ledger();
  const shelves = await fillShelves(duka, key);
  const secret = await makeSecret(duka, key);
  const chance = new Chance(seed);
  const crowd = new Crowd({ clients: CLIENTS, chance, ledger, shelves, key, name: "p" });
  crowd.open(duka.url);
  await crowd.acknowledgements(deeds);
  crowd.close();
  await crowd.gathered();
  if (ledger.broken.length > 0) throw new Error(ledger.broken.join("\n"));
  return { key, shelves, deeds: ledger.attempted, secret };
}

/** An endpoint for events that never happen: its secret is encrypted, and shown once. */
async function makeSecret(duka: RunningDuka, key: string): Promise<Secret> {
  const body = { url: "http://127.0.0.1:9/hook", events: ["webhook.disabled"] };
  const mark = "p-secret";
  const text = await askForSecret(duka.url, key, { mark, body });
  return { mark, body, text };
}

/** Requests the secret repeatedly under the same idempotency key. */
export async function askForSecret(
  url: string,
  key: string,
  { mark, body }: Pick<Secret, "mark" | "body">,
): Promise<string> {
  const answer = await fetch(`${url}/v2/webhooks`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${key}`,
      "Content-Type": "application/json",
      "Idempotency-Key": mark,
    },
    body: JSON.stringify(body),
  });
  return answer.text();
}
