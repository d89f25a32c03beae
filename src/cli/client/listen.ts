// `duka listen`: the events of the test shop at a terminal, and, where it is told, at a receiver on
// the developer's own machine, which no webhook could reach.

import { UsageFault } from "#cli/operator/usage-fault.ts";
import { isSecret, newSecret } from "#messaging/webhooks/endpoints/signature.ts";

import { eventLine } from "./event-line.ts";
import type { FeedEvent } from "./feed-page.ts";
import { findNewest, followFeed, type FollowTerms } from "./follow-feed.ts";
import { forwardEvent } from "./forward-event.ts";
import { openShopAccess, type ShopAccess, type ShopOptions } from "./shop-access.ts";
import { catchStopSignal } from "./stop-signal.ts";

export interface ListenOptions extends ShopOptions {
  readonly forwardTo?: string;
  readonly events?: string;
  readonly secret?: string;
  readonly printJson?: true;
}

/** Where events go and what they are signed with. */
interface Target {
  readonly url: string;
  readonly secret: string;
  /** Whether the secret was made for this run, so that it has to be shown. */
  readonly isFresh: boolean;
}

/** Prints each event that comes from now on until it is told to stop. */
export async function listenAtTerminal(options: ListenOptions): Promise<void> {
  const target = readTarget(options);
  using stop = catchStopSignal();
  const { signal } = stop;
  const say = options.printJson === true ? sayAside : sayOut;
  await using access = await openShopAccess(options, {
    name: "duka listen",
    scopes: ["events:read"],
  });
  const terms = { events: options.events, signal, say };
  try {
    const newest = await findNewest(access, terms);
    for (const sentence of greeting(access, target)) say(sentence);
    for await (const event of followFeed(access, newest, terms)) {
      await tell(event, { target, terms, isJson: options.printJson === true });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  if (stop.fault !== null) throw stop.fault;
}

function readTarget({ forwardTo, secret }: ListenOptions): Target | null {
  if (forwardTo === undefined) {
    if (secret === undefined) return null;
    throw new UsageFault("--secret signs what is sent on: say where with --forward-to.");
  }
  const url = URL.parse(forwardTo);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageFault(
      "--forward-to is a whole address, such as http://127.0.0.1:3000/webhooks.",
    );
  }
  if (secret !== undefined && !isSecret(secret)) {
    throw new UsageFault("--secret is whsec_ and the base64 of 24 to 64 bytes.");
  }
  return { url: url.href, secret: secret ?? newSecret(), isFresh: secret === undefined };
}

function greeting(access: ShopAccess, target: Target | null): string[] {
  const listening = `Listening to the test shop at ${access.url}; Ctrl-C ends it.`;
  if (target === null) return [listening];
  const forwarding = `Each event is sent to ${target.url} once, whatever it answers.`;
  const secret = `Your signing secret is ${target.secret}`;
  return target.isFresh ? [secret, forwarding, listening] : [forwarding, listening];
}

/** The event's line, or its JSON; with a receiver, what that made of it. */
async function tell(
  event: FeedEvent,
  at: { readonly target: Target | null; readonly terms: FollowTerms; readonly isJson: boolean },
): Promise<void> {
  const { target, terms, isJson } = at;
  if (isJson) sayOut(event.envelope);
  if (target === null) {
    if (!isJson) terms.say(eventLine(event));
    return;
  }
  const outcome = await forwardEvent(event, { ...target, signal: terms.signal });
  terms.say(`${eventLine(event)}  → ${outcome}`);
}

/** Unlike the console it notices when nobody reads on. */
function sayOut(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Beside the JSON on stdout. */
function sayAside(line: string): void {
  console.error(line);
}
