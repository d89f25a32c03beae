// Opens a sandbox: a server of a test shop in a directory of its own, with its keys, its owner and a link that lets
// them in. Invariant: what a new sandbox has made is gone with it, unless it is kept.

import { rmSync } from "node:fs";

import { operatorCommands, serverCommands } from "#cli/operator-commands.ts";
import { textMember } from "#cli/operator/members.ts";
import { explainListening } from "#cli/operator/serve.ts";
import { type SettingOptions, UsageFault } from "#cli/operator/settings.ts";
import type { CommandUsage } from "#guides/fill-guide.ts";
import { base62, numberOf, randomBytes } from "#kernel/random.ts";
import { toIso } from "#kernel/time.ts";
import type { Shops } from "#open-shops.ts";
import { type Config, parseConfig } from "#platform/config/config.ts";
import { DataDirectoryInUse } from "#platform/data-directory/data-directory.ts";
import type { Tx } from "#platform/database/database.ts";
import { engine } from "#platform/database/engine.ts";
import { replaceText } from "#platform/database/sqlite/replace-text.ts";
import { openLog } from "#platform/log/log.ts";
import type { Commands } from "#platform/operator/serve-administration.ts";
import {
  ConfigFaults,
  type Environment,
  readEnvironment,
  readEnvironmentFile,
} from "#platform/process/environment.ts";
import { ownRuntime, runtimeFaults } from "#platform/process/runtime-faults.ts";
import { restoreState, saveState } from "#sandbox/saved-state.ts";
import { scenarios } from "#sandbox/scenarios/scenarios.ts";
import { seedSmall } from "#sandbox/seed/seed-shop.ts";
import { type Duka, type ServerTerms, startDuka } from "#server.ts";
import { createKey } from "#shop/keys/create-key.ts";
import { addressOfLink } from "#shop/people/credentials/link.ts";
import { newToken } from "#shop/people/credentials/token.ts";
import { installOwner } from "#shop/people/remove-person.ts";

import {
  openSandboxFolder,
  remember,
  type SandboxFolder,
  type SandboxMemory,
  snapshotsOf,
} from "./sandbox-folder.ts";
import type { SandboxWish } from "./sandbox-options.ts";
import { copyTemplate, TEMPLATE_URL } from "./templates.ts";

// The link of a sandbox: its token lets one person in, once. It is kept in memory alone.

class Entrance {
  readonly token = newToken();
  #personId: string | null = null;

  /** From now on the token lets the person in. */
  admit(personId: string): void {
    this.#personId = personId;
  }

  /** The person whom the token lets in; null for another token, and the second time. */
  take(token: string): string | null {
    if (token !== this.token) return null;
    const personId = this.#personId;
    this.#personId = null;
    return personId;
  }
}

// The settings of a sandbox. Those that say where a shop is do not come from the environment: a sandbox never opens
// the shop of the settings, and never listens where others can reach it.

/** The settings that a sandbox takes from the environment, and the values that it has otherwise. */
const taken: Readonly<Record<string, string>> = {
  DUKA_CORS_ORIGINS: "http://localhost:*",
  DUKA_LOG_FORMAT: "",
  DUKA_LOG_LEVEL: "warn",
  // A suite asks more in a minute than a shop's programs.
  DUKA_RATE_LIMIT_PER_MINUTE: "0",
  DUKA_RETURN_HOSTS: "",
  DUKA_TEST_WEBHOOK_HOSTS: "",
};

/** Requests in flight end sooner in a test suite. */
const SHUTDOWN_SECONDS = "2";

/** Reads the environment and the file of the option. Throws ConfigFaults for what Bun has read for itself. */
export function readSandboxEnvironment({ envFile }: SettingOptions): Environment {
  const variables = readEnvironment();
  const faults = runtimeFaults(ownRuntime(variables));
  if (faults.length > 0) throw new ConfigFaults(faults);
  return { ...(envFile === undefined ? {} : readEnvironmentFile(envFile)), ...variables };
}

