// The parts of the server that the dashboard needs, and the work on files beside the requests that ask for it.

import type { AccountsShop } from "#accounts/accounts-shop.ts";
import type { AlertsShop } from "#alerts/alerts-shop.ts";
import { workOnFile } from "#imports/kept/work-on-file.ts";
import type { Actor } from "#platform/database/database.ts";
import { storageFull } from "#platform/database/errors.ts";
import type { Mode } from "#platform/database/shop.ts";
import type { Bodies } from "#platform/http/intake/bodies.ts";
import type { Uploads } from "#platform/http/intake/uploads.ts";
import type { Inside } from "#platform/http/server/inside.ts";
import type { PeopleShop } from "#shop/people/people-shop.ts";

export interface DashboardTerms {
  readonly inside: Inside;
  readonly bodies: Bodies;
  readonly uploads: Uploads;
  readonly shops: Readonly<Record<Mode, AccountsShop & AlertsShop>>;
  /** The live shop, in which people are kept. */
  readonly people: PeopleShop;
  readonly modes: readonly Mode[];
  /** The dashboard's own address, without a final slash. */
  readonly url: () => string;
  /** The client's network, as sessions keep it. */
  readonly networkOf: (request: Request) => string | null;
  /** True if the disk has room for more than live orders. */
  readonly hasRoom: () => boolean;
  /** The person whom a token of the link of a sandbox lets in, once; null for another token. Absent elsewhere. */
  readonly entrance?: (token: string) => string | null;
  readonly onFault: (error: unknown) => void;
}

export interface ImportRunner {
  /** Refuses where the disk has no room for more than live orders. */
  requireRoom(): void;
  /** Works on the file until it has its report. Resolves then, or earlier where that takes long. */
  start(id: string, actor: Actor): Promise<void>;
}

/** Most files are checked within it, so that their report is the next page, milliseconds. */
const WAIT_MS = 2_000;

/** The work on files of one shop. */
export function importRunner(
  { shops, hasRoom, onFault }: Pick<DashboardTerms, "shops" | "hasRoom" | "onFault">,
  mode: Mode,
): ImportRunner {
  return {
    requireRoom: () => {
      if (!hasRoom()) throw storageFull();
    },
    start: async (id, actor) => {
      const work = workOnFile(shops[mode], { id, actor }).catch(onFault);
      await Promise.race([work, Bun.sleep(WAIT_MS)]);
    },
  };
}
