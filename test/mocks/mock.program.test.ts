// `duka mock` runs until it is stopped, and prints what points a shop at it.

import { expect, test } from "bun:test";

import { openPaystack } from "#payments/gateways/paystack/paystack.ts";

import { attempt } from "../sandbox/simulated-rig.ts";
import { environmentOf } from "../support/running-duka.ts";
import { openScratchFolder } from "../support/scratch.ts";
import { until } from "../support/until.ts";

const program = [process.execPath, "src/main.ts", "mock"];
const call = { signal: new AbortController().signal, name: async () => {}, keyed: async () => {} };

async function start(args: readonly string[]) {
  using folder = openScratchFolder();
  const child = Bun.spawn([...program, ...args], {
    env: await environmentOf({ folder: folder.path }),
    stdout: "pipe",
    stderr: "pipe",
  });
  let shown = "";
  const reading = child.stdout.pipeTo(
    new WritableStream({ write: (bytes) => void (shown += new TextDecoder().decode(bytes)) }),
  );
  return { child, reading, shown: () => shown };
}

test("a mock of Paystack takes the gateway of the settings that it prints, and ends with 0", async () => {
  const { child, reading, shown } = await start(["paystack"]);
  await until(() => shown().includes("DUKA_PAYSTACK_TEST_SECRET="), "It printed no settings.");
  const settings = Object.fromEntries(
    shown()
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => line.split("=")),
  );
  const gateway = openPaystack({
    mode: "test",
    clock: { now: () => Date.now() },
    address: String(settings["DUKA_PAYSTACK_URL"]),
    secret: String(settings["DUKA_PAYSTACK_TEST_SECRET"]),
    webhookSecrets: [],
  });
  const asked = { method: "mobile_money", phone: "+233551234085", provider: "mtn" } as const;

  const begun = await gateway.initiate(attempt(asked), call);
  child.kill("SIGTERM");
  await reading;

  expect(begun).toMatchObject({ kind: "offline", action: "approve_on_phone" });
  expect(await child.exited).toBe(0);
});

test("a port that is none is refused with 2", async () => {
  const { child, reading } = await start(["stripe", "--port", "99999"]);
  await reading;

  expect(await child.exited).toBe(2);
  expect(await new Response(child.stderr).text()).toContain("--port is a whole number");
});
