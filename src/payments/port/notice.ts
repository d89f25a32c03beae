// The notices (webhooks) of gateways: how they come in, and what they say.

import type { GatewayName } from "#payments/rows/payment-life.ts";
import type { Mode } from "#platform/database/shop.ts";

/** How notices come in, at `/hooks/{mode}/{id}`. */
export interface NoticeRules {
  readonly methods: readonly ("POST" | "PUT")[];
  /**
   * True if notices are signed. Those that are not come to `/hooks/{mode}/{id}/{token}`; the gateway compares
   * the token, which is secret.
   */
  readonly isSigned: boolean;
}

/** A notice as it arrived: the exact bytes, their headers, and the end of the path. */
export interface ArrivedNotice {
  readonly bytes: Uint8Array;
  readonly headers: Headers;
  readonly token: string | null;
}

/** A notice (webhook) from a gateway: a reason to poll, never proof. */
export type Notice =
  | {
      readonly kind: "notice";
      /** Equal for all copies of one notice. */
      readonly dedupKey: string;
      /** The attempt it is about; null if it names none. */
      readonly gatewayReference: string | null;
      /** Other names in it: they find the payment where it has no reference. */
      readonly names: readonly GatewayName[];
      /** The name of the shop's try of a refund that it is about, where it names no attempt. */
      readonly refundReference?: string;
      /**
       * Names that the notice brings: saved for its payment where they are free, so that there is something to ask by.
       */
      readonly adds?: readonly GatewayName[];
      readonly topic: "payment" | "refund" | "dispute" | "payout" | "other";
      readonly mode: Mode;
    }
  /** Not signed by the gateway. */
  | { readonly kind: "reject" };

/** The path at which the signed notices of the gateway come in. */
export function noticePath(mode: Mode, gateway: string): string {
  return `/hooks/${mode}/${gateway}`;
}
