// Checks of the address of the shop: the server answers, and browsers reach it under a name that others cannot read along.

import { DAY_MS } from "#kernel/time.ts";
import { isPublic } from "#platform/config/config.ts";
import type { ShownCertificate } from "#platform/net/shown-certificate.ts";
import { version } from "#platform/process/version.ts";
import { wasKeyUsed } from "#shop/keys/lookups.ts";

import {
  type Check,
  fail,
  ok,
  type Place,
  type Served,
  type Stored,
  todo,
  unknown,
} from "./check.ts";

const GUIDE = "/guides/go-live#the-address";

export const serving: Check<Place> = {
  name: "serving",
  area: "address",
  href: GUIDE,
  look: ({ servedAt, config }) =>
    servedAt === null
      ? fail(`No server runs on ${config.dataDirectory}.`, "Start it with duka serve.")
      : ok(`Duka ${version} answers at ${servedAt}.`),
};

export const publicUrl: Check<Stored> = {
  name: "public_url",
  area: "address",
  href: GUIDE,
  look: async ({ config: { publicUrl: url }, live }) => {
    if (isHttps(url)) return ok(`The shop is at ${url}.`);
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
  href: GUIDE,
  look: ({ config }) => {
    if (!config.modes.includes("test")) return ok("Test mode is off.");
    if (!isPublic(config)) return ok("Test mode is on, and no other machine reaches it.");
    return todo(
      "The test shop answers at the public address, too.",
      "Once you have tried out what you need, set DUKA_TEST_MODE=off.",
    );
  },
};

export const reached: Check<Served> = {
  name: "reached",
  area: "address",
  href: GUIDE,
  look: async ({ config: { publicUrl: url }, probe }) => {
    const probed = await probe();
    if (url === null || probed === null) return unknown("There is no public address to ask.");
    if (probed.kind === "unreachable") {
      return unknown(
        `${sentence(probed.why)} Where this machine cannot call itself, open the address elsewhere.`,
      );
    }
    if (probed.kind === "stranger") {
      return fail(
        `At ${url} another server answers, with the status ${probed.status}.`,
        "Lead the name and its proxy to this server.",
      );
    }
    const { host } = new URL(url);
    if (probed.host === host) return ok(`${url} leads here.`);
    return fail(
      `Requests for ${host} arrive with the host ${probed.host}.`,
      "Let the proxy pass on the host: duka proxy prints how.",
    );
  },
};

export const forwarded: Check<Served> = {
  name: "forwarded",
  area: "address",
  href: GUIDE,
  look: async ({ config: { publicUrl: url, listen, http }, probe }) => {
    const probed = await probe();
    if (probed === null) return unknown("There is no public address to ask.");
    if (probed.kind !== "reached") return unknown("The public address was not reached.");
    if (probed.forwarded === "trusted") return ok("The proxy says for whom it asks.");
    if (probed.forwarded === "untrusted") {
      return fail(
        "A proxy says for whom it asks, but the settings do not trust it: all visitors count as one.",
        "Name its address in DUKA_TRUSTED_PROXIES.",
      );
    }
    const isProxied = http.trustedProxies.length > 0 || (listen.tls === null && isHttps(url));
    if (!isProxied) return ok("Visitors connect without a proxy.");
    return fail(
      "The proxy does not say for whom it asks: all visitors count as one.",
      "Let it send X-Forwarded-For: duka proxy prints how.",
    );
  },
};

/** A browser warns of nothing before the last day, and by then no customer comes. */
const CERTIFICATE_DAYS_MIN = 5;
const LIFE_SHARE_MIN = 1 / 4;

export const certificate: Check<Place> = {
  name: "certificate",
  area: "address",
  href: GUIDE,
  look: async ({ config: { publicUrl: url }, now, readCertificate, findUnsigned }, signal) => {
    if (url === null || !isHttps(url)) return unknown("There is no https address.");
    const problem = await findUnsigned();
    if (problem !== null) {
      return fail(
        `The authority did not sign: ${sentence(problem)}`,
        "Let each name lead to this machine, and port 80 reach it. It is tried again by itself.",
      );
    }
    const shown = await readCertificate(url, signal).catch((error: unknown) => error);
    if (!isShown(shown)) return unknown(`${new URL(url).host} was not reached.`);
    const { fault, validFrom, validTo } = shown;
    const leftMs = validTo - now();
    const days = Math.floor(leftMs / DAY_MS);
    const remedy = "Renew it. Duka takes new files into use within a minute.";
    if (leftMs <= 0) return fail("The certificate has expired.", remedy);
    if (fault !== null) {
      return fail(
        `Browsers do not trust the certificate (${fault}).`,
        "Have one made for this name.",
      );
    }
    const found = `The certificate is valid for ${days === 1 ? "1 more day" : `${days} more days`}.`;
    if (leftMs < CERTIFICATE_DAYS_MIN * DAY_MS) return fail(found, remedy);
    return leftMs > (validTo - validFrom) * LIFE_SHARE_MIN ? ok(found) : todo(found, remedy);
  },
};

function isShown(read: unknown): read is ShownCertificate {
  return typeof read === "object" && read !== null && "validTo" in read;
}

function isHttps(url: string | null): boolean {
  return url?.startsWith("https://") === true;
}

/** The words of a call as a sentence. */
function sentence(words: string): string {
  return words.endsWith(".") ? words : `${words}.`;
}
