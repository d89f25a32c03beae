// `duka serve` as a process: its start, its signals and its refusals.

import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

import { tamper } from "../support/behind-the-shop.ts";
import { environmentOf, openRunningDuka, runDuka, source } from "../support/running-duka.ts";
import { openScratchFolder, type ScratchFolder } from "../support/scratch.ts";

setDefaultTimeout(60_000);

/** Longer than the time within which two signals count as one. */
const ANOTHER_SIGNAL_MS = 400;
const START_MS_MAX = 20_000;

let scratch: ScratchFolder;
let folder = "";

beforeEach(() => {
  scratch = openScratchFolder();
  folder = scratch.path;
});

afterEach(() => scratch[Symbol.dispose]());

/** A connection that has sent half of a request; `finish` sends the rest and returns the answer. */
async function beginRequest(url: string, key: string) {
  const { hostname, port } = new URL(url);
  const body = JSON.stringify({ name: "Slow shop" });
  const answer = Promise.withResolvers<string>();
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data: (_, bytes) => answer.resolve(bytes.toString()),
      close: () => answer.resolve("closed"),
    },
  });
  socket.write(
    `PUT /v2/store HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
  );
  // Nothing tells that the server has read the first half, which must not come with the second.
  await Bun.sleep(200);
  return {
    finish: () => {
      socket.write(body.slice(5));
      return answer.promise;
    },
  };
}

/** Asks until a server listens there. */
async function firstAnswer(url: string): Promise<void> {
  const deadline = performance.now() + START_MS_MAX;
  while (performance.now() < deadline) {
    try {
      await fetch(url);
      return;
    } catch {
      // The program is starting: it is asked until it listens.
      await Bun.sleep(1);
    }
  }
  throw new Error(`Nothing answers at ${url}.`);
}

test("the first start prints a working key, and later starts do not", async () => {
  await using first = await openRunningDuka({ folder, isFromNothing: true });
  const answer = await first.request("GET", "/v2/store");
  await first.end("SIGTERM");
  await using second = await openRunningDuka({ folder });

  expect(answer.status).toBe(200);
  expect(first.firstKey).toStartWith("test_sk_");
  expect(second.firstKey).toBeNull();
  expect((await second.request("GET", "/v2/store", { key: first.key })).status).toBe(200);
});

test("a log that cannot be written changes no answer, and does not keep the server from stopping", async () => {
  // A file that is open for reading only refuses each line, as a full disk does.
  const program = ["sh", "-c", 'exec "$@" 2< /dev/null', "duka", process.execPath, source];
  await using duka = await openRunningDuka({ folder, isFromNothing: true, program });
  const payment = { amount: "5.00", currency: "USD", method: "card" };
  const body = { ...payment, card_token: "pm_test_gatewayError" };

  const answer = await duka.request("POST", "/v2/payments/initialize", { body });
  const { code } = await duka.end("SIGTERM");

  expect(answer.status).toBe(503);
  expect(code).toBe(0);
});

test("the example of the first start creates a product", async () => {
  await using duka = await openRunningDuka({ folder });
  const [, path = "", body = ""] =
    /curl http:\/\/[^/]+(\S+) [^]*-d '(.*)'/.exec(duka.greeting) ?? [];

  const answer = await duka.request("POST", path, { body: JSON.parse(body) });

  expect(answer.status).toBe(201);
});

test("the storefront that the start prints is served", async () => {
  await using duka = await openRunningDuka({ folder });
  const address = /Store +(\S+),/.exec(duka.greeting)?.[1] ?? "";

  const answer = await fetch(address);

  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain("test_pk_");
});

test("the command of the first start creates a key of that shop", async () => {
  const settings = { DUKA_DATA_DIR: "the shop" };
  await using duka = await openRunningDuka({ folder, settings });
  const command = /^ {2}(.+ keys create .+)$/m.exec(duka.greeting)?.[1] ?? "";
  const path = `${dirname(process.execPath)}:${process.env.PATH}`;

  // npx looks for bun in the project only; here it is on the path.
  const shell = Bun.spawn(["sh", "-c", command.replace(/^npx /, "")], {
    cwd: folder,
    env: await environmentOf({ folder, settings: { PATH: path } }),
  });
  const key = (await shell.stdout.text()).trim();

  expect((await duka.request("GET", "/v2/store", { key })).status).toBe(200);
});

test("serve is the default command, and options override settings", async () => {
  const settings = { DUKA_PORT: "1", DUKA_DATA_DIR: "elsewhere" };
  const args = ["--port", "0", "--data-dir", "chosen"];

  await using duka = await openRunningDuka({ folder, settings }, args);

  expect(existsSync(scratch.file("chosen"))).toBeTrue();
  expect((await fetch(`${duka.url}/livez`)).status).toBe(200);
});

test("settings are read from a file only if --env-file names it", async () => {
  writeFileSync(scratch.file("shop.env"), "DUKA_DATA_DIR=from-the-file\n");

  await using duka = await openRunningDuka({ folder }, ["serve", "--env-file", "shop.env"]);

  expect(duka.url).toStartWith("http://127.0.0.1:");
  expect(existsSync(scratch.file("from-the-file"))).toBeTrue();
});

test("from source, a start in a folder whose files Bun reads is refused", async () => {
  writeFileSync(scratch.file(".env"), "DUKA_DATA_DIR=hostile\n");
  writeFileSync(scratch.file("bunfig.toml"), "");

  const ended = await runDuka(["serve"], { folder, program: [process.execPath, source] });

  expect([ended.code, ended.stdout]).toEqual([2, ""]);
  expect(ended.stderr).toContain(`${scratch.file(".env")}: is read by Bun`);
  expect(ended.stderr).toContain(`${scratch.file("bunfig.toml")}: is read by Bun`);
  expect(existsSync(scratch.file("hostile"))).toBeFalse();
});

test("from source, a start that switches these files off takes the default folder", async () => {
  writeFileSync(scratch.file(".env"), "DUKA_DATA_DIR=hostile\n");
  const program = [process.execPath, "--no-env-file", source];

  const ended = await runDuka(["config"], { folder, program });

  expect(ended.code).toBe(0);
  expect(ended.stdout).toMatch(/^DUKA_DATA_DIR +\.\/data +default/m);
});

test("all invalid settings are reported together", async () => {
  const settings = { DUKA_PORT: "many", DUKA_HOST: "0.0.0.0", DUKA_HOTS: "1" };

  const ended = await runDuka(["serve"], { folder, settings });

  expect(ended.code).toBe(2);
  expect(ended.stdout).toBe("");
  expect(ended.stderr).toContain("DUKA_PORT:");
  expect(ended.stderr).toContain("DUKA_HOST:");
  expect(ended.stderr).toContain("DUKA_HOTS: is not a setting; did you mean DUKA_HOST?");
});

test("a second server of the same directory is refused with the first one's process id", async () => {
  await using first = await openRunningDuka({ folder });

  const second = await runDuka(["serve"], { folder });

  expect(second.code).toBe(1);
  expect(second.stderr).toContain(`Another Duka (process ${first.id}) already serves`);
  expect((await first.request("GET", "/v2/store")).status).toBe(200);
});

test("a database of a newer Duka is refused", async () => {
  await runDuka(["migrate", "--init"], { folder });
  await tamper(
    scratch.file("data"),
    "INSERT INTO migrations (name, hash, applied_at) VALUES ('9999_future', 'x', 0)",
  );

  const ended = await runDuka(["serve"], { folder });

  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain("It was written by a newer Duka");
});

test("a port in use is reported with the setting to change, and no key is made", async () => {
  const settings = { DUKA_SECRET_KEY: Buffer.alloc(32, 1).toString("base64") };
  await using first = await openRunningDuka({ folder, settings });

  const second = await runDuka(["--data-dir", "other", "--port", new URL(first.url).port], {
    folder,
    settings,
  });

  const later = { ...settings, DUKA_DATA_DIR: "other" };
  await using third = await openRunningDuka({ folder, settings: later });

  expect(second.code).toBe(1);
  expect(second.stderr).toMatch(/Port \d+ of 127\.0\.0\.1 is in use\. .+ DUKA_PORT;.+\n$/);
  expect(third.firstKey).toStartWith("test_sk_");
});

test.each(["SIGTERM", "SIGINT"] as const)("%s ends the server with exit code 0", async (signal) => {
  await using duka = await openRunningDuka({ folder });
  await duka.request("GET", "/v2/store");

  const { code } = await duka.end(signal);

  expect(code).toBe(0);
});

test("a signal that comes with the first answer lets the start end, which shows its key", async () => {
  using found = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => {} } });
  const { port } = found;
  found.stop();
  const running = runDuka(["serve"], { folder, settings: { DUKA_PORT: String(port) } });
  await firstAnswer(`http://127.0.0.1:${port}/livez`);

  process.kill(Number(readFileSync(scratch.file("data/duka.pid"), "utf8")), "SIGTERM");

  const ended = await running;
  expect(ended.code).toBe(0);
  expect(ended.stdout).toContain("test_sk_");
});

