// The settings of a certificate that the server has signed for itself, by ACME.

import { isAddress } from "#platform/net/addresses.ts";

import { type Kind, path, wholeNumber } from "./setting.ts";

const DOMAINS_MAX = 100;
/** Labels of letters, digits and hyphens, two at least: an authority signs for names of the internet. */
const DOMAIN = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;

const domains: Kind<readonly string[]> = {
  range: `1 to ${DOMAINS_MAX} names, separated by commas`,
  read(text) {
    const list = text.split(",").map((entry) => entry.trim().toLowerCase());
    if (list.length > DOMAINS_MAX) throw new RangeError(`has more than ${DOMAINS_MAX} names`);
    for (const [index, name] of list.entries()) {
      if (name.startsWith("*.")) {
        throw new RangeError(`"${name}" is a wildcard: name each host, or bring a certificate`);
      }
      const isLocal = isAddress(name) || /(?:^|\.)localhost$/.test(name);
      if (isLocal || !DOMAIN.test(name)) {
        throw new RangeError(`"${name}" is no name for which an authority signs`);
      }
      if (list.indexOf(name) < index) throw new RangeError(`"${name}" is named twice`);
    }
    return list;
  },
};

const email: Kind<string> = {
  range: "an email address",
  read(text) {
    if (!/^[^\s@<>,]+@[^\s@<>,]+$/.test(text)) throw new RangeError("is no email address");
    return text;
  },
};

const directory: Kind<string> = {
  range: "an https URL",
  read(text) {
    const url = URL.parse(text);
    if (url?.protocol !== "https:" || url.username !== "") {
      throw new RangeError("must be an https URL");
    }
    return url.href;
  },
};

export const acmeSettings = {
  acmeDomains: {
    name: "DUKA_ACME_DOMAINS",
    kind: domains,
    default: null,
    unit: null,
    meaning: "The names for which the server has a certificate signed, and renews it, by ACME.",
    reason: "None: bring a certificate with DUKA_TLS_CERT, or let a proxy end TLS.",
  },
  acmeEmail: {
    name: "DUKA_ACME_EMAIL",
    kind: email,
    default: null,
    unit: null,
    meaning:
      "The address that the authority may write to; setting it accepts the authority's terms.",
    reason: "Needed with DUKA_ACME_DOMAINS: an account belongs to a person who answers.",
  },
  acmeDirectory: {
    name: "DUKA_ACME_DIRECTORY",
    kind: directory,
    default: "https://acme-v02.api.letsencrypt.org/directory",
    unit: null,
    meaning: "The directory of the certificate authority.",
    reason: "Let's Encrypt: it costs nothing, and every browser trusts it.",
  },
  acmeAuthority: {
    name: "DUKA_ACME_CA",
    kind: path,
    default: null,
    unit: null,
    meaning: "The PEM file by which the authority itself is trusted, if it is a private one.",
    reason: "None: a public authority is trusted like any https host.",
  },
  acmePort: {
    name: "DUKA_ACME_HTTP_PORT",
    kind: wholeNumber(0, 65_535),
    default: 80,
    unit: null,
    meaning:
      "The port at which the authority looks whether the names lead here; 0 takes any free one.",
    reason: "Authorities look at port 80 alone: another one must be forwarded from there.",
  },
} as const;
