// `duka gateways test`: runs the kit against an adapter in test mode, and receives its notices meanwhile. Needs no shop.

import { UsageFault } from "#cli/operator/settings.ts";
import { printable } from "#cli/operator/table.ts";
import { isCurrency } from "#kernel/currency.ts";
import { gatewayMethods } from "#kernel/payment-method.ts";
import {
  type AskPayer,
  firstTaken,
  type KitAttempt,
  type KitResult,
  runKit,
} from "#payments/gateways/contract/kit.ts";
import type { AdapterTerms } from "#payments/gateways/http/calls.ts";
import { describeAdapter } from "#payments/gateways/http/describe.ts";
import type { ArrivedNotice } from "#payments/port/notice.ts";
import { providers } from "#payments/rows/payment-life.ts";
import { isSecret } from "#platform/net/signature.ts";
import { isLoopbackHost, onlyPublic, plainHost } from "#platform/net/target-url.ts";
import { readGivenText } from "#platform/process/given-file.ts";
import { print } from "#platform/process/output.ts";

export interface TestOptions {
  readonly secretFile?: string;
  readonly attempt?: string;
  readonly person?: true;
  readonly restart?: string;
  readonly json?: true;
}

const HELD = 0;
const FAILED = 1;
const NOT_REACHED = 2;
const LEFT_OUT = 3;

/** Returns the exit code: 0 all held, 1 something failed, 2 not reached, 3 something was left out. */
export async function testAtTerminal(url: string, options: TestOptions): Promise<number> {
  const adapter = await readAdapter(url, options);
  const asked = options.attempt === undefined ? null : readAttempt(options.attempt);
  const described = await describeAdapter(adapter);
  if (described.kind === "refused") {
    process.stderr.write(`${url}: ${printable(described.said)}\n`);
    return described.pointer === null ? NOT_REACHED : FAILED;
  }
  const { description } = described;
  const first = asked ?? firstTaken(description);
  if (first === null) throw new UsageFault("The adapter takes nothing: give --attempt.");
  await using notices = isLoopbackHost(new URL(adapter.url).hostname) ? receiveNotices() : null;
  const { restart } = options;
  const results = await runKit(
    {
      adapter,
      description,
      asked: first,
      askPayer: options.person === true ? askPayer : null,
      notices,
      restart: restart === undefined ? null : () => run(restart),
    },
    options.json === true ? () => {} : printResult,
  );
  return conclude(results, options);
}

/** Prints what there is to print in the end, and returns the exit code. */
function conclude(results: readonly KitResult[], { json }: TestOptions): number {
  const count = (state: KitResult["state"]) => results.filter((one) => one.state === state).length;
  if (json === true) print(JSON.stringify(results, null, 2));
  else print(`${count("held")} held, ${count("failed")} failed, ${count("left_out")} left out`);
  if (count("failed") > 0) return FAILED;
  return count("left_out") > 0 ? LEFT_OUT : HELD;
}

async function readAdapter(text: string, { secretFile }: TestOptions): Promise<AdapterTerms> {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== "") {
    throw new UsageFault("The URL of an adapter begins with http:// or https:// and has no query.");
  }
  const { readSecrets } = await import("./read-secrets.ts");
  const given =
    secretFile === undefined
      ? await readSecrets(["Secret of the adapter"])
      : [readGivenText(secretFile).trim()];
  const [secret = ""] = given;
  if (!isSecret(secret)) {
    throw new UsageFault("The secret of an adapter is whsec_ and 24 to 64 bytes in base64.");
  }
  const reach = { ...onlyPublic, hosts: [plainHost(url.hostname)] };
  return { mode: "test", url: text.replace(/\/+$/, ""), secret, reach };
}

const ATTEMPT =
  /^(?<method>[a-z_]+):(?<currency>[A-Z]{3})(?::(?<provider>[a-z_]*))?(?::(?<phone>\+[1-9]\d{6,14}))?$/;

/** Such as `mobile_money:GHS:mtn:+233551234987`. Throws UsageFault. */
function readAttempt(text: string): KitAttempt {
  const given = ATTEMPT.exec(text)?.groups ?? {};
  const { currency = "", phone = null } = given;
  const method = gatewayMethods.find((one) => one === given["method"]);
  const provider = providers.find((one) => one === given["provider"]) ?? null;
  const isOther = provider === null && Boolean(given["provider"]);
  if (method === undefined || !isCurrency(currency) || isOther) {
    throw new UsageFault(
      "--attempt is a method, a currency, and where it has them a provider and a phone, such as " +
        `mobile_money:GHS:mtn:+233551234987, not "${text}".`,
    );
  }
  return { method, currency, provider, phone };
}

/** Takes every notice; rows of the kit check what proves it. */
function receiveNotices() {
  const all: ArrivedNotice[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      const bytes = new Uint8Array(await request.arrayBuffer());
      all.push({ bytes, headers: request.headers, token: null });
      return Response.json({});
    },
  });
  return {
    url: `${server.url.origin}/notices`,
    all,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

const askPayer: AskPayer = ({ answer, reference, url }) => {
  const act = answer === "approved" ? "Approve" : "Decline";
  const where = url === null ? "" : ` at ${printable(url)}`;
  process.stderr.write(`${act} the payment ${reference}${where} within five minutes.\n`);
};

async function run(command: string): Promise<void> {
  const child = Bun.spawn(["sh", "-c", command], { stdio: ["ignore", "ignore", "inherit"] });
  const code = await child.exited;
  if (code !== 0) throw new Error(`The command of --restart ended with ${code}.`);
}

const WORDS = { held: "ok   ", failed: "FAULT", left_out: "-    " } as const;

function printResult({ state, what, why }: KitResult): void {
  print(`${WORDS[state]}  ${what}`);
  for (const line of why?.split("\n") ?? []) print(`       ${printable(line)}`);
}
