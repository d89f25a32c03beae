// A shop to measure: filled and asked over its own interface, put under load from another process.

import type { LoadReport } from "./load.ts";
import { type Duka, type Program, runOn } from "./programs.ts";

export const CONNECTIONS = 64;
/** Of one load. */
export const SECONDS = Number(process.env["BENCH_SECONDS"] ?? 5);
export const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 3);
const PRODUCTS = 200;
/** Variants that plain orders ask for. */
const PLAIN_VARIANTS = 20;
/** The windows below this quantile are those in which the machine was quiet. */
const QUIET_QUANTILE = 0.15;
/** A load may take so much longer than it should, milliseconds, before it has failed. */
const LATE_MS_MAX = 30_000;

/** What one load brought, and what each answer cost the server on average. */
export interface Measured extends LoadReport {
  readonly cpuMicroseconds: number;
  readonly writeCalls: number;
  readonly writtenBytes: number;
}

/** What the orders of a load refer to. */
export interface Stock {
  readonly variantIds: readonly string[];
  readonly customerId: string;
}

export interface Load {
  readonly target: string;
  /** Asked in turn in its place. */
  readonly targets?: readonly string[];
  readonly bodies: readonly string[];
  readonly rate?: number;
  readonly connections?: number;
  readonly seconds?: number;
  /** How many are sent at most; as many as there is time for where nothing is said. */
  readonly requests?: number;
  /** What may be answered besides 2xx. */
  readonly refusals?: readonly string[];
}

/** Sends a request; throws where the answer is no 2xx. */
export async function ask(
  duka: Duka,
  [method, path]: readonly [method: string, path: string],
  body?: object,
): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${duka.port}${path}`, {
    method,
    headers: { Authorization: `Bearer ${duka.key}`, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${text}`);
  return text;
}

/** Fills a shop with goods and a customer; answers their ids. */
export async function stock(duka: Duka): Promise<Stock> {
  const variantIds: string[] = [];
  for (let index = 0; index < PRODUCTS; index += 1) {
    const made = await ask(duka, ["POST", "/v2/products"], {
      name: `Printed cloth, pattern ${index}`,
      description: "Six yards of wax print, cotton, washed once.",
      tags: ["cloth", "cotton"],
      sku: `CLOTH-${index}`,
      price: "12.50",
      currency: "USD",
      stock: 1_000_000_000,
    });
    variantIds.push(/var_\w+/.exec(made)?.[0] ?? "");
  }
  const ada = { email: "ada@example.com", name: "Ada Mensah" };
  const customer = await ask(duka, ["POST", "/v2/customers"], ada);
  return { variantIds, customerId: /cus_\w+/.exec(customer)?.[0] ?? "" };
}

/** Bodies of orders for few variants, without a customer, paid on delivery: the order of the budget. */
export function plainOrders({ variantIds }: Stock): string[] {
  const sold = variantIds.slice(0, PLAIN_VARIANTS);
  return ordersOf(sold, { payment_method: "cash_on_delivery" });
}

/** Bodies of orders for all variants, with a customer, to be paid ahead: these set a timer, too. */
export function prepaidOrders({ variantIds, customerId }: Stock): string[] {
  return ordersOf(variantIds, { customer_id: customerId, payment_method: "mobile_money" });
}

/** Two lines each; the stock suffices for any number of them. */
function ordersOf(variantIds: readonly string[], terms: object): string[] {
  return variantIds.map((variantId, index) =>
    JSON.stringify({
      ...terms,
      line_items: [
        { variant_id: variantId, quantity: 2 },
        { variant_id: variantIds[(index + 7) % variantIds.length], quantity: 1 },
      ],
      currency: "USD",
      metadata: { source: "website" },
    }),
  );
}

/** Puts a program under load; throws where it answers anything but 2xx and what was foreseen. */
export async function measure(
  on: Program,
  { target, targets = [target], bodies, refusals = [], ...pace }: Load,
): Promise<Measured> {
  const { rate = 0, connections = CONNECTIONS, seconds = SECONDS, requests = 0 } = pace;
  const order = {
    ports: on.ports ?? [on.port],
    pids: on.pids,
    connections,
    seconds,
    requests,
    rate,
    targets,
    headers: on.headers,
    bodies,
    freshKeys: bodies.length > 0,
  };
  const before = { cpu: on.cpuSeconds(), written: on.written() };
  const report: LoadReport = JSON.parse(
    await runOn("load.ts", order, seconds * 1000 + LATE_MS_MAX),
  );
  const cpuMicroseconds = ((on.cpuSeconds() - before.cpu) * 1e6) / report.answers;
  const written = on.written();
  const writeCalls = (written.calls - before.written.calls) / report.answers;
  const writtenBytes = (written.bytes - before.written.bytes) / report.answers;
  const unexpected = Object.keys(report.byStatus).filter(
    (status) => !status.startsWith("2") && !refusals.includes(status),
  );
  if (unexpected.length > 0)
    throw new Error(`${on.name} answered ${JSON.stringify(report.byStatus)}`);
  return { ...report, cpuMicroseconds, writeCalls, writtenBytes };
}

/** The value below which this share of all lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? 0;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Processor time per answer in quiet windows, microseconds. */
export function quietCpu(measured: readonly Measured[]): number {
  return quantile(
    measured.flatMap(({ cpuWindows }) => cpuWindows),
    QUIET_QUANTILE,
  );
}

export const show = (value: number, digits = 0) => value.toFixed(digits).padStart(10);

export function print(name: string, of: Measured, more = ""): void {
  console.log(
    `  ${name.padEnd(6)}${show(of.perSecond)}/s${show(of.p50, 1)} ms p50${show(of.p99, 1)} ms p99` +
      `${show(of.cpuMicroseconds)} us CPU${more}`,
  );
}
