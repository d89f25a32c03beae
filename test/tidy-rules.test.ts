// The tidy rules themselves: for each, one sample it lets pass and one it stops.

import { describe, expect, test } from "bun:test";

import { importsOutOfOrder, outsideTheLayout, overfullFolders } from "./support/layout.ts";
import { emptyEntries, outsideTheSelection } from "./support/selection-rules.ts";
import * as tidy from "./support/tidy-rules.ts";
import * as words from "./support/words.ts";

const story = "src/sales/orders/place-order.ts";
const queries = "src/sales/rows/queries.ts";
const routes = "src/sales/routes/order-routes.ts";

describe("a file opens with its purpose", () => {
  test("a comment in the first line is enough", () => {
    expect(tidy.opensWithItsPurpose(story, "// Owns placing.\nimport x")).toEqual([]);
  });

  test("an import in the first line is not", () => {
    expect(tidy.opensWithItsPurpose(story, 'import "x";\n// late')).toHaveLength(1);
  });
});

describe("a file of stories is named by one of them, or by their topic", () => {
  const placeOrder = "export async function placeOrder(tx: Tx): Promise<void> {}\n";

  test("one function of that name passes, with private ones beside it", () => {
    expect(tidy.isOneStory(story, `${placeOrder}function reserve(tx: Tx) {}\n`)).toEqual([]);
  });

  test("stories of one thing are named by one of them", () => {
    const second = "export function alsoThis(tx: Tx) {}\n";

    expect(tidy.isOneStory(story, placeOrder + second)).toEqual([]);
  });

  test("another name than those of its stories is stopped", () => {
    const second = "export async function expireOrder(tx: Tx) {}\n";

    expect(tidy.isOneStory("src/sales/orders/pay-order.ts", placeOrder + second)).toEqual([
      "src/sales/orders/pay-order.ts: name it after one of its stories, placeOrder, expireOrder, or after their topic",
    ]);
  });

  test("a file may be named by the plural topic of its stories", () => {
    const second = "export async function expireOrder(tx: Tx) {}\n";

    expect(tidy.isOneStory("src/sales/orders/unpaid-orders.ts", placeOrder + second)).toEqual([]);
  });

  test("a lookup that breaks its parameters over lines is still seen", () => {
    const lookup = "export async function find<T extends Row>(\n  db: Reader,\n): Promise<T> {}\n";

    expect(tidy.isOneStory("src/catalog/products/find-variant.ts", lookup)).toHaveLength(1);
  });

  test("rules on plain data may be as many as they like", () => {
    const rules = "export function due(order: Order) {}\nexport function isPaid(order: Order) {}\n";

    expect(tidy.isOneStory("src/sales/rows/order.ts", rules)).toEqual([]);
  });
});

describe("states move by their table", () => {
  test("queries write a state in a move", () => {
    const move = "export const moveOrder = write((tx, at) => tx.update(o).set({ status: at.to }));";

    expect(tidy.statesMoveByTheirTable(queries, move)).toEqual([]);
  });

  test("queries that write a state elsewhere are stopped", () => {
    const sneaky = "export const saveOrder = write((tx) => tx.update(o).set({ notes, status }));";

    expect(tidy.statesMoveByTheirTable(queries, sneaky)).toHaveLength(1);
  });

  test("a row is saved with another state by the advancing story alone", () => {
    const saved = "await orderRows.save(tx, before, { ...change, status: step.next });";

    expect(tidy.statesMoveByTheirTable("src/sales/orders/advance-order.ts", saved)).toEqual([]);
    expect(tidy.statesMoveByTheirTable(story, saved)).toHaveLength(1);
  });

  test("a column that only ends like a state is none", () => {
    const other = "export const save = write((tx) => tx.update(o).set({ paymentStatus: x }));";

    expect(tidy.statesMoveByTheirTable(queries, other)).toEqual([]);
  });

  test("only the advancing story borrows the move", () => {
    const borrowed = 'import { getOrder, moveOrder } from "./queries.ts";\n';

    expect(tidy.statesMoveByTheirTable("src/sales/orders/advance-order.ts", borrowed)).toEqual([]);
    expect(tidy.statesMoveByTheirTable(story, borrowed)).toHaveLength(1);
  });
});

