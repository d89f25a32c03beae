// Workflow: what the drafts of a file would do to the shop, and where that is asked for, doing it. The drafts are
// tried or taken many at once, and answered in their order.

import type { Draft } from "#imports/tables/draft.ts";
import type { FileFault } from "#imports/tables/file-fault.ts";
import type { ReadFile } from "#imports/tables/read-file.ts";

import type { DraftAnswer } from "./import-draft.ts";

/** How many of a noun had which outcome. */
export type Outcomes = Readonly<Record<DraftAnswer["outcome"], number>>;

/** The outcomes that the shop answered, and the faults that it found. */
interface Answered<Read extends Draft> {
  readonly outcomes: ReadonlyMap<Read, DraftAnswer["outcome"]>;
  readonly faults: readonly FileFault[];
}

/** The outcome of a file. */
export interface ImportResult<Read extends Draft> {
  readonly outcomes: Outcomes;
  /** The number of those without a fault of which a value is taken over otherwise than the file has it. */
  readonly mended: number;
  readonly applied: boolean;
  readonly faults: readonly FileFault[];
  /** The drafts with faults. */
  readonly refused: readonly Read[];
}

/** The noun that a file is of. */
export interface ImportedNoun<Read extends Draft> {
  /** Few enough to be answered soon. */
  readonly batch: number;
  /** A draft as it is taken. */
  readonly given: (draft: Read) => unknown;
  /** The fault of a draft that is the one of a row before it, at this pointer. */
  readonly same: { readonly pointer: string; readonly detail: (row: number) => string };
  /** A hint about the format of a value, which the interface leaves to its schema. */
  readonly formatHint?: (pointer: string, value: string) => string | undefined;
}

/** Tries drafts, which are JSON, or takes them where that is to be applied. */
export type Take = (given: readonly unknown[], applies: boolean) => Promise<readonly DraftAnswer[]>;

export interface ImportProgress {
  readonly applies: boolean;
  readonly done: number;
  readonly total: number;
}

export interface ImportRun<Read extends Draft> {
  readonly noun: ImportedNoun<Read>;
  readonly take: Take;
  /** True if they are imported where none has a fault. */
  readonly applies: boolean;
  /** True if those without a fault are imported, whatever the others have. */
  readonly isPartial: boolean;
  /** Told after each batch. */
  readonly onProgress: (progress: ImportProgress) => Promise<void> | void;
}

/** The socket takes a mebibyte at once. */
const BATCH_BYTES = 400_000;

/** Tries every draft, and imports them where that is asked for: if none has a fault, or those without. */
export async function runImport<Read extends Draft>(
  { drafts, faults: read }: Pick<ReadFile<Read>, "drafts" | "faults">,
  run: ImportRun<Read>,
): Promise<ImportResult<Read>> {
  const given = drafts.filter(({ isLeftOut }) => !isLeftOut);
  const tried = await runAll(given, { ...run, applies: false });
  const faults = onePerCell([...read, ...tried.faults]);
  const right = given.filter(hasNone(faults));
  const applied = run.applies && (faults.length === 0 || (run.isPartial && right.length > 0));
  if (!applied) return resultOf(drafts, { ...tried, faults, applied });
  const taken = await runAll(right, run);
  return resultOf(drafts, { ...taken, faults: onePerCell([...faults, ...taken.faults]), applied });
}

/** Returns what tells whether a draft has none of the faults on its rows. */
function hasNone(faults: readonly FileFault[]): (draft: Draft) => boolean {
  const rows = new Set(faults.map(({ row }) => row));
  return (draft) => draft.rows.every(({ number }) => !rows.has(number));
}

function resultOf<Read extends Draft>(
  drafts: readonly Read[],
  { outcomes, faults, applied }: Answered<Read> & { readonly applied: boolean },
): ImportResult<Read> {
  const isRight = hasNone(faults);
  const counts = { create: 0, update: 0, unchanged: 0, skip: 0, refuse: 0 };
  for (const draft of drafts) {
    counts[isRight(draft) ? (outcomes.get(draft) ?? "refuse") : "refuse"] += 1;
  }
  return {
    outcomes: counts,
    mended: drafts.filter((draft) => draft.isMended && isRight(draft)).length,
    applied,
    faults,
    refused: drafts.filter((draft) => !isRight(draft)),
  };
}

/** The first fault of each cell, by rows: that of the file explains the one that the shop would find. */
function onePerCell(faults: readonly FileFault[]): FileFault[] {
  const byCell = Map.groupBy(faults, ({ row, column, code }) => `${row} ${column ?? code}`);
  return [...byCell.values()]
    .flatMap((same) => same.slice(0, 1))
    .toSorted((one, other) => one.row - other.row);
}

async function runAll<Read extends Draft>(
  drafts: readonly Read[],
  { noun, take, applies, onProgress }: ImportRun<Read>,
): Promise<Answered<Read>> {
  const outcomes = new Map<Read, DraftAnswer["outcome"]>();
  const faults: FileFault[] = [];
  const rowByKey = new Map<string, number>();
  let done = 0;
  for (const batch of batchesOf(drafts, noun.batch)) {
    const answers = await take(
      batch.map((draft) => asJson(noun.given(draft))),
      applies,
    );
    for (const [index, draft] of batch.entries()) {
      const answer = answers[index];
      if (answer === undefined) throw new Error("Each draft has an answer.");
      outcomes.set(draft, answer.outcome);
      faults.push(
        ...faultsOf(answer, draft, noun),
        ...sameAsBefore({ answer, draft }, noun, rowByKey),
      );
    }
    done += batch.length;
    await onProgress({ applies, done, total: drafts.length });
  }
  return { outcomes, faults };
}

/** Fields that a file does not have are undefined, which JSON leaves out. */
function asJson(given: unknown): unknown {
  return JSON.parse(JSON.stringify(given));
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

/** Two drafts of the file that the shop takes for one: the second would overwrite the first. */
function sameAsBefore<Read extends Draft>(
  { answer: { keys }, draft }: { readonly answer: DraftAnswer; readonly draft: Read },
  { same }: ImportedNoun<Read>,
  rowByKey: Map<string, number>,
): FileFault[] {
  const place = draft.placeOf(same.pointer);
  const before = keys.map((key) => rowByKey.get(key)).find((row) => row !== undefined);
  for (const key of keys) if (!rowByKey.has(key)) rowByKey.set(key, place.row);
  return before === undefined ? [] : [{ ...place, code: "duplicate", detail: same.detail(before) }];
}

function faultsOf<Read extends Draft>(
  { faults }: DraftAnswer,
  draft: Read,
  { formatHint }: ImportedNoun<Read>,
): FileFault[] {
  return faults.map(({ pointer, code, detail }) => {
    const place = draft.placeOf(pointer);
    const hint = code === "invalid_format" ? formatHint?.(pointer, place.value ?? "") : undefined;
    return { ...place, code, detail: hint ?? detail };
  });
}
