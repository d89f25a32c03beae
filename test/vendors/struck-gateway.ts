// A gateway in this process, of which single calls go wrong: before or after they had their effect, as a call over a
// network does.

import type { Gateway } from "#payments/port/gateway.ts";

/** The calls of the port. */
export const gatewayCalls = [
  "initiate",
  "submitAction",
  "verify",
  "cancel",
  "refund",
  "verifyRefund",
  "findRefunds",
] as const;
export type GatewayCall = (typeof gatewayCalls)[number];

/**
 * What goes wrong. `breaks`: the call throws, `unknown`: it cannot tell, each before or after its effect; `not_sent`:
 * it never left; `late`: what is read lacks what happened last.
 */
export const blows = [
  "breaks before",
  "breaks after",
  "unknown before",
  "unknown after",
  "not_sent",
  "late",
] as const;
export type Blow = (typeof blows)[number];

/** What goes wrong in which calls of one kind. */
export interface Strike {
  readonly call: GatewayCall;
  readonly blow: Blow;
  /** At which of these calls: 1 is the first. */
  readonly nth: number;
  /** How many in a row. */
  readonly times: number;
}

const changing: ReadonlySet<GatewayCall> = new Set([
  "initiate",
  "submitAction",
  "cancel",
  "refund",
]);
const sending: ReadonlySet<GatewayCall> = new Set(["initiate", "submitAction", "refund"]);

/** Whether such a call can go wrong like this: what only reads has no effect, and nothing that is read was not sent. */
export function canStrike(call: GatewayCall, blow: Blow): boolean {
  if (blow === "late") return !changing.has(call);
  if (blow === "not_sent") return sending.has(call);
  return blow.endsWith("before") || changing.has(call);
}

/** The error of a connection that broke. */
class Broken extends Error {}

/** Makes calls of the gateway go wrong. Returns how often one did. */
export function strike(gateway: Gateway, { call, blow, nth, times }: Strike): () => number {
  let [seen, struck] = [0, 0];
  const isStruck = (): boolean => {
    seen += 1;
    const isDue = seen >= nth && seen < nth + times;
    if (isDue) struck += 1;
    return isDue;
  };
  const notSent = { kind: "not_sent", trouble: null, retryAfterMs: null } as const;
  const around = async <T>(effect: () => Promise<T>, answers: Answers<T>): Promise<T> => {
    if (!isStruck()) return effect();
    if (blow === "not_sent") return answers.notSent ?? answers.unknown;
    if (blow === "late") return answers.late ?? answers.unknown;
    if (blow.endsWith("after")) await effect();
    if (blow.startsWith("breaks")) throw new Broken("The connection broke.");
    return answers.unknown;
  };
  const real = {
    initiate: gateway.initiate.bind(gateway),
    submitAction: gateway.submitAction.bind(gateway),
    verify: gateway.verify.bind(gateway),
    cancel: gateway.cancel.bind(gateway),
    refund: gateway.refund.bind(gateway),
    verifyRefund: gateway.verifyRefund.bind(gateway),
    findRefunds: gateway.findRefunds.bind(gateway),
  };
  const unknown = { kind: "unknown" } as const;
  const ways: Pick<Gateway, GatewayCall> = {
    initiate: (attempt, terms) => around(() => real.initiate(attempt, terms), { unknown, notSent }),
    submitAction: (attempt, action, terms) =>
      around(() => real.submitAction(attempt, action, terms), { unknown, notSent }),
    verify: (attempt, terms) =>
      around(() => real.verify(attempt, terms), {
        unknown: { state: "unknown" },
        late: { state: "not_found" },
      }),
    cancel: (attempt, terms) => around(() => real.cancel(attempt, terms), { unknown }),
    refund: (refund, terms) => around(() => real.refund(refund, terms), { unknown, notSent }),
    verifyRefund: (refund, terms) =>
      around(() => real.verifyRefund(refund, terms), { unknown, late: { kind: "not_found" } }),
    findRefunds: (attempt, terms) =>
      around(() => real.findRefunds(attempt, terms), {
        unknown,
        late: { kind: "found", refunds: [] },
      }),
  };
  Object.assign(gateway, { [call]: ways[call] });
  return () => struck;
}

/** What a call that goes wrong answers. */
interface Answers<T> {
  readonly unknown: T;
  readonly notSent?: T;
  readonly late?: T;
}
