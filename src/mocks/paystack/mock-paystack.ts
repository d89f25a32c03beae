// Paystack as a vendor of `duka mock`.

import type { MockedVendor } from "#mocks/mock.ts";
import type { VendorServer } from "#mocks/vendor-server.ts";

import type { Transaction } from "./account.ts";
import { PaystackFace } from "./paystack-face.ts";

const OPEN: ReadonlySet<string> = new Set(["abandoned", "send_otp", "pay_offline", "pending"]);

function isOpen({ state }: Transaction): boolean {
  return OPEN.has(state.kind);
}

/** A face that sends its notices to the address. */
export function mockPaystack(server: VendorServer, noticesUrl: string): MockedVendor {
  const face = new PaystackFace({ server });
  const { account, notices, faults } = face;
  notices.url = noticesUrl;
  return {
    faults,
    books: account.books,
    notices: {
      get areWaiting() {
        return notices.areWaiting;
      },
      send: (copies) => notices.send(copies),
      lose: () => notices.lose(),
    },
    tick: (ms) => face.pass(ms),
    open: () =>
      [...account.transactions.values()].filter(isOpen).map((transaction) => ({
        id: transaction.reference,
        amountMinor: transaction.requested,
        currency: transaction.currency,
        phone: transaction.phone,
        url: null,
      })),
    answer: (id, answer) => {
      const transaction = account.transactions.get(id);
      if (transaction === undefined || !isOpen(transaction)) return false;
      account.decide(transaction, answer);
      return true;
    },
    settings: (url) => ({ DUKA_PAYSTACK_URL: url, DUKA_PAYSTACK_TEST_SECRET: face.secret }),
  };
}
