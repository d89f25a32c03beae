// The mail server that the operator names, and what it answers.

import { describe, expect, test } from "bun:test";

import { readMailbox, readSmtpUrl } from "#platform/net/mail-addresses.ts";
import { openSmtp } from "#platform/net/smtp.ts";

import { makeCertificates } from "../../support/certificates.ts";
import { openSmtpReceiver } from "../../support/smtp-receiver.ts";

const MESSAGE = {
  messageId: "<1@shop.example>",
  from: { name: "Shop, Ltd", address: "orders@shop.example" },
  to: { name: "Ada", address: "ada@example.com" },
  replyTo: null,
  language: "fr-CI",
  unsubscribeUrl: null,
  subject: "Grüße",
  text: "Hello",
  html: "<p>Hello</p>",
};

describe("the URL of a mail server", () => {
  test.each([
    ["smtp://mail.example", { port: 587, tls: "required", login: null }],
    ["smtps://mail.example", { port: 465, tls: "implicit", login: null }],
    ["smtp://127.0.0.1:2525/", { host: "127.0.0.1", port: 2525, tls: "offered" }],
    ["smtp://[::1]:25", { host: "::1", port: 25, tls: "offered" }],
    [
      "smtp://ada%40shop.example:p%25w@mail.example:2587",
      { port: 2587, login: { user: "ada@shop.example", password: "p%w" } },
    ],
  ])("%s says where it is and how it is reached", (url, server) => {
    expect(readSmtpUrl(url)).toMatchObject(server);
  });

  test.each([
    "http://mail.example",
    "mail.example:587",
    "smtp://",
    "smtp://mail.example/inbox",
    "smtp://mail.example?tls=off",
    "smtp://ada@mail.example",
    "smtp://ada:100%@mail.example",
  ])("%s is refused", (url) => {
    expect(() => readSmtpUrl(url)).toThrow(RangeError);
  });
});

test.each([
  ["orders@shop.example", { name: null, address: "orders@shop.example" }],
  ["Shop <orders@shop.example>", { name: "Shop", address: "orders@shop.example" }],
  ['"Shop, Ltd" <orders@localhost>', { name: "Shop, Ltd", address: "orders@localhost" }],
])("the sender %s has a name and an address", (text, mailbox) => {
  expect(readMailbox(text)).toEqual(mailbox);
});

test.each(["shop", "Shop orders@shop.example", "<a@b> c", "a@b, c@d", "S\u0007 <a@b.example>"])(
  "the sender %j is refused",
  (text) => {
    expect(() => readMailbox(text)).toThrow(RangeError);
  },
);

describe("a mail server", () => {
  test("that has no TLS hears nothing where TLS is required", async () => {
    await using receiver = await openSmtpReceiver();
    const send = openSmtp({ ...readSmtpUrl(receiver.url), tls: "required" });

    expect(await send(MESSAGE)).toMatchObject({ kind: "later", fault: "tls" });
    expect(receiver.heard).toEqual([]);
  });

  test("of this machine may have made its certificate itself; any other may not", async () => {
    const certificate = makeCertificates().selfSigned;
    await using receiver = await openSmtpReceiver({ certificate });
    const server = readSmtpUrl(receiver.url);

    expect(await openSmtp(server)(MESSAGE)).toMatchObject({ kind: "accepted" });
    expect(await openSmtp({ ...server, tls: "required" })(MESSAGE)).toMatchObject({
      kind: "later",
      fault: "tls",
    });
    expect(receiver.heard).toHaveLength(1);
  });

  test("that speaks plainly where TLS is expected from the first byte is of no use", async () => {
    await using receiver = await openSmtpReceiver();
    const send = openSmtp({ ...readSmtpUrl(receiver.url), tls: "implicit" });

    expect(await send(MESSAGE)).toMatchObject({ kind: "later", codes: "" });
  });

  test.each([
    ["452 4.2.2 Full", "later", "busy", "452 4.2.2"],
    ["550 No", "refused", "rejected", "550"],
    ["530 5.7.0 Authentication required", "later", "authentication", "530 5.7.0"],
    ["<html>", "later", "connection", ""],
    ["999 Far out", "later", "busy", "999"],
  ] as const)("that answers %s to a recipient is understood", async (reply, ...expected) => {
    await using receiver = await openSmtpReceiver({ toRecipient: () => reply });
    const [kind, fault, codes] = expected;

    expect(await openSmtp(readSmtpUrl(receiver.url))(MESSAGE)).toMatchObject({
      kind,
      fault,
      codes,
    });
  });

  test("that refuses the sender may take the message once the sender is set right", async () => {
    await using receiver = await openSmtpReceiver({ toSender: "553 5.7.1 Not your address" });

    expect(await openSmtp(readSmtpUrl(receiver.url))(MESSAGE)).toMatchObject({
      kind: "later",
      fault: "rejected",
      codes: "553 5.7.1",
    });
  });

  test("that is not there takes the message another time", async () => {
    const receiver = await openSmtpReceiver();
    await receiver[Symbol.asyncDispose]();

    expect(await openSmtp(readSmtpUrl(receiver.url))(MESSAGE)).toMatchObject({
      kind: "later",
      fault: "connection",
      codes: "",
    });
  });
});
