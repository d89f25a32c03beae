// The released file: it works alone, in any folder, and loses nothing when it is killed. Run by
// `npm run test:binary`, which names the file in TEST_BINARY.

import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";

import { leftIn, startSandbox, variablesIn } from "../cli/sandbox/running-sandbox.ts";
import { makeCertificates } from "../support/certificates.ts";
import { openRunningDuka, program, runDuka, type RunningDuka } from "../support/running-duka.ts";
import { openScratchFolder, type ScratchFolder } from "../support/scratch.ts";

setDefaultTimeout(60_000);

let scratch: ScratchFolder;
let folder = "";

beforeEach(() => {
  scratch = openScratchFolder();
  folder = scratch.path;
});

afterEach(() => scratch[Symbol.dispose]());

test("the program under test is the binary", () => {
  expect(process.env.TEST_BINARY ?? "").not.toBe("");
  expect(program).toHaveLength(1);
});

test("the file alone, in an empty folder, is a shop with its documentation", async () => {
  copyFileSync(program[0] ?? "", scratch.file("duka"));
  await using duka = await openRunningDuka({ folder, program: [scratch.file("duka")] });

  const page = await (await fetch(`${duka.url}/docs/try`)).text();
  const script = /<script[^>]* src="([^"]+)"/.exec(page)?.[1] ?? "";
  const asset = await fetch(new URL(script, `${duka.url}/docs/try`));
  const openapi: unknown = await (await fetch(`${duka.url}/openapi.json`)).json();

  expect(page).toStartWith("<!doctype html>");
  expect(asset.status).toBe(200);
  expect((await asset.arrayBuffer()).byteLength).toBeGreaterThan(1_000_000);
  expect(openapi).toMatchObject({ openapi: "3.1.0", info: { title: "Duka" } });
  expect((await fetch(`${duka.url}/docs`)).status).toBe(200);
  expect((await fetch(`${duka.url}/docs/errors`)).status).toBe(200);
  expect((await fetch(`${duka.url}/readyz`)).status).toBe(200);
});

test("the file copies a long log on a thread of its own", async () => {
  await using duka = await openRunningDuka({ folder, isFromNothing: true });
  const threads = () =>
    readdirSync(`/proc/${duka.id}/task`).map((id) =>
      readFileSync(`/proc/${duka.id}/task/${id}/comm`, "utf8").trim(),
    );
  const before = threads();
  const description = "Six yards of wax print, cotton, washed once. ".repeat(200);

  // The log is long after 60 of them. A thread that could not start has ended again after the others.
  for (let index = 0; index < 90; index += 1) {
    const body = { name: `Cloth ${index}`, price: "12.50", description };
    await duka.request("POST", "/v2/products", { body });
  }

  expect(before).not.toContain("Worker");
  expect(threads()).toContain("Worker");
});

test("the first start prints a working key", async () => {
  await using duka = await openRunningDuka({ folder, isFromNothing: true });

  const product = await duka.request("POST", "/v2/products", {
    body: { name: "Mug", price: "12.50", stock: 3 },
  });
  const variant = /"var_\w+"/.exec(await product.text())?.[0].slice(1, -1);
  const order = await duka.request("POST", "/v2/orders", {
    body: { line_items: [{ variant_id: variant, quantity: 2 }] },
  });
  const stock = await duka.request("GET", `/v2/inventory/${variant}`);

  expect([product.status, order.status]).toEqual([201, 201]);
  expect(await order.json()).toMatchObject({ number: 1001, subtotal: 25 });
  expect(await stock.json()).toMatchObject({ on_hand: 3, reserved: 2, available: 1 });
});

