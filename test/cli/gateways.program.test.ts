// `duka gateways` stores the secrets of the shop at vendors, with and without a running server. No secret is ever an
// argument, and none is printed.

import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";

import { rowsBehind } from "../support/behind-the-shop.ts";
import {
  type Ended,
  environmentOf,
  openRunningDuka,
  type RunningDuka,
} from "../support/running-duka.ts";
import { openScratchFolder, type ScratchFolder } from "../support/scratch.ts";
import { REVOKED } from "../support/scripted-vendor.ts";
import { copyTemplateInto } from "../support/template-files.ts";
import { CallbackGateway } from "../vendors/callback-gateway.ts";
import { serveGateway } from "../vendors/http/serve-gateway.ts";

setDefaultTimeout(60_000);

const SECRET = "sk_test_4eC39HqLyjWDarjtT1zdp7dc";
const LIVE = "sk_live_7fD42JrMzkXEbsksU2ae1234";
const SIGNING = "whsec_8Zr3yT5uWqLk0pXcVbNm";
const live = { DUKA_PUBLIC_URL: "https://shop.example" };
const program = [process.execPath, join(import.meta.dir, "vendor-program.ts")];

let scratch: ScratchFolder;
let folder = "";

beforeEach(() => {
  scratch = openScratchFolder();
  folder = scratch.path;
  copyTemplateInto(join(folder, "data"));
});

afterEach(() => scratch[Symbol.dispose]());

