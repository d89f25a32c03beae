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

  /** The text under the present key, for the place it was sealed for; the same text if no key opens it there. */
  reseal(sealed: string, place?: string): string {
    try {
      const again = this.#vault.seal(this.#vault.unseal(sealed, place), place);
      this.#resealed += 1;
      return again;
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      this.#unreadable += 1;
      return sealed;
    }
  }
}