describe("queries suit both engines", () => {
  test("an awaited query and a Map are fine", () => {
    expect(
      tidy.queriesSuitBothEngines(queries, "await db.select(); seen.get(id); seen.values();"),
    ).toEqual([]);
  });

  test("calls of SQLite alone are stopped", () => {
    const only = "db.select()\n  .from(orders)\n  .all();\ntx.run(sql);";

    expect(tidy.queriesSuitBothEngines(queries, only)).toHaveLength(2);
  });
});

describe("names say something", () => {
  test("a word of the trade passes, and longer words that contain a banned one", () => {
    const text = "function openDatabase() {}\nconst readDataDirectory = () => 1;\nconst data = 1;";

    expect(tidy.namesSaySomething("src/platform/store/information.ts", text)).toEqual([]);
  });

  test("an empty word in a file's or a folder's name is stopped", () => {
    expect(tidy.namesSaySomething("src/orders/order-utils.ts", "")).toHaveLength(1);
    expect(tidy.namesSaySomething("test/helpers/shop.ts", "")).toHaveLength(1);
  });

  test("an empty word in a function's name is stopped", () => {
    const text = "export function processOrder() {}\nconst errorHandler = async (e: X) => 1;\n";

    expect(tidy.namesSaySomething(story, text)).toHaveLength(2);
  });
});

describe("nothing is left lying", () => {
  test("a finished file passes", () => {
    expect(tidy.nothingLeftLying(story, 'const at = "/v2/orders/tmp/1"; // todos')).toEqual([]);
  });

  test.each([
    ["work for later", "// TODO: later"],
    ["a lint rule switched off", "// oxlint-disable-next-line"],
    ["a type check switched off", "// @ts-ignore"],
    ["an expected type error", "// @ts-expect-error"],
    ["a test that does not run", 'test.skip("x", () => {})'],
    ["a path of one machine", 'open("/home/ada/duka")'],
    ["a registry", "https://registry.npmjs.org/elysia"],
  ])("%s is stopped", (_, text) => {
    expect(tidy.nothingLeftLying(story, text)).toHaveLength(1);
  });

  test("a test may expect the compiler to refuse", () => {
    const text = "// @ts-expect-error a wrong target";

    expect(tidy.nothingLeftLying("test/kernel/machine.test.ts", text)).toEqual([]);
  });
});

describe("the world has one door", () => {
  test("an instant made from a number is no clock", () => {
    expect(tidy.worldHasOneDoor(story, "new Date(atMs); toDate()")).toEqual([]);
  });

  test("the empty date, the crypto module's randomness and the bundler's environment are stopped", () => {
    expect(tidy.worldHasOneDoor(story, "new Date()")).toHaveLength(1);
    expect(tidy.worldHasOneDoor(story, 'import { randomInt } from "node:crypto";')).toHaveLength(1);
    expect(tidy.worldHasOneDoor(story, "import.meta.env.X")).toHaveLength(1);
  });

  test("the kernel's own randomness may be imported", () => {
    const text = 'import { randomBytes } from "#kernel/random.ts";';

    expect(tidy.worldHasOneDoor(story, text)).toEqual([]);
  });

  test("the clock's own file is its door", () => {
    expect(tidy.worldHasOneDoor("src/kernel/time.ts", "new Date()")).toEqual([]);
  });
});

describe("a file exports its own", () => {
  test("a declaration passes", () => {
    expect(tidy.exportsItsOwn(story, "export const a = 1;\nexport type B = string;")).toEqual([]);
  });

  test.each([
    'export { a } from "./a.ts";',
    'export * from "./a.ts";',
    'export type { A } from "./a.ts";',
  ])("%s is stopped", (text) => {
    expect(tidy.exportsItsOwn(story, text)).toHaveLength(1);
  });

  test("an index file is stopped", () => {
    expect(tidy.exportsItsOwn("src/orders/index.ts", "")).toHaveLength(1);
  });
});

