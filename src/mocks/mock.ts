// `duka mock`: the face of a vendor as a server of its own, to which a shop is pointed. Magic phones and cards act by
// themselves; the other attempts are approved or declined at `/_mock`, by a person or a script. Invariant: it listens on
// loopback, and money moves in memory alone.

import { isObject } from "#kernel/assume.ts";
import { monotonicMs, SECOND_MS } from "#kernel/time.ts";

import type { Books } from "./books.ts";
import { type FaultEngine, numbersOf } from "./faults.ts";
import { mockPage, type OpenAttempt } from "./mock-page.ts";
import { type Asked, type Reply, VendorServer } from "./vendor-server.ts";

export type MockAnswer = "approved" | "declined";

/** The face of a vendor, as the server of `duka mock` needs it. */
export interface MockedVendor {
  readonly faults: FaultEngine;
  readonly books: Books;
  /** Does what is due after so many milliseconds. */
  tick(ms: number): void;
  open(): readonly OpenAttempt[];
  /** The payer of an open attempt answers. Returns false where there is none of this id. */
  answer(id: string, answer: MockAnswer): boolean;
  readonly notices: {
    readonly areWaiting: boolean;
    send(copies: number): Promise<unknown>;
    lose(): void;
  };
  /** The settings that point a Duka at it, where it listens at the URL. */
  settings(url: string): Readonly<Record<string, string>>;
}

export interface MockTerms {
  /** Makes the vendor anew, at the server. */
  readonly make: (server: VendorServer, noticesUrl: string) => MockedVendor;
  /** 0 has the system choose one. */
  readonly port: number;
  /** The address to which notices go. */
  readonly noticesUrl: string;
  readonly seed: number;
  /** The share of calls and notices that meet a fault, in percent. */
  readonly faultPercent: number;
}

export interface RunningMock extends AsyncDisposable {
  readonly url: string;
  /** The settings that point a Duka at it. */
  readonly settings: Readonly<Record<string, string>>;
}

const TICK_MS = 250;
const PAGE = "/_mock";
const page = { "content-type": "text/html; charset=utf-8" };
const json = { "content-type": "application/json" };

/** Starts the vendor. */
export async function serveMock(terms: MockTerms): Promise<RunningMock> {
  const mock = new Mock(terms);
  await mock.start();
  return mock;
}

class Mock implements RunningMock {
  readonly #terms: MockTerms;
  readonly #server: VendorServer;
  readonly #draw: (below: number) => number;
  #vendor: MockedVendor;
  #faultPercent: number;
  #timer: ReturnType<typeof setInterval> | null = null;
  #tickedAtMs = monotonicMs();
  #sending: Promise<unknown> | null = null;

  constructor(terms: MockTerms) {
    this.#terms = terms;
    this.#faultPercent = terms.faultPercent;
    this.#draw = numbersOf(terms.seed);
    this.#server = new VendorServer(
      () => Promise.reject(new Error("It has not started.")),
      terms.port,
    );
    this.#vendor = this.#make();
  }

  get url(): string {
    return this.#server.url;
  }

  get settings(): Readonly<Record<string, string>> {
    return this.#vendor.settings(this.url);
  }

  async start(): Promise<void> {
    await this.#server.up();
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#sending;
    await this.#server.down();
  }

  #make(): MockedVendor {
    const vendor = this.#terms.make(this.#server, this.#terms.noticesUrl);
    const { answer } = this.#server;
    this.#server.answer = async (asked) => {
      const isOwn = asked.path === PAGE || asked.path.startsWith(`${PAGE}/`);
      return isOwn ? { reply: this.#act(asked), travel: { kind: "whole" } } : answer(asked);
    };
    this.#scatter(vendor);
    return vendor;
  }

  #scatter({ faults }: MockedVendor): void {
    faults.end();
    const { seed } = this.#terms;
    if (this.#faultPercent > 0) faults.scatter({ seed, percent: this.#faultPercent });
  }

  #tick(): void {
    const now = monotonicMs();
    this.#vendor.tick(now - this.#tickedAtMs);
    this.#tickedAtMs = now;
    if (this.#sending !== null || !this.#vendor.notices.areWaiting) return;
    this.#sending = this.#sendNotices().finally(() => {
      this.#sending = null;
    });
  }

  /** Notices that meet a fault are lost, late or sent twice. */
  async #sendNotices(): Promise<void> {
    const { notices } = this.#vendor;
    const isStruck = this.#draw(100) < this.#faultPercent;
    const fate = isStruck ? this.#draw(3) : null;
    if (fate === 0) notices.lose();
    else if (fate !== 1) await notices.send(fate === 2 ? 2 : 1);
  }

  #act(asked: Asked): Reply {
    const given = asked.method === "POST" ? bodyOf(asked) : {};
    switch (`${asked.method} ${asked.path}`) {
      case `GET ${PAGE}`:
        return { status: 200, headers: page, body: mockPage(this.#vendor.open()) };
      case `GET ${PAGE}/books`:
        return answered(200, { entries: this.#vendor.books.entries });
      case `POST ${PAGE}/answer`:
        return this.#answer(asked, given);
      case `POST ${PAGE}/pass`:
        return this.#pass(given["seconds"]);
      case `POST ${PAGE}/faults`:
        return this.#setFaults(given["percent"]);
      case `POST ${PAGE}/reset`:
        this.#vendor = this.#make();
        return answered(200, {});
      default:
        return answered(404, { error: "There is no such address." });
    }
  }

  #answer({ headers }: Asked, { id, answer }: Given): Reply {
    if (answer !== "approved" && answer !== "declined") {
      return answered(400, { error: "answer is approved or declined." });
    }
    if (typeof id !== "string" || !this.#vendor.answer(id, answer)) {
      return answered(404, { error: "There is no open attempt of this id." });
    }
    const isForm = headers.get("content-type")?.startsWith(FORM) === true;
    return isForm ? { status: 303, headers: { location: PAGE }, body: "" } : answered(200, {});
  }

  #pass(seconds: unknown): Reply {
    const passed = Number(seconds);
    if (!Number.isSafeInteger(passed) || passed < 0 || passed > SECONDS_MAX) {
      return answered(400, { error: `seconds is a whole number of at most ${SECONDS_MAX}.` });
    }
    this.#vendor.tick(passed * SECOND_MS);
    return answered(200, {});
  }

  #setFaults(percent: unknown): Reply {
    const given = Number(percent);
    if (!Number.isSafeInteger(given) || given < 0 || given > 100) {
      return answered(400, { error: "percent is a whole number of at most 100." });
    }
    this.#faultPercent = given;
    this.#scatter(this.#vendor);
    return answered(200, {});
  }
}

/** A year. */
const SECONDS_MAX = 31_536_000;
const FORM = "application/x-www-form-urlencoded";

type Given = Readonly<Record<string, unknown>>;

/** The members of a form or of JSON; none of what is neither. */
function bodyOf({ headers, body }: Asked): Given {
  if (headers.get("content-type")?.startsWith(FORM) === true) {
    return Object.fromEntries(new URLSearchParams(body));
  }
  try {
    const given: unknown = JSON.parse(body);
    return isObject(given) ? given : {};
  } catch {
    return {};
  }
}

function answered(status: number, body: object): Reply {
  return { status, headers: json, body: JSON.stringify(body) };
}
