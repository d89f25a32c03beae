// `duka mock`: a vendor of gateways on this machine, to develop and test against. It needs no shop and no account.

import { catchStopSignal } from "#cli/client/stop-signal.ts";
import { UsageFault } from "#cli/operator/settings.ts";
import { serveMock } from "#mocks/mock.ts";
import { print } from "#platform/process/output.ts";

export type MockVendor = "stripe" | "paystack";

export interface MockOptions {
  readonly port: string;
  readonly notices?: string;
  readonly seed: string;
  readonly faults: string;
}

/** Runs the vendor until a signal stops it. */
export async function mockAtTerminal(vendor: MockVendor, options: MockOptions): Promise<void> {
  using stop = catchStopSignal();
  await using mock = await serveMock({
    make: await makerOf(vendor),
    port: readWhole(options.port, "--port", 65_535),
    noticesUrl: readUrl(options.notices ?? `http://127.0.0.1:4000/hooks/test/${vendor}`),
    seed: readWhole(options.seed, "--seed", Number.MAX_SAFE_INTEGER),
    faultPercent: readWhole(options.faults, "--faults", 100),
  });
  print(`${vendor} answers at ${mock.url}. Approve and decline at ${mock.url}/_mock`);
  for (const [name, value] of Object.entries(mock.settings)) print(`${name}=${value}`);
  await new Promise<void>((resolve) =>
    stop.signal.addEventListener("abort", () => resolve(), { once: true }),
  );
}

/** A vendor is loaded by its command alone. */
async function makerOf(vendor: MockVendor) {
  if (vendor === "stripe") return (await import("#mocks/stripe/mock-stripe.ts")).mockStripe;
  return (await import("#mocks/paystack/mock-paystack.ts")).mockPaystack;
}

function readWhole(text: string, option: string, most: number): number {
  const given = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (given <= most) return given;
  throw new UsageFault(`${option} is a whole number of at most ${most}, not "${text}".`);
}

function readUrl(text: string): string {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol)) return url.href;
  throw new UsageFault(`--notices is a URL that begins with http:// or https://, not "${text}".`);
}
