// What an endpoint may ask for: every event by its name, all events of a noun, and all there are.

import { eventNames } from "#messaging/events/event.ts";

const nouns = new Set(eventNames.map((name) => name.slice(0, name.indexOf("."))));

/** What an endpoint gets where nothing is said. */
export const everything: readonly string[] = ["*"];

/** Names, `order.*` and its like, `*`. */
export const eventPatterns: readonly string[] = [
  ...eventNames,
  ...[...nouns].map((noun) => `${noun}.*`),
  ...everything,
];
