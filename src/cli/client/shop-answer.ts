// What a shop answered to a command: the body that was asked for, or why there is none.

import { member } from "#cli/operator/members.ts";
import type { PlainAnswer } from "#platform/net/call-anywhere.ts";

import { ShopFault, ShopUnreachable } from "./shop-fault.ts";

/** The text of a successful answer. Throws its refusal as a sentence, with every fault it names. */
export function requireSuccess(answer: PlainAnswer): string {
  const { status, text } = answer;
  if (status >= 200 && status < 300) return text;
  const problem = parsed(text);
  const detail = member(problem, "detail");
  if (typeof detail !== "string") throw notOfDuka(status);
  const sentence = [detail, ...faultsOf(problem)].join("\n");
  const mayPass = status >= 500 || status === 429;
  throw mayPass ? new ShopUnreachable(sentence) : new ShopFault(sentence);
}

/** What somebody else would answer who was taken for a Duka; a proxy of one says 502 and the like. */
function notOfDuka(status: number): ShopFault {
  const sentence = `The answer (HTTP ${status}) is not that of a Duka.`;
  return status >= 500 ? new ShopUnreachable(sentence) : new ShopFault(sentence);
}

function faultsOf(problem: unknown): string[] {
  const faults = member(problem, "errors");
  return (Array.isArray(faults) ? faults : []).map((fault: unknown) => {
    const place = member(fault, "pointer") ?? member(fault, "parameter") ?? member(fault, "header");
    return `  ${String(place)}: ${String(member(fault, "detail"))}`;
  });
}

/** Undefined for what is no JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
