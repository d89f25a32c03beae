// The face of Paystack: what answers like its API, with its pages, its notices, its strictness and its
// faults. It listens on loopback, and money moves in its books alone.

import { realClock } from "#kernel/time.ts";
import { FaultEngine } from "#mocks/faults.ts";
import { payerOfPhone } from "#mocks/scripts.ts";
import { type Asked, type Reply, type Sent, VendorServer } from "#mocks/vendor-server.ts";

import { Account, type Dispute, type Refund, type Transaction } from "./account.ts";
import { broken, PaystackRefusal, rateLimited, refusalReply } from "./errors.ts";
import { Notices } from "./notices.ts";
import { chargeOf, disputeOf, refundNoticeOf, refundOf, transactionOf } from "./objects.ts";
import {
  done,
  findDispute,
  listDisputes,
  listRefunds,
  listTransactions,
  readDispute,
  readRefund,
} from "./reads.ts";
import {
  amountOf,
  bodyOf,
  checkChannels,
  invalid,
  phoneOf,
  type Sale,
  saleOf,
  textOf,
} from "./requests.ts";
import { listSettled, listSettlements } from "./settlements.ts";

/** Members of the vendor's objects that are amounts. */
const amounts = new Set(["amount", "requested_amount", "fees"]);

const FACE_SECRET = "sk_test_3Fa03Fa03Fa0";

export interface FaceTerms {
  /** The one secret that it takes; `sk_live_…` makes it a face of live mode. */
  readonly secret?: string;
  /** The instant at which its clock starts, epoch milliseconds. */
  readonly startsAt?: number;
  /** The time that a refund takes, milliseconds; at once by default. */
  readonly refundMs?: number;
  /** The server at which it answers from now on; one of its own if absent. */
  readonly server?: VendorServer;
}

interface Route {
  readonly method: "GET" | "POST";
  readonly path: RegExp;
  readonly name: string;
  readonly run: (asked: Asked, name: string) => Reply;
}

export class PaystackFace implements AsyncDisposable {
  readonly secret: string;
  readonly account: Account;
  readonly notices: Notices;
  readonly faults = new FaultEngine({ rateLimit: rateLimited, broken, amounts });
  readonly server: VendorServer;
  /** True if the secret is taken from other addresses alone. */
  refusesAddress = false;
  readonly #phones = new Map<Transaction, string>();
  readonly #routes: readonly Route[];

