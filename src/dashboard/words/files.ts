// The words about files that a merchant imports, in English.

const nouns = { products: "products", customers: "customers" } as const;
type Noun = keyof typeof nouns;

export const imports = {
  title: { products: "Import products", customers: "Import customers" },
  what: {
    products: "Bring products from a CSV file of Shopify, WooCommerce or Duka.",
    customers: "Bring customers from a CSV file of Shopify, WooCommerce or Duka.",
  },
  file: "CSV file",
  fileHint: (megabytes: number, rows: number) =>
    `At most ${megabytes} MB and ${rows.toLocaleString("en")} rows. Choose the file as it was exported: a spreadsheet shortens long numbers and drops zeros.`,
  check: "Check the file",
  checkWhat: "Checking changes nothing. You see what would happen, and then decide.",
  guide: "What a file can have, and what becomes of it",
  noFile: "Choose a file with something in it.",
  tooLarge: (megabytes: number) =>
    `The file has more than ${megabytes} MB: divide it, or ask the person who runs the server for “duka import”.`,
  gone: "The file is not kept any longer. Choose it again.",
  checking: "Checking the file",
  importing: { products: "Importing products", customers: "Importing customers" },
  reading: "Reading the file …",
  checked: (done: number, total: number) => `${done} of ${total} checked`,
  imported: (done: number, total: number) => `${done} of ${total} imported`,
  goesOn:
    "This page shows by itself how far it is. You can leave it and come back: the work goes on.",
  lookAgain: "Look again",
  broken: "The work on the file was broken off, perhaps because the server was restarted.",
  brokenImport:
    "What was imported until then stays. Check the file again, and import it: what is there already is left unchanged.",
  checkAgain: "Check again",
  found: (count: number, noun: Noun, source: string) =>
    `${count} ${count === 1 ? noun.slice(0, -1) : noun} of ${source}`,
  rows: (rows: number) => (rows === 1 ? "1 row" : `${rows} rows`),
  sources: { shopify: "Shopify", woocommerce: "WooCommerce", duka: "Duka" },
  pricedIn: (currency: string) => `The prices are taken as ${currency}.`,
  willBe: {
    create: "To create",
    update: "To change",
    unchanged: "Unchanged",
    skip: "Left as they are",
    refuse: "With faults",
  },
  were: {
    create: "Created",
    update: "Changed",
    unchanged: "Unchanged",
    skip: "Left as they are",
    refuse: "Refused",
  },
  go: { products: "Import these products", customers: "Import these customers" },
  goPartial: (count: number) =>
    count === 1
      ? "Import the one that is right"
      : `Import the ${count.toLocaleString("en")} that are right`,
  goPartialWhat:
    "Those with faults are left out. Save their rows, mend them, and choose that file: what was imported is left unchanged.",
  mended: "Mended, see the notes",
  nothing: "There is nothing to do: the shop has all of this already.",
  empty: { products: "The file has no products.", customers: "The file has no customers." },
  faults: (count: number) => (count === 1 ? "1 fault" : `${count} faults`),
  faultsWhat: {
    products:
      "Mend the file and choose it again: unless you say otherwise, no product is imported while a cell has a fault.",
    customers:
      "Mend the file and choose it again: unless you say otherwise, no customer is imported while a cell has a fault.",
  },
  row: (row: number) => `Row ${row}`,
  moreFaults: (count: number) => `… and ${count} more, which the file of their rows has.`,
  saveReport: "Save the rows with faults as CSV",
  another: "Choose another file",
  notes: "Please note",
  ofRows: (rows: string, more: number) =>
    more > 0 ? `rows ${rows} and ${more} more` : `rows ${rows}`,
  ofRow: (row: number) => `row ${row}`,
  options: "Read the file in another way",
  from: "What wrote the file",
  fromColumns: "Tell by the columns",
  currency: "Currency of the prices",
  currencyHint: "For prices that the file gives without one.",
  noCurrency: "This is no currency code such as GHS.",
  encoding: "Encoding of the file",
  encodingUnsaid: "As its bytes tell",
  comma: "What a comma in a number parts",
  commaUnsaid: "As the number shows",
  commaUnsaidHint: "Where 1,250 may be either, it is a fault.",
  commaDecimal: "Decimals: 1,250 is 1.25",
  commaThousands: "Thousands: 1,250 is 1250",
  existing: { products: "Products that the shop has", customers: "Customers that the shop has" },
  update: "Change them to what the file says",
  updateHint: "A blank cell keeps what is there. Nothing is deleted.",
  skip: "Leave them as they are",
  done: {
    products: "The shop has these products now.",
    customers: "The shop has these customers now.",
  },
  doneInPart:
    "The shop changed meanwhile: what is refused was not imported. Choose the file again.",
  donePartial: (refused: number, noun: Noun) =>
    `The shop has the others now. ${refused === 1 ? `1 ${noun.slice(0, -1)} with faults is` : `${refused} ${noun} with faults are`} left out: save their rows, mend them, and choose that file.`,
  see: { products: "See the products", customers: "See the customers" },
} as const;

// The words about files for spreadsheets, in English.

export const exports = {
  orders: "Export orders",
  ordersWhat:
    "A file for the accounts: each order with its taxes, what was paid and what went back. A row for each tax; refunds have rows of their own, below zero.",
  days: (from: string, to: string) => `Orders placed from ${from} to ${to}.`,
  save: "Save as CSV",
  noDay: "This is not a day such as 2026-01-31.",
  customers: "Export customers",
  products: "Export products",
} as const;