interface Given {
  readonly settings?: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

async function duka(line: string, { settings = {}, stdin = "" }: Given = {}): Promise<Ended> {
  const child = Bun.spawn([...program, ...line.split(" ")], {
    cwd: folder,
    env: await environmentOf({ folder, settings }),
    stdin: new Blob([stdin]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, stdout, stderr };
}

/** Runs the command at a terminal of its own, and types this once it asks. */
async function typing(line: string, keys: string): Promise<{ code: number; shown: string }> {
  let shown = "";
  const child = Bun.spawn([...program, ...line.split(" ")], {
    cwd: folder,
    env: await environmentOf({ folder }),
    terminal: {
      data: (terminal, bytes) => {
        const isAsked = shown.includes(": ");
        shown += new TextDecoder().decode(bytes);
        if (!isAsked && shown.includes(": ")) terminal.write(keys);
      },
    },
  });
  return { code: await child.exited, shown };
}

async function listed(settings: Given["settings"] = {}): Promise<unknown> {
  return JSON.parse((await duka("gateways list --json", { settings })).stdout);
}

/** Everything that the ended command printed. */
const printed = ({ stdout, stderr }: Ended) => stdout + stderr;

test("a secret given at stdin is stored for the next start of the server", async () => {
  const stdin = `${SECRET}\n${SIGNING}\n`;

  const done = await duka("gateways set stripe --mode test --webhook-secret", { stdin });

  expect(done).toMatchObject({ code: 0, stderr: "" });
  expect(done.stdout).toContain("The server takes note at its next start.");
  expect(await listed()).toMatchObject([
    { secret: "sk_test_…p7dc", has_webhook_secret: true, state: "in use" },
  ]);
});

test("a secret that is typed at a terminal is not shown there", async () => {
  const done = await typing("gateways set stripe --mode test", `${SECRET}\r`);

  expect(done.code).toBe(0);
  expect(done.shown).toContain("Secret of stripe in test mode:");
  expect(done.shown).not.toContain(SECRET);
  expect(await listed()).toMatchObject([{ secret: "sk_test_…p7dc" }]);
});

describe("a secret among the arguments is refused, and not repeated,", () => {
  test.each([
    ["behind the gateway", `gateways set stripe ${SECRET} --mode test`],
    ["as the value of an option", `gateways set stripe --mode test --webhook-secret ${SIGNING}`],
    ["in an option", `gateways set stripe --mode test --secret=${SECRET}`],
    ["in place of the gateway", `gateways set ${SECRET} --mode test`],
  ])("%s", async (_, line) => {
    const refused = await duka(line, { stdin: SECRET });

    expect(refused.code).toBe(2);
    expect([SECRET, SIGNING].filter((secret) => printed(refused).includes(secret))).toEqual([]);
  });

  test("with what to do", async () => {
    const refused = await duka(`gateways set stripe ${SECRET} --mode test`);

    expect(refused.stderr).toContain("replace it at the vendor");
  });
});

test.each([
  ["nothing", "", "at stdin"],
  ["more than the secret", `${SECRET}\n${SIGNING}`, "stdin has 2 lines, not 1"],
])("%s at stdin is refused", async (_, stdin, why) => {
  const refused = await duka("gateways set stripe --mode test", { stdin });

  expect([refused.code, refused.stderr.includes(why)]).toEqual([2, true]);
  expect(printed(refused)).not.toContain(SECRET);
});

describe("beside a running server", () => {
  const open = (settings: Readonly<Record<string, string>> = {}) =>
    openRunningDuka({ folder, settings, program });

  /** The ids of its gateways. */
  async function gatewaysOf(server: RunningDuka): Promise<unknown> {
    const { gateways } = Object(await (await server.request("GET", "/v2/gateways")).json());
    return Array.from<unknown>(gateways).map((gateway) => Object(gateway).id);
  }

  test("a gateway takes payments as long as its secret is stored", async () => {
    await using server = await open();

    const set = await duka("gateways set stripe --mode test", { stdin: SECRET });
    const between = await gatewaysOf(server);
    await duka("gateways remove stripe --mode test");

    expect(set.stdout).toContain("has taken note");
    expect(between).toEqual(["simulated", "stripe"]);
    expect(await gatewaysOf(server)).toEqual(["simulated"]);
  });

  test("an adapter is added, checked, rotated and retired, and its secret is in no line of the log", async () => {
    await using served = await serveGateway(new CallbackGateway("k3yr1ng"));
    const server = await open({ DUKA_LOG_LEVEL: "debug" });
    const secretsIn = ({ stdout }: Ended) => stdout.match(/^whsec_\S+$/gm) ?? [];
    const standing = async () => {
      const { gateways } = Object(await (await server.request("GET", "/v2/gateways")).json());
      return Array.from<unknown>(gateways).map((one) => Object(one).standing);
    };

    const added = await duka(`gateways add own-adapter ${served.server.url} --mode test`);
    const [secret = ""] = secretsIn(added);
    served.use(secret);
    const checked = await duka("gateways check own-adapter --mode test");
    const whileOpen = await standing();
    const rotated = await duka("gateways rotate own-adapter --mode test");
    const retired = await duka("gateways retire own-adapter --mode test");

    expect(added.stdout).toContain("has taken note");
    expect([checked.code, checked.stdout]).toEqual([0, expect.stringContaining("mobile_money")]);
    expect([whileOpen, await standing()]).toEqual([
      ["open", "open"],
      ["open", "retired"],
    ]);
    expect(printed(checked) + printed(retired)).not.toContain("whsec_");
    const { log } = await server.end("SIGTERM");
    const secrets = [secret, ...secretsIn(rotated)];
    expect(secrets).toHaveLength(2);
    expect(secrets.filter((one) => log.includes(one))).toEqual([]);
  });

  test("the environment of the server counts, not that of the command", async () => {
    await using _ = await open({ DUKA_STRIPE_TEST_SECRET: SECRET });

    const lines = await listed();

    expect(lines).toMatchObject([{ source: "DUKA_STRIPE_TEST_SECRET", secret: "sk_test_…p7dc" }]);
  });

  test("no line of its log shows a secret", async () => {
    const settings = { DUKA_STRIPE_LIVE_SECRET: LIVE, ...live, DUKA_LOG_LEVEL: "debug" };
    const server = await open(settings);
    const stdin = `${SECRET}\n${SIGNING}\n`;
    await duka("gateways set stripe --mode test --webhook-secret", { stdin });
    await duka("gateways check stripe --mode test");

    const { log } = await server.end("SIGTERM");

    expect(log).toContain("gateways.set");
    expect([LIVE, SECRET, SIGNING].filter((secret) => log.includes(secret))).toEqual([]);
  });
});

describe("a check", () => {
  test("prints what the vendor answers, and ends well", async () => {
    await duka("gateways set stripe --mode test", { stdin: SECRET });

    const checked = await duka("gateways check stripe --mode test");

    expect(checked.code).toBe(0);
    expect(checked.stdout).toContain("ok  asked https://api.vendor.example");
    expect(printed(checked)).not.toContain(SECRET);
  });

  test("of a secret that the vendor does not accept fails", async () => {
    await duka("gateways set stripe --mode test", { stdin: REVOKED });

    const checked = await duka("gateways check stripe --mode test");

    expect(checked.code).toBe(1);
    expect(checked.stdout).toContain("FAULT  the key is accepted");
  });
});

test("after a rotation of the key, stored secrets are in use as before", async () => {
  const stdin = `${SECRET}\n${SIGNING}\n`;
  await duka("gateways set stripe --mode test --webhook-secret", { stdin });
  const sealed = "SELECT placed_secret, placed_webhook_secrets FROM gateway_accounts";
  const before = await rowsBehind(join(folder, "data"), sealed);

  const rotated = await duka("secrets rotate");

  expect(rotated).toMatchObject({ code: 0 });
  expect(await rowsBehind(join(folder, "data"), sealed)).not.toEqual(before);
  expect(await listed()).toMatchObject([{ state: "in use", has_webhook_secret: true }]);
});
