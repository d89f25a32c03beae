// Workflow: what a file of products would do to the shop, and where that is asked for, doing it.

import { slugOf } from "#catalog/products/product.ts";
import type { Administration } from "#cli/operator/administer.ts";
import { listMember, member, textMember, textOrNull } from "#cli/operator/members.ts";
import { progressBar, progressLine } from "#cli/operator/progress-line.ts";
import type { Draft } from "#cli/product-files/draft.ts";
import type { FileFault } from "#cli/product-files/file-fault.ts";
import { readProducts, type SourceName } from "#cli/product-files/read-products.ts";
import { realClock } from "#kernel/time.ts";
import type { Mode } from "#platform/database/shop.ts";

import type { ImportReport } from "./import-report.ts";
import type { ImportInput, policies } from "./product-acts.ts";

/** What a merchant says about an import. */
export interface ImportTerms {
  readonly mode: Mode;
  readonly from?: SourceName;
  readonly currency?: string;
  readonly existing: (typeof policies)[number];
  readonly decimalComma?: true;
  readonly apply?: true;
}

/** Products of one command: few enough to be answered soon. */
const BATCH_PRODUCTS = 20;
/** The socket takes a mebibyte at once. */
const BATCH_BYTES = 400_000;

/** What the shop made of the products, or would make of them. */
type Counts = Pick<ImportReport, "products" | "faults">;

/** Tries every product, and imports them with `apply` if none has a fault. */
export async function importProducts(
  shop: Pick<Administration, "run">,
  path: string,
  options: ImportTerms,
): Promise<ImportReport> {
  const { mode, existing, apply, from } = options;
  const currency =
    options.currency?.toUpperCase() ??
    textMember(await shop.run("products.terms", { mode }), "currency");
  const hasDecimalComma = options.decimalComma === true;
  const terms = { currency, hasDecimalComma, now: realClock.now() };
  const { drafts, ...file } = await readProducts(path, from, terms);
  const tried = await runAll(shop, drafts, { mode, existing, applies: false });
  const faults = onePerCell([...file.faults, ...tried.faults]);
  const applied = apply === true && faults.length === 0;
  const done = applied
    ? await runAll(shop, drafts, { mode, existing, applies: true })
    : { ...tried, faults };
  return { path, mode, currency, ...file, applied, ...done };
}

/** The first fault of each cell, by rows: that of the file explains the one that the shop would find. */
function onePerCell(faults: readonly FileFault[]): FileFault[] {
  const byCell = Map.groupBy(faults, ({ row, column, code }) => `${row} ${column ?? code}`);
  return [...byCell.values()]
    .flatMap((same) => same.slice(0, 1))
    .toSorted((one, other) => one.row - other.row);
}

interface Run extends Pick<ImportTerms, "mode" | "existing"> {
  readonly applies: boolean;
}

async function runAll(
  shop: Pick<Administration, "run">,
  drafts: readonly Draft[],
  { mode, existing, applies }: Run,
): Promise<Counts> {
  const products = { create: 0, update: 0, unchanged: 0, skip: 0, refuse: 0 };
  const faults: FileFault[] = [];
  const rowById = new Map<string, number>();
  using progress = process.stderr.isTTY ? progressLine() : null;
  let done = 0;
  for (const batch of batchesOf(drafts)) {
    const given = batch.map(({ body, keepsSlug }) => ({ body, keepsSlug }));
    const input: ImportInput = { mode, existing, apply: applies, products: given };
    // Fields that a file does not have are undefined, which JSON leaves out.
    const answered = await shop.run("products.import", JSON.parse(JSON.stringify(input)));
    const answers = listMember(answered, "products");
    for (const [index, draft] of batch.entries()) {
      const outcome = outcomeOf(answers[index], products);
      const found = [
        ...faultsOf(answers[index], draft),
        ...sameProduct(answers[index], draft, rowById),
      ];
      products[draft.faults.length + found.length > 0 ? "refuse" : outcome] += 1;
      faults.push(...found);
    }
    done += batch.length;
    progress?.draw(applies ? "Importing" : "Checking", () =>
      progressBar(done, drafts.length, `${drafts.length} products`),
    );
  }
  return { products, faults };
}

/** The products in their order, as many at once as the socket takes. */
function* batchesOf(drafts: readonly Draft[]): Generator<Draft[]> {
  let batch: Draft[] = [];
  let bytes = 0;
  for (const draft of drafts) {
    const size = Buffer.byteLength(JSON.stringify(draft.body));
    if (batch.length === BATCH_PRODUCTS || (batch.length > 0 && bytes + size > BATCH_BYTES)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(draft);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

function outcomeOf<K extends string>(answer: unknown, known: Readonly<Record<K, number>>): K {
  const outcome = textMember(answer, "outcome");
  for (const name in known) if (name === outcome) return name;
  throw new TypeError(`The server answers with an outcome of another version: ${outcome}.`);
}

/** Two products of the file that the shop takes for one: the second would overwrite the first. */
function sameProduct(answer: unknown, draft: Draft, rowById: Map<string, number>): FileFault[] {
  const id = textOrNull(answer, "id");
  if (id === null) return [];
  const place = draft.placeOf("/slug");
  const before = rowById.get(id);
  if (before === undefined) {
    rowById.set(id, place.row);
    return [];
  }
  const detail = `By its slug or a SKU, the shop takes this for the product of row ${before}.`;
  return [{ ...place, code: "duplicate", detail }];
}

function faultsOf(answer: unknown, draft: Draft): FileFault[] {
  return listMember(answer, "faults").map((fault) => {
    const pointer = String(member(fault, "pointer"));
    const place = draft.placeOf(pointer);
    const code = textMember(fault, "code");
    const hint = code === "invalid_format" ? formatHint(pointer, place.value ?? "") : undefined;
    return { ...place, code, detail: hint ?? textMember(fault, "detail") };
  });
}

/** What the interface leaves to its schema: what the format of a value is. */
function formatHint(pointer: string, value: string): string | undefined {
  if (pointer === "/slug") {
    return `A slug has small letters, digits and hyphens, such as ${slugOf(value)}.`;
  }
  if (pointer.startsWith("/images")) {
    return "An image is an address such as https://shop.example/mug.jpg.";
  }
  return /[\r\n]/.test(value) ? "This must stand on one line." : undefined;
}
