// How orders are spoken of, in English.

export const order = {
  counter: "Counter sale",
  unknown: "Customer",
  payments: {
    on_delivery: "Pay on delivery",
    unpaid: "Not paid",
    pending: "Paying now",
    review: "Payment to review",
    partially_paid: "Partly paid",
    paid: "Paid",
    overpaid: "Overpaid",
    partially_refunded: "Partly refunded",
    refunded: "Refunded",
  },
  sending: {
    unfulfilled: "To pack",
    partially_fulfilled: "Partly sent",
    fulfilled: "Sent",
    cancelled: "Cancelled",
  },
  methods: {
    mobile_money: "Mobile money",
    card: "Card",
    gateway: "Online payment",
    cash_on_delivery: "Cash on delivery",
    bank_transfer: "Bank transfer",
    cash: "Cash",
  },
  channels: {
    online_store: "Online",
    pos: "Counter",
    phone: "Phone",
    social: "Social",
    whatsapp: "WhatsApp",
  },
} as const;
