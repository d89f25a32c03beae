// The kit tells an adapter that keeps the contract from one that breaks a promise of it.

import { expect, test } from "bun:test";

import {
  firstTaken,
  type KitResult,
  type KitTerms,
  runKit,
} from "#payments/gateways/contract/kit.ts";
import type { ArrivedNotice } from "#payments/port/notice.ts";
import { alsoLoopback } from "#platform/net/target-url.ts";

import { CallbackGateway } from "../callback-gateway.ts";
import { type ServedGateway, serveGateway, type Serving } from "./serve-gateway.ts";

/** An adapter with a payer of its own. */
function serve(given: Omit<Serving, "answer"> = {}): Promise<ServedGateway> {
  const gateway = new CallbackGateway("k3yr1ng");
  const answer: Serving["answer"] = async (reference, answered) =>
    gateway.answer(reference, answered);
  return serveGateway(gateway, {}, { answer, ...given });
}

/** Receives notices. */
function receive() {
  const all: ArrivedNotice[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      const bytes = new Uint8Array(await request.arrayBuffer());
      all.push({ bytes, headers: request.headers, token: null });
      return Response.json({});
    },
  });
  return { url: server.url.href, all, [Symbol.asyncDispose]: () => server.stop(true) };
}

async function resultsOf(
  served: ServedGateway,
  given: Partial<KitTerms> = {},
): Promise<readonly KitResult[]> {
  await using notices = receive();
  const { server, description, secret } = served;
  const asked = firstTaken(description);
  if (asked === null) throw new Error("It takes nothing.");
  return await runKit(
    {
      adapter: { mode: "test", url: server.url, secret, reach: alsoLoopback },
      description,
      asked,
      askPayer: null,
      notices,
      restart: async () => {
        await server.down();
        await server.up();
      },
      ...given,
    },
    () => {},
  );
}

function idsOf(results: readonly KitResult[], state: KitResult["state"]): string[] {
  return results.filter((one) => one.state === state).map(({ id }) => id);
}

test("an adapter that keeps the contract passes every row", async () => {
  await using served = await serve();

  const results = await resultsOf(served);

  expect(results.filter(({ state }) => state !== "held")).toEqual([]);
  expect(results).toHaveLength(26);
});

test("an adapter that takes every signature fails the rows of signatures alone", async () => {
  await using served = await serve({ ignores: "signatures" });

  const results = await resultsOf(served);

  expect(idsOf(results, "failed")).toEqual(["bad-signature", "no-signature", "old-signature"]);
});

test("an adapter that takes another body for a key fails the row of that", async () => {
  await using served = await serve({ ignores: "bodies" });

  const results = await resultsOf(served);

  expect(idsOf(results, "failed")).toEqual(["key-other-body"]);
});

test("what nobody can do is left out, with the reason", async () => {
  await using served = await serveGateway(new CallbackGateway("k3yr1ng"));

  const results = await resultsOf(served, { restart: null });

  expect(idsOf(results, "failed")).toEqual([]);
  expect(idsOf(results, "left_out")).toContain("charged-once");
  expect(results.find(({ id }) => id === "killed")?.why).toBe(
    "No command restarts the adapter: give one as --restart.",
  );
});
