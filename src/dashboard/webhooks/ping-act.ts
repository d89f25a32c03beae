// A test event to the endpoint of the page, and what is said once something was sent by hand.

import type { JsonObject } from "#platform/http/json/strict-json.ts";

import type { RequestForm } from "../forms/form.ts";
import type { Done } from "../words/en.ts";
import { pathOf } from "./endpoint-words.ts";

/** The form, which leads to what came back. */
export const pingAct: RequestForm = {
  route: "POST /v2/webhooks/{id}/ping",
  doneMessage: arrival,
  redirectTo: ({ id }, { params }) => {
    const path = pathOf({ id: params["id"] ?? "" });
    return typeof id === "string" ? `${path}/deliveries/${id}` : path;
  },
};

/** Whether the delivery that is answered arrived. */
export function arrival({ status }: JsonObject): Done {
  return status === "succeeded" ? "delivered" : "undelivered";
}
