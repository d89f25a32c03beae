// The layout of src: which folders there are, from left to right, and who may import whom. A folder may
// import itself and what stands to its left, unless it is said to stand apart.

import { dirname, join } from "node:path";

import { importedModules } from "./source-text.ts";

/** From left to right. */
const folders = [
  "kernel",
  "platform/process",
  "platform/log",
  "platform/net",
  "platform/push",
  "platform/files",
  "platform/vault",
  "platform/database",
  "platform/event-log",
  "platform/scheduler",
  "platform/html",
  "platform/http",
  "platform/operator",
  "platform/backup",
  "platform/data-directory",
  "platform/transfer",
  "platform/acme",
  "platform/config",
  "shop",
  "customers",
  "catalog",
  "pricing",
  "sales",
  "payments",
  "books",
  "privacy",
  "pay-page",
  "emails",
  "messaging",
  "accounts",
  "analytics",
  "waiting",
  "alerts",
  "checks",
  "sandbox",
  "sheets",
  "imports",
  "dashboard",
  "storefront",
  "client",
  "guides",
  "mocks",
  "cli",
] as const;

type Folder = (typeof folders)[number];

const nouns: readonly Folder[] = ["customers", "catalog", "pricing", "sales", "payments"];
const people: readonly Folder[] = ["privacy", "pay-page", "emails", "accounts"];
/** The parts of the machinery that only the server and the command line join. */
const edges: readonly Folder[] = [
  "platform/operator",
  "platform/backup",
  "platform/data-directory",
  "platform/transfer",
  "platform/acme",
  "platform/config",
];

/** What a folder does not import although it stands to the left. */
const apart: Partial<Record<Folder, readonly Folder[]>> = {
  shop: edges,
  customers: edges,
  catalog: edges,
  pricing: edges,
  sales: edges,
  payments: edges,
  privacy: [...edges, "pricing"],
  "pay-page": [...edges, "privacy"],
  emails: [...edges, "privacy"],
  // They read the log and import no noun.
  messaging: [...edges, ...nouns, ...people],
  accounts: [...edges, "privacy"],
  analytics: [...edges, ...nouns, ...people],
  // It asks the nouns, each of which knows what waits of its own.
  waiting: [...edges, "privacy", "pay-page", "accounts", "analytics"],
  alerts: [...edges, "privacy", "accounts"],
  // It looks at the machine, too.
  checks: ["privacy", "pay-page", "accounts", "analytics", "waiting"],
  sandbox: [...edges, "checks"],
  sheets: [
    ...edges,
    "privacy",
    "pay-page",
    "emails",
    "messaging",
    "analytics",
    "waiting",
    "checks",
    "sandbox",
  ],
  imports: [
    ...edges,
    "privacy",
    "emails",
    "messaging",
    "analytics",
    "waiting",
    "checks",
    "sandbox",
  ],
};

/** The files of src itself join everything but the commands; main.ts starts one of these. */
const joining: Readonly<Record<string, readonly string[]>> = {
  "src/main.ts": ["platform/backup", "platform/files", "cli"],
};

/**
 * The folders within a folder, from left to right: what stands left does not import what stands right. Files directly
 * in the folder are the words that its folders share, or join them.
 */
const siblings = {
  "platform/database": ["search", "postgres", "sqlite"],
  "platform/http": ["audience", "contract", "limits", "intake", "calls", "openapi", "server"],
  accounts: ["hook"],
  client: ["runtime"],
  emails: ["words", "content", "carts", "sending"],
  imports: ["tables", "customer-files", "product-files", "taking", "kept"],
  messaging: ["events", "webhooks"],
  dashboard: [
    "assets",
    "words",
    "kit",
    "sign-in",
    "files",
    "orders",
    "products",
    "stock",
    "customers",
    "money",
    "settings",
    "developers",
    "pages",
  ],
  "dashboard/kit": ["forms", "parts"],
  sales: [
    "rows",
    "links",
    "carts",
    "history",
    "orders",
    "placing",
    "changing",
    "recovery",
    "routes",
  ],
  payments: [
    "rows",
    "port",
    "gateways",
    "settling",
    "attempts",
    "refunds",
    "reconciliation",
    "payouts",
    "routes",
  ],
  "payments/gateways": ["answers", "http", "contract", "stripe", "paystack", "mpesa", "momo"],
  mocks: ["stripe", "paystack"],
  catalog: ["rows", "media", "inventory", "listing", "products", "collections", "facets", "routes"],
  pricing: ["calculation", "shipping", "discounts", "discount-uses", "quote"],
  cli: ["operator", "client", "imports", "exports", "sandbox", "install"],
  shop: [
    "audit",
    "keys",
    "connections",
    "entries",
    "store",
    "marks",
    "people",
    "taxes",
    "settings",
    "requests",
  ],
  analytics: ["projection", "summary"],
  sandbox: [
    "simulated-gateway",
    "inbox",
    "pictures",
    "seed",
    "clock",
    "scenarios",
    "trigger",
    "suite",
  ],
  "pay-page": ["words", "frame", "delivery", "order"],
  customers: ["consent", "sessions"],
} satisfies Partial<Record<Folder | `${Folder}/${string}`, readonly string[]>>;

