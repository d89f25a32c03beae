// `duka listen` prints the events of the test shop and forwards them to a receiver.

import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";

import { Webhook } from "standardwebhooks";

import { makeCertificates } from "../support/certificates.ts";
import { openReceiver, type Received } from "../support/receivers.ts";
import { openRunningDuka, program, runDuka, type RunningDuka } from "../support/running-duka.ts";
import { openScratchFolder, type ScratchFolder } from "../support/scratch.ts";
import { Listening, openListening } from "./listening.ts";

setDefaultTimeout(60_000);

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

let scratch: ScratchFolder;
let folder = "";

beforeEach(() => {
  scratch = openScratchFolder();
  folder = scratch.path;
});

afterEach(() => scratch[Symbol.dispose]());

/** Creates a product, which emits an event; returns the product's id. */
async function createProduct(duka: RunningDuka, name: string, key = duka.key): Promise<string> {
  const body = { name, price: "249.50" };
  const answer = await duka.request("POST", "/v2/products", { key, body });
  return Object(await answer.json()).id;
}

async function createCustomer(duka: RunningDuka): Promise<string> {
  const body = { email: "ada@example.com" };
  return Object(await (await duka.request("POST", "/v2/customers", { body })).json()).id;
}

/** Keys of both modes, newest first; those of ended commands only with --all. */
async function keys(...options: string[]): Promise<Record<string, unknown>[]> {
  return JSON.parse((await runDuka(["keys", "list", "--json", ...options], { folder })).stdout);
}

/** The event, after verifying its signature as a receiver does. */
function verified(received: Received | undefined, secret: string): unknown {
  if (received === undefined) throw new Error("Nothing was received.");
  return new Webhook(secret).verify(received.body, Object.fromEntries(received.headers));
}

describe("a listener", () => {
  test("prints one line for each new event", async () => {
    await using duka = await openRunningDuka({ folder });
    await createProduct(duka, "Bowl");
    await using listening = await openListening([], { folder });

    const id = await createProduct(duka, "Mug");
    const line = await listening.line("product.created");

    expect(line).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z {2}product\.created {2,}evt_\w{26} {2}prod_/);
    expect(line).toEndWith(id);
  });

  test("prints only the events that --events names", async () => {
    await using duka = await openRunningDuka({ folder });
    await using listening = await openListening(["--events", "customer.*,order.paid"], { folder });

    await createProduct(duka, "Mug");
    await createCustomer(duka);
    await listening.line("customer.created");
    const { stdout } = await listening.end();

    expect(stdout).not.toContain("product.created");
  });

  test("prints the exact JSON of the feed with --print-json", async () => {
    await using duka = await openRunningDuka({ folder });
    await using listening = await openListening(["--print-json"], { folder });

    await createProduct(duka, "Mug \u{1F375}\u2028");
    const line = await listening.line("product.created");
    const { stdout } = await listening.end();

    expect(line).toContain('"amount":249.50');
    expect(stdout).toBe(`${line}\n`);
    const event = await duka.request("GET", `/v2/events/${JSON.parse(line).id}`);
    expect(line).toBe(await event.text());
  });

  test("listens to another Duka with --url and --api-key", async () => {
    await using duka = await openRunningDuka({ folder });
    using elsewhere = openScratchFolder();
    const args = ["--url", `${duka.url}/v2/`, "--api-key", duka.key];
    await using listening = await openListening(args, { folder: elsewhere.path });

    await createProduct(duka, "Mug");
    await listening.line("product.created");
    const { code } = await listening.end();

    expect(code).toBe(0);
    expect(await keys()).toHaveLength(1);
  });
});

test("a listener ends when its output is closed", async () => {
  await using duka = await openRunningDuka({ folder });
  const pipeline = '"$@" | head -n 1; exit ${PIPESTATUS[0]}';
  const terms = { folder, program: ["bash", "-c", pipeline, "bash", ...program] };
  await using listening = await openListening(["--print-json"], terms);

  await createProduct(duka, "Mug");
  await listening.line("product.created");
  await createProduct(duka, "Bowl");
  await createProduct(duka, "Plate");
  const { code } = await listening.ended();

  expect(code).toBe(0);
  expect(await keys("--all")).toMatchObject([{ revoked_at: expect.any(String) }, {}]);
});

