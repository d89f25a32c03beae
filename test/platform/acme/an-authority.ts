// An authority that answers as a test wants, without a network: an order needs no challenge there.

import type { Ask } from "#platform/net/ask.ts";

/** Its address. */
export const AT = "https://ca.example";

export interface Said {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | object;
}

/** Asks an authority that answers so, by path. */
export function authorityThat(given: Readonly<Record<string, Said>>): Ask {
  const usual: Readonly<Record<string, Said>> = {
    "/dir": {
      body: { newNonce: `${AT}/nonce`, newAccount: `${AT}/account`, newOrder: `${AT}/new` },
    },
    "/nonce": { status: 204, body: "" },
    "/account": { status: 201, headers: { location: `${AT}/account/1` }, body: {} },
    "/new": {
      status: 201,
      headers: { location: `${AT}/order` },
      body: { authorizations: [], finalize: `${AT}/finalize` },
    },
    "/finalize": { body: {} },
    "/order": { body: { status: "valid", certificate: `${AT}/certificate` } },
  };
  return async ({ url }) => {
    const {
      status = 200,
      headers = {},
      body,
    } = { ...usual, ...given }[new URL(url).pathname] ?? {
      status: 404,
      body: "",
    };
    return {
      failure: null,
      status,
      headers: new Headers({ "replay-nonce": "n", ...headers }),
      bytes: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)),
      address: "192.0.2.1",
    };
  };
}
