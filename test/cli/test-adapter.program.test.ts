// `duka gateways test` tells by its exit code what came of an adapter, `contract` what it must do. They need no shop.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { newSecret } from "#platform/net/signature.ts";

import { type Ended, environmentOf } from "../support/running-duka.ts";
import { openScratchFolder, type ScratchFolder } from "../support/scratch.ts";
import { CallbackGateway } from "../vendors/callback-gateway.ts";
import { type ServedGateway, serveGateway } from "../vendors/http/serve-gateway.ts";

const program = [process.execPath, join(import.meta.dir, "vendor-program.ts")];

let scratch: ScratchFolder;
let served: ServedGateway;

beforeAll(async () => {
  scratch = openScratchFolder();
  const gateway = new CallbackGateway("k3yr1ng");
  served = await serveGateway(
    gateway,
    {},
    { answer: async (reference, answer) => gateway.answer(reference, answer) },
  );
});

afterAll(async () => {
  await served[Symbol.asyncDispose]();
  scratch[Symbol.dispose]();
});

async function duka(args: readonly string[]): Promise<Ended> {
  const child = Bun.spawn([...program, "gateways", ...args], {
    cwd: scratch.path,
    env: await environmentOf({ folder: scratch.path }),
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

function testAdapter(url: string, secret: string, more: readonly string[] = []): Promise<Ended> {
  const file = join(scratch.path, "secret");
  writeFileSync(file, `${secret}\n`);
  return duka(["test", url, "--secret-file", file, ...more]);
}

test("0 where everything was held", async () => {
  const { code, stdout } = await testAdapter(served.server.url, served.secret, [
    "--restart",
    "true",
  ]);

  expect(code).toBe(0);
  expect(stdout).toContain("ok     charges an attempt once, however often it is initiated\n");
  expect(stdout).toEndWith("26 held, 0 failed, 0 left out\n");
});

test("3 where something was left out, and the results as JSON", async () => {
  const { code, stdout } = await testAdapter(served.server.url, served.secret, ["--json"]);

  expect(code).toBe(3);
  expect(JSON.parse(stdout)).toContainEqual({
    id: "remembers",
    what: "finds an attempt again after it was killed",
    state: "left_out",
    why: "No command restarts the adapter: give one as --restart.",
  });
});

test("1 where something failed", async () => {
  const gateway = new CallbackGateway("k3yr1ng");
  await using lax = await serveGateway(gateway, {}, { ignores: "signatures" });

  const { code, stdout } = await testAdapter(lax.server.url, lax.secret);

  expect(code).toBe(1);
  expect(stdout).toContain("FAULT  answers 401 to a call of another secret, and does nothing\n");
});

test("2 where the adapter is not reached, or does not know the secret", async () => {
  const unknown = await testAdapter(served.server.url, newSecret());
  const nowhere = await testAdapter("http://127.0.0.1:9", served.secret);

  expect([unknown.code, nowhere.code]).toEqual([2, 2]);
  expect(unknown.stderr).toContain("It does not take the signature");
  expect(nowhere.stderr).toContain("It gave no answer that counts.");
});

test("2 for what is no payment, and for another secret, which is not repeated", async () => {
  const more = ["--attempt", "mobile_money:GHS:vodka"];
  const payment = await testAdapter(served.server.url, served.secret, more);
  const secret = await testAdapter(served.server.url, "sk_test_abcdefgh1234567");

  expect([payment.code, secret.code]).toEqual([2, 2]);
  expect(payment.stderr).toContain('not "mobile_money:GHS:vodka".');
  expect(secret.stderr).not.toContain("abcdefgh1234567");
});

test("the contract is printed for programs that make stubs of it", async () => {
  const { code, stdout } = await duka(["contract"]);

  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ openapi: "3.1.0", info: { version: "1" } });
});
