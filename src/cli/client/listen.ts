// `duka listen`: prints the events of the test shop, and forwards them to a receiver such as a program on
// the developer's machine, which webhooks cannot reach.

import { styleText } from "node:util";

import { UsageFault } from "#cli/operator/settings.ts";
import { monotonicMs, realClock } from "#kernel/time.ts";
import { callAnywhere } from "#platform/net/call-anywhere.ts";
import { callFailure } from "#platform/net/call-failure.ts";
import { isSecret, signatureHeaders } from "#platform/net/signature.ts";
import { print } from "#platform/process/output.ts";

import {
  eventLine,
  type FeedEvent,
  type FeedPage,
  type PageRequest,
  readPage,
} from "./feed-page.ts";
import { openShopAccess, type ShopAccess, type ShopOptions } from "./shop-access.ts";
import { ShopUnreachable } from "./shop-answer.ts";
import { catchStopSignal } from "./stop-signal.ts";

// Follows the event feed of a shop across its restarts. Invariant: each event is returned once and in order;
// a failed read is repeated from the same sequence.

const WAIT_SECONDS = 30;
const PAGE_SIZE = 100;
/** Pauses before the first, second … retry; the last one repeats. */
const PAUSES_MS = [250, 500, 1000, 2000, 5000] as const;
/** A stopping server answers a long poll early: an empty page this soon is followed by a pause. */
const EARLY_MS = 1000;

interface FollowTerms {
  /** Names and patterns, comma-separated; undefined for all. */
  readonly events: string | undefined;
  /** Stops following. */
  readonly signal: AbortSignal;
  /** Prints a change of the connection. */
  readonly tell: (sentence: string) => unknown;
}

/** The sequence of the newest event. Rejects with ShopFault where the feed cannot be read. */
async function findNewest(access: ShopAccess, { events, signal }: FollowTerms): Promise<number> {
  const request = { after: 0, limit: 1, waitSeconds: 0, events, signal };
  return (await readPage(access, request)).lastSequence;
}

/** Every event after the sequence, until the signal. Throws errors that a retry cannot resolve. */
async function* followFeed(
  access: ShopAccess,
  start: number,
  terms: FollowTerms,
): AsyncGenerator<FeedEvent> {
  const { events, signal } = terms;
  const reader = new RetryingReader(access, terms);
  let after = start;
  while (!signal.aborted) {
    const request = { after, limit: PAGE_SIZE, waitSeconds: WAIT_SECONDS, events, signal };
    const startedAtMs = monotonicMs();
    const page = await reader.read(request);
    if (page === null) continue;
    for (const event of page.events) {
      if (signal.aborted) return;
      yield event;
    }
    if (page.lastSequence < after) {
      // A backup was restored, or the address now belongs to another shop.
      terms.tell(`The feed went back to sequence ${page.lastSequence}; following it from there.`);
    }
    after = Math.min(page.nextAfter, page.lastSequence);
    const isEarly = page.events.length === 0 && monotonicMs() - startedAtMs < EARLY_MS;
    if (isEarly) await pause(PAUSES_MS[0], signal);
  }
}

/** Prints once that the shop is unreachable, and once that it is back. */
class RetryingReader {
  readonly #access: ShopAccess;
  readonly #terms: FollowTerms;
  #failures = 0;

  constructor(access: ShopAccess, terms: FollowTerms) {
    this.#access = access;
    this.#terms = terms;
  }