/** Throws ConfigFaults for a setting that is not valid, and UsageFault where the settings name a PostgreSQL server. */
function sandboxConfig(
  environment: Environment,
  { directory, port }: { readonly directory: string; readonly port: string | null },
): Config {
  if (engine !== "sqlite") {
    throw new UsageFault("A sandbox keeps its shop in files: run it without DUKA_DATABASE_URL.");
  }
  const settings = Object.fromEntries(
    Object.entries(taken).map(([name, usual]) => [name, environment[name] ?? usual]),
  );
  const config = parseConfig({
    ...settings,
    DUKA_DATA_DIR: directory,
    DUKA_PORT: port ?? "0",
    DUKA_SHUTDOWN_SECONDS: SHUTDOWN_SECONDS,
  });
  return { ...config, modes: ["test"] };
}

const OWNER = "Owner";
const PASSWORD_BYTES = 15;
const PASSWORD_LENGTH = 20;
/** A random password needs no slow hash, for which a start would wait. The first sign-in by it makes the usual one. */
const QUICK = { algorithm: "argon2id", memoryCost: 8, timeCost: 1 } as const;

interface SandboxTerms {
  readonly wish: SandboxWish;
  /** The settings that were given, of which a sandbox takes some. */
  readonly environment: Environment;
  /** The user's cache directory. */
  readonly cache: string;
  readonly commandUsages: readonly CommandUsage[];
  /** The directory that was opened for it; null to open the one of the wish. */
  readonly into?: string | null;
  /** Ends the sandbox when the command line says so. */
  readonly onStop?: () => void;
}

/** A running sandbox. */
export interface Sandbox {
  readonly duka: Duka;
  readonly directory: string;
  readonly memory: SandboxMemory;
  readonly isKept: boolean;
  /** Opens the dashboard of the test shop without a password, once. */
  readonly dashboard: string;
  readonly owner: { readonly name: string; readonly password: string };
  /** Stops the server, and deletes its directory unless it is kept. */
  close(): Promise<void>;
}

type Opened = Omit<Sandbox, "close" | "isKept" | "directory">;

/** Throws UsageFault, ConfigFaults, CannotListen and DataDirectoryInUse, and leaves nothing then. */
export async function openSandbox(terms: SandboxTerms): Promise<Sandbox> {
  const folder = openSandboxFolder({ keep: terms.wish.keep, into: terms.into ?? null });
  const { directory } = folder;
  const isKept = terms.wish.keep !== null;
  const discard = () => rmSync(directory, { recursive: true, force: true });
  try {
    const opened = await openIn(folder, terms);
    const close = async () => {
      await opened.duka.stop();
      if (!isKept) discard();
    };
    return { ...opened, directory, isKept, close };
  } catch (error) {
    // The directory is another program's if that one serves it.
    if (folder.memory === null && !(error instanceof DataDirectoryInUse)) discard();
    throw error;
  }
}

async function openIn(folder: SandboxFolder, terms: SandboxTerms): Promise<Opened> {
  const { directory, memory: former } = folder;
  const { wish, environment } = terms;
  refuseSecondFilling(folder, wish);
  const config = sandboxConfig(environment, { directory, port: wish.port });
  const filling = former ?? { seed: wish.seed ?? "small", scenario: wish.scenario };
  const clockAt = former === null ? await copyFiles(directory, terms) : wish.clockAt;
  const entrance = new Entrance();
  const duka = await startDuka(config, {
    ...serverTerms(config, terms),
    ...bookOf(filling),
    ...(clockAt === null ? {} : { testClockAt: clockAt }),
    entrance: (token) => entrance.take(token),
  }).catch((error: unknown) => {
    throw explainListening(error, config.listen, "--port");
  });
  try {
    const filled = former ?? (await fillSandbox(duka, filling, config));
    await moveAddress(duka.shops.test, { from: filled.url, to: duka.url });
    const memory = { ...filled, url: duka.url };
    remember(directory, memory);
    return { duka, memory, ...(await letIn(duka, entrance)) };
  } catch (error) {
    await duka.stop();
    throw error;
  }
}

