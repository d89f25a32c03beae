// Rows of the shops whose files are read, in the heads that they have had, with the product or customer expected of each.

/** A file of a shop, and the bodies that are read from it; its amounts are numbers, since spreadsheets drop zeros. */
export interface CorpusFile {
  readonly name: string;
  readonly noun: "products" | "customers";
  readonly rows: readonly (readonly string[])[];
  readonly bodies: readonly object[];
  /** The columns, by their positions, of numbers with decimals, of choices and of codes. */
  readonly decimals: readonly number[];
  readonly choices: readonly number[];
  readonly codes: readonly number[];
}

const teapot = {
  name: "Théière “Soleil”",
  slug: "theiere-soleil",
  description: "Two litres, red.\n\nFor 6; not for ovens.",
  category: "Teapots",
  tags: ["tea", "clay, red"],
  brand: "Kiln & Co",
  options: [{ name: "Glaze", values: ["Red", "Blue"] }],
};

const red = {
  sku: "00170",
  barcode: "0012345678905",
  options: { Glaze: "Red" },
  prices: [{ currency: "EUR", amount: 25.5, compare_at: 30 }],
  stock: 7,
};

const blue = {
  sku: "00171",
  options: { Glaze: "Blue" },
  prices: [{ currency: "EUR", amount: 26 }],
  stock: 0,
};

const shopify2015: CorpusFile = {
  name: "Shopify, with the columns of 2015",
  noun: "products",
  rows: [
    "Handle|Title|Body (HTML)|Vendor|Type|Tags|Published|Option1 Name|Option1 Value|Variant SKU|Variant Grams|Variant Inventory Tracker|Variant Inventory Qty|Variant Inventory Policy|Variant Price|Variant Compare At Price|Variant Requires Shipping|Variant Taxable|Variant Barcode|Image Src|Image Position|Image Alt Text",
    "theiere-soleil|Théière “Soleil”|<p>Two litres, red.</p><p>For 6; not for ovens.</p>|Kiln & Co|Teapots|tea, clay\\, red|TRUE|Glaze|Red|00170|1250.5|shopify|7|deny|25.50|30.00|TRUE|TRUE|0012345678905|https://cdn.example/red.jpg|1|A red teapot",
    "theiere-soleil|||||||Glaze|Blue|00171|1250.5|shopify|0|continue|26.00||TRUE|TRUE||||",
    "theiere-soleil|||||||||||||||||||https://cdn.example/blue.jpg|2|",
    "plain-cup|Plain cup||||Cups|FALSE|Title|Default Title|00180||||deny|9.99||TRUE|TRUE||||",
  ].map((line) => line.split("|")),
  bodies: [
    {
      ...teapot,
      images: [
        { url: "https://cdn.example/red.jpg", alt: "A red teapot" },
        { url: "https://cdn.example/blue.jpg", alt: "" },
      ],
      variants: [
        { ...red, weight_grams: 1251, requires_shipping: true, tracked: true, backorder: "deny" },
        { ...blue, weight_grams: 1251, requires_shipping: true, tracked: true, backorder: "allow" },
      ],
    },
    {
      name: "Plain cup",
      slug: "plain-cup",
      status: "draft",
      tags: ["Cups"],
      variants: [
        {
          sku: "00180",
          prices: [{ currency: "EUR", amount: 9.99 }],
          requires_shipping: true,
          tracked: false,
          backorder: "deny",
        },
      ],
    },
  ],
  decimals: [10, 14, 15],
  choices: [6, 16, 17],
  codes: [9, 18],
};

