// The way from the archive to the first live order, walked on a Debian in a network of its own, where this program is the
// authority, the payment provider and the visitors. Arguments: the root of the Debian, and the archive in its `/opt`.
// Prints the seconds of each step.

import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { openStripeFace, type StripeFace } from "#mocks/stripe/stripe-face.ts";
import { selfSigned } from "#platform/acme/der.ts";
import { keyText, newKey } from "#platform/acme/jws.ts";

import { openPebble } from "../../platform/acme/pebble.ts";
import { until } from "../../support/until.ts";
import { PATH } from "./a-debian.ts";
import { INTERNET, MACHINE } from "./own-network.ts";

const [root = "", archive = ""] = process.argv.slice(2);
const SHOP = "https://shop.example";
const SIGNING = "whsec_8Zr3yT5uWqLk0pXcVbNm";

/** A command in the root, on the network of the machine; returns what it printed. */
function onMachine(command: string, stdin = ""): string {
  const { success, stdout, stderr } = Bun.spawnSync(
    ["ip", "netns", "exec", "machine", "chroot", root, "sh", "-ec", command],
    { env: { PATH }, stdin: Buffer.from(stdin) },
  );
  if (!success) throw new Error(`${command}: ${stdout.toString()}${stderr.toString()}`);
  return stdout.toString();
}

const asKeeper = (command: string, stdin = "") =>
  onMachine(
    `cd /tmp; setpriv --reuid duka --regid duka --clear-groups duka --env-file /etc/duka/duka.env ${command}`,
    stdin,
  );

/** The provider's API at its own name, with a certificate that the machine is told to trust. */
function serveProvider(face: StripeFace, certificatePath: string): void {
  const key = newKey();
  const cert = selfSigned(["api.stripe.com"], key, Date.now() - 3_600_000);
  writeFileSync(certificatePath, cert);
  Bun.serve({
    hostname: INTERNET,
    port: 443,
    tls: { cert, key: keyText(key) },
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      const { method, headers } = request;
      const body = method === "GET" ? {} : { body: await request.bytes() };
      headers.delete("host");
      return fetch(`${face.server.url}${pathname}${search}`, { method, headers, ...body });
    },
  });
}

const pebble = await openPebble({
  host: INTERNET,
  name: "acme.example",
  shopAddress: MACHINE,
  challengePort: 80,
});
const face = await openStripeFace({ secret: "sk_live_4eC39HqLyjWDarjtT1zdp7dc" });
serveProvider(face, join(root, "opt/provider.pem"));
onMachine(
  `mkdir -p /etc/systemd/system/duka.service.d
printf '${INTERNET} api.stripe.com acme.example\n' >> /etc/hosts
cat > /opt/authority.pem
printf 'Environment=%s\n' DUKA_ACME_DIRECTORY=${pebble.directory} DUKA_ACME_CA=/opt/authority.pem \
  NODE_EXTRA_CA_CERTS=/opt/provider.pem > /etc/systemd/system/duka.service.d/override.conf`,
  await Bun.file(pebble.authorityPath).text(),
);

const began = performance.now();
/** Tells of a step that is done. */
function tell(step: string): void {
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  process.stdout.write(`${seconds.padStart(6)} s  ${step}\n`);
}

onMachine(`cd /opt && tar xzf ${archive} --strip-components=1`);
tell("unpacked");
const printed = onMachine("/opt/duka install --domain shop.example --email keeper@shop.example");
const door = /^Open +(\S+)$/m.exec(printed)?.[1] ?? "";
tell("installed");

const ca = await pebble.root();
const ask = (path: string, init: RequestInit = {}) =>
  fetch(new URL(path, SHOP), { redirect: "manual", tls: { ca }, ...init });
await until(
  () =>
    ask("/livez").then(
      ({ ok }) => ok,
      () => false,
    ),
  "The server has no certificate of the authority.",
);
tell("answers over HTTPS");

const entered = await ask(door, {
  method: "POST",
  headers: { "Sec-Fetch-Site": "same-origin" },
  body: new URLSearchParams({ "/name": "Ama", "/password": "seven mugs on a quiet shelf" }),
});
const cookie = entered.headers
  .getSetCookie()
  .map((one) => one.split(";")[0])
  .join("; ");
const home = await ask("/dashboard/live", { headers: { Cookie: cookie } });
tell(`has its owner, whose Home answers ${home.status}`);

asKeeper("gateways set stripe --mode live --webhook-secret", `${face.secret}\n${SIGNING}\n`);
const key = asKeeper("keys create --mode live").match(/live_sk_\w+/)?.[0];
const send = async (method: string, path: string, body: object) => {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const answer = await ask(`/v2${path}`, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return Object(await answer.json());
};
await send("PUT", "/store", { currency: "EUR", country: "DE" });
const mug = await send("POST", "/products", { name: "Mug", price: 12.5, stock: 5 });
tell("has a gateway and a product");

const line_items = [{ variant_id: mug.variants[0].id, quantity: 1 }];
const order = await send("POST", "/orders", { line_items, customer: { email: "ada@example.com" } });
await send("POST", "/payments/initialize", { order_id: order.id, method: "gateway" });
const session = face.account.sessions.all()[0]?.id ?? "";
await ask(await face.payOnPage(session, "pm_card_visa"));
for (const event of face.notices.events) {
  const { bytes, headers } = face.notices.sign(event, SIGNING);
  await ask("/hooks/live/stripe", { method: "POST", headers, body: new Uint8Array(bytes) });
}
const headers = { Authorization: `Bearer ${key}` };
const isPaid = async () => {
  const answer = await ask(`/v2/orders/${order.id}`, { headers });
  return Object(await answer.json()).payment_status === "paid";
};
await until(isPaid, "The order is not paid.");
tell("has a live order that is paid");
// Its servers would keep it.
process.exit();
