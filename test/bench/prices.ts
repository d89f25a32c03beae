// What prices cost an order: the same order in a shop without rates, zones and discounts, and in one with three tax
// rates, a shipping zone and an automatic discount. The loads alternate, so that both meet the same machine.

import { mkdirSync } from "node:fs";
import { join } from "node:path";

import { type Duka, startDuka } from "./programs.ts";
import {
  ask,
  measure,
  type Measured,
  median,
  plainOrders,
  print,
  quietCpu,
  ROUNDS,
  stock,
} from "./shop.ts";

/** An order with terms may cost so much more. */
const RATIO_MAX = 1.15;

const home = { line1: "1 High Street", city: "Accra", country: "GH" };

/** Prints orders of both shops, and the ratio of their processor time. */
export async function measurePrices(folder: string): Promise<void> {
  const plain = await openShop(folder, "plain");
  const priced = await openShop(folder, "priced");
  const bodies = {
    plain: plainOrders(await stock(plain)).map((body) => withTerms(body, {})),
    priced: plainOrders(await stock(priced)),
  };
  const rate_id = await givePrices(priced);
  const terms = bodies.priced.map((body) => withTerms(body, { shipping: { rate_id } }));
  const [without, of]: [Measured[], Measured[]] = [[], []];
  const target = "POST /v2/orders";
  for (let round = 0; round < ROUNDS; round += 1) {
    without.push(await measure(plain, { target, bodies: bodies.plain }));
    of.push(await measure(priced, { target, bodies: terms }));
    print("plain", last(without));
    print("priced", last(of));
  }
  const ratio = median(of.map((one, at) => one.cpuMicroseconds / cpuOf(without[at])));
  const quiet = quietCpu(of) / quietCpu(without);
  console.log(
    `\nCPU with terms to CPU without: ${ratio.toFixed(2)}, in quiet windows ${quiet.toFixed(2)} (at most ${RATIO_MAX})`,
  );
  await plain.stop();
  await priced.stop();
}

async function openShop(folder: string, name: string): Promise<Duka> {
  const own = join(folder, name);
  mkdirSync(own);
  return startDuka(own, null);
}

/** An order to an address, so that both shops keep one. */
function withTerms(body: string, terms: object): string {
  const order: object = JSON.parse(body);
  return JSON.stringify({ ...order, shipping_address: home, ...terms });
}

/** The levies of Ghana, a rider, and a tenth off for everybody. Returns the id of the shipping rate. */
async function givePrices(duka: Duka): Promise<string> {
  await ask(duka, ["PUT", "/v2/store"], { country: "GH" });
  for (const [name, rate] of [
    ["GETFund", 2.5],
    ["NHIL", 2.5],
    ["VAT", 15],
  ]) {
    await ask(duka, ["POST", "/v2/tax-rates"], { country: "GH", name, rate });
  }
  await ask(duka, ["POST", "/v2/discounts"], {
    title: "Opening week",
    target: "order",
    percent: 10,
    automatic: true,
  });
  const zone = await ask(duka, ["POST", "/v2/shipping-zones"], {
    name: "Ghana",
    places: [{ country: "GH" }],
  });
  const tiers = [{ from: 0, amounts: [{ currency: "USD", amount: 5 }] }];
  const rate = { zone_id: idIn(zone), name: "Rider", kind: "flat", tiers };
  return idIn(await ask(duka, ["POST", "/v2/shipping-rates"], rate));
}

function idIn(text: string): string {
  return /"id":\s*"(\w+)"/.exec(text)?.[1] ?? "";
}

function last(measured: readonly Measured[]): Measured {
  const found = measured.at(-1);
  if (found === undefined) throw new Error("Nothing was measured.");
  return found;
}

function cpuOf(measured: Measured | undefined): number {
  return measured?.cpuMicroseconds ?? Number.NaN;
}
