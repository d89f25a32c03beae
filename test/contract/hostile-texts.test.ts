// What people paste into any text of the document goes in, and comes back as it was answered: a body that was read can be
// sent again. A few texts for each field in `npm test`; all of them with HOSTILE=all.

import { beforeAll, describe, expect, test } from "bun:test";

import { onlyTaken, schemaOf } from "#dashboard/kit/forms/form-body.ts";
import { assume } from "#kernel/assume.ts";
import type { AnyRoute } from "#platform/http/contract/route.ts";
import type { JsonObject } from "#platform/http/strict-json.ts";

import { seedOfRun } from "../support/runs.ts";
import { type Answered, openTestShop, sharedShop, type TestShop } from "../support/shop.ts";
import { resourcesOf } from "./changeable-resources.ts";
import {
  hostileTexts,
  type Taken,
  type TextMaker,
  textPlaces,
  withTexts,
} from "./hostile-texts.ts";
import { operations, pathOf, stock } from "./operations.ts";
import { wholeBody } from "./whole-bodies.ts";

const shop = sharedShop();

/** Each round has another text in each field; the first ones differ by the seed. */
const STEP = process.env.HOSTILE === "all" ? 1 : 20;
const rounds = Array.from({ length: Math.ceil(hostileTexts.length / STEP) }, (_, round) => round);

let number = 0;

/** What a field takes without a hostile text; what there may be once has a number. */
function plainOf({ form }: Taken, sample: unknown): string {
  number += 1;
  if (form === "email") return `ada${number}@example.com`;
  if (form === "phone") return `+23355${String(number).padStart(7, "0")}`;
  const plain = typeof sample === "string" && sample !== "" ? sample : "GH";
  return ["line", "paragraphs", "capitals"].includes(form) ? plain : `${plain}${number}`;
}

/** Makes hostile texts, plain ones where these were refused, and none where the plain ones were refused, too. */
function textMaker(round: number, refusals: ReadonlyMap<string, number>): TextMaker {
  let nth = 0;
  return (place, taken, sample) => {
    nth += 1;
    const times = refusals.get(place) ?? 0;
    if (times > 1) return undefined;
    const text = hostileTexts[(round * STEP + nth * 7 + seedOfRun()) % hostileTexts.length] ?? "";
    const plain = plainOf(taken, sample);
    const around = taken.isNarrow ? `${text}${plain}${text}` : `${text}a${text}${number}${text}`;
    return times > 0 || around.length > taken.lengthMax ? plain : around;
  };
}

interface Call {
  readonly route: AnyRoute;
  readonly path: string;
  readonly sample: object;
}

/** Sends the sample with hostile texts, and again without what was refused: narrow texts, and members that do not go together. */
async function sendHostile(to: TestShop, { route, path, sample }: Call, round: number) {
  const refusals = new Map<string, number>();
  let members = sample;
  for (;;) {
    const sent = new Map<string, Taken>();
    const maker = textMaker(round, refusals);
    const body = withTexts(route.body, { sample: members, place: "" }, (place, taken, given) => {
      if ((refusals.get(place) ?? 0) < 2) sent.set(place, taken);
      return maker(place, taken, given);
    });
    const answer = await to.send(route.method, path, { text: JSON.stringify(body) });
    expect([answer.status === 400, answer.text]).toEqual([false, answer.text]);
    expect(answer.text).not.toContain("required format");
    const faults = answer.status === 422 ? faultsOf(answer) : [];
    const malformed = faults.filter(({ code, pointer }) => isOfForm(code) && sent.has(pointer));
    expect(malformed.map(({ pointer, detail }) => [pointer, detail])).toEqual(
      malformed.map(({ pointer }) => [pointer, sent.get(pointer)?.sentence ?? "taken"]),
    );
    const pointers = faults.map(({ pointer }) => pointer);
    const texts = pointers.filter((pointer) => sent.has(pointer));
    const named = new Set(pointers.map((pointer) => pointer.split("/")[1]));
    const others = Object.entries(members).filter(([name]) => !named.has(name));
    if (texts.length === 0 && others.length === Object.keys(members).length) return answer;
    for (const pointer of texts) refusals.set(pointer, (refusals.get(pointer) ?? 0) + 1);
    if (texts.length === 0) members = Object.fromEntries(others);
  }
}

