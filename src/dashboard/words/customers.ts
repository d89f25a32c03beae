// How customers are spoken of, in English.

export const customers = {
  add: "Add customer",
  search: "Name, phone or email",
  empty: "No customers yet",
  emptyWhat: "Everyone who orders appears here with their contact and their orders.",
  notFound: "Nothing found",
  notFoundWhat: (q: string) => `No customer has “${q}” in their name, phone or email.`,
  erased: "Erased customer",
  erasedOn: (day: string) => `The personal data was erased on ${day}. The orders are kept.`,
  orders: (count: number) =>
    count === 0 ? "No orders" : count === 1 ? "1 order" : `${count} orders`,
  name: "Name",
  phone: "Phone",
  email: "Email",
  contactHint: "A phone or an email is enough.",
  unverified: "Typed at the storefront, and not confirmed by you.",
  greeting: (name: string, shop: string) =>
    `Hello${name === "" ? "" : ` ${name}`}, this is ${shop}.`,
  details: "Details",
  tags: "Tags",
  tag: (index: number) => `Tag ${index}`,
  consent: "Agreed to receive news and offers",
  taxes: "Taxes",
  taxId: "Tax number",
  exemption: "Pays tax",
  exemptions: {
    none: "Yes",
    reverse_charge: "No, their own business accounts for it",
    exempt: "No, exempt",
  },
  addresses: "Addresses",
  since: "Customer since",
  data: "Personal data",
  export: "Download everything",
  exportWhat: "One file with all that is stored about this customer.",
  erase: "Erase personal data",
  eraseTitle: (name: string) => `Erase ${name}`,
  eraseWhat:
    "Names, contacts, addresses, tags and notes are removed from the customer, from their carts, orders and payments, and from all records. The orders themselves stay, without a name. This cannot be undone.",
  eraseGo: "Erase for good",
  delete: "Delete customer",
  deleteTitle: (name: string) => `Delete ${name}`,
  deleteWhat:
    "This customer has no orders. The customer is deleted, and their carts are kept without personal data. This cannot be undone.",
  deleteGo: "Delete for good",
  keep: "Keep customer",
} as const;
