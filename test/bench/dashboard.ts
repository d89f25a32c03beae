// The pages of the dashboard in a large shop, against their budgets: what the server takes for each, what a phone on
// a slow network sees when, and what the pages and their files weigh.

import { openBrowser } from "../support/browser.ts";
import { takeShop } from "./built-shop.ts";
import { type Duka, runDuka, startDuka } from "./programs.ts";
import { ask, median, quantile } from "./shop.ts";
import { type Network, type Seen, seePage } from "./slow-phone.ts";

/** Orders of the shop unless another number is asked for. */
export const ORDERS = 1_000_000;
const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 3);
/** Each page is asked for so often, by a person of its own: a person may ask 600 times in a minute. */
const SAMPLES = 50;
const WARM_UPS = 5;
/** Sales of today, so that the first page has something to tell. */
const SALES_TODAY = 40;
const SERVER_MS_MAX = 10;
const TITLE_CELLS = 30;
const CELLS = 14;
const PASSWORD = "seven mugs on a quiet shelf";

const networks: readonly (Network & {
  readonly coldMsMax?: number;
  readonly warmMsMax?: number;
})[] = [
  { name: "400 kbit/s, 400 ms", kilobits: 400, latencyMs: 400, coldMsMax: 1_800, warmMsMax: 900 },
  { name: "1.6 Mbit/s, 150 ms", kilobits: 1_600, latencyMs: 150 },
];
const REQUESTS_MAX = { cold: 5, warm: 1 };
/** Bytes in gzip, and of all fonts. */
const WEIGHTS_MAX = { html: 6_144, css: 8_192, js: 3_072, woff2: 35_000 } as const;

interface MeasuredPage {
  readonly name: string;
  readonly path: string;
  /** What is looked for on a phone; null for a page that the server alone is measured with. */
  readonly rows: string | null;
}

/** A page seen with an empty browser, and again. */
interface VisitsOfPage {
  readonly cold: Seen;
  readonly warm: Seen;
}

/** A person who is signed in, as the value of the `Cookie` header. */
type Cookie = string;

/** Measures the dashboard of a shop of so many orders, and prints each figure beside its budget. */
export async function measureDashboard(
  scratch: string,
  terms: { readonly orders: number; readonly rebuild: boolean },
): Promise<void> {
  const { folder, key } = await takeShop(scratch, terms);
  const duka = await startDuka(folder, key);
  const pages = await pagesOf(duka);
  const people = new People(duka, folder);
  console.log(
    `The dashboard of a shop of ${terms.orders.toLocaleString("en")} orders; budgets in brackets.\n` +
      `\n${"Server, ms".padEnd(TITLE_CELLS)}${["p50", "p95", "CPU"].map(cell).join("")}`,
  );
  for (const page of pages) await measureServer(duka, page, await people.join(page.name));
  await weigh(duka, pages, await people.join("Weights"));
  await using opened = await openBrowser();
  for (const network of networks) {
    const cookie = await people.join(network.name);
    const columns = ["rows, ms", "requests", "kB", "warm: rows", "requests", "kB"];
    console.log(`\n${network.name}`.padEnd(TITLE_CELLS) + columns.map(cell).join(""));
    for (const page of pages.filter(({ rows }) => rows !== null)) {
      const seen: VisitsOfPage[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const visit = { url: urlOf(duka, page), cookie, rows: page.rows ?? "", network };
        seen.push(await seePage(opened.browser, visit));
      }
      tell(page, seen, network);
    }
  }
  await duka.stop();
}

/** Signs in people of the shop: the owner by the first link, then others by invitation. */
class People {
  readonly #duka: Duka;
  readonly #folder: string;
  #count = 0;

  constructor(duka: Duka, folder: string) {
    this.#duka = duka;
    this.#folder = folder;
  }