  constructor({ secret = FACE_SECRET, startsAt = realClock.now(), ...given }: FaceTerms) {
    const { refundMs = 0, server } = given;
    this.secret = secret;
    this.notices = new Notices(secret);
    const isLive = secret.startsWith("sk_live_");
    this.account = new Account({ isLive, startsAt, refundMs }, (topic, subject) =>
      this.notices.announce(topic, this.#told(subject)),
    );
    const serve = (asked: Asked) => this.#serve(asked);
    this.server = server ?? new VendorServer(serve);
    this.server.answer = serve;
    this.#routes = [
      this.#route("POST", "/transaction/initialize", (asked) => this.#initialize(asked)),
      this.#route("GET", "/transaction/verify/{id}", (_, name) => this.#verify(name)),
      this.#route("GET", "/transaction", (asked) => listTransactions(this.account, asked)),
      this.#route("POST", "/charge", (asked) => this.#charge(asked)),
      this.#route("POST", "/charge/submit_otp", (asked) => this.#submitOtp(asked)),
      this.#route("POST", "/refund", (asked) => this.#refund(asked)),
      this.#route("GET", "/refund", (asked) => listRefunds(this.account, asked)),
      this.#route("GET", "/refund/{id}", (_, id) => readRefund(this.account, id)),
      this.#route("GET", "/dispute", (asked) => listDisputes(this.account, asked)),
      this.#route("GET", "/dispute/transaction/{id}", (_, id) => findDispute(this.account, id)),
      this.#route("GET", "/dispute/{id}", (_, id) => readDispute(this.account, id)),
      this.#route("GET", "/settlement", (asked) => listSettlements(this.account, asked)),
      this.#route("GET", "/settlement/{id}/transactions", (asked, id) =>
        listSettled(this.account, id, asked),
      ),
      this.#route("GET", "/balance", () => done("Balances retrieved", [this.#balance()])),
      this.#route("GET", "/integration/payment_session_timeout", () =>
        done("Payment session timeout retrieved", { payment_session_timeout: 0 }),
      ),
    ];
  }

  /** Moves the vendor's clock: phones answer, refunds arrive. */
  pass(ms: number): void {
    this.account.pass(ms);
    this.account.settleDue();
  }

  /** The payer of the page tries a card. Returns where the browser goes once it is paid, and null before. */
  payOnPage(reference: string, card: string): string | null {
    const transaction = this.#get(reference);
    if (transaction.page === null) throw new Error(`${reference} has no page.`);
    this.account.payOnPage(transaction, card);
    if (transaction.state.kind !== "success") return null;
    const url = new URL(transaction.page.callbackUrl);
    url.searchParams.set("trxref", reference);
    url.searchParams.set("reference", reference);
    return url.href;
  }

  /** The payer's bank asks for the money back. */
  dispute(reference: string): Dispute {
    return this.account.dispute(this.#get(reference));
  }

  /** A person gives money back in the vendor's dashboard. */
  refundInDashboard(reference: string, amount: number): Refund {
    return this.account.refund(this.#get(reference), amount, null);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.server[Symbol.asyncDispose]();
  }

  async #serve(asked: Asked): Promise<Sent> {
    this.account.settleDue();
    const route = this.#routes.find(
      (one) => one.method === asked.method && one.path.test(asked.path),
    );
    if (route === undefined) {
      return {
        reply: refusalReply(new PaystackRefusal(404, "Not found")),
        travel: { kind: "whole" },
      };
    }
    this.#planFate(route, asked);
    return this.faults.run(`${route.method} ${route.name}`, async () => this.#answer(route, asked));
  }

  #answer(route: Route, asked: Asked): Reply {
    try {
      if (asked.headers.get("authorization") !== `Bearer ${this.secret}`) {
        throw new PaystackRefusal(401, "Invalid key", "invalid_Key");
      }
      if (this.refusesAddress) throw new PaystackRefusal(403, "Your IP address is not allowed.");
      return route.run(asked, route.path.exec(asked.path)?.[1] ?? "");
    } catch (error) {
      if (error instanceof PaystackRefusal) return refusalReply(error);
      throw error;
    }
  }

  #initialize(asked: Asked): Reply {
    const known = [
      "email",
      "amount",
      "currency",
      "reference",
      "callback_url",
      "channels",
      "metadata",
    ];
    const given = bodyOf(asked, known);
    const sale = this.#newSale(saleOf(given));
    checkChannels(given);
    const accessCode = `ac${this.account.newId()}`;
    const page = { accessCode, callbackUrl: textOf(given, "callback_url") };
    const transaction = this.#transaction(sale, { page, metadata: given["metadata"] });
    this.account.transactions.set(sale.reference, transaction);
    return done("Authorization URL created", {
      authorization_url: `${this.server.url}/pay/${accessCode}`,
      access_code: accessCode,
      reference: sale.reference,
    });
  }

  #charge(asked: Asked): Reply {
    const known = ["email", "amount", "currency", "reference", "mobile_money", "metadata"];
    const given = bodyOf(asked, known);
    const sale = this.#newSale(saleOf(given));
    const { phone, provider } = phoneOf(given, sale.currency);
    const told = { page: null, metadata: given["metadata"], provider, phone };
    const transaction = this.#transaction(sale, told);
    this.#phones.set(transaction, phone);
    this.account.charge(transaction, phone);
    return done("Charge attempted", chargeOf(this.account, transaction));
  }

  #submitOtp(asked: Asked): Reply {
    const given = bodyOf(asked, ["otp", "reference"]);
    const transaction = this.#get(textOf(given, "reference"));
    if (transaction.state.kind !== "send_otp") throw invalid("The charge does not wait for a code");
    const phone = this.#phones.get(transaction) ?? "";
    this.account.submitOtp(transaction, phone, textOf(given, "otp"));
    return done("Charge attempted", chargeOf(this.account, transaction));
  }

  #verify(reference: string): Reply {
    const transaction = this.#get(reference);
    return done("Verification successful", transactionOf(this.account, transaction));
  }

  #refund(asked: Asked): Reply {
    const known = ["transaction", "amount", "currency", "merchant_note", "customer_note"];
    const given = bodyOf(asked, known);
    const transaction = this.#get(textOf(given, "transaction"));
    const amount = amountOf(given);
    if (given["currency"] !== transaction.currency) throw invalid("Another currency");
    if (transaction.state.kind !== "success") throw invalid("Transaction has not been paid");
    if (amount > this.account.books.refundableMinor(transaction.id)) {
      throw invalid("Refund amount cannot be more than the transaction amount");
    }
    const refund = this.account.refund(transaction, amount, textOf(given, "merchant_note"));
    return done("Refund has been queued for processing", refundOf(this.account, refund, false));
  }

  #balance(): object {
    return { currency: "GHS", balance: this.account.books.balanceMinor("GHS") };
  }

  #newSale(sale: Sale): Sale {
    if (!this.account.transactions.has(sale.reference)) return sale;
    throw invalid("Duplicate Transaction Reference", "duplicate_reference");
  }

  #transaction(
    { amount: requested, ...sale }: Sale,
    told: Pick<Transaction, "page" | "metadata"> & Partial<Transaction>,
  ): Transaction {
    const state = { kind: "abandoned" } as const;
    const id = this.account.newId();
    const empty = { phone: null, provider: null, payer: null, state, tries: 0, isReversed: false };
    const createdAt = this.account.now();
    return { ...sale, requested, amount: requested, id, createdAt, ...empty, ...told };
  }

  #get(reference: string): Transaction {
    const transaction = this.account.transactions.get(reference);
    if (transaction !== undefined) return transaction;
    throw new PaystackRefusal(404, "Transaction reference not found", "transaction_not_found");
  }

  #told(subject: Transaction | Refund | Dispute): object {
    if ("resolution" in subject) return disputeOf(this.account, subject);
    return "transaction" in subject
      ? refundNoticeOf(this.account, subject)
      : transactionOf(this.account, subject);
  }

  /** A phone whose answer is lost, as the table of magic values says. */
  #planFate({ name }: Route, { body }: Asked): void {
    if (name !== "/charge") return;
    const { fate } = payerOfPhone(phoneIn(body), this.account.now());
    if (fate === "lost_before") this.#lose("before");
    if (fate === "lost_after") this.#lose("after");
  }

  #lose(moment: "before" | "after"): void {
    this.faults.plan({ moment, fault: { kind: "reset" } }, { call: "POST /charge" });
  }

  #route(method: Route["method"], name: string, run: Route["run"]): Route {
    const path = new RegExp(`^${name.replace("{id}", "([^/]+)")}$`);
    return { method, path, name, run };
  }
}

/**
 * A face that listens.
 *
 * @internal Exported for tests.
 */
export async function openPaystackFace(terms: FaceTerms = {}): Promise<PaystackFace> {
  const face = new PaystackFace(terms);
  await face.server.up();
  return face;
}

/** The phone of a charge in Ghana, whose numbers the table has; none where the body has none. */
function phoneIn(body: string): string {
  const digits = /"phone":"0(\d{9})"/.exec(body)?.[1];
  return digits === undefined ? "" : `+233${digits}`;
}
