// An adapter that serves any gateway: the inverse image of the gateway that asks adapters. It remembers names and
// bodies of keys by itself, since an adapter is told of neither.

import { isObject } from "#kernel/assume.ts";
import { currencyCodes, isCurrency } from "#kernel/currency.ts";
import { FaultEngine } from "#mocks/faults.ts";
import { type Asked, type Reply, VendorServer } from "#mocks/vendor-server.ts";
import type { PayerAnswer } from "#payments/gateways/contract/world.ts";
import { type HttpGatewayTerms, openHttpGateway } from "#payments/gateways/http/http-gateway.ts";
import {
  exactText,
  instant,
  list,
  orNull,
  type Part,
  record,
} from "#payments/gateways/http/parts.ts";
import {
  attemptPart,
  cancelPart,
  type Description,
  descriptionPart,
  disputesPart,
  initiationPart,
  optionalCalls,
  outcomePart,
  payoutLinesPart,
  payoutPart,
  payoutsPart,
  refundOutcomePart,
  refundPart,
  refundsPart,
  returnsPart,
  type Taking,
} from "#payments/gateways/http/wire.ts";
import type {
  Gateway,
  GatewayAttempt,
  GatewayCallTerms,
  GatewayRefund,
} from "#payments/port/gateway.ts";
import type { ArrivedNotice } from "#payments/port/notice.ts";
import { type GatewayName, providers } from "#payments/rows/payment-life.ts";
import { isSignedWith, newSecret, signatureHeaders } from "#platform/net/signature.ts";
import { alsoLoopback } from "#platform/net/target-url.ts";

export interface ServedGateway extends AsyncDisposable {
  readonly secret: string;
  readonly server: VendorServer;
  readonly description: Description;
  /** From now on calls are signed with this secret, and notices, too. */
  use(secret: string): void;
  /** The gateway of a shop, at this adapter. */
  readonly gateway: Gateway;
  readonly faults: FaultEngine;
  /** The notice that the adapter sends for one of its vendor. */
  noticeOf(arrived: ArrivedNotice): ArrivedNotice;
  /** A notice with this body, signed. */
  signed(body: object, id: string): ArrivedNotice;
}

const json = { "content-type": "application/json" };

function answer(status: number, body: unknown, headers: Record<string, string> = {}): Reply {
  return { status, headers: { ...json, ...headers }, body: JSON.stringify(body) };
}

/** What the adapter of a gateway says of itself. */
export function describe(gateway: Gateway): Description {
  const currencies = currencyCodes.filter(isCurrency);
  const takes = gateway.methods.flatMap((method) =>
    currencies.flatMap((currency): Taking[] => {
      const terms = gateway.takes({ method, currency, provider: null });
      if (terms === null) return [];
      const { minimumMinor, maximumMinor, multipleMinor } = terms;
      const taken = providers.filter(
        (provider) => gateway.takes({ method, currency, provider }) !== null,
      );
      const most = maximumMinor === null ? {} : { maximumMinor };
      const from = method === "mobile_money" ? { providers: taken } : {};
      const tokens = gateway.takes({ method, currency, provider: null, hasToken: true }) !== null;
      return [{ method, currency, minimumMinor, multipleMinor, ...most, ...from, tokens }];
    }),
  );
  const isUuid = /^[0-9a-f]{8}-/.test(gateway.newReference("pay_01kf0000000000000000000001", 1));
  const methods = {
    "find-disputes": "findDisputes",
    "list-disputes": "listDisputes",
    "list-refunds": "listRefunds",
    "list-payouts": "listPayouts",
  } as const;
  return {
    contract: 1,
    mode: gateway.mode,
    label: gateway.id,
    // Fewer than the world has: an adapter lists at most 64.
    takes: takes.filter(({ currency }) => ["GHS", "EUR", "KES", "USD"].includes(currency)),
    reference: isUuid ? "uuid" : "plain",
    refunds: "part",
    cancels: true,
    otp: true,
    refundsFailLate: gateway.refundsFailLate,
    hidesReturns: gateway.hidesReturns ?? false,
    calls: optionalCalls.filter((call) => methods[call] in gateway && gateway[methods[call]]),
  };
}

/** How an adapter is served, beside the gateway that it serves. */
export interface Serving {
  /** Its payer of test mode answers. Returns the notice of the vendor, which is passed on. */
  readonly answer?: (reference: string, answer: PayerAnswer) => Promise<ArrivedNotice>;
  /** A promise of the contract that it breaks. */
  readonly ignores?: "signatures" | "bodies";
}

