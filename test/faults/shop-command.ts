// What the commands of the model share: a request with a key, a command on one of the orders, and what holds
// after each.

import fc from "fast-check";

import type { ScratchFolder } from "../support/scratch.ts";
import type { Answered, TestShop } from "../support/shop.ts";
import type { Model } from "./shop-model.ts";
import type { ModelOrder } from "./shop-order.ts";

/** A request that was answered under an idempotency key. */
interface Sent {
  readonly ask: () => Promise<Answered>;
  readonly answer: Answered;
}

/** The real shop. */
export interface World {
  readonly folder: ScratchFolder;
  readonly sent: Sent[];
  shop: TestShop;
  /** The last event that was read. */
  sequence: number;
}

export type Take = (model: Model, world: World) => Promise<void>;
/** What must hold after each command. */
export type Hold = (model: Model, world: World) => Promise<void>;

/** One thing that happens. */
export class Command implements fc.AsyncCommand<Model, World> {
  readonly #name: string;
  readonly #take: Take;
  readonly #hold: Hold;

  constructor(name: string, take: Take, hold: Hold) {
    this.#name = name;
    this.#take = take;
    this.#hold = hold;
  }

  check(): boolean {
    return true;
  }

  async run(model: Model, world: World): Promise<void> {
    await this.#take(model, world);
    await this.#hold(model, world);
  }

  toString(): string {
    return this.#name;
  }
}

/** Sends with a new idempotency key, and stores the request for a retry. */
export async function once(
  world: World,
  ask: (headers: Record<string, string>) => Promise<Answered>,
): Promise<Answered> {
  const headers = { "Idempotency-Key": `model-${world.sent.length}` };
  const answer = await ask(headers);
  world.sent.push({ ask: () => ask(headers), answer });
  return answer;
}

export type Named = readonly [name: string, take: Take];

export type About = (order: ModelOrder, model: Model, world: World) => Promise<void>;

/** A command on one of the orders, if there is one: mostly on the newest. */
export function about(name: string, take: About): fc.Arbitrary<Named> {
  return fc.constantFrom(0, 0, 0, 1, 1, 2, 3).map((back): Named => [
    `${name} order ${-1 - back}`,
    async (model, world) => {
      const order = model.orders.at(-1 - (back % Math.max(1, model.orders.length)));
      if (order !== undefined) await take(order, model, world);
    },
  ]);
}
