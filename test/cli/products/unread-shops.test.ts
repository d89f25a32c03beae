// A file of a shop that is not read says so by its name, and which columns would be enough.

import { describe, expect, test } from "bun:test";

import { readCustomers } from "#imports/customer-files/read-customers.ts";
import { readProducts } from "#imports/product-files/read-products.ts";

const terms = { currency: "KES", comma: null, hints: { decimal: "", thousands: "" }, now: 0 };

function fileOf(text: string) {
  return { content: new Blob([text]), encodingHint: "" };
}

describe("products", () => {
  test.each([
    [
      "Magento",
      "sku,store_view_code,attribute_set_code,product_type,name,price,qty\nTEA,,Default,simple,Tea,5,9",
    ],
    [
      "Magento",
      '"sku","_store","_attribute_set","_type","name","price"\n"TEA","","Default","simple","Tea","5"',
    ],
    [
      "Square",
      "Token,Item Name,Variation Name,SKU,Price,Current Quantity Accra\nA1,Tea,Loose,TEA,5,9",
    ],
    [
      "Square",
      "Reference Handle,Token,Item Name,Customer-facing Name,Variation Name\n#tea,A1,Tea,Tea,Loose",
    ],
    [
      "Etsy",
      "TITLE,DESCRIPTION,PRICE,CURRENCY_CODE,QUANTITY,TAGS,MATERIALS,IMAGE1,SKU\nTea,Leaves,5,USD,9,tea,leaves,,TEA",
    ],
    [
      "Google Merchant Center",
      "id\ttitle\tdescription\tlink\timage_link\tavailability\tprice\nTEA\tTea\tLeaves\thttps://s.example\t\tin_stock\t5 USD",
    ],
    [
      "Google Merchant Center",
      "ID,Title,Description,Link,Image link,Availability,Price\nTEA,Tea,Leaves,https://s.example,,in stock,5 USD",
    ],
    [
      "BigCommerce",
      "Item Type,Product ID,Product Name,Product Code/SKU,Price\nProduct,1,Tea,TEA,5",
    ],
    [
      "BigCommerce",
      "Item,ID,Name,Type,SKU,Options,Inventory Tracking,Price\nProduct,1,Tea,physical,TEA,,none,5",
    ],
    ["Wix", "handleId,fieldType,name,description,price,visible\ntea,Product,Tea,Leaves,5,true"],
    ["Wix", "handle,fieldType,name,visible,plainDescription,price\ntea,PRODUCT,Tea,true,Leaves,5"],
    ["PrestaShop", "Product ID;Active (0/1);Name *;Price tax excluded;Reference #\n1;1;Tea;5;TEA"],
    ["PrestaShop", '"Product ID";"Name";"Reference";"Price (tax excl.)"\n1;Tea;TEA;5'],
    [
      "Squarespace",
      "Product ID [Non Editable],Variant ID [Non Editable],Title,SKU,Price\n1,2,Tea,TEA,5",
    ],
    [
      "Ecwid",
      "type,product_internal_id,product_sku,product_name,product_price\nproduct,1,TEA,Tea,5",
    ],
    ["Loyverse", "Handle,SKU,Name,Category,Sold by weight,Price\ntea,TEA,Tea,Drinks,N,5"],
    ["Amazon", "item-name\tseller-sku\tprice\tquantity\nTea\tTEA\t5\t9"],
    ["orders of Shopify", "Name,Email,Financial Status,Lineitem name\n#1,ama@example.com,paid,Tea"],
  ])("of %s are not read", async (name, text) => {
    expect(readProducts(fileOf(text), terms)).rejects.toThrow(
      `This is a file of ${name}, which is not read. These columns are enough, under these names: slug, name and price;`,
    );
  });

  test("of a shop that is not known are told by the first columns", async () => {
    expect(readProducts(fileOf("Article,Cost\nTea,5"), terms)).rejects.toThrow(
      /^The columns are those of no shop .*The first are: Article, Cost\..*enough, under these names: slug/,
    );
  });

  test("in the columns that are enough are read", async () => {
    const text =
      "slug,name,price,sku,stock,description,images,weight_grams\ntea,Tea,5,TEA,9,Leaves,https://s.example/tea.jpg,100";

    expect(await readProducts(fileOf(text), terms)).toMatchObject({ source: "duka", faults: [] });
  });
});

describe("customers", () => {
  test.each([
    ["Magento", "email,_website,_store,firstname,lastname\nama@example.com,base,default,Ama,Osei"],
    [
      "Square",
      "Reference ID,First Name,Last Name,Email Address,Phone Number,Square Customer ID\n,Ama,Osei,ama@example.com,,A1",
    ],
    [
      "Etsy",
      "Sale Date,Order ID,Buyer User ID,Full Name,Ship Country\n11/30/26,1,ama,Ama Osei,Ghana",
    ],
  ])("of %s are not read", async (name, text) => {
    expect(readCustomers(fileOf(text), { country: "GH" })).rejects.toThrow(
      `This is a file of ${name}, which is not read. These columns are enough, under these names: email or phone, and name;`,
    );
  });

  test("in the columns that are enough are read", async () => {
    const text =
      "email,name,address_line1,address_city,address_country\nama@example.com,Ama,1 High Street,Accra,GH";

    expect(await readCustomers(fileOf(text), { country: "GH" })).toMatchObject({
      source: "duka",
      faults: [],
    });
  });
});
