// A part of the fault `clock-jumps`: the clock of a test shop is advanced as soon as a program listens, while
// deliveries of its last life are due. The program answers throughout, the advance ends, and nothing is lost.

import { openReceiver } from "../support/receivers.ts";
import {
  environmentOf,
  openRunningDuka,
  program,
  type RunningDuka,
} from "../support/running-duka.ts";
import { openScratchFolder } from "../support/scratch.ts";

/** The time from the first answer to the advance, milliseconds. */
const MOMENTS_MS = [0, 50, 500] as const;
const CUSTOMERS = 20;
/** Further than the second attempt of a delivery. */
const ADVANCE_SECONDS = 400;
/** An advance answers after 10 seconds at the latest. */
const ANSWER_MS_MAX = 20_000;
/** A probe of `/livez` that takes longer has met a server that stands still. */
const PROBE_MS_MAX = 5_000;
const START_MS_MAX = 20_000;

export interface Starts {
  readonly starts: number;
  readonly broken: readonly string[];
}

/** Starts this many times after each kind of end, at each moment. */
export async function jumpAtStarts(times: number): Promise<Starts> {
  const broken: string[] = [];
  let starts = 0;
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    for (const waitMs of MOMENTS_MS) {
      for (let time = 0; time < times; time += 1) {
        const name = `${signal}, then an advance ${waitMs} ms after the start`;
        broken.push(...(await jumpAtStart(signal, waitMs)).map((wrong) => `${name}: ${wrong}`));
        starts += 1;
      }
    }
  }
  return { starts, broken };
}

async function jumpAtStart(signal: NodeJS.Signals, waitMs: number): Promise<string[]> {
  using folder = openScratchFolder();
  let isSilent = true;
  const taken = new Set<string>();
  await using receiver = openReceiver({
    answer: async (request) => {
      if (isSilent) return new Promise(() => undefined);
      taken.add(request.headers.get("webhook-id") ?? "");
      return new Response(null, { status: 204 });
    },
  });
  const settings = { DUKA_SHUTDOWN_SECONDS: "1", DUKA_PORT: String(freePort()) };
  const terms = { folder: folder.path, settings };
  const before = await openRunningDuka(terms);
  const { key } = before;
  await sendTo(before, receiver.url);
  await before.end(signal);
  isSilent = false;

  const url = `http://127.0.0.1:${settings.DUKA_PORT}`;
  const child = Bun.spawn([...program, "serve"], {
    cwd: folder.path,
    env: await environmentOf(terms),
    stdio: ["ignore", "ignore", "ignore"],
  });
  try {
    return await advanceAt(url, { key, waitMs, taken });
  } finally {
    child.kill("SIGKILL");
    await child.exited;
  }
}

/** Makes customers whose events wait for a receiver that does not answer. */
async function sendTo(duka: RunningDuka, url: string): Promise<void> {
  await duka.request("POST", "/v2/webhooks", { body: { url, events: ["*"] } });
  for (let made = 0; made < CUSTOMERS; made += 1) {
    await duka.request("POST", "/v2/customers", { body: { email: `${made}@example.com` } });
  }
}

interface Moment {
  readonly key: string;
  readonly waitMs: number;
  /** The ids of the messages that the receiver accepted. */
  readonly taken: ReadonlySet<string>;
}

async function advanceAt(url: string, { key, waitMs, taken }: Moment): Promise<string[]> {
  const endsAtMs = performance.now() + START_MS_MAX;
  while (!(await isAlive(url))) {
    if (performance.now() > endsAtMs) return ["the program did not start"];
    await Bun.sleep(2);
  }
  await Bun.sleep(waitMs);
  const advance = fetch(`${url}/v2/test/clock/advance`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ seconds: ADVANCE_SECONDS }),
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
  });
  const ended = advance.catch((error: unknown) => String(error));
  const broken: string[] = [];
  let outcome: Response | string | null = null;
  while (outcome === null) {
    if (!(await isAlive(url))) broken.push("/livez did not answer");
    outcome = await Promise.race([ended, Bun.sleep(100).then(() => null)]);
  }
  if (typeof outcome === "string") return [...broken, `the advance failed: ${outcome}`];
  if (outcome.status !== 200) broken.push(`the advance was answered with ${outcome.status}`);
  if (taken.size < CUSTOMERS) broken.push(`${taken.size} of ${CUSTOMERS} events were delivered`);
  return broken;
}

async function isAlive(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/livez`, { signal: AbortSignal.timeout(PROBE_MS_MAX) })).ok;
  } catch {
    return false;
  }
}

/** A port that no program listens on now. */
function freePort(): number {
  using server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  return server.port ?? 0;
}
