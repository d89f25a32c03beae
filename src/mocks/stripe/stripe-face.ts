// The face of Stripe: what answers like Stripe's API in tests, with its pages, its notices, its strictness and its
// faults. It listens on loopback, and money moves in its books alone.

import { realClock } from "#kernel/time.ts";
import { FaultEngine } from "#mocks/faults.ts";
import { postTo } from "#mocks/post.ts";
import type { AnswerFate } from "#mocks/scripts.ts";
import { type Asked, type Reply, type Sent, VendorServer } from "#mocks/vendor-server.ts";

import { Account } from "./account.ts";
import { admit, admitRights, API_VERSION } from "./admission.ts";
import { Dashboard } from "./dashboard.ts";
import { broken, errorReply, jsonReply, rateLimited, StripeRefusal } from "./errors.ts";
import { readForm } from "./form.ts";
import { IdempotencyKeys } from "./idempotency.ts";
import { expand } from "./lists.ts";
import { Notices } from "./notices.ts";
import { servePage } from "./pages.ts";
import { checkParams, Params } from "./params.ts";
import { Payments } from "./pay.ts";
import { objectOf } from "./payment-objects.ts";
import { methodOf, type Route, routes, type Vendor } from "./routes.ts";

/** Members of Stripe's objects that are amounts. */
const amounts = new Set(
  ["amount", "amount_received", "amount_total", "amount_refunded", "fee", "net"].concat(
    ["amount_captured", "amount_subtotal"], // of charges and sessions
  ),
);

const FACE_SECRET = "sk_test_3Fa03Fa03Fa0";

export interface FaceTerms {
  /** The one key that it takes; `sk_live_…` or `rk_live_…` makes it a face of live mode. */
  readonly secret?: string;
  /** The instant at which its clock starts, epoch milliseconds. */
  readonly startsAt?: number;
  /** The server at which it answers from now on; one of its own if absent. */
  readonly server?: VendorServer;
}

/** A request for a call of the API. */
interface Call {
  readonly asked: Asked;
  readonly route: Route;
  /** The segment of the path that stands for `{id}`. */
  readonly id: string;
  readonly name: string;
  readonly requestId: string;
}

export class StripeFace implements AsyncDisposable {
  readonly secret: string;
  readonly account: Account;
  readonly payments: Payments;
  readonly dashboard: Dashboard;
  readonly notices: Notices;
  readonly faults = new FaultEngine({ rateLimit: rateLimited, broken, amounts });
  readonly server: VendorServer;
  /** Beginnings of the calls for which the key has no right, such as `GET /v1/account`. */
  readonly denied: string[] = [];
  readonly #keys: IdempotencyKeys;
  readonly #gates: { readonly call: string; readonly opened: Promise<void> }[] = [];
  #requests = 0;

  constructor({ secret = FACE_SECRET, startsAt = realClock.now(), server }: FaceTerms = {}) {
    this.secret = secret;
    this.account = new Account({ isLive: /^[rs]k_live_/.test(secret), startsAt });
    this.notices = new Notices(this.account);
    const announce = (type: Parameters<Notices["announce"]>[0], subject: string) => {
      this.notices.announce(type, objectOf(this.account, subject, this.server) ?? {});
    };
    this.payments = new Payments(this.account, announce);
    this.dashboard = new Dashboard(this.account, announce);
    this.#keys = new IdempotencyKeys(() => this.account.now());
    const serve = (asked: Asked) => this.#serve(asked);
    this.server = server ?? new VendorServer(serve);
    this.server.answer = serve;
  }

  /** Moves the vendor's clock: sessions expire, banks answer, payouts arrive. */
  pass(ms: number): void {
    this.account.pass(ms);
    this.#settleDue();
  }

  /** The next run of the call waits until the returned function is called. */
  block(call: string): () => void {
    const { promise: opened, resolve } = Promise.withResolvers<void>();
    this.#gates.push({ call, opened });
    return resolve;
  }

  /** An endpoint for all notices, as if it had been set up at the vendor. */
  addEndpoint(url: string, secret: string): void {
    const { account } = this;
    const id = account.newId("we");
    const none = { apiVersion: API_VERSION, description: null, metadata: {} };
    const terms = { id, createdAt: account.now(), url, secret, events: ["*"] };
    account.endpoints.add({ ...none, ...terms });
  }

  /** The payer fills in the hosted page. Returns where the browser goes next, or what the page says. */
  async payOnPage(session: string, card: string): Promise<string> {
    return this.#submit(`/c/pay/${session}`, { card });
  }

  /** The payer answers the bank. Returns where the browser goes next. */
  async answerBank(intent: string, answer: "approve" | "fail"): Promise<string> {
    return this.#submit(`/3ds/${intent}`, { answer });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.server[Symbol.asyncDispose]();
  }

