// Opens a sandbox: a server of a test shop in a directory of its own, with its keys, its owner and a link that lets
// them in. Invariant: what a new sandbox has made is gone with it, unless it is kept.

import { rmSync } from "node:fs";

import { databasesOf } from "#cli/operator/administer.ts";
import { explainListening } from "#cli/operator/cannot-listen.ts";
import { operatorCommands, serverCommands } from "#cli/operator/operator-commands.ts";
import { UsageFault } from "#cli/operator/settings.ts";
import type { CommandUsage } from "#guides/fill-guide.ts";
import { base62, numberOf, randomBytes } from "#kernel/random.ts";
import type { Config } from "#platform/config/config.ts";
import { DataDirectoryInUse } from "#platform/data-directory/data-directory.ts";
import { openLog } from "#platform/log/log.ts";
import type { Environment } from "#platform/process/environment.ts";
import { scenarios } from "#sandbox/scenarios/scenarios.ts";
import { type Duka, type ServerTerms, startDuka } from "#server.ts";
import { addressOfLink } from "#shop/people/credentials/link.ts";
import { installOwner } from "#shop/people/people-changes.ts";

import { Entrance } from "./entrance.ts";
import { fillSandbox, moveAddress } from "./fill-sandbox.ts";
import { sandboxConfig } from "./sandbox-config.ts";
import {
  openSandboxFolder,
  remember,
  type SandboxFolder,
  type SandboxMemory,
} from "./sandbox-folder.ts";
import type { SandboxWish } from "./sandbox-options.ts";
import { stateCommands } from "./state-commands.ts";
import { copyTemplate } from "./templates.ts";

const OWNER = "Owner";
const PASSWORD_BYTES = 15;
const PASSWORD_LENGTH = 20;
/** A random password needs no slow hash, for which a start would wait. The first sign-in by it makes the usual one. */
const QUICK = { algorithm: "argon2id", memoryCost: 8, timeCost: 1 } as const;

export interface SandboxTerms {
  readonly wish: SandboxWish;
  /** The settings that were given, of which a sandbox takes some. */
  readonly environment: Environment;
  /** The user's cache directory. */
  readonly cache: string;
  readonly commandUsages: readonly CommandUsage[];
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
  const folder = openSandboxFolder(terms.wish.keep);
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
    // Where another program serves the directory, it is that one's.
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

function serverTerms(config: Config, { commandUsages }: SandboxTerms): ServerTerms {
  const { dataDirectory: directory, modes: served } = config;
  return {
    log: openLog(config.log),
    commandUsages,
    commands: async (shops, at) => ({
      ...operatorCommands(databasesOf(shops), {
        served,
        url: () => at.dashboardUrl,
        // Nothing of a sandbox reaches a vendor.
        gateways: { vendors: [], config, reopen: at.reopenGateways },
      }),
      ...serverCommands(() => at.address),
      ...stateCommands(shops, { directory, url: () => at.dashboardUrl }),
    }),
  };
}
