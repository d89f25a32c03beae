// `duka listen`: prints the events of the test shop, and forwards them to a receiver such as a program on
// the developer's machine, which webhooks cannot reach.

import { styleText } from "node:util";

import { UsageFault } from "#cli/operator/settings.ts";
import { isSecret } from "#messaging/webhooks/endpoints/signature.ts";

import { eventLine, type FeedEvent } from "./feed-page.ts";
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

/** Where events are forwarded, and the secret that signs them. */
interface Target {
  readonly url: string;
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
  const print = options.printJson === true ? printToStderr : printToStdout;
  await using access = await openShopAccess(options, {
    name: "duka listen",
    scopes: ["events:read"],
  });
  const target = receiver === null ? null : targetOf(receiver, access);
  const terms = { events: options.events, signal, print };
  try {
    const newest = await findNewest(access, terms);
    for (const sentence of greeting(access, target)) print(sentence);
    for await (const event of followFeed(access, newest, terms)) {
      await report(event, { target, terms, isJson: options.printJson === true });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  if (stop.fault !== null) throw stop.fault;
}

interface Receiver {
  readonly url: string;
  readonly secret: string | undefined;
}

function targetOf({ url, secret }: Receiver, access: ShopAccess): Target {
  return { url, secret: secret ?? access.signingSecret(), isSecretShown: secret === undefined };
}

function readReceiver({ forwardTo, secret }: ListenOptions): Receiver | null {
  if (forwardTo === undefined) {
    if (secret === undefined) return null;
    throw new UsageFault("--secret needs --forward-to, the URL to send signed events to.");
  }
  const url = URL.parse(forwardTo);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageFault(
      "--forward-to must be a full URL, such as http://127.0.0.1:3000/webhooks.",
    );
  }
  if (secret !== undefined && !isSecret(secret)) {
    throw new UsageFault("--secret must be whsec_ followed by 24 to 64 bytes in base64.");
  }
  return { url: url.href, secret };
}

function greeting(access: ShopAccess, target: Target | null): string[] {
  const listening = `Listening to the test shop at ${access.url}; press Ctrl-C to stop.`;
  if (target === null) return [listening];
  const forwarding = `Each event is sent to ${target.url} once, without retries.`;
  const secret = `Your signing secret is ${target.secret}`;
  return target.isSecretShown ? [secret, forwarding, listening] : [forwarding, listening];
}

/** Prints the event as a line or as JSON, and with a receiver the result of forwarding it. */
async function report(
  event: FeedEvent,
  to: { readonly target: Target | null; readonly terms: FollowTerms; readonly isJson: boolean },
): Promise<void> {
  const { target, terms, isJson } = to;
  if (isJson) printToStdout(event.envelope);
  if (target === null) {
    if (!isJson) terms.print(eventLine(event));
    return;
  }
  const result = await forwardEvent(event, { ...target, signal: terms.signal });
  terms.print(`${eventLine(event)}  → ${colored(result)}`);
}

/** A status of 2xx in green, anything else in red, on a terminal. */
function colored(result: string): string {
  return styleText(/^2\d\d$/.test(result) ? "green" : "red", result, { stream: process.stdout });
}

/** Unlike `console.log` this reports a closed pipe, on which the command stops. */
function printToStdout(line: string): void {
  process.stdout.write(`${line}\n`);
}

function printToStderr(line: string): void {
  console.error(line);
}