const shopifyOfNow: CorpusFile = {
  name: "Shopify, with the columns of now",
  noun: "products",
  rows: [
    "Title|URL handle|Description|Vendor|Product category|Type|Tags|Published on online store|Status|SKU|Barcode|Option1 name|Option1 value|Price|Compare-at price|Charge tax|Inventory tracker|Inventory quantity|Continue selling when out of stock|Weight value (grams)|Weight unit for display|Requires shipping|Product image URL|Image position|Image alt text|SEO title|Gift card",
    "Théière “Soleil”|theiere-soleil|<p>Two litres, red.</p><p>For 6; not for ovens.</p>|Kiln & Co|Home & Garden > Kitchen > Teapots||tea, clay\\, red|TRUE|Active|00170|0012345678905|Glaze|Red|25.50|30.00|TRUE|shopify|7|DENY|1250.5|g|TRUE|https://cdn.example/red.jpg|1|A red teapot|Tea, at last|FALSE",
    "|theiere-soleil||||||||00171|||Blue|26.00||TRUE|shopify|0|CONTINUE|1250.5|g|TRUE||||||",
  ].map((line) => line.split("|").slice(0, 27)),
  bodies: [
    {
      ...teapot,
      seo: { title: "Tea, at last" },
      images: [{ url: "https://cdn.example/red.jpg", alt: "A red teapot" }],
      variants: [
        { ...red, weight_grams: 1251, backorder: "deny" },
        { ...blue, backorder: "allow" },
      ],
    },
  ],
  decimals: [13, 14, 19],
  choices: [7, 15, 21, 26],
  codes: [9, 10],
};

function wooFile(unit: string, [pot, cup]: readonly [string, string]): CorpusFile {
  return {
    name: `WooCommerce, which weighs in ${unit}`,
    noun: "products",
    rows: [
      `ID|Type|SKU|GTIN, UPC, EAN, or ISBN|Name|Published|Is featured?|Short description|Description|Tax status|In stock?|Stock|Backorders allowed?|Weight (${unit})|Sale price|Regular price|Categories|Tags|Images|Parent|Brands|Attribute 1 name|Attribute 1 value(s)|Attribute 1 visible|Attribute 1 global|Meta: _note`,
      `11|variable|00017||Théière “Soleil”|1|0||<p>Two litres, red.</p><p>For 6; not for ovens.</p>|taxable|1||0|${pot}|||Home > Teapots|tea, clay\\, red|https://cdn.example/red.jpg, https://cdn.example/blue.jpg||Kiln & Co|Glaze|Red, Blue|1|1|x`,
      `12|variation|00170|0012345678905|Théière - Red|1|0|||taxable|1|7|0||25.50|30.00||||00017||Glaze|Red||1|`,
      `13|variation|00171||Théière - Blue|1|0|||taxable|1|0|1|||26.00||||id:11||Glaze|Blue||1|`,
      `14|simple|00180||Plain cup|0|0|A cup||taxable|0||0|${cup}||9.99||||||||||`,
    ].map((line) => line.split("|").slice(0, 26)),
    bodies: [
      {
        ...teapot,
        images: [{ url: "https://cdn.example/red.jpg" }, { url: "https://cdn.example/blue.jpg" }],
        variants: [
          { ...red, weight_grams: 1250, tracked: true, backorder: "deny" },
          { ...blue, weight_grams: 1250, backorder: "allow" },
        ],
      },
      {
        name: "Plain cup",
        slug: "plain-cup",
        description: "A cup",
        status: "draft",
        variants: [
          {
            sku: "00180",
            prices: [{ currency: "EUR", amount: 9.99 }],
            weight_grams: 250,
            stock: 0,
            tracked: true,
          },
        ],
      },
    ],
    decimals: [13, 14, 15],
    choices: [10, 12],
    codes: [2, 3],
  };
}

const duka: CorpusFile = {
  name: "Duka",
  noun: "products",
  rows: [
    "slug|name|description|status|category|brand|tags|sku|barcode|option_1_name|option_1_value|price_eur|compare_at_eur|weight_grams|requires_shipping|stock|images",
    "theiere-soleil|Théière “Soleil”|Two litres, red.|active|Teapots|Kiln & Co|tea \\| clay, red|00170|0012345678905|Glaze|Red|25.50|30.00|1250|TRUE|7|https://cdn.example/red.jpg",
    "theiere-soleil|||||||00171|||Blue|26.00||1250|TRUE|0|",
  ].map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.replace("\\|", "|"))),
  bodies: [
    {
      ...teapot,
      description: "Two litres, red.",
      images: [{ url: "https://cdn.example/red.jpg", alt: "" }],
      variants: [{ ...red, weight_grams: 1250 }, blue],
    },
  ],
  decimals: [11, 12],
  choices: [14],
  codes: [7, 8],
};

