// A program that is killed at a given step of a call to Stripe's face.
// Arguments: the folder, the face's address, its secret, the point.

import { startMortalShop } from "./mortal-shop.ts";

const [folder = "", address = "", secret = "", point = ""] = process.argv.slice(2);
const duka = await startMortalShop({ folder, address, secret, point });
const key = duka.firstKey === null ? "" : `  ${duka.firstKey}\n`;
process.stdout.write(`  API   ${duka.url}/v2\n${key}  Data  ${folder}\n`);
