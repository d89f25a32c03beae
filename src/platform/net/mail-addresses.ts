// Addresses of emails: of a mail server, with what it lets a sender in by, and of who sends and receives.

import { isLoopbackHost } from "./target-url.ts";

export interface SmtpServer {
  /** Without brackets. */
  readonly host: string;
  readonly port: number;
  /** `implicit`: from the first byte. `required`: by STARTTLS, or not at all. `offered`: where the server offers it. */
  readonly tls: "implicit" | "required" | "offered";
  /** Null: the server asks for no password. */
  readonly login: { readonly user: string; readonly password: string } | null;
}

/** The ports of submission (RFC 8314, 3.3; RFC 6409, 3.1). */
const IMPLICIT_TLS_PORT = 465;
const STARTTLS_PORT = 587;

/**
 * Reads the URL of a mail server. Throws a RangeError, written to follow the name of a setting, which never repeats
 * the URL.
 */
export function readSmtpUrl(text: string): SmtpServer {
  const isImplicit = text.startsWith("smtps://");
  if (!isImplicit && !text.startsWith("smtp://")) {
    throw new RangeError("must begin with smtp:// or smtps://");
  }
  const url = URL.parse(text);
  if (url === null || url.hostname === "") throw new RangeError("has an invalid host or port");
  if (!/^\/?$/.test(`${url.pathname}${url.search}${url.hash}`)) {
    throw new RangeError("must have nothing after the port");
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const portByDefault = isImplicit ? IMPLICIT_TLS_PORT : STARTTLS_PORT;
  return {
    host,
    port: url.port === "" ? portByDefault : Number(url.port),
    tls: tlsOf(host, isImplicit),
    login: loginOf(url),
  };
}

function tlsOf(host: string, isImplicit: boolean): SmtpServer["tls"] {
  if (isImplicit) return "implicit";
  return isLoopbackHost(host) ? "offered" : "required";
}

function loginOf({ username, password }: URL): SmtpServer["login"] {
  if (username === "" && password === "") return null;
  if (username === "" || password === "") {
    throw new RangeError("must have a user name and a password, or neither");
  }
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    throw new RangeError("has a % in the user name or the password: write it as %25");
  }
}

/** A mailbox: the name and the address of a sender or a receiver of emails (RFC 5322, 3.4). */
export interface Mailbox {
  readonly name: string | null;
  readonly address: string;
}

/** A domain with a point, or this machine's name; the local part in any script. */
const ADDRESS = /^[^\s@<>(),:;"[\]\\]{1,64}@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*$/;
const NAMED = /^"?([^"<>\p{Cc}]*?)"?\s*<([^<>]+)>$/u;

/** Reads `address`, or `Name <address>`. Throws a RangeError, written to follow the name of a setting. */
export function readMailbox(text: string): Mailbox {
  const [, name = "", named] = NAMED.exec(text) ?? [];
  const address = named ?? text;
  if (!ADDRESS.test(address)) {
    throw new RangeError(`"${text}" is neither an email address nor Name <address>`);
  }
  return { name: name.trim() === "" ? null : name.trim(), address };
}
