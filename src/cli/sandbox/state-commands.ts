// The commands of a running sandbox: they save and bring back the state of its shop.

import { textMember } from "#cli/operator/members.ts";
import { toIso } from "#kernel/time.ts";
import type { Shops } from "#open-shops.ts";
import type { Commands } from "#platform/socket/serve-administration.ts";
import { restoreState } from "#sandbox/states/restore-state.ts";
import { saveState } from "#sandbox/states/save-state.ts";

import { snapshotsOf } from "./sandbox-folder.ts";

/** `url` is the address of the server, which stands in rows of the shop. */
export function stateCommands(
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
