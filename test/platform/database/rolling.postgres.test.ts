// Programs of two versions serve one shop while each is replaced.

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";

import { expanding, type LaterProgram, openLaterProgram } from "../../support/later-program.ts";
import { startPostgres } from "../../support/postgres-server.ts";
import {
  type DukaTerms,
  openRunningDuka,
  program,
  runDuka,
  type RunningDuka,
} from "../../support/running-duka.ts";
import { runs } from "../../support/runs.ts";
import { openScratchFolder } from "../../support/scratch.ts";

setDefaultTimeout(240_000);

/** With RUNS=10, two thousand. */
const SALES = runs(200);
const AT_ONCE = 4;

let later: LaterProgram;
let contracted: LaterProgram;
const opened = new AsyncDisposableStack();

beforeAll(() => {
  later = opened.use(openLaterProgram(expanding));
  contracted = opened.use(openLaterProgram(expanding, '-- contract\nDROP TABLE "parcels";\n'));
});
afterAll(() => opened.disposeAsync());

/** Two machines on one empty PostgreSQL. */
async function openMachines() {
  await using stack = new AsyncDisposableStack();
  const server = stack.use(await startPostgres());
  const settings = {
    DUKA_DATABASE_URL: server.url("duka"),
    DUKA_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
    DUKA_DATABASE_CONNECTIONS: "16",
  };
  const termsOf = (): DukaTerms => ({
    folder: stack.use(openScratchFolder()).path,
    settings,
    isFromNothing: true,
  });
  const [one, other] = [termsOf(), termsOf()];
  const kept = stack.move();
  return { one, other, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/** The programs that serve, as a load balancer knows them. */
class Balancer {
  readonly key: string;
  readonly #up: RunningDuka[];
  readonly #asked = new Map<RunningDuka, Set<Promise<Response>>>();
  #turn = 0;

  constructor(first: RunningDuka) {
    this.key = first.key;
    this.#up = [first];
  }

  add(duka: RunningDuka): void {
    this.#up.push(duka);
  }

  /** Takes a program out, waits for what it was asked, and stops it. */
  async remove(duka: RunningDuka): Promise<void> {
    this.#up.splice(this.#up.indexOf(duka), 1);
    await Promise.all(this.#asked.get(duka) ?? new Set<Promise<Response>>());
    const { code } = await duka.end("SIGTERM");
    expect(code).toBe(0);
  }

  async post(path: string, body: unknown): Promise<{ status: number; answer: unknown }> {
    this.#turn += 1;
    const duka = this.#up[this.#turn % this.#up.length];
    if (duka === undefined) throw new Error("No program serves.");
    const asked = this.#asked.get(duka) ?? new Set();
    this.#asked.set(duka, asked);
    const sent = duka.request("POST", path, { key: this.key, body });
    asked.add(sent);
    const response = await sent;
    asked.delete(sent);
    return { status: response.status, answer: await response.json() };
  }
}

describe("programs with a migration that only adds take the place of those without it", () => {
  test("while sales go on, and none is refused", async () => {
    await using machines = await openMachines();
    const first = await openRunningDuka(machines.one);
    const balancer = new Balancer(first);
    const product = { name: "Mug", price: 12.5, stock: 100_000 };
    const { answer } = await balancer.post("/v2/products", product);
    const variant = /"(var_\w+)"/.exec(JSON.stringify(answer))?.[1];
    const order = {
      line_items: [{ variant_id: variant, quantity: 1 }],
      payment_method: "cash_on_delivery",
      customer: { email: "amina@shop.test" },
    };
    const second = await openRunningDuka(machines.other);
    balancer.add(second);
    const statuses: number[] = [];
    const replacing = new AbortController();
    const sell = async () => {
      while (!replacing.signal.aborted || statuses.length < SALES) {
        statuses.push((await balancer.post("/v2/orders", order)).status);
      }
    };
    const selling = Array.from({ length: AT_ONCE }, sell);

    await balancer.remove(first);
    const replaced = await openRunningDuka({ ...machines.one, program: later.program });
    balancer.add(replaced);
    const besides = await runDuka(["check"], machines.other);
    await balancer.remove(second);
    const last = await openRunningDuka({ ...machines.other, program: later.program });
    balancer.add(last);
    replacing.abort();
    await Promise.all(selling);

    expect(statuses.filter((status) => status !== 201)).toEqual([]);
    expect(statuses.length).toBeGreaterThanOrEqual(SALES);
    expect(besides).toMatchObject({ code: 0, stderr: "" });
    for (const command of [program, later.program]) {
      const { code, stdout } = await runDuka(["check"], { ...machines.one, program: command });
      expect({ code, stdout }).toMatchObject({ code: 0 });
    }
    await replaced.end("SIGTERM");
    await last.end("SIGTERM");
  });

  test("and one without it may still start beside it, but changes nothing that takes all tables", async () => {
    await using machines = await openMachines();
    const { key } = await openOnce(machines.one, program);
    const plan = await runDuka(["upgrade", "--check"], { ...machines.one, program: later.program });
    await openOnce(machines.one, later.program);
    await using earlier = await openRunningDuka(machines.other);
    const amina = { key, body: { email: "amina@shop.test" } };
    const customer = await (await earlier.request("POST", "/v2/customers", amina)).text();
    const id = /cus_\w+/.exec(customer)?.[0];

    const refused = await Promise.all([
      earlier.request("POST", `/v2/customers/${id}/erase`, { key }),
      earlier.request("DELETE", `/v2/customers/${id}`, { key }),
      earlier.request("POST", "/v2/test/reset", { key }),
    ]);
    const codes = await Promise.all(refused.map(async (one) => [one.status, await codeIn(one)]));
    await earlier.end("SIGTERM");
    const rotated = await runDuka(["secrets", "rotate"], twoKeys(machines.other));

    expect(plan.stdout).toContain("Programs may be replaced one after the other.");
    expect(codes).toEqual(Array.from({ length: 3 }, () => [503, "newer_schema"]));
    expect(rotated).toMatchObject({ code: 1, stderr: expect.stringContaining("A newer Duka") });
    await using newer = await openRunningDuka({ ...machines.one, program: later.program });
    expect((await newer.request("POST", `/v2/customers/${id}/erase`, { key })).status).toBe(200);
  });
});

describe("once a program with a migration that changes served the shop, one without it", () => {
  test("ends what it was asked and exits, and does not start again", async () => {
    await using machines = await openMachines();
    await using earlier = await openRunningDuka(machines.one);
    const newer = { ...machines.other, program: contracted.program };
    const plan = await runDuka(["upgrade", "--check"], newer);
    await openOnce(machines.other, contracted.program);

    const { code, log } = await earlier.ended();
    const before = await runDuka(["check"], newer);
    const again = await runDuka(["serve"], machines.one);
    const after = await runDuka(["check"], newer);

    expect(plan.stdout).toContain("Stop all programs of before first");
    expect(code).toBe(1);
    expect(log).toContain("The database was changed so that this program cannot work with it.");
    expect(again.code).toBe(1);
    expect(again.stderr).toContain("run that version, or restore a backup");
    expect([before.code, after.code]).toEqual([0, 0]);
  });
});

/** Starts a program and stops it. */
async function openOnce(machine: DukaTerms, command: readonly string[]): Promise<{ key: string }> {
  await using duka = await openRunningDuka({ ...machine, program: command });
  const { firstKey } = duka;
  await duka.end("SIGTERM");
  return { key: firstKey ?? "" };
}

async function codeIn(response: Response): Promise<unknown> {
  return /"code":"(\w+)"/.exec(await response.text())?.[1];
}

/** The machine with a new key before the former one. */
function twoKeys(machine: DukaTerms): DukaTerms {
  const { DUKA_SECRET_KEY: former = "" } = machine.settings ?? {};
  const keys = `${Buffer.alloc(32, 8).toString("base64")},${former}`;
  return { ...machine, settings: { ...machine.settings, DUKA_SECRET_KEY: keys } };
}
