// Checks of the address of the shop: the server answers, and browsers reach it under a name that others cannot read along.

import { isLoopbackHost } from "#platform/net/target-url.ts";
import { version } from "#platform/process/version.ts";
import { wasKeyUsed } from "#shop/keys/lookups.ts";

import { type Check, fail, ok, type Place, type Stored, todo } from "./check.ts";

const HTTPS = "/guides/operations#https";

export const serving: Check<Place> = {
  name: "serving",
  area: "address",
  href: "/guides/operations#the-binary",
  look: ({ servedAt, config }) =>
    servedAt === null
      ? fail(`No server runs on ${config.dataDirectory}.`, "Start it with duka serve.")
      : ok(`Duka ${version} answers at ${servedAt}.`),
};

export const publicUrl: Check<Stored> = {
  name: "public_url",
  area: "address",
  href: HTTPS,
  look: async ({ config: { publicUrl: url }, live }) => {
    if (url?.startsWith("https://") === true) return ok(`The shop is at ${url}.`);
    const isLive = await wasKeyUsed(live);
    const remedy = "Set DUKA_PUBLIC_URL to the https:// address of the shop.";
    if (url === null) {
      return isLive
        ? fail("Live keys are used, and the shop has no public address.", remedy)
        : todo("The shop has no public address yet.", remedy);
    }
    const found = `${url} is not encrypted: what customers send can be read on its way.`;
    return isLive ? fail(found, remedy) : todo(found, remedy);
  },
};

export const testMode: Check<Place> = {
  name: "test_mode",
  area: "address",
  href: HTTPS,
  look: ({ config: { modes, publicUrl: url } }) => {
    if (!modes.includes("test")) return ok("Test mode is off.");
    const isPublic = url !== null && !isLoopbackHost(new URL(url).hostname);
    if (!isPublic) return ok("Test mode is on, and no other machine reaches it.");
    return todo(
      "The test shop answers at the public address, too.",
      "Once you have tried out what you need, set DUKA_TEST_MODE=off.",
    );
  },
};