  async #submit(path: string, fields: Record<string, string>): Promise<string> {
    const answer = await postTo(`${this.server.url}${path}`, {
      type: "application/x-www-form-urlencoded",
      content: new URLSearchParams(fields).toString(),
    });
    return answer.headers?.get("location") ?? new TextDecoder().decode(answer.bytes);
  }

  async #serve(asked: Asked): Promise<Sent> {
    this.#settleDue();
    const page = servePage(asked, this.account, this.payments);
    if (page !== null) return await this.#sent({ reply: page, travel: { kind: "whole" } });
    const found = findRoute(asked);
    if (found === null) return whole(errorReply(unrecognized(asked)));
    this.#requests += 1;
    const requestId = `req_${String(this.#requests).padStart(14, "0")}`;
    const name = `${found.route.method} ${found.route.path}`;
    const call = { ...found, asked, name, requestId };
    this.#planFate(call);
    const sent = await this.faults.run(name, () => this.#answer(call));
    // Whatever broke: execution had begun, so the key has its answer.
    if (sent.reply === broken) this.#keys.save(asked, broken);
    return await this.#sent(sent);
  }

  async #sent(sent: Sent): Promise<Sent> {
    if (this.notices.arePrompt) await this.notices.send();
    return sent;
  }

  async #answer(call: Call): Promise<Reply> {
    const reply = await this.#execute(call).catch((error: unknown) => {
      if (error instanceof StripeRefusal) return errorReply(error);
      throw error;
    });
    return { ...reply, headers: { ...reply.headers, "request-id": call.requestId } };
  }

  async #execute(call: Call): Promise<Reply> {
    const { asked, route, requestId } = call;
    admit(asked, this.secret);
    admitRights(asked, this.denied);
    const known = this.#keys.find(asked);
    if (known !== null) return known;
    const tree = readForm(asked.method === "POST" ? asked.body : asked.query);
    const given = checkParams(tree, route.takes);
    this.#keys.begin(asked);
    await this.#pastGate(call.name);
    const idempotencyKey = asked.headers.get("idempotency-key");
    this.notices.causedBy = { id: requestId, idempotencyKey };
    const reply = this.#run(call, given);
    this.notices.causedBy = null;
    this.#keys.save(asked, reply);
    return reply;
  }

  #run({ route, id }: Call, given: Params): Reply {
    try {
      const object = route.run(this.#vendor, given, id);
      const build = (found: string) => objectOf(this.account, found, this.server);
      return jsonReply(200, expand(object, given.list("expand"), build));
    } catch (error) {
      if (error instanceof StripeRefusal) return errorReply(error);
      throw error;
    }
  }

  get #vendor(): Vendor {
    const { account, payments, dashboard, server } = this;
    return { account, payments, dashboard, pages: server };
  }

  async #pastGate(call: string): Promise<void> {
    const place = this.#gates.findIndex((gate) => gate.call === call);
    const [gate] = place < 0 ? [] : this.#gates.splice(place, 1);
    await gate?.opened;
  }

  /** A card whose answer is lost or refused once, as the table of magic values says. */
  #planFate({ asked, name: call, id: intent }: Call): void {
    if (!call.endsWith("/confirm")) return;
    const { struckOnce } = this.account;
    const { token, fate } = fateOf(asked, this.payments);
    if (fate === "lost_before") {
      this.faults.plan({ moment: "before", fault: { kind: "reset" } }, { call });
    } else if (fate === "lost_after" && !struckOnce.has(intent)) {
      struckOnce.add(intent);
      this.faults.plan({ moment: "after", fault: { kind: "reset" } }, { call });
    } else if (fate === "refused_once" && !struckOnce.has(token)) {
      struckOnce.add(token);
      this.faults.plan({ moment: "before", fault: { kind: "rate_limit" } }, { call });
    }
  }

  #settleDue(): void {
    this.payments.settleDue();
    this.dashboard.settleDue();
  }
}

/**
 * A face that listens.
 *
 * @internal Exported for tests.
 */
export async function openStripeFace(terms: FaceTerms = {}): Promise<StripeFace> {
  const face = new StripeFace(terms);
  await face.server.up();
  return face;
}

/** The card of a confirmation, and what happens to its answer. */
function fateOf({ body }: Asked, payments: Payments): { token: string; fate: AnswerFate } {
  try {
    const [token, param] = methodOf(new Params(readForm(body)));
    if (token !== null) return { token, fate: payments.payerOf(token, param).fate };
  } catch (error) {
    // The call itself refuses what it cannot read, and a card that is not known.
    if (!(error instanceof StripeRefusal)) throw error;
  }
  return { token: "", fate: "arrives" };
}

function findRoute({ method, path }: Asked): { route: Route; id: string } | null {
  for (const route of routes) {
    const pattern = new RegExp(`^${route.path.replace("{id}", "([^/]+)")}$`);
    const found = route.method === method ? pattern.exec(path) : null;
    if (found !== null) return { route, id: found[1] ?? "" };
  }
  return null;
}

function unrecognized({ method, path }: Asked): StripeRefusal {
  const message = `Unrecognized request URL (${method}: ${path}).`;
  return new StripeRefusal(404, { type: "invalid_request_error", message });
}

function whole(reply: Reply): Sent {
  return { reply, travel: { kind: "whole" } };
}