describe("handlers are short", () => {
  test("an expression and a body of three lines pass", () => {
    const text = [
      "route({ write: (tx, input) => placeOrder(tx, input.body) }),",
      "route({\n  read: async (db, { id }) => {\n    const a = 1;\n    b();\n    return a;\n  },\n}),",
    ].join("\n");

    expect(tidy.routesStayShort(routes, text)).toEqual([]);
  });

  test("a body of four lines is stopped", () => {
    const text =
      "r({\n  write: (tx, input) => {\n    a();\n    b();\n    c();\n    return 1;\n  },\n})";

    expect(tidy.routesStayShort(routes, text)).toEqual([
      `${routes}:2: a handler of 4 lines; make it a story`,
    ]);
  });

  test("an expression over five lines is stopped", () => {
    const text = "r({\n  read: (db) =>\n    f(\n      a,\n      b,\n      c,\n    ),\n})";

    expect(tidy.routesStayShort(routes, text)).toHaveLength(1);
  });

  test("a scope that is called read is no handler", () => {
    expect(tidy.routesStayShort(routes, 'r({ scope: "orders:read", read: true })')).toEqual([]);
  });
});

describe("casts are few and explained", () => {
  const cast = "function asIds(raw: unknown): Id[] {\n  return raw as Id[];\n}\n";

  test("constants, renamed imports and words in comments are no casts", () => {
    const text =
      'import { a as b } from "./a.ts";\nconst c = ["x"] as const; // as good as it gets\n';

    expect(tidy.castsIn(text)).toEqual([]);
  });

  test("a cast is counted where it stands", () => {
    expect(tidy.castsIn(cast)).toHaveLength(1);
  });

  test("a cast by way of unknown is one", () => {
    expect(tidy.castsIn("return raw as unknown as Id[];")).toHaveLength(1);
  });

  test("a type that is assumed is counted where it is, however it is called", () => {
    const text =
      'import { assume } from "#kernel/assume.ts";\nconst id = assume<Id>(raw);\nall.map(assume);\n';

    expect(tidy.assumptionsIn(text)).toHaveLength(2);
    expect(tidy.assumptionsIn("export function assume<T>(value: unknown): T {}")).toEqual([]);
  });

  test("a comment that says why the cast holds is enough", () => {
    const why = "/** The cast holds: the column is written by newId only. */\n";

    expect(tidy.castsAreExplained(story, why + cast)).toEqual([]);
  });

  test("a cast without a reason is stopped", () => {
    expect(tidy.castsAreExplained(story, `/** Ids. */\n${cast}`)).toEqual([
      `${story}:3: say above its function why the cast holds`,
    ]);
  });
});

describe("imports suit the kind of file", () => {
  test.each([
    ["queries write SQL", queries, 'import { eq } from "drizzle-orm";'],
    ["a schema has wire types", "src/sales/orders/schema.ts", 'import Type from "typebox";'],
    ["routes know HTTP", routes, 'import { route } from "#platform/http/contract/route.ts";'],
    [
      "rules are about rows",
      "src/sales/rows/order.ts",
      'import type { OrderRow } from "./tables.ts";',
    ],
    ["a story knows its queries", story, 'import { insertOrder } from "./queries.ts";'],
    [
      "events know what an announcement is",
      "src/sales/orders/events.ts",
      'import type { A } from "#platform/database/database.ts";',
    ],
    ["the machinery has its own rules", "src/platform/http/app.ts", 'import Type from "typebox";'],
  ])("%s", (_, path, text) => {
    expect(tidy.importsSuitTheFile(path, text)).toEqual([]);
  });

  test.each([
    ["a story writes no SQL", story, 'import { eq } from "drizzle-orm";'],
    ["a story knows no wire", story, 'import type { R } from "#platform/http/contract/route.ts";'],
    ["a story touches no table", story, 'import { orders } from "./tables.ts";'],
    [
      "rules load no table",
      "src/sales/rows/order.ts",
      'import { type OrderRow, orders } from "./tables.ts";',
    ],
    ["rules read nothing", "src/sales/rows/order.ts", 'import { getOrder } from "./queries.ts";'],
    [
      "rules need no machinery",
      "src/shop/keys/key.ts",
      'import type {\n  Tx,\n} from "#platform/database/database.ts";',
    ],
    [
      "announcements read nothing",
      "src/sales/orders/events.ts",
      'import { getOrder } from "./queries.ts";',
    ],
  ])("%s", (_, path, text) => {
    expect(tidy.importsSuitTheFile(path, text)).toHaveLength(1);
  });
});