  async join(name: string): Promise<Cookie> {
    const how = this.#count === 0 ? ["people", "link"] : ["people", "invite", "owner"];
    this.#count += 1;
    const printed = await runDuka(this.#folder, how);
    const path = /\/dashboard\/door\/\w+/.exec(printed)?.[0];
    if (path === undefined) throw new Error(`No link in ${printed}`);
    const response = await fetch(`${rootUrl(this.#duka)}${path}`, {
      method: "POST",
      redirect: "manual",
      headers: { "Sec-Fetch-Site": "same-origin" },
      body: new URLSearchParams({ "/name": name, "/password": PASSWORD }),
    });
    if (response.status !== 303) throw new Error(`${name} cannot sign in: ${response.status}`);
    return response.headers
      .getSetCookie()
      .map((set) => set.split(";")[0])
      .join("; ");
  }
}

/** The pages, with the newest things of the shop in place of parameters, and sales of today. */
async function pagesOf(duka: Duka): Promise<readonly MeasuredPage[]> {
  // The goods of the year may be sold out.
  const goods = { name: "Door mat", price: 12.5, stock: SALES_TODAY };
  const variant = /var_\w+/.exec(await ask(duka, ["POST", "/v2/products"], goods))?.[0];
  for (let sale = 0; sale < SALES_TODAY; sale += 1) {
    await ask(duka, ["POST", "/v2/orders"], {
      line_items: [{ variant_id: variant, quantity: 1 }],
      channel: "pos",
      paid: { method: "cash" },
      fulfilled: sale % 2 === 0,
    });
  }
  const order = /ord_\w+/.exec(await ask(duka, ["GET", "/v2/orders?limit=1&channel=phone"]))?.[0];
  const more = (name: string, path: string) => ({ name, path, rows: null });
  return [
    { name: "Home", path: "", rows: ".takings .sum" },
    { name: "Orders", path: "/orders", rows: ".orders .row" },
    more("Orders, not paid", "/orders?show=unpaid"),
    more("Orders, all", "/orders?show=all"),
    more("Orders, paid and not sent", "/orders?show=all&payment=paid&sending=unfulfilled"),
    more("Orders, of a day", "/orders?show=all&from=2026-01-31&to=2026-01-31"),
    more("Orders, by name", "/orders?q=ada+mensah"),
    more("Orders, by item", "/orders?q=indigo+mug"),
    { name: "Order", path: `/orders/${order}`, rows: "#order .bill" },
    { name: "Products", path: "/products", rows: ".goods .row" },
    more("Products, by name", "/products?q=blue+mug"),
    { name: "Stock", path: "/stock", rows: ".stock .row" },
    more("Stock, low", "/stock?show=low"),
    more("Stock, by name", "/stock?q=blue+mug"),
    more("Carts", "/carts"),
    more("Refunds", "/refunds"),
    more("Search", "/search?q=blue+mug"),
    more("Cash up", "/cash-up"),
  ];
}

/** How long the server takes, one request after the other, and how long it works, which a busy machine changes less. */
async function measureServer(duka: Duka, page: MeasuredPage, cookie: Cookie): Promise<void> {
  for (let sample = 0; sample < WARM_UPS; sample += 1) await fetchPage(duka, page, cookie);
  const times: number[] = [];
  const cpuSeconds = duka.cpuSeconds();
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const from = performance.now();
    await fetchPage(duka, page, cookie);
    times.push(performance.now() - from);
  }
  const cpuMs = ((duka.cpuSeconds() - cpuSeconds) * 1_000) / SAMPLES;
  const p95 = quantile(times, 0.95);
  line(page.name, [
    { figure: median(times), digits: 1 },
    { figure: p95, digits: 1, most: SERVER_MS_MAX },
    { figure: cpuMs, digits: 1 },
  ]);
}

async function weigh(duka: Duka, pages: readonly MeasuredPage[], cookie: Cookie): Promise<void> {
  console.log("\nBytes, in gzip");
  let files: readonly string[] = [];
  for (const page of pages.filter(({ rows }) => rows !== null)) {
    const html = await fetchPage(duka, page, cookie);
    line(page.name, [{ figure: Bun.gzipSync(html).length, most: WEIGHTS_MAX.html }]);
    files = html.match(/\/dashboard\/assets\/[\w.]+/g) ?? [];
  }
  const texts = await Promise.all(
    files.map(async (file) => [file, await (await fetch(rootUrl(duka) + file)).text()] as const),
  );
  for (const ending of ["css", "js"] as const) {
    const text = texts.find(([file]) => file.endsWith(ending))?.[1] ?? "";
    line(ending, [{ figure: Bun.gzipSync(text).length, most: WEIGHTS_MAX[ending] }]);
    if (ending === "css") await weighFonts(duka, text);
  }
}

async function weighFonts(duka: Duka, style: string): Promise<void> {
  let bytes = 0;
  for (const [font] of style.matchAll(/\/dashboard\/assets\/[\w.]+woff2/g)) {
    bytes += (await (await fetch(rootUrl(duka) + font)).arrayBuffer()).byteLength;
  }
  line("fonts", [{ figure: bytes, most: WEIGHTS_MAX.woff2 }]);
}

async function fetchPage(duka: Duka, page: MeasuredPage, cookie: Cookie): Promise<string> {
  const response = await fetch(urlOf(duka, page), { headers: { Cookie: cookie } });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${page.name} answers ${response.status}`);
  return text;
}

function tell(
  { name }: MeasuredPage,
  seen: readonly VisitsOfPage[],
  { coldMsMax, warmMsMax }: (typeof networks)[number],
): void {
  const middle = (at: "cold" | "warm", of: keyof Seen) => median(seen.map((one) => one[at][of]));
  line(name, [
    { figure: middle("cold", "rowsMs"), most: coldMsMax },
    { figure: middle("cold", "requests"), most: REQUESTS_MAX.cold },
    { figure: middle("cold", "bytes") / 1_000, digits: 1 },
    { figure: middle("warm", "rowsMs"), most: warmMsMax },
    { figure: middle("warm", "requests"), most: REQUESTS_MAX.warm },
    { figure: middle("warm", "bytes") / 1_000, digits: 1 },
  ]);
}

interface Told {
  readonly figure: number;
  readonly digits?: number;
  /** The budget. */
  readonly most?: number | undefined;
}

/** A figure with its budget: `4.2 (10)`. */
function line(title: string, figures: readonly Told[]): void {
  const cells = figures.map(({ figure, digits = 0, most }) => {
    const budget = most === undefined ? "" : ` (${most})`;
    return cell(`${figure.toFixed(digits)}${budget}`);
  });
  const isOver = figures.some(({ figure, most = Number.POSITIVE_INFINITY }) => figure > most);
  console.log(`${title.padEnd(TITLE_CELLS)}${cells.join("")}${isOver ? "  TOO MUCH" : ""}`);
}

function cell(text: string): string {
  return text.padStart(CELLS);
}

function rootUrl({ port }: Duka): string {
  return `http://127.0.0.1:${port}`;
}

function urlOf(duka: Duka, { path }: MeasuredPage): string {
  return `${rootUrl(duka)}/dashboard/test${path}`;
}
