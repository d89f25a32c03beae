// The link of a sandbox: its token lets one person in, once. It is kept in memory alone.

import { newToken } from "#shop/people/credentials/token.ts";

export class Entrance {
  readonly token = newToken();
  #personId: string | null = null;

  /** From now on the token lets the person in. */
  admit(personId: string): void {
    this.#personId = personId;
  }

  /** The person whom the token lets in; null for another token, and the second time. */
  take(token: string): string | null {
    if (token !== this.token) return null;
    const personId = this.#personId;
    this.#personId = null;
    return personId;
  }
}
