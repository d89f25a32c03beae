// Where a face of a vendor says otherwise than a recording of the vendor.

import type { RecordedExchange, Recording } from "./recording.ts";

/** What of the face's recording the vendor's contradicts, in sentences. Both are of one case. */
export function contradictions(face: Recording, vendor: Recording): string[] {
  const found = face.exchanges.flatMap((one) => {
    const answers = vendor.exchanges.filter(
      ({ call, status }) => call === one.call && status === one.status,
    );
    const at = `${one.call} ${one.status}`;
    if (answers.length === 0) return [`${at} was never answered by the vendor`];
    return faultsOf(kindsOf([one]), kindsOf(answers)).map((fault) => `${at} ${fault}`);
  });
  return [...new Set(found)];
}

type Kinds = ReadonlyMap<string, ReadonlySet<string>>;

function faultsOf(face: Kinds, vendor: Kinds): string[] {
  return [...face].flatMap(([pointer, kinds]) => {
    const theirs = vendor.get(pointer);
    if (theirs === undefined) return isToldOf(vendor, pointer) ? [`${pointer} is not there`] : [];
    const other = [...kinds].filter((kind) => kind !== "null" && !theirs.has(kind));
    const isKnown = !theirs.has("null") || theirs.size > 1;
    return isKnown ? other.map((kind) => `${pointer} is no ${kind}`) : [];
  });
}

/** Whether the vendor has the object, or the filled list, in which the pointer would stand. */
function isToldOf(vendor: Kinds, pointer: string): boolean {
  const parent = pointer.slice(0, pointer.lastIndexOf("/"));
  return [...vendor.keys()].some((one) => one.startsWith(`${parent}/`));
}

/** The kinds of value at each pointer; `-` stands for every place of a list. */
function kindsOf(exchanges: readonly RecordedExchange[]): Kinds {
  const kinds = new Map<string, Set<string>>();
  const add = (value: unknown, pointer: string): void => {
    const kind = value === null ? "null" : Array.isArray(value) ? "list" : typeof value;
    kinds.set(pointer, (kinds.get(pointer) ?? new Set()).add(kind));
    if (Array.isArray(value)) for (const one of value) add(one, `${pointer}/-`);
    else if (typeof value === "object" && value !== null) {
      for (const [name, one] of Object.entries(value)) add(one, `${pointer}/${name}`);
    }
  };
  for (const { answer } of exchanges) add(answer, "");
  return kinds;
}
