// Random changes of lines: after each of them the cart has the ids, the units and the descriptions of a model that
// knows nothing of how they are stored. `RUNS=100` takes 50,000 steps.

import { expect, test } from "bun:test";

import fc from "fast-check";

import { type Goods, kanga, mug } from "../../support/cast.ts";
import { runs } from "../../support/runs.ts";
import { type Answered, openTestShop, type TestShop } from "../../support/shop.ts";
import { basket } from "./basket.ts";

const STEPS = 50;

interface Line {
  readonly id: string;
  readonly variant: string;
  readonly quantity: number;
  /** As text: the descriptions are equal exactly if their texts are. */
  readonly note: string;
}

/** A cart, its shop, and the lines that it should have. */
interface Walk {
  readonly shop: TestShop;
  readonly cart: Answered;
  readonly goods: readonly Goods[];
  readonly lines: readonly Line[];
}

/** Sends a request, and answers with what came of it and the lines that are expected then. */
type Step = (walk: Walk) => Promise<{ readonly answer: Answered; readonly lines: readonly Line[] }>;

const described = (note: string) => (note === "" ? {} : { public_note: note });
const noteIn = (cart: Answered, at: number) =>
  String(Object(cart.at(`/line_items/${at}/metadata`)).public_note ?? "");

function read(cart: Answered): Line[] {
  return cart.list("/line_items").map((_, at) => ({
    id: cart.string(`/line_items/${at}/id`),
    variant: cart.string(`/line_items/${at}/variant_id`),
    quantity: cart.number(`/line_items/${at}/quantity`),
    note: noteIn(cart, at),
  }));
}

const nth = <T>(list: readonly T[], at: number) => list[at % list.length];
const units = fc.integer({ min: 1, max: 9 });
const note = fc.constantFrom("", "", "a", "b");
const place = fc.nat({ max: 99 });

const adds = fc.record({ place, quantity: units, note }).map((given): Step => async (walk) => {
  const { shop, cart, goods, lines } = walk;
  const variant = nth(goods, given.place)?.variantId ?? "";
  const { quantity } = given;
  const body = { variant_id: variant, quantity, metadata: described(given.note) };
  const answer = await shop.post(`/v2/carts/${cart.id}/lines`, body);
  const known = lines.find((one) => one.variant === variant && one.note === given.note);
  expect(answer.status).toBe(known === undefined ? 201 : 200);
  if (known === undefined) {
    const id = read(answer).at(-1)?.id ?? "";
    expect(lines.map((one) => one.id)).not.toContain(id);
    return { answer, lines: [...lines, { id, variant, quantity, note: given.note }] };
  }
  const joined = { ...known, quantity: known.quantity + quantity };
  return { answer, lines: lines.map((one) => (one === known ? joined : one)) };
});

const updates = fc
  .record({ place, quantity: fc.option(units), note: fc.option(note) })
  .map((given): Step => async ({ shop, cart, lines }) => {
    const line = nth(lines, given.place);
    const path = `/v2/carts/${cart.id}/lines/${line?.id ?? "cl_01h455vb4pex5vsknk084sn02q"}`;
    const answer = await shop.put(path, {
      ...(given.quantity !== null && { quantity: given.quantity }),
      ...(given.note !== null && { metadata: described(given.note) }),
    });
    if (line === undefined) return { answer, lines };
    const next = {
      ...line,
      quantity: given.quantity ?? line.quantity,
      note: given.note ?? line.note,
    };
    const twin = lines.find(
      (one) => one !== line && one.variant === line.variant && one.note === next.note,
    );
    if (twin === undefined) return { answer, lines: lines.map((o) => (o === line ? next : o)) };
    const [older, newer] = twin.id < line.id ? [twin, line] : [line, twin];
    const joined = { ...next, id: older.id, quantity: next.quantity + twin.quantity };
    const left = lines.filter((one) => one !== newer);
    return { answer, lines: left.map((one) => (one === older ? joined : one)) };
  });

const removes = place.map((at): Step => async ({ shop, cart, lines }) => {
  const line = nth(lines, at);
  const id = line?.id ?? "cl_01h455vb4pex5vsknk084sn02q";
  const answer = await shop.delete(`/v2/carts/${cart.id}/lines/${id}`);
  expect(answer.status).toBe(line === undefined ? 404 : 200);
  return { answer, lines: lines.filter((one) => one !== line) };
});

/** The same lines in another order, each named by its id or by what describes it. */
const lists = fc
  .record({ byId: fc.boolean(), quantity: units })
  .map(({ byId, quantity }): Step => async ({ shop, cart, lines }) => {
    const after = lines.toReversed().map((one) => ({ ...one, quantity }));
    const line_items = after.map((one) => ({
      variant_id: one.variant,
      quantity,
      ...(byId ? { id: one.id } : { metadata: described(one.note) }),
    }));
    return { answer: await shop.put(`/v2/carts/${cart.id}`, { line_items }), lines: after };
  });

const step = fc.oneof(
  { arbitrary: adds, weight: 4 },
  { arbitrary: updates, weight: 3 },
  { arbitrary: removes, weight: 2 },
  { arbitrary: lists, weight: 1 },
);

test("the lines of a cart are those of a model under random changes", async () => {
  await using shop = await openTestShop();
  const goods = [
    await mug(shop),
    await kanga(shop),
    await mug(shop, { name: "Bowl", sku: "BOWL", slug: "bowl" }),
  ];
  const steps = fc.array(step, { minLength: STEPS, maxLength: STEPS });

  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const cart = await basket(shop, []);
      let lines: readonly Line[] = [];
      for (const one of all) {
        const done = await one({ shop, cart, goods, lines });
        lines = done.lines;
        if (done.answer.status === 404) continue;
        expect(read(done.answer)).toEqual([...lines]);
        expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length);
        const sum = done.answer
          .list("/line_items")
          .reduce<number>((total, line) => total + Number(Object(line).total_minor), 0);
        expect(done.answer.number("/total_minor")).toBe(sum);
      }
    }),
    { numRuns: runs(10) },
  );
});
