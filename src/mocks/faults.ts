// The faults between a shop and a vendor: at the n-th call of a kind, or at random by a seed; before or after
// the call has its effect. After the effect is what finds double charges.

import { isObject } from "#kernel/assume.ts";

import type { Reply, Sent, Travel } from "./vendor-server.ts";

/** Takes the place of the vendor's answer, and of its effect if it strikes before. */
export type Replacement =
  | { readonly kind: "refuse" | "hang" | "reset" }
  | { readonly kind: "rate_limit" | "broken" }
  | { readonly kind: "error_page"; readonly status: 502 | 503 | 504 }
  | { readonly kind: "page" | "empty" };

/** Changes the vendor's answer on its way: the call has had its effect. */
export type Distortion =
  | { readonly kind: "cut"; readonly afterBytes: number }
  | { readonly kind: "drip"; readonly everyMs: number }
  | { readonly kind: "wrong_type" | "byte_order_mark" }
  | { readonly kind: "text_amounts" | "wide_ids" | "unknown_status" }
  | { readonly kind: "odd_metadata"; readonly value: "" | 0 };

export type PlannedFault =
  | { readonly moment: "before"; readonly fault: Replacement }
  | { readonly moment: "after"; readonly fault: Replacement | Distortion };

export interface Plan {
  /** The call as the face's routes name it, such as `POST /v1/refunds`; all calls if absent. */
  readonly call?: string;
  /** At which of these calls from now on: 1 is the next one. */
  readonly nth?: number;
}

/** The words of one vendor for answers that every vendor has. */
export interface Dialect {
  readonly rateLimit: Reply;
  readonly broken: Reply;
  /** The members of its JSON that are amounts. */
  readonly amounts: ReadonlySet<string>;
}

/** An id of 64 bits, which is another number where numbers are doubles. */
const WIDE_ID = "9007199254740993";
const BYTE_ORDER_MARK = "\u{feff}";
const PAGE = "<!doctype html><title>Error</title><h1>Something went wrong</h1>";

interface Waiting {
  readonly call: string | null;
  left: number;
  readonly planned: PlannedFault;
}

/**
 * Every fault that is not `refuse`, which lasts until the vendor is up again: before and after where it can be.
 *
 * @internal Exported for tests.
 */
export const everyFault: readonly PlannedFault[] = [
  ...replacements().flatMap((fault): PlannedFault[] => [
    { moment: "before", fault },
    { moment: "after", fault },
  ]),
  ...distortions().map((fault): PlannedFault => ({ moment: "after", fault })),
];

/**
 * The fault in the name of a test.
 *
 * @internal Exported for tests.
 */
export function faultName({ moment, fault }: PlannedFault): string {
  const { kind, ...terms } = fault;
  return [moment, kind, ...Object.values(terms).map((value) => JSON.stringify(value))].join(" ");
}

export class FaultEngine {
  readonly #dialect: Dialect;
  readonly #struck: string[] = [];
  #waiting: Waiting[] = [];
  #random: (() => PlannedFault | null) | null = null;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** The calls that a fault has struck, oldest first, with the fault. */
  get struck(): readonly string[] {
    return this.#struck;
  }

  plan(planned: PlannedFault, { call, nth = 1 }: Plan = {}): void {
    this.#waiting.push({ call: call ?? null, left: nth, planned });
  }

