// Stripe as a vendor of `duka mock`.

import type { MockedVendor } from "#mocks/mock.ts";
import type { VendorServer } from "#mocks/vendor-server.ts";

import { StripeFace } from "./stripe-face.ts";

const WEBHOOK_SECRET = "whsec_mock3Fa03Fa03Fa03Fa03Fa0";
/** The payer whom nothing stops. */
const CARD = "pm_card_visa";

/** A face with an endpoint for the notices. */
export function mockStripe(server: VendorServer, noticesUrl: string): MockedVendor {
  const face = new StripeFace({ server });
  const { account, payments, notices, faults } = face;
  face.addEndpoint(noticesUrl, WEBHOOK_SECRET);
  return {
    faults,
    books: account.books,
    notices: {
      get areWaiting() {
        return notices.areWaiting;
      },
      send: (copies) => notices.send({ copies }),
      lose: () => notices.lose(),
    },
    tick: (ms) => face.pass(ms),
    open: () => [
      ...account.sessions
        .all()
        .filter(({ status }) => status === "open")
        .map((session) => ({ ...session, phone: null, url: `${server.url}/c/pay/${session.id}` })),
      ...account.intents
        .all()
        .filter(({ status, session }) => status === "requires_action" && session === null)
        .map((intent) => ({ ...intent, phone: null, url: `${server.url}/3ds/${intent.id}` })),
    ],
    answer: (id, answer) => {
      const session = account.sessions.find(id);
      const intent = account.intents.find(id);
      if (session?.status === "open") {
        if (answer === "approved") payments.payOnPage(session, CARD);
        else payments.expire(session);
        return true;
      }
      if (intent?.status !== "requires_action") return false;
      payments.answerChallenge(intent, answer === "approved" ? "approved" : "failed");
      return true;
    },
    settings: (url) => ({
      DUKA_STRIPE_URL: url,
      DUKA_STRIPE_TEST_SECRET: face.secret,
      DUKA_STRIPE_TEST_WEBHOOK_SECRET: WEBHOOK_SECRET,
    }),
  };
}
