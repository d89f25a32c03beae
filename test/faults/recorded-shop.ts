// A shop whose every system call is recorded while a crowd is at it, from its very first start to its
// end; and who was told what at which call.

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
  /** The folder that was recorded; the data directory is `data` in it. */
  readonly root: string;
  /** The first key, which was printed once. */
  readonly key: string;
  readonly shelves: Shelves;
  /** Everything that anybody tried, by its mark. */
  readonly deeds: ReadonlyMap<string, Deed>;
  /** What created something secret, and the answer that shows the secret. */
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
  /** What serves, given the data directory; Duka itself where nothing is said. */
  readonly served?: (directory: string) => readonly string[];
}

/** Opens a shop under record, lets the crowd in, closes it and reads the recording. */
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
      // Thousands of lines of no use to anybody; strace would have to read them too.
      settings: { DUKA_LOG_LEVEL: "error" },
    },
    [],
  );
  const servingId = Number(readFileSync(`${directory}/duka.pid`, "utf8"));
  const used = await useShop(duka, { seed, deeds }).catch((error: unknown) => {
    process.kill(servingId, "SIGKILL");
    throw error;
  });
  // Of what is recorded: the recorder itself does not pass signals on.
  process.kill(servingId, "SIGTERM");
  await duka.ended();
  return { root, calls: readCalls(readFileSync(trace, "latin1"), root), ...used };
}

/** Lets the crowd in until so much is acknowledged, and out again. */
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

/** A webhook endpoint for what never happens: its secret is sealed, and shown once. */
async function makeSecret(duka: RunningDuka, key: string): Promise<Secret> {
  const body = { url: "http://127.0.0.1:9/hook", events: ["webhook.disabled"] };
  const mark = "p-secret";
  const text = await askForSecret(duka.url, key, { mark, body });
  return { mark, body, text };
}

/** Asks for the secret, again and again under the same idempotency key. */
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