class Adapter {
  secret = newSecret();
  readonly description: Description;
  readonly #gateway: Gateway;
  readonly #serving: Serving;
  readonly #notifyUrls = new Map<string, string>();
  readonly #names = new Map<string, GatewayName[]>();
  readonly #bodies = new Map<string, string>();

  constructor(gateway: Gateway, serving: Serving) {
    this.#gateway = gateway;
    this.#serving = serving;
    const payer = serving.answer === undefined ? {} : { testPayer: true };
    this.description = { ...describe(gateway), ...payer };
  }

  async serve(asked: Asked): Promise<Reply> {
    const nowSeconds = Math.floor(Date.now() / 1000);
    const arrived = { headers: asked.headers, body: asked.body, nowSeconds };
    const { ignores } = this.#serving;
    if (ignores !== "signatures" && !isSignedWith(this.secret, arrived)) {
      return answer(401, { error: "signature" });
    }
    if (asked.headers.get("duka-mode") !== this.#gateway.mode) return answer(401, {});
    const run = this.#calls[asked.path.slice(1)];
    if (run === undefined) return answer(404, { error: "unknown call" });
    const given: unknown = JSON.parse(asked.body);
    if (!isObject(given)) return answer(400, { error: "no object" });
    const key = asked.headers.get("idempotency-key");
    const isOther = key !== null && !this.#isSame(key, given) && ignores !== "bodies";
    if (isOther) return answer(409, { error: "another body" });
    return answer(200, await run(given));
  }

  noticeOf(arrived: ArrivedNotice): ArrivedNotice {
    const notice = this.#gateway.parseWebhook(arrived);
    if (notice.kind === "reject") throw new Error("The vendor did not send it.");
    const { gatewayReference, adds = [], dedupKey } = notice;
    if (gatewayReference !== null) this.#keep(gatewayReference, adds);
    const id = `msg_${new Bun.CryptoHasher("sha256").update(dedupKey).digest("hex")}`;
    return this.signed({ reference: gatewayReference }, id);
  }

  signed(given: object, id: string): ArrivedNotice {
    const body = JSON.stringify(given);
    const timestamp = Math.floor(Date.now() / 1000);
    const headers = new Headers(signatureHeaders({ id, timestamp, body }, [this.secret]));
    return { bytes: new TextEncoder().encode(body), headers, token: null };
  }

  readonly #calls: Readonly<Record<string, (given: Record<string, unknown>) => Promise<unknown>>> =
    {
      describe: async () => descriptionPart.write(this.description),
      "test-payer": async ({ reference, answer: answered }) => {
        const made = read(exactText(200), reference);
        const payer = this.#serving.answer ?? (() => Promise.reject(new Error("No payer.")));
        const { bytes, headers } = this.noticeOf(
          await payer(made, answered === "approved" ? "approved" : "declined"),
        );
        const url = this.#notifyUrls.get(made);
        // A notice that nobody receives costs time alone.
        if (url) await fetch(url, { method: "POST", body: bytes, headers }).catch(() => null);
        return {};
      },
      initiate: async (given) => {
        const attempt = this.#attempt(given["attempt"]);
        const notifyUrl = read(orNull(exactText(2_048)), given["notify_url"]);
        this.#notifyUrls.set(attempt.gatewayReference, notifyUrl ?? "");
        const initiation = await this.#gateway.initiate(attempt, this.#terms(attempt));
        this.#keep(attempt.gatewayReference, "names" in initiation ? initiation.names : []);
        return initiationPart.write(initiation);
      },
      "submit-action": async (given) => {
        const attempt = this.#attempt(given["attempt"]);
        const { otp } = read(record<{ otp: string }>()({ otp: exactText(20) }), given["action"]);
        const initiation = await this.#gateway.submitAction(attempt, { otp }, this.#terms(attempt));
        return initiationPart.write(initiation);
      },
      verify: async (given) => {
        const attempt = this.#attempt(given["attempt"]);
        const outcome = await this.#gateway.verify(attempt, this.#terms(attempt));
        this.#keep(attempt.gatewayReference, "names" in outcome ? outcome.names : []);
        return outcomePart.write(outcome);
      },
      cancel: async (given) => {
        const attempt = this.#attempt(given["attempt"]);
        return cancelPart.write(await this.#gateway.cancel(attempt, this.#terms(attempt)));
      },
      refund: async (given) => {
        const refund = this.#refund(given["refund"]);
        const terms = this.#terms(refund.attempt);
        return refundOutcomePart.write(await this.#gateway.refund(refund, terms));
      },
      "verify-refund": async (given) => {
        const refund = this.#refund(given["refund"]);
        const terms = this.#terms(refund.attempt);
        return refundOutcomePart.write(await this.#gateway.verifyRefund(refund, terms));
      },
      "find-refunds": async (given) => {
        const attempt = this.#attempt(given["attempt"]);
        return refundsPart.write(await this.#gateway.findRefunds(attempt, this.#terms(attempt)));
      },
      "find-disputes": async (given) => {
        const attempt = this.#attempt(given["attempt"]);
        const known = read(list(exactText(200), 200), given["known"]);
        const found = await this.#gateway.findDisputes?.(attempt, known, this.#terms(attempt));
        return disputesPart.write(found ?? { kind: "unknown" });
      },
      "list-disputes": async (given) => {
        const listed = await this.#gateway.listDisputes?.(read(instant, given["since"]), unaborted);
        return returnsPart.write(listed ?? { kind: "unknown" });
      },
      "list-refunds": async (given) => {
        const listed = await this.#gateway.listRefunds?.(read(instant, given["since"]), unaborted);
        return returnsPart.write(listed ?? { kind: "unknown" });
      },
      "list-payouts": async (given) => {
        const listed = await this.#gateway.listPayouts?.(read(instant, given["since"]), unaborted);
        return payoutsPart.write(listed ?? { kind: "unknown" });
      },
      "find-payout-lines": async (given) => {
        const payout = read(payoutPart, given["payout"]);
        const found = await this.#gateway.findPayoutLines?.(payout, unaborted);
        return payoutLinesPart.write(found ?? { kind: "unknown" });
      },
    };

  /** What a key stands for, without what changes from call to call. */
  #isSame(key: string, { attempt, refund }: Record<string, unknown>): boolean {
    const body = JSON.stringify(attempt ?? refund, (name, value: unknown) =>
      ["names", "was_asked", "gateway_asked_at", "gateway_refund_id"].includes(name)
        ? undefined
        : value,
    );
    const before = this.#bodies.get(key);
    this.#bodies.set(key, before ?? body);
    return before === undefined || before === body;
  }

  #attempt(value: unknown): GatewayAttempt {
    return this.#withNames(read(attemptPart, value));
  }

  #refund(value: unknown): GatewayRefund {
    const refund = read(refundPart, value);
    return { ...refund, attempt: this.#withNames(refund.attempt) };
  }

  #withNames(attempt: GatewayAttempt): GatewayAttempt {
    const kept = this.#names.get(attempt.gatewayReference) ?? [];
    const all = new Map([...attempt.names, ...kept].map((one) => [one.name, one]));
    return { ...attempt, names: [...all.values()] };
  }

  #keep(reference: string, names: readonly GatewayName[]): void {
    this.#names.set(reference, [...(this.#names.get(reference) ?? []), ...names]);
  }

  #terms({ gatewayReference }: GatewayAttempt): GatewayCallTerms {
    return {
      signal: unaborted,
      name: async (names) => this.#keep(gatewayReference, names),
      keyed: async () => {},
    };
  }
}

