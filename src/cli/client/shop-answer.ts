// The answer of a shop to a command: its body, or the error that the command prints.

import { member } from "#cli/operator/members.ts";
import type { PlainAnswer } from "#platform/net/call-anywhere.ts";

/** A failed call, as a sentence for stderr. A retry does not help. */
export class ShopFault extends Error {
  constructor(detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.name = "ShopFault";
  }
}

/** The shop cannot be reached or is overloaded; a retry may succeed. */
export class ShopUnreachable extends ShopFault {
  constructor(detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.name = "ShopUnreachable";
  }
}

/** The body of a successful answer. Throws a refusal's detail with all its faults. */
export function requireSuccess(answer: PlainAnswer): string {
  const { status, text } = answer;
  if (status >= 200 && status < 300) return text;
  const problem = parsed(text);
  const detail = member(problem, "detail");
  if (typeof detail !== "string") throw notOfDuka(status);
  const sentence = [detail, ...faultsOf(problem)].join("\n");
  const isTemporary = status >= 500 || status === 429;
  throw isTemporary ? new ShopUnreachable(sentence) : new ShopFault(sentence);
}

/** The error for an answer that no Duka gives; a status from 500 may come from a proxy before one. */
function notOfDuka(status: number): ShopFault {
  const sentence = `The server is not a Duka: HTTP ${status} without a problem document.`;
  return status >= 500 ? new ShopUnreachable(sentence) : new ShopFault(sentence);
}

function faultsOf(problem: unknown): string[] {
  const faults = member(problem, "errors");
  return (Array.isArray(faults) ? faults : []).map((fault: unknown) => {
    const place = member(fault, "pointer") ?? member(fault, "parameter") ?? member(fault, "header");
    return `  ${String(place)}: ${String(member(fault, "detail"))}`;
  });
}

/** The parsed JSON; undefined for invalid JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