describe("a forwarded event", () => {
  test("is signed with the secret printed at the start", async () => {
    await using duka = await openRunningDuka({ folder });
    await using receiver = openReceiver();
    await using listening = await Listening.start(["--forward-to", receiver.url], { folder });
    const shown = await listening.line("Your signing secret is");
    await listening.line("Listening to");

    const id = await createProduct(duka, "Mug");
    const [received] = await receiver.next();

    const secret = shown.split(" ").at(-1) ?? "";
    expect(verified(received, secret)).toMatchObject({ event: "product.created", data: { id } });
  });

  test.each(["the same data directory", "the same API key"])(
    "is signed with the same secret in every run with %s",
    async (place) => {
      await using duka = await openRunningDuka({ folder });
      const remote = ["--url", duka.url, "--api-key", duka.key];
      const args = ["--forward-to", "http://127.0.0.1:9", ...(place.endsWith("key") ? remote : [])];

      const secrets: string[] = [];
      for (let run = 1; run <= 2; run += 1) {
        await using listening = await Listening.start(args, { folder });
        secrets.push(await listening.line("Your signing secret is"));
        await listening.end();
      }

      expect(secrets[0]).toMatch(/whsec_\S{44}$/);
      expect(secrets[1]).toBe(String(secrets[0]));
    },
  );

  test("has the bytes of a webhook, including digits and emoji", async () => {
    await using duka = await openRunningDuka({ folder });
    await using receiver = openReceiver();
    const args = ["--forward-to", receiver.url, "--secret", SECRET];
    await using _ = await openListening(args, { folder });

    await createProduct(duka, 'Mug \u{1F375} \u2028  "é"');
    const [received] = await receiver.next();

    const id = received?.headers.get("webhook-id") ?? "";
    const event = await duka.request("GET", `/v2/events/${id}`);
    expect(received?.body).toBe(await event.text());
    expect(received?.body).toContain('"amount":249.50');
    expect(verified(received, SECRET)).toMatchObject({ id });
    expect(received?.headers.get("content-type")).toBe("application/json");
    expect(received?.headers.has("duka-delivery-id")).toBe(false);
  });

  test("is sent by HTTP where the receiver has no scheme", async () => {
    await using duka = await openRunningDuka({ folder });
    await using receiver = openReceiver();
    const { host, pathname } = new URL(receiver.url);
    const args = ["--forward-to", host + pathname, "--secret", SECRET];
    await using _ = await openListening(args, { folder });

    const id = await createProduct(duka, "Mug");
    const [received] = await receiver.next();

    expect(verified(received, SECRET)).toMatchObject({ data: { id } });
  });

  test.each([
    ["is kept from a certificate that is not trusted, and the way is told", [], /--insecure sends/],
    ["is sent all the same with --insecure", ["--insecure"], /→ 204$/],
  ] as const)("%s", async (_, options, told) => {
    const { key, cert } = makeCertificates().selfSigned;
    using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      tls: { key, cert },
      fetch: () => new Response(null, { status: 204 }),
    });
    await using duka = await openRunningDuka({ folder });
    const args = ["--forward-to", `https://127.0.0.1:${server.port}/hooks`, ...options];
    await using listening = await openListening(args, { folder });

    await createProduct(duka, "Mug");

    expect(await listening.line("product.created")).toMatch(told);
  });

  test("is printed with the receiver's status", async () => {
    await using duka = await openRunningDuka({ folder });
    await using receiver = openReceiver({ answer: () => new Response("no", { status: 500 }) });
    const args = ["--forward-to", receiver.url, "--secret", SECRET];
    await using listening = await openListening(args, { folder });

    await createProduct(duka, "Mug");
    await createCustomer(duka);
    const [first, second] = [
      await listening.line("product.created"),
      await listening.line("customer.created"),
    ];
    const { stdout } = await listening.end();

    expect([first, second].map((line) => line.split("→ ").at(-1))).toEqual(["500", "500"]);
    expect(receiver.received).toHaveLength(2);
    expect(stdout).not.toContain(SECRET);
  });

  test("is lost if the receiver is down, and later ones are not", async () => {
    await using duka = await openRunningDuka({ folder });
    const gone = openReceiver();
    await gone[Symbol.asyncDispose]();
    const args = ["--forward-to", gone.url, "--secret", SECRET];
    await using listening = await openListening(args, { folder });

    await createProduct(duka, "Mug");
    const lost = await listening.line("product.created");
    await using receiver = openReceiver({ port: gone.port });
    await createCustomer(duka);
    const taken = await listening.line("customer.created");

    expect(lost).toContain("does not accept connections. The event is not sent again.");
    expect(taken).toEndWith("→ 204");
    expect(receiver.received.map(({ body }) => JSON.parse(body).event)).toEqual([
      "customer.created",
    ]);
  });

  test("leaves stdout to the JSON of --print-json", async () => {
    await using duka = await openRunningDuka({ folder });
    await using receiver = openReceiver();
    const args = ["--forward-to", receiver.url, "--print-json"];
    await using listening = await openListening(args, { folder });

    await createProduct(duka, "Mug");
    const outcome = await listening.aside("product.created");
    const { stdout } = await listening.end();

    expect(outcome).toEndWith("→ 204");
    expect(stdout).toBe(`${receiver.received[0]?.body}\n`);
  });
});

