// The hook that takes messages to customers: its secret, what it is sent, and what is refused.

import { defineRefusal } from "#kernel/refusal.ts";
import { HOUR_MS } from "#kernel/time.ts";

import type { MessageHookRow, SealedHookRow } from "./tables.ts";

/** The hook without its secrets. */
export type MessageHook = MessageHookRow;

/** The hook with its sealed secrets. */
export type SealedHook = SealedHookRow;

/** The hook, and its secret where it was made now. */
export interface HookWithSecret extends MessageHook {
  readonly secret: string | null;
}

/** The message that the hook is sent: the text, and what a template of an own is filled with. */
export interface HookMessage {
  readonly channel: "email" | "sms";
  /** An email, or a phone in E.164. */
  readonly to: string;
  readonly template: "sign_in_code";
  readonly text: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** The place for which the secret is sealed. */
export const SEAL_PLACE = "message hook";
/** The receiver hands the message on and answers. */
export const HOOK_MS_MAX = 5_000;
/** After a rotation the previous secret signs, too. */
export const OVERLAP_MS = 24 * HOUR_MS;

/** The sealed secrets that sign at this time. */
export function sealsAt(
  { sealedSecret, sealedOldSecret, oldSecretExpiresAt }: SealedHook,
  now: number,
): string[] {
  const isOldValid = sealedOldSecret !== null && (oldSecretExpiresAt ?? 0) > now;
  return isOldValid ? [sealedSecret, sealedOldSecret] : [sealedSecret];
}

export const hookNotFound = defineRefusal("message_hook_not_found", "not_found", {
  title: "The shop has no message hook.",
  cause: "No URL was set that takes messages to customers.",
  remedy: "Set one by `PUT /v2/message-hook`.",
});
