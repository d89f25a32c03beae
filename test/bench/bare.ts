// The fixed program: it takes orders and lists products over HTTP as Duka does, on a shop of its own that
// keeps the same promises with the least SQL. Arguments: a new database file, and a JSON file of goods,
// customers and keys. It prints its port.

import { readFileSync } from "node:fs";

import { type Answer, BareShop, refusal, type Wish } from "./bare-shop.ts";
import { readOrder } from "./bare-text.ts";

/** Orders per commit, as in Duka. */
const GROUP_SIZE_MAX = 64;
const BODY_BYTES_MAX = 1_048_576;
const KEY_LENGTH_MAX = 255;
const LIMIT_DEFAULT = 20;
const LIMIT_MAX = 100;
/** Above every id. */
const FIRST_PAGE = "~";

interface Waiting {
  readonly wish: Wish;
  readonly resolve: (answer: Answer) => void;
}

const [path = "", supplyPath = ""] = process.argv.slice(2);
const shop = new BareShop(path, JSON.parse(readFileSync(supplyPath, "utf8")));
const queue: Waiting[] = [];
let isDraining = false;

/** Resolves when the order is on the disk. Commits a turn later, so that all requests of this turn join. */
function place(wish: Wish): Promise<Answer> {
  return new Promise((resolve) => {
    queue.push({ wish, resolve });
    if (isDraining) return;
    isDraining = true;
    setImmediate(drain);
  });
}

function drain(): void {
  const group = queue.splice(0, GROUP_SIZE_MAX);
  const answers = placedOrRefused(group);
  group.forEach(({ resolve }, index) => resolve(answers[index] ?? refusal(500, "internal")));
  if (queue.length > 0) setImmediate(drain);
  else isDraining = false;
}

/** Commits a group; where that fails, every order of the group is refused. */
function placedOrRefused(group: readonly Waiting[]): Answer[] {
  try {
    return shop.placeAll(group.map(({ wish }) => wish));
  } catch (error) {
    console.error(error);
    return group.map(() => refusal(503, "storage_unavailable"));
  }
}

async function takeOrder(request: Request): Promise<Answer> {
  const actor = actorOf(request);
  if (actor === null) return refusal(401, "unauthenticated");
  const key = request.headers.get("idempotency-key") ?? "";
  if (key === "" || key.length > KEY_LENGTH_MAX) return refusal(400, "invalid_idempotency_key");
  const text = await request.text();
  const order = readOrder(text);
  if (order === null) return refusal(422, "validation_failed");
  return place({ request: order, key, fingerprint: sha256(text), actor });
}

function listProducts(request: Request): Answer {
  if (actorOf(request) === null) return refusal(401, "unauthenticated");
  const query = new URLSearchParams(request.url.split("?")[1]);
  const limit = Number(query.get("limit") ?? LIMIT_DEFAULT);
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > LIMIT_MAX) {
    return refusal(400, "invalid_parameter");
  }
  return {
    status: 200,
    body: shop.list(limit, query.get("cursor") ?? FIRST_PAGE),
    isReplayed: false,
  };
}

/** Returns the id of the key that a request carries, or null where the key is unknown. */
function actorOf(request: Request): string | null {
  const [scheme, key] = (request.headers.get("authorization") ?? "").split(" ");
  return scheme === "Bearer" && key !== undefined ? shop.actorOf(sha256(key)) : null;
}

function sha256(text: string): Uint8Array {
  return Bun.CryptoHasher.hash("sha256", text);
}

const headers = { "Content-Type": "application/json" };
const replayHeaders = { ...headers, "Idempotent-Replayed": "true" };

function respond({ status, body, isReplayed }: Answer): Response {
  return new Response(body, { status, headers: isReplayed ? replayHeaders : headers });
}

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  maxRequestBodySize: BODY_BYTES_MAX,
  routes: {
    "/v2/orders": { POST: async (request) => respond(await takeOrder(request)) },
    "/v2/products": { GET: (request) => respond(listProducts(request)) },
  },
  fetch: () => respond(refusal(404, "not_found")),
});
console.log(`${server.port}`);
