// The rows that HTTP adds to the contract of the port: signatures, keys, answers that are lost, an adapter that is killed.

import assert from "node:assert/strict";

import { realClock, SECOND_MS } from "#kernel/time.ts";
import type { Reply } from "#platform/net/ask.ts";
import { newSecret } from "#platform/net/signature.ts";

import { begun, type ContractRow, has, Memory, paid, paidOf, type World } from "./world.ts";

/** The parts of a call that are otherwise than the shop sends them. */
interface Sending {
  readonly key?: string;
  /** Seconds. */
  readonly timestamp?: number;
  readonly secrets?: readonly string[];
  readonly timeoutMs?: number;
}

export interface AdapterWorld extends World {
  readonly secret: string;
  /** Sends a call to the adapter, signed as the shop signs. */
  send(call: string, body: unknown, given?: Sending): Promise<Reply>;
  /** The body that initiates the attempt. */
  readonly initiation: { readonly attempt: unknown; readonly notify_url: string | null };
  /** From now on the adapter is told an address for its notices at which nothing listens. */
  loseNotices(): void;
  /** Kills the adapter, starts it again and waits for it. */
  restart(): Promise<void>;
}

export type AdapterRow = ContractRow<AdapterWorld>;

const HOUR_SECONDS = 3_600;
const AT_ONCE = 20;
const LARGE_BYTES = 1_048_576;

function keyOf({ attempt }: AdapterWorld) {
  return { key: attempt.gatewayReference };
}

/** A signature that proves nothing begins nothing. */
function refused(id: string, what: string, given: () => Sending): AdapterRow {
  return {
    id,
    what,
    needs: [],
    run: async (world) => {
      const sending = { ...keyOf(world), ...given() };
      const { status } = await world.send("initiate", world.initiation, sending);
      assert.equal(status, 401);
      has(await new Memory(world).verify(), { state: "not_found" });
    },
  };
}

const signatures: readonly AdapterRow[] = [
  refused("bad-signature", "answers 401 to a call of another secret, and does nothing", () => ({
    secrets: [newSecret()],
  })),
  refused("no-signature", "answers 401 to a call without a signature, and does nothing", () => ({
    secrets: [],
  })),
  refused("old-signature", "answers 401 to a call of an hour ago, and does nothing", () => ({
    timestamp: Math.floor(realClock.now() / SECOND_MS) - HOUR_SECONDS,
  })),
  {
    id: "two-signatures",
    what: "takes a call with two signatures, of which one is of its secret",
    needs: [],
    run: async (world) => {
      for (const secrets of [
        [newSecret(), world.secret],
        [world.secret, newSecret()],
      ]) {
        assert.equal((await world.send("describe", {}, { secrets })).status, 200);
      }
    },
  },
];

const keys: readonly AdapterRow[] = [
  {
    id: "key-at-once",
    what: "has one effect of a key that arrives twenty times at once",
    needs: ["payer"],
    run: async (world) => {
      const calls = Array.from({ length: AT_ONCE }, () =>
        world.send("initiate", world.initiation, keyOf(world)),
      );
      const statuses = (await Promise.all(calls)).map(({ status }) => status);
      assert.ok(statuses.includes(200), `None of twenty was answered 200: ${statuses.join(" ")}.`);
      const { amountMinor } = world.attempt;
      has(paidOf(await (await paid(world)).verify()), { amountMinor, returnedMinor: 0 });
    },
  },
  {
    id: "key-other-body",
    what: "answers 409 to a key with another body",
    needs: [],
    run: async (world) => {
      await begun(world);
      const { attempt, initiation } = world;
      const other = { ...Object(initiation.attempt), amount_minor: attempt.amountMinor * 2 };
      const body = { ...initiation, attempt: other };
      const { status } = await world.send("initiate", body, keyOf(world));
      assert.equal(status, 409);
    },
  },
];

const losses: readonly AdapterRow[] = [
  {
    id: "answer-lost",
    what: "goes on with an attempt whose answer was lost, and charges it once",
    needs: ["payer"],
    run: async (world) => {
      await world.send("initiate", world.initiation, { ...keyOf(world), timeoutMs: 1 });
      const { amountMinor } = world.attempt;
      has(paidOf(await (await paid(world)).verify()), { amountMinor, returnedMinor: 0 });
    },
  },
  {
    id: "killed",
    what: "goes on with an attempt in the middle of which it was killed",
    needs: ["restart"],
    run: async (world) => {
      const lost = world.send("initiate", world.initiation, keyOf(world));
      await world.restart();
      await lost;
      has(await (await begun(world)).verify(), { state: "pending" });
    },
  },
  {
    id: "remembers",
    what: "finds an attempt again after it was killed",
    needs: ["restart"],
    run: async (world) => {
      const memory = await begun(world);
      await world.restart();
      has(await memory.verify(), { state: "pending" });
    },
  },
  {
    id: "notices-lost",
    what: "tells by verify what its lost notices would have said",
    needs: ["payer"],
    run: async (world) => {
      world.loseNotices();
      paidOf(await (await paid(world)).verify());
    },
  },
];

const calls: readonly AdapterRow[] = [
  {
    id: "unknown-call",
    what: "answers 404 to a call that it does not have",
    needs: [],
    run: async (world) => {
      assert.equal((await world.send("no-such-call", {})).status, 404);
    },
  },
  {
    id: "large-body",
    what: "survives a body of a mebibyte",
    needs: [],
    run: async (world) => {
      await world.send("describe", { padding: "x".repeat(LARGE_BYTES) });
      assert.equal((await world.send("describe", {})).status, 200);
    },
  },
];

/** The promises of an adapter beside the contract of the port. */
export const adapterRows: readonly AdapterRow[] = [...signatures, ...keys, ...losses, ...calls];
