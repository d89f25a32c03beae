// A shop whose owner gets messages in a browser, by a push service on loopback.

import type { Visitor } from "../dashboard/dashboard-shop.ts";
import { openPushReceiver, type PushReceiver } from "../support/push-receiver.ts";
import { type AlertShop, openAlertShop } from "./alert-shop.ts";

export interface PushShop extends AsyncDisposable {
  readonly opened: AlertShop;
  readonly service: PushReceiver;
  readonly key: string;
}

/** The shop of Ama, who subscribed a browser, with a mug to sell. */
export async function openPushShop(): Promise<PushShop> {
  const service = openPushReceiver();
  const opened = await openAlertShop({}, { callOut: service.callOut });
  await subscribe(opened.owner, service);
  const key = await opened.shop.createKey({ mode: "live" });
  await opened.told();
  return {
    opened,
    service,
    key,
    [Symbol.asyncDispose]: async () => {
      await opened[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
    },
  };
}

/** Presses the button of the page, as its script does. */
export async function subscribe(
  visitor: Visitor,
  service: PushReceiver,
  path?: string,
): Promise<void> {
  await visitor.send("/dashboard/push/key");
  const { endpoint, ...keys } = service.subscribe(path);
  await visitor.send("/dashboard/me/push", { subscription: JSON.stringify({ endpoint, keys }) });
}