const unaborted = new AbortController().signal;

function read<T>(part: Part<T>, value: unknown): T {
  return part.read(value, { pointer: "", mode: "test" });
}

/** Opens an adapter that serves the gateway, and the shop's gateway at it. */
export async function serveGateway(
  inner: Gateway,
  given: Partial<HttpGatewayTerms> = {},
  serving: Serving = {},
): Promise<ServedGateway> {
  const adapter = new Adapter(inner, serving);
  const faults = new FaultEngine({
    rateLimit: answer(429, {}, { "retry-after": "5" }),
    broken: answer(500, { error: "broken" }),
    amounts: new Set(["amount_minor"]),
  });
  const server = new VendorServer((asked) =>
    faults.run(asked.path.slice(1), () => adapter.serve(asked)),
  );
  await server.up();
  const gateway = openHttpGateway({
    id: "own-adapter",
    mode: inner.mode,
    standing: "open",
    url: server.url,
    secret: adapter.secret,
    reach: alsoLoopback,
    description: adapter.description,
    notifyUrl: () => null,
    ...given,
  });
  return {
    secret: adapter.secret,
    server,
    description: adapter.description,
    use: (secret) => {
      adapter.secret = secret;
    },
    gateway,
    faults,
    noticeOf: (arrived) => adapter.noticeOf(arrived),
    signed: (body, id) => adapter.signed(body, id),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
