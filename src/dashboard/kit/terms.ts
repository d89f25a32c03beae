// The parts of the server that the dashboard needs.

import type { EmailsShop } from "#emails/emails-shop.ts";
import type { Mode } from "#platform/database/shop.ts";
import type { Bodies } from "#platform/http/intake/bodies.ts";
import type { Uploads } from "#platform/http/intake/uploads.ts";
import type { Inside } from "#platform/http/server/inside.ts";
import type { PeopleShop } from "#shop/people/people-shop.ts";

export interface DashboardTerms {
  readonly inside: Inside;
  readonly bodies: Bodies;
  readonly uploads: Uploads;
  readonly shops: Readonly<Record<Mode, EmailsShop>>;
  /** The live shop, in which people are kept. */
  readonly people: PeopleShop;
  readonly modes: readonly Mode[];
  /** The dashboard's own address, without a final slash. */
  readonly url: () => string;
  /** The client's network, as sessions keep it. */
  readonly networkOf: (request: Request) => string | null;
  /** True if the disk has room for more than live orders. */
  readonly hasRoom: () => boolean;
  /** The person whom a token of the link of a sandbox lets in, once; null for another token. Absent elsewhere. */
  readonly entrance?: (token: string) => string | null;
  readonly onFault: (error: unknown) => void;
}
