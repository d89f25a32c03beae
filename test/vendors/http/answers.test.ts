// What counts as an answer of an adapter, and what every other one costs.

import { afterEach, expect, setSystemTime, test } from "bun:test";

import { HOUR_MS } from "#kernel/time.ts";
import { openHttpGateway } from "#payments/gateways/http/http-gateway.ts";
import type { Description } from "#payments/gateways/http/wire.ts";
import type { Gateway, GatewayCallTerms } from "#payments/port/gateway.ts";
import { isSignedWith, newSecret, signatureHeaders } from "#platform/net/signature.ts";
import { alsoLoopback, onlyPublic } from "#platform/net/target-url.ts";

import { attempt, refundOf } from "../../sandbox/simulated-rig.ts";
import { openReceiver, type Receiver } from "../../support/receivers.ts";

const [secret, former] = [newSecret(), newSecret()];

afterEach(() => void setSystemTime());

const description: Description = {
  contract: 1,
  mode: "test",
  label: "Our adapter",
  takes: [
    {
      method: "mobile_money",
      currency: "GHS",
      minimumMinor: 100,
      maximumMinor: 500_000,
      multipleMinor: 10,
      providers: ["mtn", "telecel"],
      phonePrefixes: ["+233"],
    },
    { method: "card", currency: "GHS", minimumMinor: 100 },
    { method: "gateway", currency: "GHS", minimumMinor: 100 },
  ],
  reference: "plain",
  refunds: "part",
  cancels: true,
  otp: true,
  refundsFailLate: false,
  hidesReturns: false,
  calls: [],
};

const call: GatewayCallTerms = {
  signal: new AbortController().signal,
  name: async () => {},
  keyed: async () => {},
};

function gatewayAt(receiver: Receiver, given: Partial<Description> = {}): Gateway {
  const { origin } = new URL(receiver.url);
  return openHttpGateway({
    id: "own-adapter",
    mode: "test",
    standing: "open",
    url: origin,
    secret,
    former: { secret: former, until: Date.now() + HOUR_MS },
    reach: alsoLoopback,
    description: { ...description, ...given },
    notifyUrl: () => "https://shop.example/hooks/test/own-adapter",
  });
}

const jsonType = { "content-type": "application/json" };
const pending = '{"state":"pending","names":[]}';

function answering(body: string, given: ResponseInit = {}): Receiver {
  return openReceiver({ answer: () => new Response(body, { headers: jsonType, ...given }) });
}

function nested(depth: number): string {
  return `${'{"state":'.repeat(depth)}1${"}".repeat(depth)}`;
}

const unreadable: readonly (readonly [what: string, body: string, given?: ResponseInit])[] = [
  ["with another status of success", pending, { status: 202 }],
  ["with a redirect", "", { status: 302, headers: { location: "https://other.example/" } }],
  ["with a refusal", pending, { status: 404 }],
  ["with 409", pending, { status: 409 }],
  ["with 429 and no time to wait", pending, { status: 429 }],
  ["with a fault of its own", pending, { status: 500 }],
  ["of another type", pending, { headers: { "content-type": "text/html" } }],
  ["without a body", ""],
  ["cut off", pending.slice(0, 12)],
  ["of more than 4 MiB", `${pending.slice(0, -1)},"more":"${"x".repeat(4_300_000)}"}`],
  ["nested 200 deep", nested(200)],
  ["with a key twice", '{"state":"pending","state":"failed","names":[]}'],
  ["with __proto__", '{"__proto__":{"state":"pending"},"names":[]}'],
  ["with another state", '{"state":"on_the_moon"}'],
  ["with an inherited word as state", '{"state":"constructor"}'],
  ["with a member too many", '{"state":"pending","names":[],"returned_minr":5}'],
  ["with a member too few", '{"state":"pending"}'],
  ["with a NUL in a name", '{"state":"pending","names":[{"kind":"session","name":"a\\u0000"}]}'],
  ["with half a character", '{"state":"pending","names":[{"kind":"session","name":"\\ud800"}]}'],
  ["with a script as address", '{"state":"pending","names":[],"url":"javascript:alert(1)"}'],
  ["with http to elsewhere", '{"state":"pending","names":[],"url":"http://shop.example/"}'],
  [
    "with a password in the address",
    '{"state":"pending","names":[],"url":"https://a:b@c.example"}',
  ],
  [
    "with 17 names",
    JSON.stringify({
      state: "pending",
      names: Array.from({ length: 17 }, (_, n) => ({ kind: "session", name: `s${n}` })),
    }),
  ],
];