test("files in the folder are neither read as settings nor run", async () => {
  writeFileSync(scratch.file("bunfig.toml"), 'env = true\npreload = ["./intruder.ts"]\n');
  writeFileSync(
    scratch.file("intruder.ts"),
    'require("node:fs").writeFileSync("intruded", "");\nprocess.env.DUKA_LOG_LEVEL = "loud";\n',
  );
  writeFileSync(scratch.file(".env"), "DUKA_DATA_DIR=hostile\nDUKA_PORT=many\n");
  writeFileSync(scratch.file(".env.production"), "DUKA_DATA_DIR=hostile\nDUKA_PORT=many\n");
  writeFileSync(scratch.file("package.json"), '{"imports": {"#*": "./intruder.ts"}}\n');
  writeFileSync(scratch.file("tsconfig.json"), '{"compilerOptions": {"paths": {"*": ["./*"]}}}\n');

  await using duka = await openRunningDuka({ folder, settings: { DUKA_DATA_DIR: "own" } });
  const config = await runDuka(["config"], { folder });

  expect(duka.greeting).toContain(scratch.file("own"));
  expect(config.stdout).toMatch(/^DUKA_DATA_DIR +\.\/data +default/m);
  expect(existsSync(scratch.file("intruded"))).toBe(false);
  expect(existsSync(scratch.file("hostile"))).toBe(false);
});

test("options for Bun in the environment are refused", async () => {
  const settings = { BUN_OPTIONS: "--smol" };

  const ended = await runDuka(["serve"], { folder, settings });

  expect([ended.code, ended.stdout]).toEqual([2, ""]);
  expect(ended.stderr).toContain("BUN_OPTIONS: is read by Bun");
  expect(existsSync(scratch.file("data"))).toBe(false);
});

test("all invalid settings are reported together", async () => {
  const settings = { DUKA_PORT: "many", DUKA_HOST: "0.0.0.0", DUKA_TLS_CERT: "missing.pem" };

  const ended = await runDuka([], { folder, settings });

  expect([ended.code, ended.stdout]).toEqual([2, ""]);
  expect(ended.stderr).toContain("DUKA_PORT:");
  expect(ended.stderr).toContain("DUKA_TLS_CERT:");
  expect(ended.stderr).toContain("DUKA_TLS_KEY:");
});

describe("beside a running server", () => {
  test("a second one is refused", async () => {
    await using first = await openRunningDuka({ folder });

    const second = await runDuka(["serve"], { folder });

    expect(second.code).toBe(1);
    expect(second.stderr).toContain(`Another Duka (process ${first.id}) already serves`);
  });

  test("keys are made and revoked", async () => {
    await using duka = await openRunningDuka({ folder });

    const made = await runDuka(["keys", "create", "--mode", "live"], { folder });
    const key = made.stdout.trim();
    const before = await duka.request("GET", "/v2/store", { key });
    const listed = await runDuka(["keys", "list", "--json"], { folder });
    const id = /"id": "(key_\w+)",\s+"mode": "live"/.exec(listed.stdout)?.[1] ?? "";
    const revoked = await runDuka(["keys", "revoke", id], { folder });
    const after = await duka.request("GET", "/v2/store", { key });

    expect(made.stdout).toMatch(/^live_sk_\w{49}\n$/);
    expect([before.status, revoked.code, after.status]).toEqual([200, 0, 401]);
  });

  test("duka check passes", async () => {
    await using duka = await openRunningDuka({ folder });
    await duka.request("POST", "/v2/products", { body: { name: "Mug", price: 12.5, stock: 3 } });

    const ended = await runDuka(["check"], { folder });

    expect(ended).toMatchObject({ code: 0, stderr: "" });
  });
});

test("a sandbox sells, goes back to a state, and leaves nothing", async () => {
  await using sandbox = await startSandbox(scratch, ["--seed", "full"]);
  const { api, key, dashboard, directory } = sandbox.printed;
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const settings = variablesIn(scratch);
  const orders = async () => (await fetch(`${api}/orders?limit=1`, { headers })).text();
  const before = await orders();

  const saved = await runDuka(["sandbox", "snapshot"], { folder, settings });
  const variant = /"var_\w+"/.exec(await (await fetch(`${api}/products`, { headers })).text());
  const body = `{"line_items": [{"variant_id": ${variant?.[0]}, "quantity": 1}]}`;
  const order = await fetch(`${api}/orders`, { method: "POST", headers, body });
  const between = await orders();
  const restored = await runDuka(["sandbox", "restore"], { folder, settings });
  const check = await runDuka(["check", "--data-dir", directory], { folder, settings });
  const page = await fetch(dashboard, { redirect: "manual" });

  expect([saved.code, order.status, restored.code, check.code]).toEqual([0, 201, 0, 0]);
  expect(between).not.toBe(before);
  expect(await orders()).toBe(before);
  expect(page.headers.get("Location")).toBe("/dashboard/test");
  sandbox.closeStdin();
  expect(await sandbox.exited).toBe(0);
  expect(leftIn(scratch)).toEqual([]);
});

