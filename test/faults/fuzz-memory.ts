// Ids, cursors and keys from earlier answers, which the fuzz sends again, so that its requests concern
// existing resources.

import { type Chance } from "./fault.ts";

/** New ones replace old ones, which may be gone. */
const KEPT_MAX = 24;
const ID = /\b([a-z]{2,4})_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g;
const CURSOR = /"next_cursor":"([^"]+)"/;
const KEY = /"key":"(test_sk_\w+)"/;

export class Memory {
  readonly #chance: Chance;
  readonly #kept = new Map<string, string[]>();
  /** Ids that no request may contain: the fuzz would lock itself out. */
  readonly #forbidden = new Set<string>();

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  /** Excludes the ids in this answer. */
  forbid(text: string): void {
    for (const [id] of text.matchAll(ID)) this.#forbidden.add(id);
  }

  /** Collects from the text of an answer. */
  learn(text: string): void {
    for (const [id, kind = ""] of text.matchAll(ID)) this.#keep(kind, id);
    const cursor = CURSOR.exec(text)?.[1];
    if (cursor !== undefined) this.#keep("cursor", cursor);
    const key = KEY.exec(text)?.[1];
    if (key !== undefined) this.#keep("api key", key);
  }

  /** A collected value of this kind, else an unknown id. */
  recall(kind: string): string {
    const known = this.#kept.get(kind) ?? [];
    return known.length === 0 ? `${kind}_01h455vb4pex5vsknk084sn02q` : this.#chance.one(known);
  }

  knows(kind: string): boolean {
    return this.#kept.has(kind);
  }

  /** The newest id of each kind, by its prefix. */
  latest(): Record<string, string> {
    return Object.fromEntries([...this.#kept].map(([kind, known]) => [kind, known.at(-1) ?? ""]));
  }

  #keep(kind: string, value: string): void {
    if (this.#forbidden.has(value)) return;
    const known = this.#kept.get(kind) ?? [];
    this.#kept.set(kind, known);
    if (known.includes(value)) return;
    known.push(value);
    if (known.length > KEPT_MAX) known.splice(this.#chance.below(KEPT_MAX / 2), 1);
  }
}
