// A program whose gateway kills the process at a given point.
// Arguments: the folder, the ledger's file, the point.

import { startLedgerShop } from "./ledger-shop.ts";

const [folder = "", ledger = "", point = ""] = process.argv.slice(2);
const duka = await startLedgerShop({ folder, ledger, point });
const key = duka.firstKey === null ? "" : `  ${duka.firstKey}\n`;
process.stdout.write(`  API   ${duka.url}/v2\n${key}  Data  ${folder}\n`);
