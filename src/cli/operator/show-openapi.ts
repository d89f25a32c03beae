// `duka openapi`: the OpenAPI document without a server, for generators of clients.

import { document } from "#server.ts";

/** Prints the document as JSON. */
export function showOpenapi(): void {
  console.log(JSON.stringify(document(), null, 2));
}
