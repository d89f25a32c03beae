// `duka proxy`: what a reverse proxy in front of this server is to be told, made of the settings.

import { UsageFault } from "#cli/operator/settings.ts";
import type { Config } from "#platform/config/config.ts";
import { plainHost } from "#platform/net/target-url.ts";

/** The proxies that blocks are printed for. */
export type Proxy = "nginx" | "caddy";

/** A form of the dashboard with pictures has up to 66 MiB. */
const BODY_MB_MAX = 68;
/** Longer than the server leaves a connection without a word, so that the server's own answer is told. */
const SILENT_SECONDS = 75;
/** The setting that names the proxy to Duka, where it runs on the same machine. */
export const LOCAL_PROXIES = "DUKA_TRUSTED_PROXIES=127.0.0.1,::1";

/** A host that the proxy serves, and the path below which this server is on it, without a final slash. */
interface Site {
  readonly url: URL;
  readonly path: string;
}

/** The block of the proxy: one for each host. Throws UsageFault where the settings leave open what it is to serve. */
export function proxyBlock(proxy: Proxy, config: Config): string {
  const upstream = upstreamOf(config);
  return sitesOf(config)
    .map((site) => printers[proxy](site, upstream))
    .join("\n\n");
}

function sitesOf({ publicUrl, dashboard }: Config): Site[] {
  if (publicUrl === null) {
    throw new UsageFault("Set DUKA_PUBLIC_URL first: the proxy serves its host.");
  }
  const own = [publicUrl, ...(dashboard.url === null ? [] : [dashboard.url])];
  const sites = own.map((text) => new URL(text));
  return sites
    .filter(({ host }, index) => sites.findIndex((site) => site.host === host) === index)
    .map((url) => ({ url, path: url.pathname.replace(/\/$/, "") }));
}

function upstreamOf({ listen: { host, port, tls }, acme }: Config): string {
  if (tls !== null) {
    const setting = acme === null ? "DUKA_TLS_CERT" : "DUKA_ACME_DOMAINS";
    throw new UsageFault(`Duka has a certificate of its own (${setting}): leave it out first.`);
  }
  if (port === 0) throw new UsageFault("DUKA_PORT is any free one: give the proxy a fixed one.");
  const isAny = host === "0.0.0.0" || host === "::";
  return `${isAny ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host}:${port}`;
}

const printers: Readonly<Record<Proxy, (site: Site, upstream: string) => string>> = {
  nginx: ({ url, path }, upstream) => `${certificateOf(url)}server {
    listen ${portOf(url)};
    listen [::]:${portOf(url)};
    server_name ${plainHost(url.hostname)};
    client_max_body_size ${BODY_MB_MAX}m;

    location ${path}/ {
        proxy_pass http://${upstream}${path === "" ? "" : "/"};
        proxy_http_version 1.1;
        proxy_set_header Host $http_host;
        proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
        proxy_set_header Connection "";
        proxy_buffering off;
        proxy_read_timeout ${SILENT_SECONDS}s;
        proxy_send_timeout ${SILENT_SECONDS}s;
    }
}`,
  // It sends streams of events on at once by itself. With flush_interval -1 it would go on reading those of pages that were
  // closed, which hold the places of the others.
  caddy: ({ url, path }, upstream) => {
    const served = `reverse_proxy ${upstream} {
	transport http {
		versions 1.1
		read_timeout ${SILENT_SECONDS}s
		write_timeout ${SILENT_SECONDS}s
	}
}`;
    const inside = path === "" ? served : `handle_path ${path}/* {\n${indented(served)}\n}`;
    const limit = `request_body {\n	max_size ${BODY_MB_MAX}MB\n}`;
    return `${url.origin} {\n${indented(limit)}\n${indented(inside)}\n}`;
  },
};

/** nginx has no certificate by itself; certbot writes it into the block. */
function certificateOf({ protocol, hostname }: URL): string {
  return protocol === "https:"
    ? `# The certificate: certbot --nginx -d ${plainHost(hostname)}\n`
    : "";
}

/** A certificate is asked for over plain HTTP, and certbot adds the port of HTTPS. */
function portOf(url: URL): string {
  return url.protocol === "https:" || url.port === "" ? "80" : url.port;
}

function indented(lines: string): string {
  return lines.replace(/^/gm, "\t");
}