describe("imports point to the left", () => {
  test.each([
    ["a noun and one to its left", story, "#catalog/products/find-products.ts"],
    ["tables and tables they refer to", "src/sales/rows/tables.ts", "#customers/tables.ts"],
    ["folders of one noun", "src/payments/rows/refund.ts", "#payments/payments/queries.ts"],
    ["a reader of the log and its names", "src/analytics/figures.ts", "#messaging/events/event.ts"],
    ["the joining files and every route", "src/server.ts", "#sales/orders/routes.ts"],
    ["queries and their library", queries, "drizzle-orm"],
    ["slugs and their library", "src/catalog/rows/product.ts", "any-ascii"],
  ])("%s pass", (_, path, module) => {
    expect(importsOutOfOrder(path, `import { a } from "${module}";`)).toEqual([]);
  });

  test.each([
    ["a noun to the right", story, "#payments/payments/payment.ts"],
    ["another noun's statements", story, "#customers/queries.ts"],
    [
      "a folder to the right within a group",
      "src/sandbox/seed/seed-shop.ts",
      "#sandbox/clock/clock.ts",
    ],
    [
      "a folder to the right within a folder of a group",
      "src/payments/gateways/answers/fields.ts",
      "#payments/gateways/stripe/stripe.ts",
    ],
    ["another noun's tables", queries, "#customers/tables.ts"],
    ["a noun in a reader of the log", "src/analytics/figures.ts", "#sales/orders/order.ts"],
    ["the settings in a noun", story, "#platform/config/config.ts"],
    ["what joins all", story, "#server.ts"],
    ["a command in the server", "src/server.ts", "#cli/operator/serve.ts"],
    ["a package that is another folder's", "src/platform/net/call-out.ts", "pino"],
    ["a package that is another noun's", story, "any-ascii"],
    ["a module of Node's in the kernel", "src/kernel/id.ts", "node:crypto"],
  ])("%s is stopped", (_, path, module) => {
    expect(importsOutOfOrder(path, `import { a } from "${module}";`)).toHaveLength(1);
  });
});

describe("a folder fits a screen", () => {
  const files = (count: number) => Array.from({ length: count }, (_, n) => `src/pricing/${n}.ts`);

  test("with twenty files, and not with one more", () => {
    expect(overfullFolders(files(20))).toEqual([]);
    expect(overfullFolders(files(21))).toEqual(["src/pricing has 21 files: at most 20"]);
  });

  test("a file that stands in no folder of the layout is named", () => {
    expect(outsideTheLayout(["src/main.ts", "src/shop/store/store.ts"])).toEqual([]);
    expect(outsideTheLayout(["src/other.ts", "src/orders/order.ts"])).toHaveLength(2);
  });
});

describe("released migrations stay as they are", () => {
  const hashOfA = "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb";

  test("the released text passes", () => {
    const found = tidy.migrationsAreReleased({ "sqlite/0.sql": "a" }, { "sqlite/0.sql": hashOfA });

    expect(found).toEqual([]);
  });

  test("the complaint about a new one says how to enter it", () => {
    expect(tidy.migrationsAreReleased({ "sqlite/0.sql": "a" }, {})).toEqual([
      `drizzle/sqlite/0.sql is new: add "sqlite/0.sql": "${hashOfA}" to test/migrations/released.json`,
    ]);
  });

  test("a changed one and a lost one are stopped", () => {
    const released = { "sqlite/0.sql": hashOfA, "sqlite/1.sql": hashOfA };

    expect(tidy.migrationsAreReleased({ "sqlite/0.sql": "b" }, released)).toHaveLength(2);
  });
});