  /** The page; null after a failure, and a pause that grows with each one in a row. */
  async read(request: PageRequest): Promise<FeedPage | null> {
    const { tell, signal } = this.#terms;
    try {
      const page = await readPage(this.#access, request);
      if (this.#failures > 0) tell("The shop is reachable again.");
      this.#failures = 0;
      return page;
    } catch (error) {
      if (signal.aborted) return null;
      if (!(error instanceof ShopUnreachable)) throw error;
      if (this.#failures === 0) tell(`${error.message} Retrying until the shop answers.`);
      await pause(PAUSES_MS[this.#failures] ?? PAUSES_MS.at(-1) ?? 0, signal);
      this.#failures += 1;
      return null;
    }
  }
}

/** Sleeps; the signal ends it early. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = () => {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
    resolve();
  };
  const timer = setTimeout(end, milliseconds);
  signal.addEventListener("abort", end);
  if (signal.aborted) end();
  return promise;
}

// Forwards an event as the shop's own webhooks would send it: the same bytes, signed the same way.

/** The timeout of the shop's own webhooks. */
const TIMEOUT_MS = 15_000;

interface EventReceiver {
  readonly url: string;
  readonly secret: string;
  readonly isInsecure: boolean;
  readonly signal: AbortSignal;
}

/** The receiver's status, or a sentence about the failure. Never retries. */
async function forwardEvent(event: FeedEvent, receiver: EventReceiver): Promise<string> {
  const { id, envelope: body } = event;
  const timestamp = Math.floor(realClock.now() / 1000);
  try {
    const { status } = await callAnywhere({
      method: "POST",
      url: receiver.url,
      headers: {
        ...signatureHeaders({ id, timestamp, body }, [receiver.secret]),
        "content-type": "application/json",
        "user-agent": "Duka-Webhooks",
      },
      body,
      timeoutMs: TIMEOUT_MS,
      signal: receiver.signal,
      trustsAnyCertificate: receiver.isInsecure,
    });
    return String(status);
  } catch (error) {
    const sentence = error instanceof Error ? error.message : String(error);
    const isOfTls = error instanceof Error && callFailure(error.cause) === "tls";
    const hint = isOfTls && !receiver.isInsecure ? " --insecure sends to it all the same." : "";
    return `${sentence}${hint} The event is not sent again.`;
  }
}

export interface ListenOptions extends ShopOptions {
  readonly forwardTo?: string;
  readonly insecure?: true;
  readonly events?: string;
  readonly secret?: string;
  readonly printJson?: true;
}

/** The address to which events are forwarded, and the secret that signs them. */
interface Target {
  readonly url: string;
  readonly isInsecure: boolean;
  /** The secret of --secret, else the one that every run of `duka listen` on this shop has. */
  readonly secret: string;
  /** True if it is printed: the developer needs it for the receiver, and has not given it. */
  readonly isSecretShown: boolean;
}

/** Prints each new event until a stop signal. */
export async function listenAtTerminal(options: ListenOptions): Promise<void> {
  const receiver = readReceiver(options);
  using stop = catchStopSignal();
  const { signal } = stop;
  // JSON on stdout is for programs: sentences go to stderr then.
  const tell = options.printJson === true ? printToStderr : print;
  await using access = await openShopAccess(options, {
    name: "duka listen",
    scopes: ["events:read"],
  });
  const target = receiver === null ? null : targetOf(receiver, access);
  const terms = { events: options.events, signal, tell };
  try {
    const newest = await findNewest(access, terms);
    if (!greeting(access, target).every(tell)) return;
    for await (const event of followFeed(access, newest, terms)) {
      const isRead = await report(event, {
        target,
        tell,
        signal,
        isJson: options.printJson === true,
      });
      // The reader has gone, as after `| head`.
      if (!isRead) return;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

interface Receiver {
  readonly url: string;
  readonly isInsecure: boolean;
  readonly secret: string | undefined;
}

function targetOf({ url, isInsecure, secret }: Receiver, access: ShopAccess): Target {
  const isSecretShown = secret === undefined;
  return { url, isInsecure, secret: secret ?? access.signingSecret(), isSecretShown };
}

/** A host with or without a port, as it is typed: `localhost:3000` would be the scheme of a URL. */
const WITHOUT_SCHEME = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?(?:[/?]|$)/i;

function readReceiver({ forwardTo, insecure, secret }: ListenOptions): Receiver | null {
  if (forwardTo === undefined) {
    if (insecure === true) {
      throw new UsageFault("--insecure needs --forward-to, the URL to send events to.");
    }
    if (secret === undefined) return null;
    throw new UsageFault("--secret needs --forward-to, the URL to send signed events to.");
  }
  const url = URL.parse(WITHOUT_SCHEME.test(forwardTo) ? `http://${forwardTo}` : forwardTo);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageFault(
      "--forward-to must be a full URL or a host, such as localhost:3000/webhooks.",
    );
  }
  if (secret !== undefined && !isSecret(secret)) {
    throw new UsageFault("--secret must be whsec_ followed by 24 to 64 bytes in base64.");
  }
  return { url: url.href, isInsecure: insecure === true, secret };
}

function greeting(access: ShopAccess, target: Target | null): string[] {
  const listening = `Listening to the test shop at ${access.url}; press Ctrl-C to stop.`;
  if (target === null) return [listening];
  const forwarding = `Each event is sent to ${target.url} once, without retries.`;
  const secret = `Your signing secret is ${target.secret}`;
  return target.isSecretShown ? [secret, forwarding, listening] : [forwarding, listening];
}

interface ReportTerms {
  readonly target: Target | null;
  readonly isJson: boolean;
  readonly tell: (sentence: string) => boolean;
  readonly signal: AbortSignal;
}

/** Prints the event as a line or as JSON, and with a receiver the result of forwarding it. Returns false if no reader is left. */
async function report(
  event: FeedEvent,
  { target, tell, signal, isJson }: ReportTerms,
): Promise<boolean> {
  if (isJson && !print(event.envelope)) return false;
  if (target === null) return isJson || tell(eventLine(event));
  const result = await forwardEvent(event, { ...target, signal });
  return tell(`${eventLine(event)}  → ${colored(result)}`);
}

/** A status of 2xx in green, anything else in red, on a terminal. */
function colored(result: string): string {
  return styleText(/^2\d\d$/.test(result) ? "green" : "red", result, { stream: process.stdout });
}

function printToStderr(line: string): boolean {
  console.error(line);
  return true;
}
