// A program that is killed at a given step of a call to a vendor's face.
// Arguments: the folder, the vendor, its face's address, the secret, the point.

import { startMortalShop } from "./mortal-shop.ts";

const [folder = "", name, address = "", secret = "", point = ""] = process.argv.slice(2);
const vendor = name === "paystack" ? "paystack" : "stripe";
const duka = await startMortalShop({ folder, vendor, address, secret, point });
const key = duka.firstKey === null ? "" : `  ${duka.firstKey}\n`;
process.stdout.write(`  API   ${duka.url}/v2\n${key}  Data  ${folder}\n`);