test("SIGTERM ends it with 0 and leaves no file of a running server", async () => {
  await using duka = await openRunningDuka({ folder });
  await duka.request("GET", "/v2/store");

  const { code } = await duka.end("SIGTERM");

  expect(code).toBe(0);
  expect(existsSync(scratch.file("data/duka.sock"))).toBe(false);
  expect(existsSync(scratch.file("data/test.sqlite-wal"))).toBe(false);
});

describe("after being killed under load", () => {
  interface Feed {
    readonly data: readonly { readonly data: { readonly id: string } }[];
    readonly has_more: boolean;
    readonly next_after: number;
  }

  /** Creates products over several connections until the server is gone; returns the acknowledged ids. */
  async function sellUntilKilled(duka: RunningDuka, killAfter: number): Promise<string[]> {
    const acknowledged: string[] = [];
    const customer = async (name: string) => {
      for (let number = 1; ; number += 1) {
        const answer = await duka
          .request("POST", "/v2/products", { body: { name: `${name} ${number}`, price: 1 } })
          .then((response) => response.text())
          .catch(() => "");
        const id = /^\{"id":"(prod_\w+)"/.exec(answer)?.[1];
        if (id === undefined) return;
        acknowledged.push(id);
        if (acknowledged.length === killAfter) duka.signal("SIGKILL");
      }
    };
    await Promise.all(["Mug", "Bowl", "Plate", "Spoon", "Fork", "Knife"].map(customer));
    return acknowledged;
  }

  /** The ids in the product.created events of the feed. */
  async function announcedProducts(duka: RunningDuka, key: string): Promise<string[]> {
    const ids: string[] = [];
    for (let after = 0, hasMore = true; hasMore;) {
      const path = `/v2/events?limit=100&event=product.created&after=${after}`;
      const feed: Feed = JSON.parse(await (await duka.request("GET", path, { key })).text());
      ids.push(...feed.data.map((event) => event.data.id));
      after = feed.next_after;
      hasMore = feed.has_more;
    }
    return ids;
  }

  test("it has kept and announced everything that it acknowledged", async () => {
    await using killed = await openRunningDuka({ folder });
    const acknowledged = await sellUntilKilled(killed, 300);
    await killed.ended();

    await using restarted = await openRunningDuka({ folder });
    const announced = await announcedProducts(restarted, killed.key);
    const statuses = await Promise.all(
      announced.map(async (id) => {
        return (await restarted.request("GET", `/v2/products/${id}`, { key: killed.key })).status;
      }),
    );

    expect(acknowledged.length).toBeGreaterThanOrEqual(300);
    expect(acknowledged.filter((id) => !announced.includes(id))).toEqual([]);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    expect((await runDuka(["check"], { folder })).code).toBe(0);
  });

  test("it starts again on the same port", async () => {
    await using killed = await openRunningDuka({ folder });
    await killed.request("GET", "/v2/store");
    await killed.end("SIGKILL");

    const settings = { DUKA_PORT: new URL(killed.url).port };
    await using restarted = await openRunningDuka({ folder, settings });

    expect(restarted.url).toBe(killed.url);
    expect((await restarted.request("GET", "/v2/store", { key: killed.key })).status).toBe(200);
  });
});

test("HTTPS is served with a certificate of the operator", async () => {
  const { good, authority } = makeCertificates();
  writeFileSync(scratch.file("key.pem"), good.key);
  writeFileSync(scratch.file("certificate.pem"), good.cert);
  const settings = { DUKA_TLS_CERT: "certificate.pem", DUKA_TLS_KEY: "key.pem" };
  await using duka = await openRunningDuka({ folder, settings });
  const answer = await fetch(`${duka.url}/v2/store`, {
    headers: { Authorization: `Bearer ${duka.key}` },
    tls: { ca: authority },
  });

  expect(duka.url).toStartWith("https://");
  expect(answer.status).toBe(200);
});