/**
 * Nouns that are several folders: their statements, routes and schedules are one another's. The rows and the routes of a
 * group are of each of its nouns.
 */
const families = [
  "shop/people(?:/[a-z-]+)?",
  "shop/(?:audit|entries)",
  "shop/(?:store|settings)",
  "customers(?:/[a-z-]+)?",
  "accounts(?:/[a-z-]+)?",
  "sales/(?:rows|history|orders|placing|changing|recovery|routes)",
  "sales/(?:rows|carts|recovery|routes)",
  "catalog/(?:rows|inventory|routes)",
  "catalog/(?:rows|media|listing|products|collections|facets|routes)",
  "pricing/shipping(?:/[a-z-]+)?",
  "pricing/(?:discounts|discount-uses)",
  "payments/[a-z-]+",
  "messaging/webhooks/[a-z-]+",
  "analytics(?:/[a-z-]+)?",
  "emails(?:/[a-z-]+)?",
  "sandbox(?:/[a-z-]+)?",
  "imports(?:/[a-z-]+)?",
  "platform/.+",
].map((pattern) => new RegExp(`^${pattern}$`));

/** The packages that a folder may use, beside Node's own modules; the kernel uses neither. */
const libraries: Partial<Record<Folder, RegExp>> = {
  "platform/log": /^pino$/,
  "platform/net": /^(?:ipaddr\.js|libphonenumber-js\/min|nodemailer)$/,
  "platform/database": /^(?:drizzle-orm(?:\/.+)?|bun|bun:sqlite|any-ascii)$/,
  "platform/event-log": /^drizzle-orm$/,
  "platform/scheduler": /^(?:croner|drizzle-orm)$/,
  "platform/http": /^(?:elysia|@elysiajs\/swagger|typebox(?:\/.+)?|drizzle-orm)$/,
  "platform/operator": /^prom-client(?:\/lib\/\w+\.js)?$/,
  "platform/backup": /^(?:bun:sqlite|typebox(?:\/value)?)$/,
  "platform/data-directory": /^bun:(?:ffi|sqlite)$/,
  "platform/transfer": /^bun:sqlite$/,
  "platform/acme": /^drizzle-orm$/,
  shop: /^@simplewebauthn\/server(?:\/helpers)?$/,
  catalog: /^any-ascii$/,
  "pay-page": /^@fontsource(?:-variable)?\/[\w./-]+$/,
  dashboard: /^(?:d3-scale|@fontsource(?:-variable)?\/[\w./-]+)$/,
  imports: /^csv-parse$/,
  mocks: /^stripe$/,
  guides: /^@dagrejs\/dagre$/,
  cli: /^commander$/,
};
/** What a noun uses: each kind of file its own, as the rule about imports and kinds of file says. */
const NOUN_LIBRARIES = /^(?:drizzle-orm(?:\/.+)?|typebox)$/;

const FILES_PER_FOLDER_MAX = 20;

/** Imports of a file that point to the right, into another noun's own files, or to a foreign package. */
export function importsOutOfOrder(path: string, text: string): string[] {
  return importedModules(text).flatMap((module) => {
    const target = targetOf(path, module);
    const faults =
      target === null
        ? [packageFault(path, module)]
        : [orderFault(path, target), privacyFault(path, target)];
    return faults
      .filter((why) => why !== null)
      .map((why) => `${path} imports ${target ?? module}: ${why}`);
  });
}