test("a request in flight is answered before the server ends", async () => {
  await using duka = await openRunningDuka({ folder });
  const request = await beginRequest(duka.url, duka.key);

  duka.signal("SIGTERM");
  await Bun.sleep(ANOTHER_SIGNAL_MS);
  const answer = await request.finish();

  expect(answer).toStartWith("HTTP/1.1 200");
  expect(answer).toContain("Slow shop");
  expect((await duka.ended()).code).toBe(0);
});

test("a second signal ends the server at once", async () => {
  await using duka = await openRunningDuka({ folder });
  await beginRequest(duka.url, duka.key);

  duka.signal("SIGTERM");
  await Bun.sleep(ANOTHER_SIGNAL_MS);
  const { code } = await duka.end("SIGTERM");

  expect(code).toBe(1);
});

test("two signals at once, as npm sends them, count as one", async () => {
  await using duka = await openRunningDuka({ folder });
  const request = await beginRequest(duka.url, duka.key);

  duka.signal("SIGINT");
  duka.signal("SIGINT");
  await Bun.sleep(ANOTHER_SIGNAL_MS);
  await request.finish();

  expect((await duka.ended()).code).toBe(0);
});

test.each([
  ["thrown", 'throw new Error("lightning");'],
  ["in a promise", 'void Promise.reject(new Error("lightning"));'],
])("an uncaught error, %s, is logged and ends the server", async (_, fault) => {
  writeFileSync(scratch.file("fault.ts"), `process.on("SIGUSR2", () => { ${fault} });`);
  const program = [process.execPath, "--preload", "./fault.ts", source];
  await using duka = await openRunningDuka({ folder, program });

  const { code, log } = await duka.end("SIGUSR2");

  expect(code).toBe(1);
  expect(log).toContain("Uncaught error");
  expect(log).toContain("lightning");
});

test("an unknown command starts nothing", async () => {
  const ended = await runDuka(["srve"], { folder });

  expect(ended.code).toBe(2);
  expect(ended.stderr).toContain('unknown command "srve"; did you mean "serve"?');
});
