// The commands of the administrative socket. A running server answers them; without one the command
// line runs the same functions on the databases itself.

import { rebuildAnalytics } from "#analytics/projection/project-events.ts";
import { rebuildBooks } from "#books/project-bookings.ts";
import type { MediaShop } from "#catalog/media/media-shop.ts";
import { repairMedia } from "#catalog/media/repair-media.ts";
import { auditCommands } from "#cli/operator/audit-commands.ts";
import type { GatewayCommandTerms } from "#cli/operator/gateways/gateway-acts.ts";
import { gatewayCommands } from "#cli/operator/gateways/gateway-commands.ts";
import { keyCommands } from "#cli/operator/key-commands.ts";
import { peopleCommands } from "#cli/operator/people-commands.ts";
import { defineRefusal } from "#kernel/refusal.ts";
import type { OpenShop, Shops } from "#open-shops.ts";
import type { Mode } from "#platform/database/shop.ts";
import type { Commands } from "#platform/operator/serve-administration.ts";
import type { RunningServer } from "#server.ts";

import { exportCommands, importCommands } from "./file-acts.ts";

/** The server has locked the data directory and does not listen yet; a retry succeeds soon. */
export const serverStarting = defineRefusal(
  "server_starting",
  "unavailable",
  "The server is starting.",
);

interface OperatorTerms {
  readonly gateways: GatewayCommandTerms;
  /** The modes that are served. */
  readonly served: readonly Mode[];
  /** The address at which browsers reach the server. */
  readonly url: () => string;
}

/**
 * Commands that need only the opened shops: the commands of keys, people, gateways, the audit log, records of files,
 * `media.repair`, which returns how many files of each mode were written anew, and `analytics.rebuild`, which returns the
 * sequence up to which each log was counted.
 */
export function operatorCommands(shops: Shops, { served, url, gateways }: OperatorTerms): Commands {
  const databases = { test: shops.test.database, live: shops.live.database };
  return {
    ...keyCommands(databases, served),
    ...peopleCommands(databases.live, url),
    ...auditCommands(databases),
    ...gatewayCommands(databases, gateways),
    ...importCommands(databases),
    ...exportCommands(databases),
    "media.repair": async () => ({
      test: await repairedIn(shops.test),
      live: await repairedIn(shops.live),
    }),
    "books.rebuild": async () => ({
      test: await rebuildBooks(databases.test),
      live: await rebuildBooks(databases.live),
    }),
    "analytics.rebuild": async () => ({
      test: await rebuildAnalytics(databases.test),
      live: await rebuildAnalytics(databases.live),
    }),
  };
}

/** Takes what is no pixel out of the files of media; returns how many were written anew. */
async function repairedIn(shop: MediaShop): Promise<number> {
  return shop.media.files === null ? 0 : (await repairMedia(shop)).files;
}

/**
 * Commands about what only a running server knows: `server.address` returns the URL for programs of this machine,
 * and refuses with `server_starting` while there is none; `server.health` returns if it is ready, and `doctor` the
 * checklist of the shop.
 */
export function serverCommands(
  running: Pick<RunningServer, "address" | "isReady">,
  { listChecks }: Pick<OpenShop, "listChecks">,
): Commands {
  const started = () => {
    const { address: url } = running;
    if (url === "") throw serverStarting();
    return url;
  };
  return {
    "server.address": async () => ({ url: started() }),
    doctor: async () => {
      started();
      return listChecks();
    },
    "server.health": async () => ({ ready: await running.isReady() }),
  };
}
