// A flash sale: many customers order one variant at once, over more connections than programs.
// Invariant: the units sold equal the units in stock; every other order is refused.

import { join } from "node:path";

import { startPostgres } from "../support/postgres-server.ts";
import { startOn } from "./processes.ts";
import { type Duka, type Program, startDuka, together } from "./programs.ts";
import { ask, CONNECTIONS, measure, print } from "./shop.ts";

const UNITS = Number(process.env["BENCH_UNITS"] ?? 2000);
/** For each unit, so many want it. */
const RUSH = 1.5;
const PROCESSES = [1, 2] as const;
/** Longer than any sale lasts. */
const SECONDS_MAX = 120;

/** Sells one ware out, on files or on a PostgreSQL that one and two programs share. */
export async function measureFlash(folder: string, store: "sqlite" | "postgres"): Promise<void> {
  console.log(`\n${UNITS * RUSH} buyers of ${UNITS} units of one ware, ${CONNECTIONS} connections`);
  if (store === "sqlite") {
    const duka = await startDuka(folder, null);
    await sellOut("one program on files of its own", duka, duka);
    await duka.stop();
    return;
  }
  await using server = await startPostgres({ durable: true });
  let key: string | null = null;
  for (const count of PROCESSES) {
    const dukas: Duka[] = [];
    for (let index = 0; index < count; index += 1) {
      const duka: Duka = await startOn(server, join(folder, String(index)), key);
      key = duka.key;
      dukas.push(duka);
    }
    const [first] = dukas;
    if (first !== undefined) await sellOut(`${count} on one PostgreSQL`, first, together(dukas));
    await Promise.all(dukas.map((duka) => duka.stop()));
  }
}

async function sellOut(title: string, duka: Duka, all: Program): Promise<void> {
  const made = await ask(duka, ["POST", "/v2/products"], {
    name: `The last of its kind, ${title}`,
    price: "12.50",
    currency: "USD",
    stock: UNITS,
  });
  const variantId = /var_\w+/.exec(made)?.[0] ?? "";
  const bodies = Array.from({ length: UNITS * RUSH }, (_, index) =>
    JSON.stringify({
      customer: { email: `buyer.${index}.${variantId}@example.com`, name: "Ada Mensah" },
      line_items: [{ variant_id: variantId, quantity: 1 }],
      payment_method: "mobile_money",
      currency: "USD",
    }),
  );
  const sale = await measure(all, {
    target: "POST /v2/orders",
    bodies,
    requests: bodies.length,
    seconds: SECONDS_MAX,
    refusals: ["409"],
  });
  console.log(`  ${title}`);
  print("duka", sale);
  const { 201: sold = 0, 409: refused = 0 } = sale.byStatus;
  const left = /"available":(-?\d+)/.exec(
    await ask(duka, ["GET", `/v2/products/${/prod_\w+/.exec(made)?.[0] ?? ""}`]),
  )?.[1];
  console.log(`  sold ${sold}, refused ${refused}, left ${left}`);
  if (sold !== UNITS || left !== "0") throw new Error("What was sold is not what there was.");
}
