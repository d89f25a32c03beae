// Everything that the gateway reads of Paystack's answers and notices, with what proves that Paystack has it there: its
// published document, or a sample of its documentation.

import { expect, spyOn, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { isObject } from "#kernel/assume.ts";
import type { PaystackFace } from "#mocks/paystack/paystack-face.ts";
import { payOut } from "#mocks/paystack/settlements.ts";
import { Fields } from "#payments/gateways/answers/fields.ts";
import { initiationOf } from "#payments/gateways/paystack/charge.ts";
import { checkPaystack } from "#payments/gateways/paystack/check-paystack.ts";

import { readers, readingsOf } from "../readings.ts";
import { isPublished } from "./published.ts";
import {
  byPhone,
  call,
  onPage,
  openPaystackGateway,
  type PaystackRig,
  refundOf,
  termsOf,
} from "./rig.ts";
import { noticeOf, type Operation, shapes } from "./shapes.ts";

const DAY_MS = 86_400_000;

const ADAPTER = join(import.meta.dir, "../../../src/payments/gateways/paystack");

interface Entry {
  /** The call of whose answer it was read, or the notice. */
  readonly operation: string;
  readonly name: string;
  readonly pointer: string;
}

/** What the work reads: of the answer to its last call before, or of what is named. */
async function entriesOf(
  { faults }: PaystackFace,
  work: () => Promise<unknown>,
  named?: string,
): Promise<Entry[]> {
  const served = spyOn(faults, "run");
  const readings = await readingsOf(work);
  const { calls, invocationCallOrder } = served.mock;
  served.mockRestore();
  return readings.map(({ at, name, pointer }) => {
    const last = invocationCallOrder.findLastIndex((order) => order < at);
    const called = calls[last]?.[0].replace("/verify/{id}", "/verify/{reference}");
    return { operation: named ?? called ?? "", name, pointer };
  });
}

/** Payments, refunds and disputes in all their states, and checks: whatever the adapter asks for. */
async function askAll({ face, gateway }: PaystackRig): Promise<void> {
  const paid = onPage();
  await gateway.initiate(paid, call);
  face.payOnPage(paid.gatewayReference, "pm_card_visa");
  await gateway.verify(paid, call);
  for (const end of ["80", "81", "83", "85", "87"]) {
    const attempt = byPhone(end, { gatewayReference: `pay-${end}` });
    await gateway.initiate(attempt, call);
    await gateway.submitAction(attempt, { otp: "123456" }, call);
    face.pass(60_000);
    await gateway.verify(attempt, call);
  }
  const asked = refundOf(paid, 500);
  await gateway.refund(asked, call);
  const other = "ref_01kf0000000000000000000002" as const;
  const tooMuch = refundOf(paid, 99_999_999, { refundId: other, reference: other });
  await gateway.refund(tooMuch, call);
  const gatewayRefundId = face.account.refunds[0]?.id ?? null;
  await gateway.verifyRefund({ ...asked, gatewayRefundId }, call);
  const dispute = face.dispute(paid.gatewayReference);
  await gateway.findDisputes?.(paid, [], call);
  Object.assign(dispute, { status: "resolved", resolution: "declined", amount: null });
  await gateway.findDisputes?.(paid, [face.dispute("pay-80").id], call);
  await gateway.listDisputes?.(0, call.signal);
  await gateway.listRefunds?.(0, call.signal);
  await askForPayouts({ face, gateway });
  await checkPaystack(termsOf(face));
}

async function askForPayouts({ face, gateway }: Pick<PaystackRig, "face" | "gateway">) {
  face.pass(3 * DAY_MS);
  payOut(face.account, "GHS");
  const listed = await gateway.listPayouts?.(0, call.signal);
  if (listed?.kind !== "found") throw new Error("The face lists its settlements.");
  for (const payout of listed.payouts) await gateway.findPayoutLines?.(payout, call.signal);
}

/** Whatever the adapter reads. */
async function readAll(rig: PaystackRig): Promise<readonly Entry[]> {
  const { face, gateway } = rig;
  const entries = await entriesOf(face, () => askAll(rig));
  // The face has neither of the ways to pay that these samples are of.
  for (const { data } of shapes["POST /charge"].samples) {
    const reads = async () => initiationOf(new Fields(data, "/data"));
    entries.push(...(await entriesOf(face, reads, "POST /charge")));
  }
  for (const notice of face.notices.all) {
    const { event } = JSON.parse(new TextDecoder().decode(notice.bytes));
    const reads = async () => gateway.parseWebhook(notice);
    entries.push(...(await entriesOf(face, reads, noticeOf(event))));
  }
  return entries;
}

/** Whether the sample has the member; `-` is any element of a list. */
function has(sample: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  if (Array.isArray(sample)) return name === "-" && sample.some((one) => has(one, rest));
  return isObject(sample) && Object.hasOwn(sample, name) && has(sample[name], rest);
}

const isShaped = (operation: string): operation is Operation => Object.hasOwn(shapes, operation);

/** A refund is the same object when it is made and when it is read. */
const alike: Readonly<Record<string, Operation>> = { "POST /refund": "GET /refund/{id}" };

/** What proves that an answer has the member; null if nothing does. */
function proofOf(operation: string, pointer: string): string | null {
  if (isPublished(operation, pointer)) return "published";
  const shaped = alike[operation] ?? operation;
  if (!isShaped(shaped)) return null;
  const isThere = shapes[shaped].samples.some((one) => has(one, pointer.split("/").slice(1)));
  return isThere ? "sample" : null;
}

const lineOf = ({ operation, pointer }: Entry) =>
  `${operation} ${pointer}: ${proofOf(operation, pointer)}`;

test("all that is read of Paystack's answers and notices is proven to be there", async () => {
  await using rig = await openPaystackGateway({ refundMs: 1000 });

  const ledger = [...new Set((await readAll(rig)).map(lineOf))].toSorted();

  expect(ledger.filter((line) => line.endsWith(" null"))).toEqual([]);
  expect(ledger).toMatchSnapshot();
});

test("the ledger has every member that the adapter's code names", async () => {
  await using rig = await openPaystackGateway({ refundMs: 1000 });
  const code = readdirSync(ADAPTER).map((file) => readFileSync(join(ADAPTER, file), "utf8"));
  const reading = new RegExp(`\\.(?:${readers.join("|")})\\("(\\w+)"\\)`, "g");
  const named = code.flatMap((text) => [...text.matchAll(reading)].map((match) => match[1] ?? ""));

  const read = new Set((await readAll(rig)).map(({ name }) => name));

  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((name) => !read.has(name))).toEqual([]);
});

test("the ledger notes every way in which a member is read", () => {
  const others = new Set(["constructor", "surprise"]);
  const methods = Object.getOwnPropertyNames(Fields.prototype).filter((name) => !others.has(name));

  expect(methods.toSorted()).toEqual(readers.toSorted());
});
