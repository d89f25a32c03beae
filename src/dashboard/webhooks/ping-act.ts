// A test event to the endpoint of the page.

import type { RequestForm } from "../forms/form.ts";
import { pathOf } from "./endpoint-words.ts";

/** The form, which leads to what came back. */
export const pingAct: RequestForm = {
  route: "POST /v2/webhooks/{id}/ping",
  doneMessage: "pinged",
  redirectTo: ({ id }, { params }) => {
    const path = pathOf({ id: params["id"] ?? "" });
    return typeof id === "string" ? `${path}/deliveries/${id}` : path;
  },
};
