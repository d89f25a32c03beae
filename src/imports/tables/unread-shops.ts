// Files of shops and sellers' tools that are not read. They are told by their columns, so that the merchant who brings
// one learns what would be enough.

interface UnreadShop {
  readonly name: string;
  /** Columns that stand together in its files alone; of a list any one. */
  readonly marks: readonly (string | readonly string[])[];
}

const shops: readonly UnreadShop[] = [
  { name: "Magento", marks: ["sku", "attribute_set_code"] },
  { name: "Magento", marks: ["sku", "_attribute_set", "_type"] },
  { name: "Magento", marks: ["email", "_website", "_store"] },
  { name: "Square", marks: ["item name", "variation name", ["token", "reference handle"]] },
  { name: "Square", marks: ["square customer id"] },
  { name: "Etsy", marks: ["title", "currency_code", "quantity", ["materials", "image1"]] },
  { name: "Etsy", marks: ["order id", "sale date", "ship country"] },
  {
    name: "Google Merchant Center",
    marks: [["id", "item id"], "title", ["image_link", "image link"], "availability"],
  },
  {
    name: "BigCommerce",
    marks: [
      ["product code/sku", "product sku"],
      ["item type", "product id"],
    ],
  },
  { name: "BigCommerce", marks: ["item", "id", "sku", "inventory tracking"] },
  { name: "Wix", marks: ["fieldtype", ["handleid", "handle"]] },
  { name: "PrestaShop", marks: ["active (0/1)", ["name *", "name*", "name"]] },
  { name: "PrestaShop", marks: ["product id", "reference", "price (tax excl.)"] },
  { name: "Squarespace", marks: [["product id [non editable]", "variant id [non editable]"]] },
  { name: "Ecwid", marks: [["product_internal_id", "product_sku"], "product_name"] },
  { name: "Loyverse", marks: ["handle", "name", "sold by weight"] },
  {
    name: "Amazon",
    marks: [
      ["seller-sku", "item_sku"],
      ["item-name", "item_name"],
    ],
  },
  { name: "orders of Shopify", marks: ["financial status", "lineitem name"] },
];

/** The shop that wrote a file with these columns; null for one that is not known. */
export function unreadShop(header: readonly string[]): string | null {
  const columns = new Set(header.map((name) => name.toLowerCase()));
  const found = shops.find(({ marks }) =>
    marks.every((mark) => [mark].flat().some((name) => columns.has(name))),
  );
  return found?.name ?? null;
}
