// Nothing is sent home: a shop and its sandbox connect to what they were told to, and to nothing else, whatever they do
// and while they do nothing.

import { expect, setDefaultTimeout, test } from "bun:test";

import { openStripeFace } from "#mocks/stripe/stripe-face.ts";

import { startSandbox } from "../cli/sandbox/running-sandbox.ts";
import { freePort } from "../platform/acme/pebble.ts";
import { openReceiver } from "../support/receivers.ts";
import { openRunningDuka, program, runDuka, type RunningDuka } from "../support/running-duka.ts";
import { runs } from "../support/runs.ts";
import { openScratchFolder, type ScratchFolder } from "../support/scratch.ts";
import { openSmtpReceiver } from "../support/smtp-receiver.ts";
import { until } from "../support/until.ts";
import { placesIn, recordingConnections } from "./connections.ts";

/** A minute where tests run ten times as long. */
const IDLE_MS = runs(6_000);
const SIGNING = "whsec_8Zr3yT5uWqLk0pXcVbNm";

setDefaultTimeout(60_000 + IDLE_MS);

/** Ends the recorded program itself: strace passes no signals on. */
async function endRecorded(folder: ScratchFolder, duka: RunningDuka): Promise<void> {
  process.kill(Number(await Bun.file(folder.file("data/duka.pid")).text()), "SIGTERM");
  await duka.ended();
}

/** A product, and an order of it for a customer with an email; returns the order's id. */
async function placeOrder(duka: RunningDuka, key: string, terms: object = {}): Promise<string> {
  const post = async (path: string, body: object) =>
    Object(await (await duka.request("POST", path, { key, body })).json());
  const mug = await post("/v2/products", { name: "Mug", price: 12.5, stock: 5 });
  const line_items = [{ variant_id: mug.variants[0].id, quantity: 1 }];
  const customer = { email: "ada@example.com", name: "Ada Mensah" };
  return (await post("/v2/orders", { line_items, customer, ...terms })).id;
}

test("a shop that sells, mails, is paid and tells of it connects to what it was told to, and to nothing else", async () => {
  using folder = openScratchFolder();
  await using mail = await openSmtpReceiver();
  await using webhook = openReceiver();
  await using face = await openStripeFace();
  const port = await freePort();
  const settings = {
    DUKA_PORT: String(port),
    DUKA_PUBLIC_URL: `http://127.0.0.1:${port}`,
    DUKA_TEST_LOOPBACK: "1",
    DUKA_SMTP_URL: mail.url,
    DUKA_MAIL_FROM: "orders@shop.example",
    DUKA_STRIPE_TEST_SECRET: face.secret,
    DUKA_STRIPE_TEST_WEBHOOK_SECRET: SIGNING,
    DUKA_STRIPE_URL: face.server.url,
    DUKA_TEST_GATEWAYS: "stripe,simulated",
  };
  const traces = ["serve", "doctor"].map((name) => folder.file(name));
  const [serve = [], doctor = []] = traces.map((file) => recordingConnections(file, program));
  const terms = { folder: folder.path, settings };
  const duka = await openRunningDuka({ ...terms, program: serve, isFromNothing: true });
  try {
    await duka.request("POST", "/v2/test/seed");
    await duka.request("POST", "/v2/webhooks", { body: { url: webhook.url, events: ["*"] } });
    face.addEndpoint(`${duka.url}/hooks/test/stripe`, SIGNING);
    const order_id = await placeOrder(duka, duka.key);
    const body = { order_id, method: "gateway" };
    await duka.request("POST", "/v2/payments/initialize", { body });
    await face.payOnPage(face.account.sessions.all()[0]?.id ?? "", "pm_card_visa");
    await face.notices.send();
    const made = await runDuka(["keys", "create", "--mode", "live"], terms);
    const [key = ""] = /live_sk_\w+/.exec(made.stdout) ?? [];
    await placeOrder(duka, key, { payment_method: "cash_on_delivery" });
    await until(() => mail.heard.length > 0, "No email arrived.");
    await until(
      () => webhook.received.some((one) => one.body.includes('"order.paid"')),
      "The webhook was not told.",
    );
    await runDuka(["doctor"], { ...terms, program: doctor });
    await Bun.sleep(IDLE_MS);
  } finally {
    await endRecorded(folder, duka);
  }

  const [served = [], asked = []] = traces.map(placesIn);
  const told = [mail.url, webhook.url, face.server.url, duka.url].map((one) => new URL(one).port);
  expect(served).toEqual(told.map((one) => `127.0.0.1 ${one}`).toSorted());
  expect(asked).toEqual([folder.file("data/duka.sock")]);
});

test("a sandbox connects to nothing", async () => {
  using folder = openScratchFolder();
  const command = recordingConnections(folder.file("trace"), [...program, "sandbox", "--json"]);
  await using sandbox = await startSandbox(folder, [], { command });

  const { status } = await fetch(`${sandbox.printed.api}/orders`, {
    headers: { Authorization: `Bearer ${sandbox.printed.key}` },
  });
  sandbox.closeStdin();

  expect([status, await sandbox.exited]).toEqual([200, 0]);
  expect(placesIn(folder.file("trace"))).toEqual([]);
});
