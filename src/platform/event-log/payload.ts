// The payload of an event and its members, read without trust in their form.

import { isObject } from "#kernel/assume.ts";

import type { LoggedEvent } from "./event-log.ts";

export type Payload = Readonly<Record<string, unknown>>;

/** The payload of an event; null of one that was triggered to try a receiver, of which nothing happened. */
export function payloadOf(event: Pick<LoggedEvent, "data">): Payload | null {
  const data: unknown = JSON.parse(event.data);
  return isPayload(data) && data["triggered"] !== true ? data : null;
}

/** An object within it; empty where there is none. */
export function partOf(data: Payload, name: string): Payload {
  const value = data[name];
  return isPayload(value) ? value : {};
}

export function textOf(data: Payload, name: string): string | null {
  const value = data[name];
  return typeof value === "string" ? value : null;
}

/** A whole number; 0 where there is none. */
export function wholeOf(data: Payload, name: string): number {
  const value = data[name];
  return typeof value === "number" && Number.isSafeInteger(value) ? value : 0;
}

export function listOf(data: Payload, name: string): readonly Payload[] {
  const value = data[name];
  return Array.isArray(value) ? value.filter(isPayload) : [];
}

export function isPayload(value: unknown): value is Payload {
  return isObject(value);
}
