// `duka trigger`: emits an event with sample data in the test shop.

import { UsageFault } from "#cli/operator/settings.ts";
import { print } from "#platform/process/output.ts";

import { eventLine, readEvent } from "./feed-page.ts";
import { openShopAccess, type ShopOptions } from "./shop-access.ts";
import { parsed, requireSuccess } from "./shop-answer.ts";
import { catchStopSignal } from "./stop-signal.ts";

const TIMEOUT_MS = 30_000;

export interface TriggerOptions extends ShopOptions {
  readonly data?: string;
  readonly printJson?: true;
}

/** Prints the emitted event. */
export async function triggerAtTerminal(name: string, options: TriggerOptions): Promise<void> {
  const body = bodyOf(name, options.data);
  using stop = catchStopSignal();
  await using access = await openShopAccess(options, {
    name: "duka trigger",
    scopes: ["sandbox:use"],
  });
  const answer = await access.call({
    method: "POST",
    path: "/v2/test/trigger",
    body,
    timeoutMs: TIMEOUT_MS,
    signal: stop.signal,
  });
  const envelope = requireSuccess(answer);
  print(options.printJson === true ? envelope : eventLine(readEvent(envelope)));
}

/** Sends the data as typed, so that numbers keep their digits. */
function bodyOf(name: string, data: string | undefined): string {
  const event = JSON.stringify(name);
  if (data === undefined) return `{"event":${event}}`;
  const value = parsed(data);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new UsageFault(`--data must be a JSON object, such as '{"channel": "pos"}'.`);
  }
  return `{"event":${event},"data":${data}}`;
}