const others = unreadable.map(([what, body, given = {}]) => ({ what, body, given }));

test.each(others)("an answer $what leaves the outcome unknown", async ({ body, given }) => {
  await using receiver = answering(body, given);

  expect(await gatewayAt(receiver).verify(attempt(), call)).toMatchObject({ state: "unknown" });
});

test("a surprise says where it is, and nothing of what is there", async () => {
  const money = { amount_minor: 24.5, currency: "GHS", returned_minor: 0, names: [] };
  const facts = { paid_at: null, channel: null, instrument: null, fee_minor: null };
  const who = { state: "succeeded", gateway_reference: "pay-1", mode: "test" };
  await using receiver = answering(JSON.stringify({ ...who, ...money, ...facts }));

  const outcome = await gatewayAt(receiver).verify(attempt(), call);

  expect(outcome).toEqual({ state: "unknown", trouble: "surprise", pointer: "/amount_minor" });
});

test("a page of this machine is opened in test mode", async () => {
  const url = "http://127.0.0.1:9/page";
  await using receiver = answering(
    JSON.stringify({ kind: "redirect", url, expires_at: null, names: [] }),
  );

  expect(await gatewayAt(receiver).initiate(attempt(), call)).toMatchObject({
    kind: "redirect",
    url,
  });
});

test("a card number in a text is masked", async () => {
  const told = { failure_code: "declined", gateway_code: "card 4242 4242 4242 4242", names: [] };
  await using receiver = answering(JSON.stringify({ state: "failed", ...told }));

  const outcome = await gatewayAt(receiver).verify(attempt(), call);

  expect(JSON.stringify(outcome)).not.toContain("4242");
});

test("a signature that is refused promises that nothing was done", async () => {
  await using receiver = answering("{}", { status: 401 });

  expect(await gatewayAt(receiver).initiate(attempt(), call)).toEqual({
    kind: "not_sent",
    trouble: "misconfigured",
    retryAfterMs: null,
  });
});

test("an adapter that has had enough says for how long, and nothing was done", async () => {
  await using receiver = answering("{}", { status: 429, headers: { "retry-after": "7" } });

  expect(await gatewayAt(receiver).refund(refundOf(attempt(), 5), call)).toEqual({
    kind: "not_sent",
    trouble: "rate_limited",
    retryAfterMs: 7_000,
  });
});

test("an adapter that is away was not asked", async () => {
  const receiver = answering("{}");
  const gateway = gatewayAt(receiver);
  await receiver[Symbol.asyncDispose]();

  expect(await gateway.initiate(attempt(), call)).toMatchObject({ kind: "not_sent" });
  expect(await gateway.verify(attempt(), call)).toMatchObject({ state: "unknown" });
});

test("an adapter on a private address is not called where the operator did not name it", async () => {
  await using receiver = answering(pending);
  const { origin } = new URL(receiver.url);
  const terms = { id: "own-adapter", mode: "test", standing: "open", secret } as const;
  const gateway = openHttpGateway({
    ...terms,
    url: origin,
    description,
    reach: onlyPublic,
    notifyUrl: () => null,
  });

  expect(await gateway.initiate(attempt(), call)).toMatchObject({
    kind: "not_sent",
    trouble: "misconfigured",
  });
  expect(receiver.received).toEqual([]);
});

test("a call is signed with the new secret and the former one, names its mode, and has the key of its effect", async () => {
  await using receiver = answering('{"kind":"unknown"}');

  await gatewayAt(receiver).initiate(attempt({ names: [{ kind: "session", name: "s1" }] }), call);

  const [{ path, headers, body } = { path: "", headers: new Headers(), body: "" }] =
    receiver.received;
  const nowSeconds = Math.floor(Date.now() / 1000);
  const signed = [secret, former, newSecret()].map((one) =>
    isSignedWith(one, { headers, body, nowSeconds }),
  );
  expect(signed).toEqual([true, true, false]);
  expect([path, headers.get("duka-mode"), headers.get("idempotency-key")]).toEqual([
    "/initiate",
    "test",
    attempt().gatewayReference,
  ]);
  expect(JSON.parse(body)).toMatchObject({
    attempt: { amount_minor: 2450, names: [{ kind: "session", name: "s1" }], was_asked: false },
    notify_url: "https://shop.example/hooks/test/own-adapter",
  });
});

