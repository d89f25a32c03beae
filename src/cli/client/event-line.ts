// An event on one line of a terminal.

import { eventNames } from "#messaging/events/event.ts";

import type { FeedEvent } from "./feed-page.ts";

const NAME_WIDTH = Math.max(...eventNames.map((name) => name.length));
const CONTROL = /\p{Cc}/gu;

/** When, what, its id, and the id of what it is about; nothing in it can move a cursor. */
export function eventLine({ createdAt, name, id, subject }: FeedEvent): string {
  const line = [createdAt, name.padEnd(NAME_WIDTH), id, subject ?? "-"].join("  ");
  return line.replace(CONTROL, "�");
}