describe("a server that stops", () => {
  test("is retried, and its later events come once and in order", async () => {
    await using first = await openRunningDuka({ folder });
    await using receiver = openReceiver();
    const args = ["--forward-to", receiver.url, "--secret", SECRET];
    await using listening = await openListening(args, { folder });
    const before = await createProduct(first, "Before");
    await receiver.next();
    await first.end("SIGTERM");
    await listening.line("Retrying until the shop answers.");

    await using second = await openRunningDuka({ folder });
    const meanwhile = await createProduct(second, "Meanwhile", first.key);
    await listening.line("The shop is reachable again.");
    const after = await createProduct(second, "After", first.key);
    await receiver.next(2);
    await listening.end();

    expect(receiver.received.map(({ body }) => JSON.parse(body).data.id)).toEqual([
      before,
      meanwhile,
      after,
    ]);
  });

  test("does not prevent the listener from revoking its key", async () => {
    await using duka = await openRunningDuka({ folder });
    await using listening = await openListening([], { folder });
    await duka.end("SIGTERM");
    await listening.line("Retrying until the shop answers.");

    const { code } = await listening.end();

    expect(code).toBe(0);
    expect(await keys("--all")).toMatchObject([
      { name: "duka listen", revoked_at: expect.any(String) },
      {},
    ]);
  });
});

describe("the key of a listener", () => {
  test("may read events for a day, and is revoked at the end", async () => {
    await using duka = await openRunningDuka({ folder });
    await using listening = await openListening([], { folder });
    const [made] = await keys();

    const { code, stderr } = await listening.end();

    const [left] = await keys("--all");
    expect(made).toMatchObject({ mode: "test", name: "duka listen", scopes: ["events:read"] });
    expect(made).toMatchObject({ revoked_at: null, expires_at: expect.any(String) });
    expect(left).toEqual({
      ...made,
      revoked_at: expect.any(String),
      last_used_at: expect.anything(),
    });
    expect([code, stderr]).toEqual([0, ""]);
    expect((await duka.request("GET", "/v2/store")).status).toBe(200);
  });

  test("is not listed once the listener has ended", async () => {
    await using _ = await openRunningDuka({ folder });
    await using listening = await openListening([], { folder });
    const during = await keys();

    await listening.end();

    expect(during.map(({ name }) => name)).toEqual(["duka listen", "First key"]);
    expect((await keys()).map(({ name }) => name)).toEqual(["First key"]);
  });

  test("is revoked after SIGTERM too", async () => {
    await using _ = await openRunningDuka({ folder });
    await using listening = await openListening([], { folder });

    const { code } = await listening.end("SIGTERM");

    expect(code).toBe(0);
    expect(await keys("--all")).toMatchObject([{ revoked_at: expect.any(String) }, {}]);
  });

  test("ends the listener when it is revoked", async () => {
    await using duka = await openRunningDuka({ folder });
    await using listening = await openListening([], { folder });
    const [made] = await keys();

    await runDuka(["keys", "revoke", String(made?.id)], { folder });
    await createProduct(duka, "Mug");
    const { code, stderr } = await listening.ended();

    expect(code).toBe(1);
    expect(stderr).toContain("key");
  });
});