test("once its day is over the former secret signs no call and no notice, though the program goes on", async () => {
  await using receiver = answering('{"kind":"unknown"}');
  const gateway = gatewayAt(receiver);
  const notice = (by: string) => {
    const body = JSON.stringify({ reference: "pay-1" });
    const message = { id: "msg_1", timestamp: Math.floor(Date.now() / 1000), body };
    const headers = new Headers(signatureHeaders(message, [by]));
    return gateway.parseWebhook({ bytes: new TextEncoder().encode(body), headers, token: null });
  };
  const kinds = () => [notice(secret), notice(former)].map(({ kind }) => kind);
  const during = kinds();

  setSystemTime(new Date(Date.now() + 2 * HOUR_MS));
  await gateway.initiate(attempt(), call);

  expect([during, kinds()]).toEqual([
    ["notice", "notice"],
    ["notice", "reject"],
  ]);
  expect(receiver.received[0]?.headers.get("webhook-signature")?.split(" ")).toHaveLength(1);
});

test("the key of an attempt stands for one body, whatever the shop learnt meanwhile", async () => {
  await using receiver = answering('{"kind":"unknown"}');
  const bodies: string[] = [];
  const keyed = async (_: string, body: string) => void bodies.push(body);
  const gateway = gatewayAt(receiver);

  await gateway.initiate(attempt(), { ...call, keyed });
  await gateway.initiate(
    attempt({ names: [{ kind: "session", name: "s1" }], wasAsked: true, gatewayAskedAt: 9 }),
    { ...call, keyed },
  );
  await gateway.initiate(attempt({ amountMinor: 2451 }), { ...call, keyed });

  expect(new Set(bodies).size).toBe(2);
});

test("what the adapter rules out is answered without a call", async () => {
  await using receiver = answering("{}");
  const gateway = gatewayAt(receiver, { cancels: false, otp: false, refunds: "full" });

  const answers = [
    await gateway.cancel(attempt(), call),
    await gateway.submitAction(attempt(), { otp: "123456" }, call),
    await gateway.refund(refundOf(attempt(), 500), call),
  ];

  expect(answers).toMatchObject([
    { kind: "unsupported" },
    { kind: "unknown" },
    { kind: "needs_attention" },
  ]);
  expect(receiver.received).toEqual([]);
  const absent = ["findDisputes", "listPayouts"].map((name): unknown => Reflect.get(gateway, name));
  expect(absent).toEqual([undefined, undefined]);
});

test("what the adapter takes is known without a call", async () => {
  await using receiver = answering("{}");
  const gateway = gatewayAt(receiver);
  const asked = { method: "mobile_money", currency: "GHS", provider: null } as const;

  expect(gateway.takes(asked)).toEqual({
    minimumMinor: 100,
    maximumMinor: 500_000,
    multipleMinor: 10,
  });
  expect(gateway.takes({ ...asked, provider: "wave" })).toBeNull();
  expect(gateway.takes({ ...asked, phone: "+255621234567" })).toBeNull();
  expect(gateway.takes({ ...asked, currency: "KES" })).toBeNull();
  expect(gateway.takes({ ...asked, method: "card", hasToken: true })).toBeNull();
  expect(gateway.takes({ ...asked, method: "card" })).not.toBeNull();
});

test("a phone is judged by the entry of its provider", async () => {
  await using receiver = answering("{}");
  const of = { method: "mobile_money", currency: "GHS", minimumMinor: 100 } as const;
  const gateway = gatewayAt(receiver, {
    takes: [
      { ...of, providers: ["mtn"], phonePrefixes: ["+233"] },
      { ...of, providers: ["wave"], phonePrefixes: ["+221"] },
    ],
  });

  const faults = gateway.validate(
    attempt({ method: "mobile_money", provider: "wave", phone: "+233551234987" }),
  );

  expect(faults).toMatchObject([{ code: "phone_not_in_country" }]);
  expect(faults[0]?.detail).toBe("The gateway takes phones that begin with +221.");
});

test.each([
  [{ method: "mobile_money", phone: "+255621234567" }, ["phone phone_not_in_country"]],
  [{ method: "mobile_money", provider: "wave" }, ["provider provider_not_supported"]],
  [{ method: "card", cardToken: "tok_1" }, ["card_token method_not_supported"]],
  [{ method: "mobile_money", phone: "+233551234987", provider: "mtn" }, []],
] as const)("of the details %j the faults are %j", async (given, faults) => {
  await using receiver = answering("{}");

  const found = gatewayAt(receiver).validate(attempt(given));

  expect(found.map(({ field, code }) => `${field} ${code}`)).toEqual([...faults]);
});