function faultsOf(answer: Answered) {
  const errors = Array.isArray(answer.at("/errors")) ? answer.list("/errors") : [];
  return errors.map((one) => {
    const { pointer, code, detail } = Object(one);
    return { pointer: String(pointer).replace(/^#/, ""), code, detail };
  });
}

/** Codes of the rules that the shop has for values; each other one is about the text itself. */
const ofRules = ["conflicting_fields", "mixed_forms", "invalid_choice", "required", "not_found"];

function isOfForm(code: unknown): boolean {
  return !ofRules.includes(String(code));
}

function routeOf(method: string, path: string): AnyRoute {
  const found = operations.find(
    ([, route]) => route.method === method && route.path.replace(/\/\{\w+\}$/, "/{}") === path,
  );
  if (found === undefined) throw new Error(`No route ${method} ${path}`);
  return found[1];
}

/** The answer without what each change moves. */
function kept(answer: Answered): object {
  return { ...Object(answer.body), version: null, updated_at: null };
}

/**
 * Members that a change does not take as they are told: those of a customer twice, lines with all that they have, and
 * codes, which are told in their form while a rejected one is told as it was typed.
 */
const apart: Readonly<Record<string, readonly string[]>> = {
  "/v2/carts/{id}": ["email", "phone"],
  "/v2/orders/{id}": ["line_items"],
};

/** Reads a resource, sends what was read, whole and what a change takes of it, and expects that nothing is another thing then. */
async function sendBack(own: string, change: AnyRoute): Promise<void> {
  const first = await shop.get(own);
  const whole = await shop.put(own, first.body);
  expect([whole.status, whole.text]).toEqual([200, whole.text]);
  expect(kept(await shop.get(own))).toEqual(kept(first));
  // The cast holds: it was parsed from JSON.
  const read = onlyTaken(assume<JsonObject>(first.body), schemaOf(change.body));
  const told = Object.entries(Object(read)).filter(
    ([name]) => apart[change.path]?.includes(name) !== true,
  );
  const again = await shop.put(own, Object.fromEntries(told));

  expect([again.status, again.text]).toEqual([200, again.text]);
  expect(kept(await shop.get(own))).toEqual(kept(first));
}

test.each(Object.entries(resourcesOf(shop)))(
  "texts of %s come back as they were answered",
  async (noun, { at, made, members }) => {
    const [create, change] = [routeOf("POST", noun), routeOf("PUT", `${noun}/{}`)];
    const path = at === undefined ? noun : await at();
    const samples = { made: await made(), members: await members() };

    for (const round of rounds) {
      const answer = await sendHostile(shop, { route: create, path, sample: samples.made }, round);
      expect([answer.status, answer.text]).toEqual([201, answer.text]);
      const own = `${path}/${answer.id}`;
      await sendBack(own, change);
      const call = { route: change, path: own, sample: samples.members };
      const changed = await sendHostile(shop, call, round);
      expect([changed.status, changed.text]).toEqual([200, changed.text]);
      await sendBack(own, change);
      await shop.delete(own);
    }
  },
);

/** They change the clock or the settings of the whole shop. */
const shopWide = /\/store$|\/message-hook$|\/test\/(?:clock|seed)/;
const writing = operations.filter(([, route]) => textPlaces(route.body).length > 0);

describe("a text is never a body that cannot be read", () => {
  const other = sharedShop();
  let ids: Record<string, string>;

  beforeAll(async () => {
    ids = await stock(other);
  });

  test.each(writing)("in %s", async (name, route) => {
    await using own = shopWide.test(route.path) ? await openTestShop() : null;

    for (const round of rounds) {
      const sample = Object(wholeBody(name, { ids, n: round }));
      await sendHostile(own ?? other, { route, path: pathOf(route, ids), sample }, round);
    }
  });

  test.each(writing)(
    "with U+0000 in %s, which no engine keeps, it is refused where it stands",
    async (name, route) => {
      await using own = shopWide.test(route.path) ? await openTestShop() : null;
      const sent: string[] = [];
      const body = withTexts(
        route.body,
        { sample: wholeBody(name, { ids, n: rounds.length }) ?? {}, place: "" },
        (place) => {
          sent.push(place);
          return "a\u0000b";
        },
      );

      const refused = await (own ?? other).send(route.method, pathOf(route, ids), {
        text: JSON.stringify(body),
      });

      const named = faultsOf(refused).filter(
        ({ detail }) => detail === "This has the character U+0000, which cannot be kept.",
      );
      expect([refused.status, named.map(({ pointer }) => pointer).toSorted()]).toEqual([
        422,
        sent.toSorted(),
      ]);
    },
  );
});