const zoe = {
  email: "zoe@example.com",
  first_name: "Zoë",
  last_name: "Müller-Addo",
  addresses: [
    {
      line1: "Große Straße 7, 2. Stock",
      city: "Köln",
      postal_code: "01067",
      country: "DE",
      phone: "+4922112345678",
    },
  ],
};

const shopifyCustomersOf2015: CorpusFile = {
  name: "customers of Shopify, with the columns of before",
  noun: "customers",
  rows: [
    "First Name|Last Name|Email|Company|Address1|Address2|City|Province|Province Code|Country|Country Code|Zip|Phone|Accepts Marketing|Total Spent|Total Orders|Tags|Note|Tax Exempt",
    "Zoë|Müller-Addo|zoe@example.com||Große Straße 7, 2. Stock||Köln|||Germany|DE|01067|+4922112345678|yes|12.50|1|vip, clay|Rings twice; waits|no",
    "Kofi||kofi@example.com|||||||||||no|0.00|0|||no",
  ].map((line) => line.split("|")),
  bodies: [
    {
      ...zoe,
      addresses: [{ ...zoe.addresses[0], phone: undefined }],
      phone: "+4922112345678",
      marketing_consent: true,
      tags: ["vip", "clay"],
      metadata: { note: "Rings twice; waits" },
    },
    { first_name: "Kofi", email: "kofi@example.com", marketing_consent: false },
  ],
  decimals: [14],
  choices: [13, 18],
  codes: [11],
};

const shopifyCustomersOfNow: CorpusFile = {
  name: "customers of Shopify, with the columns of now",
  noun: "customers",
  rows: [
    "Customer ID|First Name|Last Name|Email|Accepts Email Marketing|Default Address Company|Default Address Address1|Default Address Address2|Default Address City|Default Address Province Code|Default Address Country Code|Default Address Zip|Default Address Phone|Phone|Accepts SMS Marketing|Total Spent|Total Orders|Note|Tax Exempt|Tags",
    "'6812|Zoë|Müller-Addo|zoe@example.com|yes||Große Straße 7, 2. Stock||Köln||DE|01067|+4922112345678||no|12.50|1|Rings twice; waits|yes|vip, clay",
  ].map((line) => line.split("|")),
  bodies: [
    {
      ...zoe,
      marketing_consent: true,
      tags: ["vip", "clay"],
      tax_exemption: "exempt",
      metadata: { note: "Rings twice; waits" },
    },
  ],
  decimals: [15],
  choices: [4, 14, 18],
  codes: [11],
};

const wooCustomers: CorpusFile = {
  name: "customers of WooCommerce",
  noun: "customers",
  rows: [
    "Name|Username|Last Active|Date Registered|Email|Orders|Total Spend|AOV|Country / Region|City|Region|Postal Code",
    "Zoë Müller-Addo|zoe|2026-11-01|2026-01-01|zoe@example.com|1|12.50|12.50|DE|Köln||01067",
  ].map((line) => line.split("|")),
  bodies: [
    {
      name: "Zoë Müller-Addo",
      email: "zoe@example.com",
      addresses: [{ city: "Köln", postal_code: "01067", country: "DE" }],
    },
  ],
  decimals: [6, 7],
  choices: [],
  codes: [11],
};

const dukaCustomers: CorpusFile = {
  name: "customers of Duka",
  noun: "customers",
  rows: [
    "email|first_name|last_name|marketing_consent|tags|address_line1|address_city|address_postal_code|address_country|address_phone",
    "zoe@example.com|Zoë|Müller-Addo|TRUE|vip|Große Straße 7, 2. Stock|Köln|01067|DE|+4922112345678",
  ].map((line) => line.split("|")),
  bodies: [{ ...zoe, marketing_consent: true, tags: ["vip"] }],
  decimals: [],
  choices: [3],
  codes: [7],
};

export const corpus: readonly CorpusFile[] = [
  shopify2015,
  shopifyOfNow,
  wooFile("kg", ["1.25", "0.25"]),
  wooFile("g", ["1250.0", "250.0"]),
  wooFile("lbs", ["2.7558", "0.5512"]),
  wooFile("oz", ["44.0925", "8.8185"]),
  duka,
  shopifyCustomersOf2015,
  shopifyCustomersOfNow,
  wooCustomers,
  dukaCustomers,
];
