// `duka mock`: a shop that is pointed at a mocked vendor is paid there, by a person at its page or by a script.

import { expect, test } from "bun:test";

import { serveMock } from "#mocks/mock.ts";
import { mockPaystack } from "#mocks/paystack/mock-paystack.ts";
import { mockStripe } from "#mocks/stripe/mock-stripe.ts";
import { paystack } from "#payments/gateways/paystack/vendor.ts";
import { stripe } from "#payments/gateways/stripe/vendor.ts";
import type { Vendor } from "#payments/gateways/vendors.ts";
import type { Gateway } from "#payments/port/gateway.ts";
import type { ArrivedNotice } from "#payments/port/notice.ts";

import { attempt } from "../sandbox/simulated-rig.ts";
import { until } from "../support/until.ts";

const call = { signal: new AbortController().signal, name: async () => {}, keyed: async () => {} };
const NOWHERE = "http://127.0.0.1:9/hooks";
const page = { method: "card", cardToken: null, returnUrl: "https://shop.example/back" } as const;

/** Receives notices. */
function receive() {
  const all: ArrivedNotice[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      const bytes = new Uint8Array(await request.arrayBuffer());
      all.push({ bytes, headers: request.headers, token: null });
      return new Response();
    },
  });
  return { url: server.url.href, all, [Symbol.asyncDispose]: () => server.stop(true) };
}

type Mocked = Awaited<ReturnType<typeof serveMock>>;

function serve(make: typeof mockStripe, noticesUrl = NOWHERE): Promise<Mocked> {
  return serveMock({ make, noticesUrl, port: 0, seed: 1, faultPercent: 0 });
}

/** The gateway of a shop whose settings are those that the mock prints. */
function gatewayOf(vendor: Vendor, { settings }: Mocked): Gateway {
  const name = `DUKA_${vendor.id.toUpperCase()}`;
  const signing = settings[`${name}_TEST_WEBHOOK_SECRET`];
  return vendor.construct({
    mode: "test",
    clock: { now: () => Date.now() },
    address: settings[`${name}_URL`] ?? "",
    secret: settings[`${name}_TEST_SECRET`] ?? "",
    webhookSecrets: signing === undefined ? [] : [signing],
  });
}

function act({ url }: Mocked, path: string, body: object): Promise<Response> {
  return fetch(`${url}/_mock/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

/** The id of the only attempt on the page. */
async function onlyOpen({ url }: Mocked): Promise<string> {
  const text = await (await fetch(`${url}/_mock`)).text();
  const [found, ...others] = [...text.matchAll(/name="id" value="([^"]+)"/g)].map(([, id]) => id);
  if (found === undefined || others.length > 0) throw new Error(text);
  return found;
}

test("an attempt at Stripe's page that is approved at the mock succeeds, and its notice arrives", async () => {
  await using shop = receive();
  await using mock = await serve(mockStripe, shop.url);
  const gateway = gatewayOf(stripe, mock);
  const made = attempt({ ...page, gatewayEndsAt: Date.now() + 3_600_000 });
  const begun = await gateway.initiate(made, call);
  const names = "names" in begun ? begun.names : [];

  const answered = await act(mock, "answer", { id: await onlyOpen(mock), answer: "approved" });
  await until(() => shop.all.length > 0, "No notice arrived.");

  expect(answered.status).toBe(200);
  expect(await gateway.verify({ ...made, names }, call)).toMatchObject({ state: "succeeded" });
  expect(shop.all.map((notice) => gateway.parseWebhook(notice).kind)).not.toContain("reject");
});

test("an attempt at Paystack that is declined by a button fails, and is not open any more", async () => {
  await using mock = await serve(mockPaystack);
  const gateway = gatewayOf(paystack, mock);
  const made = attempt({ method: "mobile_money", phone: "+233551234085", provider: "mtn" });
  await gateway.initiate(made, call);

  const pressed = await fetch(`${mock.url}/_mock/answer`, {
    method: "POST",
    body: new URLSearchParams({ id: await onlyOpen(mock), answer: "declined" }),
    redirect: "manual",
  });

  expect(pressed.headers.get("location")).toBe("/_mock");
  expect(await gateway.verify(made, call)).toMatchObject({ state: "failed" });
  expect(await (await fetch(`${mock.url}/_mock`)).text()).toContain("No payer is asked now.");
});

test("the books of a mock have what was paid, and a reset forgets all", async () => {
  await using mock = await serve(mockPaystack);
  const gateway = gatewayOf(paystack, mock);
  const made = attempt({ method: "mobile_money", phone: "+233551234085", provider: "mtn" });
  await gateway.initiate(made, call);
  await act(mock, "answer", { id: await onlyOpen(mock), answer: "approved" });

  const paid = await (await fetch(`${mock.url}/_mock/books`)).json();
  await act(mock, "reset", {});
  const forgotten = await (await fetch(`${mock.url}/_mock/books`)).json();

  expect(paid).toMatchObject({ entries: [{ kind: "charge", amountMinor: made.amountMinor }] });
  expect(forgotten).toEqual({ entries: [] });
  expect(await gateway.verify(made, call)).toEqual({ state: "not_found" });
});

test("a mock answers its own addresses while every call meets a fault, which can be ended", async () => {
  await using mock = await serve(mockPaystack);
  const gateway = gatewayOf(paystack, mock);
  const made = attempt({ method: "mobile_money", phone: "+233551234085", provider: "mtn" });

  expect((await act(mock, "faults", { percent: 101 })).status).toBe(400);
  expect((await act(mock, "faults", { percent: 100 })).status).toBe(200);
  expect((await act(mock, "faults", { percent: 0 })).status).toBe(200);
  expect(await gateway.verify(made, call)).toEqual({ state: "not_found" });
});

test("time that is passed lets a page at Stripe end", async () => {
  await using mock = await serve(mockStripe);
  const gateway = gatewayOf(stripe, mock);
  const made = attempt({ ...page, gatewayEndsAt: Date.now() + 3_600_000 });
  const begun = await gateway.initiate(made, call);
  const names = "names" in begun ? begun.names : [];

  await act(mock, "pass", { seconds: 86_400 });

  expect(await gateway.verify({ ...made, names }, call)).toMatchObject({
    state: "failed",
    failureCode: "timeout",
  });
});

test("what is no open attempt, no answer or no address is refused", async () => {
  await using mock = await serve(mockStripe);

  const statuses = await Promise.all([
    act(mock, "answer", { id: "cs_none", answer: "approved" }),
    act(mock, "answer", { id: "cs_none", answer: "perhaps" }),
    act(mock, "pass", { seconds: -1 }),
    act(mock, "nothing", {}),
  ]);

  expect(statuses.map(({ status }) => status)).toEqual([404, 400, 400, 404]);
});
