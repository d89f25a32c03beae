// Programs of a user: saved beside the emitted client, type-checked as strictly as can be, and run.

import { clientScript, clientSource } from "#client/emit-client.ts";
import { document } from "#interface.ts";

import { openScratchFolder } from "../support/scratch.ts";

/** The strictest settings of TypeScript, with the types of a browser alone. */
const compilerOptions = {
  target: "ES2022",
  lib: ["ES2022", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
  types: [],
  module: "ESNext",
  moduleResolution: "bundler",
  allowImportingTsExtensions: true,
  noEmit: true,
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  erasableSyntaxOnly: true,
};

/** Buys with `duka`: from the `products` on several pages to the `payment` of an `order`. */
export const PURCHASE = `
const products = [];
for await (const product of duka.products.list({ limit: 5 })) products.push(product);
const [variant] = products.flatMap(({ variants }) => variants).filter(({ available }) => (available ?? 0) > 1);
if (variant === undefined) throw new Error("Everything is sold out.");

let cart = await duka.carts.create({
  line_items: [{ variant_id: variant.id, quantity: 1 }],
  metadata: { campaign: "spring" },
});
cart = await duka.carts.update(
  cart.id,
  { line_items: [{ variant_id: variant.id, quantity: 2 }] },
  { ifMatch: cart.version },
);
const checkout = await duka.carts.startCheckout(cart.id, {
  customer: { email: "ada@example.com", name: "Ada Mensah" },
});
const pickup = checkout.shipping_options.find(({ kind }) => kind === "pickup");
if (pickup === undefined) throw new Error("There is no pickup location.");
await duka.carts.update(cart.id, { shipping: { pickup_location_id: pickup.id } });
const placed = await duka.carts.complete(cart.id);
const { total: amount, currency } = placed;
const { methods } = await duka.payments.retrieveMethods({ amount, currency });
if (!methods.some(({ method }) => method === "card")) throw new Error("Cards are not taken.");
const payment = await duka.payments.initialize({
  order_id: placed.id,
  method: "card",
  card_token: "pm_card_visa",
});
const order = await duka.orders.retrieve(placed.id);
`;

export interface ClientPrograms extends Disposable {
  /** What the compiler says of the client and a program that imports it: empty where all is right. */
  check(program: string): Promise<string>;
  /** What a program prints, as JSON. It finds these settings in `process.env`. */
  run(program: string, settings: Settings): Promise<unknown>;
  /** The same of a program in JavaScript. */
  runInNode(program: string, settings: Settings): Promise<unknown>;
}

type Settings = Readonly<Record<string, string>>;

/** A folder with the client in both languages. */
export async function openClientPrograms(): Promise<ClientPrograms> {
  const folder = openScratchFolder();
  await Bun.write(folder.file("client.ts"), clientSource(document()));
  await Bun.write(folder.file("client.js"), clientScript(document()));
  await Bun.write(folder.file("tsconfig.json"), JSON.stringify({ compilerOptions }));
  await Bun.write(folder.file("package.json"), '{"type":"module"}');
  const end = async (command: readonly string[], settings: Settings = {}) => {
    const child = Bun.spawn([...command], {
      cwd: folder.path,
      env: { PATH: process.env.PATH ?? "", ...settings },
      stdout: "pipe",
      stderr: "pipe",
    });
    const printed = [new Response(child.stdout).text(), new Response(child.stderr).text()];
    const [stdout = "", stderr = ""] = await Promise.all(printed);
    return { code: await child.exited, stdout, stderr };
  };
  const run = async (command: readonly string[], settings: Settings): Promise<unknown> => {
    const { code, stdout, stderr } = await end(command, settings);
    if (code !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  };
  return {
    check: async (program) => {
      await Bun.write(folder.file("program.ts"), program);
      const ended = await end([process.execPath, "check", "-p", "tsconfig.json"]);
      return ended.code === 0 ? "" : ended.stdout + ended.stderr;
    },
    run: async (program, settings) => {
      await Bun.write(folder.file("program.ts"), program);
      return run([process.execPath, "program.ts"], settings);
    },
    runInNode: async (program, settings) => {
      await Bun.write(folder.file("program.js"), program);
      return run(["node", "program.js"], settings);
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}
