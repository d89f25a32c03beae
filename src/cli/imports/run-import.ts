// Workflow: what the drafts of a file would do to the shop, and where that is asked for, doing it. The shop has a command
// of the administrative socket for each noun, which tries or takes many drafts and answers in their order.

import type { Administration } from "#cli/operator/administer.ts";
import { listMember, member, textMember } from "#cli/operator/members.ts";
import { progressBar, progressLine } from "#cli/operator/progress-line.ts";
import type { Draft } from "#cli/tables/draft.ts";
import type { FileFault } from "#cli/tables/file-fault.ts";
import type { ReadFile, SourceName } from "#cli/tables/read-file.ts";
import type { Mode } from "#platform/database/shop.ts";

import type { policies } from "./import-draft.ts";

/** What a merchant says about an import. */
export interface ImportTerms {
  readonly mode: Mode;
  readonly from?: SourceName;
  readonly existing: (typeof policies)[number];
  readonly apply?: true;
}

/** How many of a noun had which outcome. */
export type Outcomes = Readonly<
  Record<"create" | "update" | "unchanged" | "skip" | "refuse", number>
>;

/** What the shop made of the drafts, or would make of them. */
interface Counts {
  readonly outcomes: Outcomes;
  readonly faults: readonly FileFault[];
}

/** The noun that a file is of. */
export interface ImportedNoun<Read extends Draft> {
  /** The command that takes drafts: its input has `mode`, `existing`, `apply` and the drafts as `given`. */
  readonly command: string;
  readonly plural: string;
  /** Few enough to be answered soon. */
  readonly batch: number;
  /** A draft as the command takes it. */
  readonly given: (draft: Read) => unknown;
  /** What is said of a draft that is the one of a row before it, at this pointer. */
  readonly same: { readonly pointer: string; readonly detail: (row: number) => string };
  /** What the interface leaves to its schema: what the format of a value is. */
  readonly formatHint?: (pointer: string, value: string) => string | undefined;
}

/** The socket takes a mebibyte at once. */
const BATCH_BYTES = 400_000;

/** Tries every draft, and imports them with `apply` if none has a fault. */
export async function runImport<Read extends Draft>(
  shop: Pick<Administration, "run">,
  { drafts, faults: read }: Pick<ReadFile<Read>, "drafts" | "faults">,
  { noun, terms }: { readonly noun: ImportedNoun<Read>; readonly terms: ImportTerms },
): Promise<Counts & { readonly applied: boolean }> {
  const tried = await runAll(shop, drafts, { noun, terms, applies: false });
  const faults = onePerCell([...read, ...tried.faults]);
  const applied = terms.apply === true && faults.length === 0;
  if (!applied) return { ...tried, faults, applied };
  return { ...(await runAll(shop, drafts, { noun, terms, applies: true })), applied };
}

/** The first fault of each cell, by rows: that of the file explains the one that the shop would find. */
function onePerCell(faults: readonly FileFault[]): FileFault[] {
  const byCell = Map.groupBy(faults, ({ row, column, code }) => `${row} ${column ?? code}`);
  return [...byCell.values()]
    .flatMap((same) => same.slice(0, 1))
    .toSorted((one, other) => one.row - other.row);
}

interface Run<Read extends Draft> {
  readonly noun: ImportedNoun<Read>;
  readonly terms: ImportTerms;
  readonly applies: boolean;
}

async function runAll<Read extends Draft>(
  shop: Pick<Administration, "run">,
  drafts: readonly Read[],
  { noun, terms: { mode, existing }, applies }: Run<Read>,
): Promise<Counts> {
  const outcomes = { create: 0, update: 0, unchanged: 0, skip: 0, refuse: 0 };
  const faults: FileFault[] = [];
  const rowByKey = new Map<string, number>();
  using progress = process.stderr.isTTY ? progressLine() : null;
  let done = 0;
  for (const batch of batchesOf(drafts, noun.batch)) {
    const input = {
      mode,
      existing,
      apply: applies,
      given: batch.map((draft) => noun.given(draft)),
    };
    // Fields that a file does not have are undefined, which JSON leaves out.
    const answered = await shop.run(noun.command, JSON.parse(JSON.stringify(input)));
    const answers = listMember(answered, "answers");
    for (const [index, draft] of batch.entries()) {
      const answer = answers[index];
      const outcome = outcomeOf(answer, outcomes);
      const found = [
        ...faultsOf(answer, draft, noun),
        ...sameAsBefore({ answer, draft }, noun, rowByKey),
      ];
      outcomes[draft.faults.length + found.length > 0 ? "refuse" : outcome] += 1;
      faults.push(...found);
    }
    done += batch.length;
    progress?.draw(applies ? "Importing" : "Checking", () =>
      progressBar(done, drafts.length, `${drafts.length} ${noun.plural}`),
    );
  }
  return { outcomes, faults };
}

/** The drafts in their order, as many at once as the socket takes. */
function* batchesOf<Read extends Draft>(drafts: readonly Read[], size: number): Generator<Read[]> {
  let batch: Read[] = [];
  let bytes = 0;
  for (const draft of drafts) {
    const more = Buffer.byteLength(JSON.stringify(draft.body));
    if (batch.length === size || (batch.length > 0 && bytes + more > BATCH_BYTES)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(draft);
    bytes += more;
  }
  if (batch.length > 0) yield batch;
}

function outcomeOf<K extends string>(answer: unknown, known: Readonly<Record<K, number>>): K {
  const outcome = textMember(answer, "outcome");
  for (const name in known) if (name === outcome) return name;
  throw new TypeError(`The server answers with an outcome of another version: ${outcome}.`);
}

/** Two drafts of the file that the shop takes for one: the second would overwrite the first. */
function sameAsBefore<Read extends Draft>(
  { answer, draft }: { readonly answer: unknown; readonly draft: Read },
  { same }: ImportedNoun<Read>,
  rowByKey: Map<string, number>,
): FileFault[] {
  const place = draft.placeOf(same.pointer);
  const keys = listMember(answer, "keys").map(String);
  const before = keys.map((key) => rowByKey.get(key)).find((row) => row !== undefined);
  for (const key of keys) if (!rowByKey.has(key)) rowByKey.set(key, place.row);
  return before === undefined ? [] : [{ ...place, code: "duplicate", detail: same.detail(before) }];
}

function faultsOf<Read extends Draft>(
  answer: unknown,
  draft: Read,
  { formatHint }: ImportedNoun<Read>,
): FileFault[] {
  return listMember(answer, "faults").map((fault) => {
    const pointer = String(member(fault, "pointer"));
    const place = draft.placeOf(pointer);
    const code = textMember(fault, "code");
    const hint = code === "invalid_format" ? formatHint?.(pointer, place.value ?? "") : undefined;
    return { ...place, code, detail: hint ?? textMember(fault, "detail") };
  });
}