/** Makes the owner, with a new password, and the link that lets them in. */
async function letIn(
  { url, shops: { live } }: Duka,
  entrance: Entrance,
): Promise<Pick<Sandbox, "dashboard" | "owner">> {
  const password = base62(numberOf(randomBytes(PASSWORD_BYTES)), PASSWORD_LENGTH);
  const hash = await Bun.password.hash(password, QUICK);
  const owner = await live.database.write((tx) => installOwner(tx, { name: OWNER, hash }));
  entrance.admit(owner.id);
  const dashboard = addressOfLink(url, entrance.token, "sandbox");
  return { dashboard, owner: { name: OWNER, password } };
}

function bookOf({ scenario }: Pick<SandboxMemory, "scenario">): Pick<ServerTerms, "scriptBook"> {
  const book = scenario === null ? undefined : scenarios[scenario].book;
  return book === undefined ? {} : { scriptBook: book };
}

/** Throws UsageFault: the state that is kept was seeded already. */
function refuseSecondFilling({ directory, memory }: SandboxFolder, wish: SandboxWish): void {
  if (memory === null || (wish.seed === null && wish.scenario === null)) return;
  throw new UsageFault(
    `${directory} has a sandbox already, which goes on as it is: --seed and --scenario set up a new one. Leave them out, delete the directory, or name another one with --keep.`,
  );
}

/** Returns where the shop's clock begins; null is now. */
async function copyFiles(directory: string, { wish, cache }: SandboxTerms): Promise<number | null> {
  const kind = wish.seed === "full" ? "full" : "empty";
  const { at } = await copyTemplate(directory, cache, { kind, clockAt: wish.clockAt });
  return kind === "full" ? at : wish.clockAt;
}

function serverTerms(config: Config, { commandUsages, onStop }: SandboxTerms): ServerTerms {
  const { dataDirectory: directory, modes: served } = config;
  return {
    log: openLog(config.log),
    commandUsages,
    commands: async (shops, at) => ({
      ...operatorCommands(shops, {
        served,
        url: () => at.dashboardUrl,
        // Nothing of a sandbox reaches a vendor.
        gateways: { vendors: [], config, reopen: at.reopenGateways },
      }),
      ...serverCommands(at, shops.test),
      ...stateCommands(shops, { directory, url: () => at.dashboardUrl }),
      "sandbox.stop": async () => onStop?.(),
    }),
  };
}

type Filling = Pick<SandboxMemory, "seed" | "scenario">;

/** Returns what the sandbox is to remember. */
async function fillSandbox(
  { url, shops: { test }, firstKey }: Duka,
  { seed, scenario }: Filling,
  { testReach }: Pick<Config, "testReach">,
): Promise<SandboxMemory> {
  if (firstKey === null) throw new Error("A new sandbox has a key already.");
  if (seed === "full") await moveAddress(test, { from: TEMPLATE_URL, to: url });
  const publishableKey = await test.database.write(async (tx) => {
    if (seed === "small") await seedSmall(tx, url);
    if (scenario !== null) await scenarios[scenario].set?.(tx, { publicUrl: url, testReach });
    return makeStorefrontKey(tx);
  });
  return { key: firstKey, publishableKey, seed, scenario, url };
}

/** Puts the address at which the server is now in the place of another one, wherever it stands in the shop. */
async function moveAddress(
  { database }: Duka["shops"]["test"],
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  if (from !== to) await database.whileClosed?.((path) => replaceText(path, from, to));
}

async function makeStorefrontKey(tx: Tx): Promise<string> {
  const { key } = await createKey(tx, {
    mode: "test",
    name: "Storefront",
    kind: "publishable",
    scopes: null,
    ratePerMinute: null,
    expiresAt: null,
    maker: null,
    replaces: null,
    isQuiet: true,
  });
  return key;
}

/** `url` is the address of the server, which stands in rows of the shop. */
function stateCommands(
  { test }: Shops,
  { directory, url }: { readonly directory: string; readonly url: () => string },
): Commands {
  const placeOf = (input: unknown) => ({
    folder: snapshotsOf(directory),
    name: textMember(input, "name"),
  });
  return {
    "sandbox.snapshot": async (input) => ({
      clock: toIso(await saveState(test, placeOf(input), url())),
    }),
    "sandbox.restore": async (input) => ({
      clock: toIso(await restoreState(test, placeOf(input), url())),
    }),
  };
}