describe("duka listen is refused", () => {
  test("if no server runs, with the command that starts one", async () => {
    const ended = await runDuka(["listen"], { folder });

    expect([ended.code, ended.stdout]).toEqual([1, ""]);
    expect(ended.stderr).toStartWith(`No server runs on ${scratch.file("data")}.`);
    expect(ended.stderr).toContain("duka serve");
  });

  test("at a closed port", async () => {
    const args = ["listen", "--url", "http://127.0.0.1:9", "--api-key", "test_sk_x"];

    const ended = await runDuka(args, { folder });

    expect([ended.code, ended.stdout]).toEqual([1, ""]);
    expect(ended.stderr).toBe("127.0.0.1:9 does not accept connections.\n");
  });

  test("with an unknown key", async () => {
    await using duka = await openRunningDuka({ folder });
    const args = ["listen", "--url", duka.url, "--api-key", "test_sk_x"];

    const ended = await runDuka(args, { folder });

    expect([ended.code, ended.stdout]).toEqual([1, ""]);
    expect(ended.stderr).not.toContain("    at ");
  });

  test("at the URL of another program", async () => {
    await using other = openReceiver({ answer: () => new Response("<p>Hello</p>") });
    const args = ["listen", "--url", other.url, "--api-key", "test_sk_x"];

    const ended = await runDuka(args, { folder });

    expect(ended.code).toBe(1);
    expect(ended.stderr).toBe(
      "The server did not return the event feed of this version of Duka.\n",
    );
  });

  test.each([
    ["order.piad", "order.paid"],
    ["orders.*", "order.*"],
  ])("for the unknown event %s, and the key is revoked", async (name, meant) => {
    await using _ = await openRunningDuka({ folder });

    const ended = await runDuka(["listen", "--events", name], { folder });

    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain(`is it ${meant}?`);
    expect(await keys("--all")).toMatchObject([{ revoked_at: expect.any(String) }, {}]);
  });

  test.each([
    ["with a live key", ["--url", "http://127.0.0.1:9", "--api-key", "live_sk_x"], "a live key"],
    [
      "with a key of another program",
      ["--url", "http://127.0.0.1:9", "--api-key", "x"],
      "test_sk_",
    ],
    ["with a URL without a key", ["--url", "http://127.0.0.1:9"], "must be given together"],
    ["with a key without a URL", ["--api-key", "test_sk_x"], "must be given together"],
    ["with an invalid URL", ["--url", "shop", "--api-key", "test_sk_x"], "--url must be"],
    [
      "with an invalid receiver",
      ["--forward-to", "ftp://localhost:3000"],
      "--forward-to must be a full URL",
    ],
    [
      "with an invalid secret",
      ["--forward-to", "http://127.0.0.1:9", "--secret", "whsec_c2hvcnQ="],
      "--secret must be",
    ],
    ["with a secret without a receiver", ["--secret", SECRET], "--forward-to"],
    ["with --insecure without a receiver", ["--insecure"], "--insecure needs --forward-to"],
  ])("%s", async (_, args, words) => {
    const ended = await runDuka(["listen", ...args], { folder });

    expect([ended.code, ended.stdout]).toEqual([2, ""]);
    expect(ended.stderr).toContain(words);
  });
});
