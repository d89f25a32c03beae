// A program that is killed (SIGKILL) between an act and the email that tells it: the next start sends it.

import { expect, setDefaultTimeout, test } from "bun:test";

import { openDashboard } from "../dashboard/dashboard-shop.ts";
import { openRunningDuka } from "../support/running-duka.ts";
import { openScratchFolder, type ScratchFolder } from "../support/scratch.ts";
import { type HeardEmail, openSmtpReceiver } from "../support/smtp-receiver.ts";
import { until } from "../support/until.ts";
import { AMA, giveEmail, tellDue } from "./alert-shop.ts";

setDefaultTimeout(120_000);

/** When the program is killed after its answer, milliseconds: before the alert is made. A timer that is lost runs after a minute. */
const KILLED_AFTER_MS = [0, 50, 100];

const messagesOf = (heard: readonly HeardEmail[]) =>
  new Set(heard.map(({ headers }) => headers.get("message-id")));

test("killed after a key was made, a program tells of each key once it runs again", async () => {
  using folder = openScratchFolder();
  await using receiver = await openSmtpReceiver();
  const key = await shopWithOwner(folder);
  const terms = {
    folder: folder.path,
    settings: {
      DUKA_DATA_DIR: folder.path,
      DUKA_PORT: "0",
      DUKA_SMTP_URL: receiver.url,
      DUKA_MAIL_FROM: "shop@shop.example",
    },
  };

  for (const milliseconds of KILLED_AFTER_MS) {
    await using duka = await openRunningDuka(terms);
    const body = { name: `Key after ${milliseconds}`, scopes: ["orders:read"] };
    const made = await duka.request("POST", "/v2/keys", { key, body });
    expect(made.status).toBe(201);
    // The moment of the kill is what the test chooses.
    await Bun.sleep(milliseconds);
    await duka.end("SIGKILL");
  }
  await using last = await openRunningDuka(terms);
  const expected = KILLED_AFTER_MS.length;
  await until(() => messagesOf(receiver.heard).size >= expected, "An alert was not sent.");
  await last.end("SIGTERM");

  expect(messagesOf(receiver.heard).size).toBe(expected);
  expect(new Set(receiver.heard.map(({ to }) => to))).toEqual(new Set([AMA]));
});

/** A shop whose owner has an email; answers a live key. Its making is told on Home alone. */
async function shopWithOwner(folder: ScratchFolder): Promise<string> {
  await using dashboard = await openDashboard({ folder });
  const key = await dashboard.shop.createKey({ mode: "live" });
  await tellDue(dashboard.shop, "live");
  await giveEmail(dashboard.shop, dashboard.owner, AMA);
  return key;
}
