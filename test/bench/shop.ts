// A shop to measure: filled and asked over its own interface, put under load from another process.

import type { LoadReport } from "./load.ts";
import { type Duka, type Program, runOn } from "./programs.ts";

export const CONNECTIONS = 64;
/** Of one load. */
export const SECONDS = Number(process.env["BENCH_SECONDS"] ?? 5);
export const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 3);
const PRODUCTS = 200;
/** A load may take so much longer than it should, milliseconds, before it has failed. */
const LATE_MS_MAX = 30_000;

/** What one load brought, and what it cost the server. */
export interface Measured extends LoadReport {
  readonly cpuMicroseconds: number;
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

/** Fills a shop; answers the bodies of orders that it can take without end. */
export async function stock(duka: Duka): Promise<string[]> {
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
  const customerId = /cus_\w+/.exec(customer)?.[0] ?? "";
  return variantIds.map((variantId, index) =>
    JSON.stringify({
      customer_id: customerId,
      line_items: [
        { variant_id: variantId, quantity: 2 },
        { variant_id: variantIds[(index + 7) % variantIds.length], quantity: 1 },
      ],
      payment_method: "mobile_money",
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
    connections,
    seconds,
    requests,
    rate,
    targets,
    headers: on.headers,
    bodies,
    freshKeys: bodies.length > 0,
  };
  const before = on.cpuSeconds();
  const report: LoadReport = JSON.parse(
    await runOn("load.ts", order, seconds * 1000 + LATE_MS_MAX),
  );
  const cpuMicroseconds = ((on.cpuSeconds() - before) * 1e6) / report.answers;
  const unexpected = Object.keys(report.byStatus).filter(
    (status) => !status.startsWith("2") && !refusals.includes(status),
  );
  if (unexpected.length > 0)
    throw new Error(`${on.name} answered ${JSON.stringify(report.byStatus)}`);
  return { ...report, cpuMicroseconds };
}

/** The value below which this share of all lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? 0;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export const show = (value: number, digits = 0) => value.toFixed(digits).padStart(10);

export function print(name: string, of: Measured, more = ""): void {
  console.log(
    `  ${name.padEnd(6)}${show(of.perSecond)}/s${show(of.p50, 1)} ms p50${show(of.p99, 1)} ms p99` +
      `${show(of.cpuMicroseconds)} us CPU${more}`,
  );
}
