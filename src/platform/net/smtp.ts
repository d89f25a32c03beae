// Hands emails to a mail server (RFC 5321), each by a connection of its own. nodemailer is loaded with the first one:
// many programs send none.

import type { Mailbox, SmtpServer } from "./mail-addresses.ts";

export interface MailMessage {
  /** In angle brackets. */
  readonly messageId: string;
  readonly from: Mailbox;
  readonly to: Mailbox;
  readonly replyTo: string | null;
  /**
   * The URL at which a POST ends such emails to the address (RFC 8058); null of one that answers what its reader did.
   */
  readonly unsubscribeUrl: string | null;
  /** BCP 47, of the texts. */
  readonly language: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Why a message was not taken. `rejected`: the address or the message; `busy`: not now. */
export type MailFault =
  "rejected" | "busy" | "authentication" | "tls" | "timeout" | "connection" | "not_configured";

export type MailOutcome =
  | { readonly kind: "accepted"; readonly response: string }
  | {
      /** `refused`: for good; `later`: the same message may be taken another time. */
      readonly kind: "refused" | "later";
      readonly fault: MailFault;
      /** The codes of the server's answer, such as `550 5.1.1`, or nothing. */
      readonly codes: string;
      /** True if it had no connection free, so that the message was not even offered (RFC 5321, 3.1: 421). */
      readonly isFull: boolean;
      /** The words of the server, which may repeat the address. */
      readonly response: string;
    };

/** Hands over one message. Never rejects because of the network or the server. */
export type SendMail = (message: MailMessage) => Promise<MailOutcome>;

/** Together less than the minute after which a timer's work counts as lost. */
const CONNECT_MS_MAX = 10_000;
const SILENCE_MS_MAX = 20_000;
const WHOLE_MS_MAX = 45_000;
const RESPONSE_LENGTH_MAX = 500;

/** A server that is about to answer may do so when the program is told to stop. */
const CLOSING_MS_MAX = 5_000;

/**
 * Opens the way to a mail server; the first connection is made with the first message. What is under way 5 s after
 * `closing` counts as not taken.
 */
export function openSmtp(
  server: SmtpServer,
  closing: AbortSignal = new AbortController().signal,
): SendMail {
  const closed = new AbortController();
  closing.addEventListener("abort", () => setTimeout(() => closed.abort(), CLOSING_MS_MAX).unref());
  const options = optionsOf(server);
  return async ({ replyTo, unsubscribeUrl, language, ...message }) => {
    const { createTransport } = await import("nodemailer");
    try {
      const { response } = await createTransport(options).sendMail({
        ...message,
        from: named(message.from),
        to: named(message.to),
        ...(replyTo === null ? {} : { replyTo }),
        // Answers of machines, such as those of people on leave, are not asked for (RFC 3834).
        headers: {
          "Auto-Submitted": "auto-generated",
          "Content-Language": language,
          ...unsubscribeHeaders(unsubscribeUrl),
        },
        signal: AbortSignal.any([AbortSignal.timeout(WHOLE_MS_MAX), closed.signal]),
      });
      return { kind: "accepted", response: shortened(response) };
    } catch (error) {
      return outcomeOf(error);
    }
  };
}

/** Signs in at the server and sends nothing; null where it would take a message. Never rejects because of the network. */
export async function tryMailServer(
  server: SmtpServer,
  withinMs: number,
): Promise<MailFault | null> {
  const { createTransport } = await import("nodemailer");
  const silence = {
    connectionTimeout: withinMs,
    greetingTimeout: withinMs,
    socketTimeout: withinMs,
  };
  try {
    await createTransport({ ...optionsOf(server), ...silence }).verify();
    return null;
  } catch (error) {
    return faultOf(readError(error));
  }
}

function optionsOf({ host, port, tls, login }: SmtpServer) {
  return {
    host,
    port,
    secure: tls === "implicit",
    requireTLS: tls === "required",
    // On this machine TLS is for servers that demand it: their certificates are often of their own making.
    tls: { rejectUnauthorized: tls !== "offered" },
    ...(login === null ? {} : { auth: { user: login.user, pass: login.password } }),
    connectionTimeout: CONNECT_MS_MAX,
    greetingTimeout: CONNECT_MS_MAX,
    socketTimeout: SILENCE_MS_MAX,
    // A message is text: no address in it is fetched, and no file is read.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** The headers by which mail programs show a button, which works without a visit to the page (RFC 8058). */
export function unsubscribeHeaders(url: string | null): Readonly<Record<string, string>> {
  if (url === null) return {};
  return { "List-Unsubscribe": `<${url}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" };
}

function named({ name, address }: Mailbox) {
  return { name: name ?? "", address };
}

/** "Service not available, closing transmission channel" (RFC 5321, 4.2.3). */
const FULL_REPLY = 421;
/** Replies that say that the server knows no such login, or asks for one: set right, it takes the message. */
const LOGIN_REPLIES: ReadonlySet<number> = new Set([530, 534, 535, 538]);
/** The codes of nodemailer's errors about the login, the address or the message, and the time. */
const ABOUT_LOGIN: ReadonlySet<string> = new Set(["EAUTH", "ENOAUTH"]);
const ABOUT_MESSAGE: ReadonlySet<string> = new Set(["EENVELOPE", "EMESSAGE"]);
const OUT_OF_TIME: ReadonlySet<string> = new Set(["ETIMEDOUT", "EABORT"]);
const TLS_FAULT = /^(?:ETLS|ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|EPROTO$)/;

function outcomeOf(error: unknown): MailOutcome {
  const { text, ...facts } = readError(error);
  const fault = faultOf(facts);
  // A sender that the server does not take is a setting, which the operator mends: no message is to blame.
  const isRefused = fault === "rejected" && facts.command !== "MAIL FROM";
  const [, codes = ""] = /^(\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3})?)/.exec(text) ?? [];
  return {
    kind: isRefused ? "refused" : "later",
    fault,
    codes: codes.replace("-", " "),
    // Before the first command.
    isFull: facts.reply === FULL_REPLY && facts.command === "CONN",
    response: shortened(text),
  };
}

function faultOf({ code, cause, reply, isAnswered }: Omit<MailError, "text">): MailFault {
  if (ABOUT_LOGIN.has(code) || LOGIN_REPLIES.has(reply)) return "authentication";
  if ([code, cause].some((one) => TLS_FAULT.test(one))) return "tls";
  // An answer that is no reply of SMTP refuses nothing. Without an answer, the message itself is impossible.
  const isForGood = !isAnswered || (reply >= 500 && reply < 600);
  if (ABOUT_MESSAGE.has(code) && isForGood) return "rejected";
  if (reply > 0) return "busy";
  return OUT_OF_TIME.has(code) ? "timeout" : "connection";
}

interface MailError {
  /** The code of nodemailer, or the system's behind it. */
  readonly code: string;
  readonly cause: string;
  /** The command that the server was sent last, such as `MAIL FROM`. */
  readonly command: string;
  readonly isAnswered: boolean;
  /** The number of its reply; 0 without one. */
  readonly reply: number;
  readonly text: string;
}

/** Reads the parts of an error of nodemailer. */
function readError(error: unknown): MailError {
  const part = (name: string): unknown =>
    typeof error === "object" && error !== null ? Reflect.get(error, name) : undefined;
  const textOf = (name: string) => {
    const found = part(name);
    return typeof found === "string" ? found : "";
  };
  const reply = part("responseCode");
  return {
    code: textOf("code"),
    cause: textOf("originalCode"),
    command: textOf("command"),
    isAnswered: textOf("response") !== "",
    reply: typeof reply === "number" ? reply : 0,
    text: textOf("response") || textOf("message"),
  };
}

function shortened(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .trim()
    .slice(0, RESPONSE_LENGTH_MAX);
}
