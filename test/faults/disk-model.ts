// What a disk may hold after a power cut. Synced data is there. Of everything else each piece may be there
// or not, whole or torn, in any order: files by their sectors, names by their folders.

import { dirname } from "node:path";

import type { Chance } from "./fault.ts";
import type { Call } from "./system-calls.ts";

/** Bytes that a disk writes whole or not at all. */
const SECTOR_BYTES = 512;

type Change =
  | { readonly at: number; readonly bytes: Buffer }
  /** The new size of the file. */
  | { readonly size: number };

type Naming = Exclude<Call, { readonly type: "write" | "resize" | "sync" | "receive" | "send" }>;

/** The content of a file under any name. */
class Content {
  durable: Buffer = Buffer.alloc(0);
  pending: Change[] = [];

  sync(): void {
    this.durable = applied(this.durable, this.pending, 0);
    this.pending = [];
  }
}

/** The target of a name. */
type Entry = Content | "folder";
type Names = Map<string, Entry>;

interface Renaming {
  /** The folders that must be synced before it survives. */
  readonly folders: ReadonlySet<string>;
  apply(names: Names): void;
}

/** The share of unsynced pieces that survive. */
export type Survival = "nothing" | "everything" | "some writes" | "some sectors" | "a beginning";

export const survivals: readonly Survival[] = [
  "nothing",
  "everything",
  "some writes",
  "some sectors",
  "a beginning",
];

/** The files that a disk holds, by their absolute paths; null for a folder. */
export type Image = ReadonlyMap<string, Buffer | null>;

/** A disk that receives every call. It starts with an empty root folder. */
export class Disk {
  /** What the running system sees. */
  readonly #seen: Names = new Map();
  /** What certainly survives a power cut. */
  readonly #sure: Names = new Map();
  readonly #root: string;
  #renamings: Renaming[] = [];

  constructor(root: string) {
    this.#root = root;
  }

  /** The writes that would be lost now if no unsynced piece survived. */
  get pendingWrites(): number {
    return [...this.#seen.values()].reduce(
      (sum, entry) => sum + (entry === "folder" ? 0 : entry.pending.length),
      0,
    );
  }

  take(call: Call): void {
    if (call.type === "write" || call.type === "resize") {
      this.#contentAt(call.path).pending.push(call);
    } else if (call.type === "sync") this.#sync(call.path);
    else if (call.type !== "receive" && call.type !== "send") this.#name(call);
  }

  /** One of the possible contents after a power cut now. */
  cut(survival: Survival, chance: Chance): Image {
    const names: Names = new Map(this.#sure);
    for (const renaming of survivors(this.#renamings, survival, chance)) renaming.apply(names);
    const image = new Map<string, Buffer | null>();
    for (const [path, entry] of names) {
      if (!this.#hasFolders(path, names)) continue;
      image.set(path, entry === "folder" ? null : surviving(entry, survival, chance));
    }
    return image;
  }

  #name(call: Naming): void {
    const { path } = call;
    switch (call.type) {
      case "open":
        this.#open(path, call.truncates);
        break;
      case "mkdir":
        this.#rename([path], (names) => names.set(path, "folder"));
        break;
      case "unlink":
        this.#rename([path], (names) => names.delete(path));
        break;
      case "link":
      case "rename":
        this.#move(path, call.to, call.type === "link");
        break;
    }
  }

  #open(path: string, truncates: boolean): void {
    const known = this.#seen.get(path);
    if (known === undefined) {
      const content = new Content();
      this.#rename([path], (names) => names.set(path, content));
    } else if (known !== "folder" && truncates) known.pending.push({ size: 0 });
  }

  #contentAt(path: string): Content {
    const entry = this.#seen.get(path);
    if (entry === undefined || entry === "folder") throw new Error(`No file at ${path}`);
    return entry;
  }

  #move(from: string, to: string, keepsOld: boolean): void {
    const content = this.#contentAt(from);
    this.#rename([from, to], (names) => {
      if (!keepsOld) names.delete(from);
      names.set(to, content);
    });
  }

  #rename(paths: readonly string[], apply: (names: Names) => unknown): void {
    apply(this.#seen);
    this.#renamings.push({
      folders: new Set(paths.map((path) => dirname(path))),
      apply: (names) => void apply(names),
    });
  }

  #hasFolders(path: string, names: Names): boolean {
    for (let folder = dirname(path); folder !== this.#root; folder = dirname(folder)) {
      if (names.get(folder) !== "folder") return false;
    }
    return true;
  }

  /** Syncs the content of a file, or the names of a folder; neither syncs the other. */
  #sync(path: string): void {
    const entry = this.#seen.get(path);
    if (entry !== undefined && entry !== "folder") {
      entry.sync();
      return;
    }
    const isSure = ({ folders }: Renaming) => folders.has(path);
    for (const renaming of this.#renamings.filter(isSure)) renaming.apply(this.#sure);
    this.#renamings = this.#renamings.filter((renaming) => !isSure(renaming));
  }
}

/** The pieces that survive, in order. */
function survivors<T>(all: readonly T[], survival: Survival, chance: Chance): readonly T[] {
  switch (survival) {
    case "nothing":
      return [];
    case "everything":
      return all;
    case "some writes":
    case "some sectors":
      return all.filter(() => chance.happens(0.5));
    case "a beginning":
      return all.slice(0, chance.below(all.length + 1));
  }
}

function surviving({ durable, pending }: Content, survival: Survival, chance: Chance): Buffer {
  const whole = survivors(pending, survival, chance);
  const isTorn = survival !== "nothing" && survival !== "everything";
  const kept = whole.flatMap((change, index) => {
    const isLast = survival === "a beginning" && index === whole.length - 1;
    return isTorn && (survival === "some sectors" || isLast) ? torn(change, chance) : [change];
  });
  // A part of a grown file that was never written may contain old data of the disk.
  return applied(durable, kept, chance.happens(0.5) ? 0 : 0xe5);
}

/** A write of which each sector survives or not. */
function torn(change: Change, chance: Chance): Change[] {
  if ("size" in change) return [change];
  const { at, bytes } = change;
  const pieces: Change[] = [];
  for (let from = at; from < at + bytes.length;) {
    const end = Math.min(at + bytes.length, (Math.floor(from / SECTOR_BYTES) + 1) * SECTOR_BYTES);
    const piece = { at: from, bytes: bytes.subarray(from - at, end - at) };
    if (chance.happens(0.5)) pieces.push(piece);
    from = end;
  }
  return pieces;
}

/** The content after the changes; holes are filled with this byte. */
function applied(durable: Buffer, changes: readonly Change[], filler: number): Buffer {
  const room = changes.reduce((size, change) => Math.max(size, endOf(change)), durable.length);
  const content = Buffer.alloc(room, filler);
  durable.copy(content);
  let size = durable.length;
  for (const change of changes) {
    if ("size" in change) {
      content.fill(filler, Math.min(size, change.size));
      size = change.size;
    } else {
      change.bytes.copy(content, change.at);
      size = Math.max(size, change.at + change.bytes.length);
    }
  }
  return content.subarray(0, size);
}

function endOf(change: Change): number {
  return "size" in change ? change.size : change.at + change.bytes.length;
}