function packageFault(path: string, module: string): string | null {
  const folder = folderOf(path);
  if (folder === "kernel") return "the kernel uses no package and no module of Node's";
  if (module.startsWith("node:")) return null;
  const isNoun = folder !== null && !folder.startsWith("platform/") && folder !== "cli";
  const isAllowed =
    (isNoun && NOUN_LIBRARIES.test(module)) ||
    (folder !== null && libraries[folder]?.test(module) === true);
  return isAllowed ? null : "this folder does not use that package";
}

function orderFault(path: string, target: string): string | null {
  const from = folderOf(path);
  const to = folderOf(target);
  if (from === null) return joiningFault(path, target);
  if (to === null) return from === "cli" ? null : "only commands import what joins all";
  if (from === to) return siblingFault(path, target);
  if (folders.indexOf(to) > folders.indexOf(from)) return `${to} stands to the right of ${from}`;
  return apart[from]?.includes(to) === true ? `${from} stands apart from ${to}` : null;
}

function siblingFault(path: string, target: string): string | null {
  for (const [group, order] of Object.entries(siblings)) {
    const [from, to] = [path, target].map((file) => order.indexOf(folderWithin(group, file)));
    if (from !== undefined && to !== undefined && from >= 0 && to > from) {
      return `${order[to]} stands to the right of ${order[from]}`;
    }
  }
  return null;
}

/** The folder directly within the group that has the file; nothing for a file of the group itself, or of another. */
function folderWithin(group: string, path: string): string {
  if (!path.startsWith(`src/${group}/`)) return "";
  const [name = "", ...rest] = path.slice(`src/${group}/`.length).split("/");
  return rest.length > 0 ? name : "";
}

function joiningFault(path: string, target: string): string | null {
  const inside = target.replace("src/", "");
  const allowed = joining[path];
  if (allowed !== undefined) {
    return allowed.some((folder) => inside.startsWith(`${folder}/`)) ? null : "it starts a command";
  }
  return inside.startsWith("cli/") ? "commands are started by main.ts alone" : null;
}

function privacyFault(path: string, target: string): string | null {
  const kind = /(?:^|[/-])(queries|routes|jobs|tables)\.ts$/.exec(target)?.[1];
  if (kind === undefined || isOneNoun(path, target)) return null;
  // They are what the server is joined of.
  if (folderOf(path) === null || target.startsWith("src/platform/")) return null;
  // Foreign keys, and what an archive shows of rows.
  if (kind === "tables" && /\/(?:tables|archive\/mask)\.ts$/.test(path)) return null;
  return `${kind} belong to their noun`;
}

function isOneNoun(path: string, target: string): boolean {
  const [one = "", other = ""] = [path, target].map((file) => dirname(file).replace("src/", ""));
  return one === other || families.some((family) => family.test(one) && family.test(other));
}

function folderOf(path: string): Folder | null {
  return folders.find((folder) => path.startsWith(`src/${folder}/`)) ?? null;
}

function targetOf(path: string, module: string): string | null {
  if (module.startsWith("#")) return `src/${module.slice(1)}`;
  return module.startsWith(".") ? join(dirname(path), module) : null;
}

/** Folders that do not fit a screen, of all paths of src. */
export function overfullFolders(paths: readonly string[]): string[] {
  const byFolder = Map.groupBy(paths, (path) => dirname(path));
  return [...byFolder]
    .filter(([, files]) => files.length > FILES_PER_FOLDER_MAX)
    .map(
      ([folder, files]) => `${folder} has ${files.length} files: at most ${FILES_PER_FOLDER_MAX}`,
    );
}

/** Folders within a group that have no place in its order. */
export function outsideTheOrder(paths: readonly string[]): string[] {
  return Object.entries(siblings).flatMap(([group, order]) => {
    const names = new Set(paths.map((path) => folderWithin(group, path)));
    return [...names]
      .filter((name) => name !== "" && !order.includes(name))
      .map((name) => `src/${group}/${name} has no place in the order of its siblings`);
  });
}

/** Files below src that stand in no folder of the layout. */
export function outsideTheLayout(paths: readonly string[]): string[] {
  const root = new Set([
    "main",
    "server",
    "serve-http",
    "interface",
    "open-routes",
    "open-shops",
    "open-acme",
    "open-gateways",
    "open-checks",
    "background",
    "nouns",
    "also-forget",
    "shop-gauges",
    "rebuild-search",
  ]);
  return paths.filter((path) => {
    const name = /^src\/([a-z-]+)\.ts$/.exec(path)?.[1];
    if (name !== undefined) return !root.has(name);
    return folderOf(path) === null;
  });
}
