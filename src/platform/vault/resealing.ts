// Seals texts again with the present key of a vault, and counts them.

import { SealBroken, type Vault } from "./vault.ts";

export class Resealing {
  readonly #vault: Vault;
  #resealed = 0;
  #unreadable = 0;

  constructor(vault: Vault) {
    this.#vault = vault;
  }

  /** How many texts were sealed again. */
  get resealed(): number {
    return this.#resealed;
  }

  /** How many texts no key of the vault opens. */
  get unreadable(): number {
    return this.#unreadable;
  }

  /** The text under the present key; the same text if no key opens it. */
  reseal(sealed: string): string {
    try {
      const again = this.#vault.seal(this.#vault.unseal(sealed));
      this.#resealed += 1;
      return again;
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      this.#unreadable += 1;
      return sealed;
    }
  }
}
