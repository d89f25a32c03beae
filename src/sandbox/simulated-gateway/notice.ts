// The notices of the simulated gateway, signed and verified like those of a real one, so that test mode
// runs the same code as live mode.

import { createHmac, timingSafeEqual } from "node:crypto";

import type { Notice } from "#payments/port/notice.ts";

const SIGNATURE_HEADER = "x-simulated-signature";

/** A notice as a gateway sends it. */
export interface SignedNotice {
  readonly bytes: Uint8Array;
  readonly headers: Headers;
}

/** Signs a notice about a charge; notices of one name are copies of each other. */
export function signNotice(
  secret: Uint8Array,
  about: { readonly gatewayReference: string; readonly name: string },
): SignedNotice {
  const { gatewayReference, name } = about;
  const bytes = new TextEncoder().encode(
    JSON.stringify({
      id: `${gatewayReference} ${name}`,
      event: `charge.${name.split(" ")[0]}`,
      reference: gatewayReference,
      mode: "test",
    }),
  );
  return { bytes, headers: new Headers({ [SIGNATURE_HEADER]: signatureOf(secret, bytes) }) };
}

/** Verifies the signature over exactly these bytes and parses them; else returns `reject`. */
export function readNotice(secret: Uint8Array, { bytes, headers }: SignedNotice): Notice {
  const given = Buffer.from(headers.get(SIGNATURE_HEADER) ?? "");
  const expected = Buffer.from(signatureOf(secret, bytes));
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    return { kind: "reject" };
  }
  const body: unknown = JSON.parse(new TextDecoder().decode(bytes));
  if (typeof body !== "object" || body === null) return { kind: "reject" };
  const id: unknown = Reflect.get(body, "id");
  const reference: unknown = Reflect.get(body, "reference");
  if (typeof id !== "string" || typeof reference !== "string") return { kind: "reject" };
  return {
    kind: "notice",
    dedupKey: id,
    gatewayReference: reference,
    names: [],
    topic: id.startsWith(`${reference} dispute `) ? "dispute" : "payment",
    mode: "test",
  };
}

function signatureOf(secret: Uint8Array, bytes: Uint8Array): string {
  return createHmac("sha256", secret).update(bytes).digest("hex");
}
