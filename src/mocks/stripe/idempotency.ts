// Idempotency keys as Stripe treats them: the first answer of a key is the answer of all that repeat it, errors
// included, once execution began. Of what was refused before and of what ran into another, nothing is stored.

import type { Asked, Reply } from "#mocks/vendor-server.ts";

import { invalid, StripeRefusal } from "./errors.ts";
import { canonicalForm } from "./form.ts";

/** Keys may be gone after a day. */
const KEY_MS = 86_400_000;

interface Stored {
  readonly path: string;
  readonly params: string;
  readonly storedAt: number;
  /** Null while the first one runs. */
  readonly reply: Reply | null;
}

export class IdempotencyKeys {
  readonly #stored = new Map<string, Stored>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The answer that the key has; null for a new key. Other parameters, or a run that has not ended, are refused. */
  find(asked: Asked): Reply | null {
    const key = keyOf(asked);
    const stored = key === null ? undefined : this.#stored.get(key);
    if (key === null || stored === undefined) return null;
    if (stored.storedAt + KEY_MS <= this.#now()) return null;
    if (stored.path !== asked.path) {
      const paths = `('${stored.path}' vs '${asked.path}')`;
      throw mismatch(`for the same endpoint they were first used for ${paths}`, key);
    }
    if (stored.params !== canonicalForm(asked.body)) {
      throw mismatch("with the same parameters they were first used with", key);
    }
    if (stored.reply === null) throw inUse(key);
    const { headers } = stored.reply;
    return { ...stored.reply, headers: { ...headers, "idempotent-replayed": "true" } };
  }

  /** The key is taken by a request that runs. */
  begin(asked: Asked): void {
    this.#set(asked, null);
  }

  /** The answer of the key. */
  save(asked: Asked, reply: Reply): void {
    this.#set(asked, reply);
  }

  #set(asked: Asked, reply: Reply | null): void {
    const key = keyOf(asked);
    if (key === null) return;
    const params = canonicalForm(asked.body);
    this.#stored.set(key, { path: asked.path, params, storedAt: this.#now(), reply });
  }
}

function keyOf({ method, headers }: Asked): string | null {
  return method === "POST" ? headers.get("idempotency-key") : null;
}

function mismatch(rule: string, key: string): StripeRefusal {
  const message = `Keys for idempotent requests can only be used ${rule}. Try using a key other than '${key}' if you meant to execute a different request.`;
  return invalid(message, { type: "idempotency_error" });
}

function inUse(key: string): StripeRefusal {
  return new StripeRefusal(409, {
    type: "idempotency_error",
    code: "idempotency_key_in_use",
    message: `There is currently another in-progress request using this Idempotent Key: ${key}. Please try again later.`,
  });
}