describe("identifiers are words of the trade", () => {
  test("a part of a name is stopped, with the word to use", () => {
    expect(words.oldIdentifiers(story, "const buyerOf = 1;")).toEqual([
      `${story}: buyerOf: say customer`,
    ]);
  });

  test("a verb is stopped where a name begins with it", () => {
    expect(words.oldIdentifiers(story, "keepOrder(); const kept = bookkeeping;")).toEqual([
      `${story}: keepOrder: say save`,
    ]);
  });

  test("a column's old name in a text passes", () => {
    expect(words.oldIdentifiers(story, 'int("last_quarter")')).toEqual([]);
  });
});

describe("functions of payments say what is done to money", () => {
  const payments = "src/payments/attempts/poll-payment.ts";

  test("a verb that was given up is stopped, alone or with a noun", () => {
    const text = "async function note(tx: Tx) {}\nexport function askGateway() {}\n";

    expect(words.oldMoneyVerbs(payments, text)).toEqual([
      `${payments}: note: say record`,
      `${payments}: askGateway: say callGateway`,
    ]);
  });

  test("a word that only begins like one passes, and so does every other noun", () => {
    expect(words.oldMoneyVerbs(payments, "function waitsSince() {}")).toEqual([]);
    expect(words.oldMoneyVerbs("src/emails/email.ts", "function waitAfter() {}")).toEqual([]);
  });
});

describe("public texts name who acts", () => {
  test("nobody in a message is stopped", () => {
    expect(words.oldPublicTexts(story, 'const detail = "Nobody has it.";')).toHaveLength(1);
  });

  test("a comment is no public text", () => {
    expect(words.oldPublicTexts(story, '// He said "nobody".\nconst one = 1;')).toEqual([]);
  });
});

describe("comments name who acts", () => {
  test("whoever is stopped, in its line", () => {
    expect(words.oldPhrases(story, "const a = 1;\n// Whoever asks gets it.\n")).toEqual([
      `${story}:2: Whoever: name who it is`,
    ]);
  });

  test("another customer passes", () => {
    expect(words.oldPhrases(story, "/** Another customer has this email. */")).toEqual([]);
  });
});

describe("what speaks SQL or races runs on PostgreSQL", () => {
  const chosen = (path: string, ...lines: string[]) =>
    outsideTheSelection(["test/sales/"], {
      tests: [{ path, text: lines.join("\n") }],
      source: [
        {
          path: "src/emails/queries.ts",
          text: 'import { json } from "#platform/database/dialect.ts";',
        },
      ],
    });

  test("a test in a folder of the selection may do anything", () => {
    expect(chosen("test/sales/orders/a.test.ts", 'import { sql } from "drizzle-orm";')).toEqual([]);
  });

  test.each(["drizzle-orm", "../support/at-once.ts", "../../support/behind-the-shop.ts"])(
    "a test elsewhere that imports %s is stopped",
    (module) => {
      expect(chosen("test/shop/a.test.ts", `import { x } from "${module}";`)).toEqual([
        "test/shop/a.test.ts belongs in postgresSelection, or is a .sqlite.test.ts",
      ]);
    },
  );

  test("a test of a folder whose queries differ by engine is stopped", () => {
    expect(chosen("test/emails/a.test.ts", "test();")).toHaveLength(1);
  });

  test("a test of one engine's nature passes", () => {
    const path = "test/shop/a.sqlite.test.ts";

    expect(chosen(path, 'import { sql } from "drizzle-orm";')).toEqual([]);
  });

  test("an entry that chooses nothing is named", () => {
    const paths = ["test/sales/a.test.ts", "test/emails/read.ts"];

    expect(emptyEntries(["test/sales/", "test/emails/"], paths)).toEqual(["test/emails/"]);
  });
});