  /** From now on, of each 100 calls about `percent` meet one of the faults. The same seed meets the same ones. */
  scatter(terms: {
    readonly seed: number;
    readonly percent: number;
    readonly faults?: readonly PlannedFault[];
  }): void {
    const { seed, percent, faults = everyFault } = terms;
    const next = numbersOf(seed);
    this.#random = () => {
      const [drawn, which] = [next(100), next(faults.length)];
      return drawn < percent ? (faults[which] ?? null) : null;
    };
  }

  /** No fault strikes any more. */
  end(): void {
    this.#waiting = [];
    this.#random = null;
  }

  /** Has the call its effect, unless a fault strikes before it; returns what the caller receives, and how. */
  async run(call: string, effect: () => Promise<Reply>): Promise<Sent> {
    const planned = this.#next(call);
    if (planned === null) return { reply: await effect(), travel: { kind: "whole" } };
    this.#struck.push(`${call}: ${faultName(planned)}`);
    if (planned.moment === "before") return this.#replace(planned.fault);
    const reply = await effect();
    const { fault } = planned;
    return isReplacement(fault) ? this.#replace(fault) : this.#distort(reply, fault);
  }

  #next(call: string): PlannedFault | null {
    const concerned = this.#waiting.filter((one) => one.call === null || one.call === call);
    for (const one of concerned) one.left -= 1;
    const due = concerned.find(({ left }) => left === 0);
    this.#waiting = this.#waiting.filter(({ left }) => left > 0);
    return due?.planned ?? this.#random?.() ?? null;
  }

  #replace(fault: Replacement): Sent {
    switch (fault.kind) {
      case "refuse":
        return unanswered("down");
      case "hang":
      case "reset":
        return unanswered(fault.kind);
      case "rate_limit":
        return whole(this.#dialect.rateLimit);
      case "broken":
        return whole(this.#dialect.broken);
      case "error_page":
        return whole(pageOf(fault.status));
      case "page":
        return whole(pageOf(200));
      case "empty":
        return whole({ status: 200, headers: json, body: "" });
    }
  }

  #distort(reply: Reply, fault: Distortion): Sent {
    switch (fault.kind) {
      case "cut":
      case "drip":
        return { reply, travel: fault };
      case "wrong_type":
        return whole({ ...reply, headers: { ...reply.headers, "content-type": "text/plain" } });
      case "byte_order_mark":
        return whole({ ...reply, body: BYTE_ORDER_MARK + reply.body });
      default:
        return whole({ ...reply, body: this.#reword(reply.body, fault) });
    }
  }

  /** The JSON with other members: a vendor's own answers are JSON. */
  #reword(body: string, fault: Distortion): string {
    const { amounts } = this.#dialect;
    const text = JSON.stringify(JSON.parse(body, exactly), (name, value: unknown) => {
      if (fault.kind === "text_amounts" && amounts.has(name)) return String(value);
      if (fault.kind === "wide_ids" && name === "id") return WIDE;
      if (fault.kind === "unknown_status" && name === "status") return "on_the_moon";
      if (fault.kind === "odd_metadata" && name === "metadata" && isObject(value)) {
        return fault.value;
      }
      return value;
    });
    return text.replaceAll(`"${WIDE}"`, WIDE_ID);
  }
}

/** A number that a double does not keep stays as it was written. */
function exactly(
  _: string,
  value: unknown,
  ...[context]: readonly { readonly source: string }[]
): unknown {
  const isLossy = typeof value === "number" && !Number.isSafeInteger(value);
  return isLossy && context !== undefined ? JSON.rawJSON(context.source) : value;
}

const REPLACING: ReadonlySet<string> = new Set([
  "refuse",
  ...replacements().map(({ kind }) => kind),
]);
const WIDE = "an id of 64 bits";
const json = { "content-type": "application/json" };

function replacements(): Replacement[] {
  const pages = ([502, 503, 504] as const).map((status) => ({
    kind: "error_page" as const,
    status,
  }));
  const others = (["hang", "reset", "rate_limit", "broken", "page", "empty"] as const).map(
    (kind) => ({ kind }),
  );
  return [...others, ...pages];
}

function distortions(): Distortion[] {
  const kinds = [
    "wrong_type",
    "byte_order_mark",
    "text_amounts",
    "wide_ids",
    "unknown_status",
  ] as const;
  return [
    ...[0, 1, 40, 400].map((afterBytes) => ({ kind: "cut" as const, afterBytes })),
    { kind: "drip", everyMs: 50 },
    ...kinds.map((kind) => ({ kind })),
    { kind: "odd_metadata", value: "" },
    { kind: "odd_metadata", value: 0 },
  ];
}

function isReplacement(fault: Replacement | Distortion): fault is Replacement {
  return REPLACING.has(fault.kind);
}

function whole(reply: Reply): Sent {
  return { reply, travel: { kind: "whole" } };
}

function unanswered(kind: Exclude<Travel["kind"], "cut" | "drip">): Sent {
  return { reply: { status: 0, headers: {}, body: "" }, travel: { kind } };
}

function pageOf(status: number): Reply {
  return { status, headers: { "content-type": "text/html; charset=utf-8" }, body: PAGE };
}

/** Numbers below a limit, the same for the same seed (a linear congruential generator, Knuth's MMIX). */
/** Whole numbers below what is asked, the same ones for the same seed. */
export function numbersOf(seed: number): (below: number) => number {
  let state = BigInt(seed);
  return (below) => {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
    return Number((state >> 33n) % BigInt(below));
  };
}
