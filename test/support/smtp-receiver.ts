// A mail server on loopback (RFC 5321): it records what it hears, and answers as a test says.

import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { TLSSocket } from "node:tls";

import type { Certificate } from "./certificates.ts";

/** An email as it arrived. */
export interface HeardEmail {
  /** Of the envelope, without brackets. */
  readonly from: string;
  readonly to: string;
  /** Names in lower case, folded lines joined. */
  readonly headers: ReadonlyMap<string, string>;
  /** Everything, as it was sent. */
  readonly source: string;
}

export interface SmtpReceiverTerms {
  /** The greeting of the nth connection, from 1, in place of `220`. */
  readonly greeting?: (nth: number) => string | undefined;
  /** Offers STARTTLS with it. */
  readonly certificate?: Certificate;
  /** The reply to every sender, in place of `250`. */
  readonly toSender?: string;
  /** The reply to a recipient, such as `550 5.1.1 Unknown`; undefined takes it. */
  readonly toRecipient?: (to: string) => string | undefined;
  /** The same to the nth message, from 1; `cut` breaks the connection instead. */
  readonly toMessage?: (nth: number) => string | undefined;
}

export interface SmtpReceiver extends AsyncDisposable {
  /** For DUKA_SMTP_URL. */
  readonly url: string;
  /** What was sent, oldest first, whether it was taken or not. */
  readonly heard: readonly HeardEmail[];
}

/** Opens a receiver on a free port; disposing it cuts every connection. */
export async function openSmtpReceiver(terms: SmtpReceiverTerms = {}): Promise<SmtpReceiver> {
  const heard: HeardEmail[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    serve(socket, terms, heard);
    connections += 1;
    socket.write(`${terms.greeting?.(connections) ?? "220 loopback ESMTP"}\r\n`);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `smtp://127.0.0.1:${port}`,
    heard,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function serve(socket: Socket, terms: SmtpReceiverTerms, heard: HeardEmail[]): void {
  const say = (line: string) => socket.write(`${line}\r\n`);
  const envelope = { from: "", to: "" };
  let unread = "";
  let isMessage = false;
  const hearLine = (line: string) => {
    const [, mailbox = ""] = /<([^>]*)>/.exec(line) ?? [];
    const verb = line.slice(0, 4).toUpperCase();
    if (verb === "MAIL") envelope.from = mailbox;
    if (verb === "RCPT") envelope.to = mailbox;
    isMessage = verb === "DATA";
    say(replyTo(verb, mailbox, terms));
    if (verb === "QUIT") socket.end();
    if (verb === "STAR" && terms.certificate !== undefined) {
      const { certificate, ...others } = terms;
      socket.removeAllListeners("data");
      serve(new TLSSocket(socket, { isServer: true, ...certificate }), others, heard);
    }
  };
  const hearMessage = (source: string) => {
    isMessage = false;
    heard.push({ ...envelope, source, headers: headersOf(source) });
    const reply = terms.toMessage?.(heard.length) ?? "250 2.0.0 Taken";
    if (reply === "cut") socket.destroy();
    else say(reply);
  };
  socket.on("data", (bytes) => {
    unread += bytes.toString();
    for (;;) {
      const [hear, end] = isMessage ? [hearMessage, "\r\n.\r\n"] : [hearLine, "\r\n"];
      const at = unread.indexOf(end);
      if (at === -1) return;
      const part = unread.slice(0, at);
      unread = unread.slice(at + end.length);
      hear(part);
    }
  });
}

function replyTo(verb: string, mailbox: string, terms: SmtpReceiverTerms): string {
  const hasTls = terms.certificate !== undefined;
  const known: Readonly<Record<string, string | undefined>> = {
    EHLO: `250-loopback\r\n${hasTls ? "250-STARTTLS\r\n" : ""}250 ENHANCEDSTATUSCODES`,
    STAR: hasTls ? "220 2.0.0 Go on" : "502 5.5.1 No TLS here",
    MAIL: terms.toSender,
    RCPT: verb === "RCPT" ? terms.toRecipient?.(mailbox) : undefined,
    DATA: "354 Go on",
  };
  return known[verb] ?? "250 2.0.0 OK";
}

function headersOf(source: string): ReadonlyMap<string, string> {
  const [head = ""] = source.split("\r\n\r\n");
  const lines = head.replaceAll(/\r\n[ \t]+/g, " ").split("\r\n");
  return new Map(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
}
