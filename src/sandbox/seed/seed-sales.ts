// The sales of a seeded test shop: who bought what, when, and what became of it. After the last row the
// shop has orders in every state of payment and fulfillment, and carts that were left and recovered.

import type { FateName } from "./fates.ts";
import { before, minutesAgo, type Moment, share } from "./moment.ts";
import type { ShippingName } from "./seed-price-terms.ts";

/** How the goods are to arrive, or that the customer enters the code of the seed; then the courier brings them. */
export type Wish = ShippingName | "code";

/** One sale. Lines are SKUs, with `*` and the units where they are more than one. */
export type SaleRow = readonly [
  customer: string,
  began: Moment,
  lines: string,
  fate: FateName,
  wish?: Wish,
];

/** A delivery from a supplier. */
export type RestockRow = readonly [arrived: Moment, sku: string, units: number];

// prettier-ignore
export const restocks: readonly RestockRow[] = [
  [before(9, "08:05"), "COF-VOL-250", 30],
  [before(9, "08:06"), "BAS-BOL-M", 8],
];

// prettier-ignore
export const sales: readonly SaleRow[] = [
  ["kwame", before(21, "12:47"), "BAS-BOL-L COF-VOL-250", "by_card"],
  ["ama", before(21, "16:20"), "SHE-BUT-100*2 SOA-BLK-1*3", "completed", "code"],
  ["esi", before(20, "09:24"), "BRA-KRO-SUN*2", "completed", "express"],
  ["akosua", before(20, "13:22"), "SOA-BLK-1*2", "counter"],
  ["abena", before(19, "09:17"), "TEE-EVE-S-BLK*2", "retried", "code"],
  ["yaw", before(19, "11:30"), "BAS-BOL-M BRA-KRO-SAV THR-BAT-OCH", "by_card"],
  ["kofi", before(19, "20:10"), "LAN-SOL-2", "expired"],
  ["yaw", before(18, "08:42"), "THR-BAT-IND", "completed", "pickup"],
  ["esi", before(18, "13:50"), "BAG-WAX-YEL TEA-SOB-100*2", "social"],
  ["adwoa", before(18, "16:38"), "COF-VOL-1000 TEA-SOB-100*2 THR-BAT-OCH", "refunded", "code"],
  ["nii", before(17, "09:24"), "BAS-BOL-M COF-VOL-250 THR-BAT-IND", "delivered", "express"],
  ["kojo", before(17, "13:29"), "SHE-BUT-100*2 TEE-EVE-L-BLK*2", "cart", "code"],
  ["akosua", before(17, "18:02"), "BAG-WAX-BLU HON-FOR-L", "cart_abandoned", "code"],
  ["esi", before(16, "13:22"), "TEE-EVE-L-BLK", "completed"],
  ["ama", before(16, "17:45"), "HON-FOR-S*2", "counter"],
  ["esi", before(15, "09:10"), "BAG-WAX-RED BRA-KRO-SUN*3", "delivered"],
  ["efua", before(15, "11:05"), "SOA-BLK-1*12 SHE-BUT-250*6", "by_bank"],
  ["akosua", before(15, "16:31"), "COF-VOL-250 LAN-SOL-2", "by_card"],
  ["kofi", before(14, "10:27"), "BRA-KRO-SAV*2", "cancelled"],
  ["kwesi", before(14, "12:40"), "MUG-ENA-350*4", "part_refunded", "code"],
  ["akosua", before(14, "14:11"), "COF-VOL-250*2 TEE-EVE-M-WHT THR-BAT-IND", "completed"],
  ["kwame", before(14, "19:12"), "BAS-BOL-M", "recovered"],
  ["nii", before(13, "16:38"), "TEE-EVE-M-BLK", "completed", "pickup"],
  ["afia", before(13, "19:54"), "BAS-BOL-L COF-VOL-250*3 MUG-ENA-350", "installments"],
  ["esi", before(12, "14:39"), "BAS-BOL-L BRA-KRO-SUN SOA-BLK-1", "delivered"],
  ["kofi", before(12, "18:09"), "BAS-BOL-M", "cart_recovered", "code"],
  ["nii", before(12, "20:15"), "HON-FOR-S", "declined"],
  ["yaa", before(11, "10:22"), "TEE-EVE-M-WHT TEE-EVE-L-WHT", "completed", "code"],
  ["abena", before(11, "11:37"), "COF-VOL-250*2 TEA-SOB-100*2", "by_card"],
  ["esi", before(11, "18:58"), "MUG-ENA-350*2 SHE-BUT-250 SOA-BLK-1", "completed"],
  ["yaw", before(10, "10:13"), "BAG-WAX-RED*2 COF-VOL-250 HON-FOR-S", "social"],
  ["edem", before(10, "10:34"), "SOA-BLK-1*2", "completed"],
  ["ama", before(10, "15:50"), "BRA-KRO-SUN BRA-KRO-SAV", "cart"],
  ["kofi", before(9, "16:24"), "MUG-ENA-350*2", "by_card"],
  ["efua", before(9, "17:06"), "BAG-WAX-BLU*3 COF-VOL-250*6 TEE-EVE-M-WHT*2", "by_bank"],
  ["dzifa", before(5, "19:40"), "SHE-BUT-100", "cart_abandoned"],
  ["naa", before(8, "09:31"), "COF-VOL-250 HON-FOR-S SOA-BLK-1*2", "completed", "code"],
  ["yaw", before(8, "13:50"), "BAS-BOL-M", "counter"],
  ["afia", before(8, "17:12"), "THR-BAT-IND", "cancelled_paid"],
  ["akosua", before(7, "09:24"), "BRA-KRO-SUN", "by_card", "express"],
  ["kojo", before(7, "13:22"), "BAS-BOL-M COF-VOL-250", "part_refunded"],
  ["kwesi", before(7, "15:56"), "BAG-WAX-BLU SHE-BUT-250", "delivered"],
  ["edem", before(7, "17:06"), "BAG-WAX-BLU SHE-BUT-100", "completed", "code"],
  ["adwoa", before(6, "13:01"), "MUG-ENA-350 TEE-EVE-M-BLK*2", "retried"],
  ["abena", before(6, "18:58"), "SHE-BUT-250*3 TEA-SOB-100*2", "cart_recovered", "pickup"],
  ["selorm", before(6, "19:05"), "LAN-SOL-2", "completed"],
  ["selorm", before(5, "11:51"), "BRA-KRO-SUN", "refunded"],
  ["nii", before(5, "18:23"), "BAG-WAX-YEL*2 TEE-EVE-L-BLK", "social"],
  ["abena", before(5, "20:36"), "TEE-EVE-S-BLK*2", "completed", "express"],
  ["akosua", before(4, "10:55"), "TEE-EVE-L-BLK*2", "delivered"],
  ["adwoa", before(4, "13:15"), "MUG-ENA-350*2", "cart"],
  ["edem", before(4, "15:21"), "COF-VOL-250 LAN-SOL-2 SHE-BUT-250", "completed"],
  ["fatima", before(4, "15:42"), "SHE-BUT-250", "expired", "code"],
  ["naa", before(4, "17:30"), "SOA-BLK-1*4 HON-FOR-S", "by_card"],
  ["akosua", before(3, "17:06"), "BAS-BOL-L BRA-KRO-SUN", "completed"],
  ["yaw", before(3, "17:13"), "MUG-ENA-350 TEE-EVE-L-BLK*2", "cart"],
  ["yaa", before(3, "20:29"), "COF-VOL-250*3 SHE-BUT-250*2 TEE-EVE-L-BLK*2", "completed"],
  ["kofi", before(2, "09:10"), "COF-VOL-250", "by_card", "pickup"],
  ["edem", before(2, "10:20"), "BAS-BOL-M TEA-SOB-100*2 TEE-EVE-M-BLK*2", "part_shipped"],
  ["esi", before(2, "14:44"), "TEA-SOB-100 THR-BAT-IND", "in_review"],
  ["dzifa", before(2, "16:18"), "HON-FOR-L TEA-SOB-100", "part_paid"],
  ["ibrahim", before(2, "19:05"), "BRA-KRO-SAV TEE-EVE-M-WHT*2", "completed", "code"],
  ["ama", before(1, "08:21"), "SHE-BUT-100*2 SOA-BLK-1*2", "paid"],
  ["fatima", before(1, "11:09"), "COF-VOL-1000 SHE-BUT-100*2", "shipped_unpaid"],
  ["efua", before(1, "13:35"), "SOA-BLK-1*10 TEE-EVE-L-WHT*4", "pending"],
  ["kwesi", before(1, "17:52"), "BAG-WAX-YEL COF-VOL-250", "cart_abandoned"],
  ["esi", before(1, "20:15"), "BRA-KRO-SUN*3", "paid", "express"],
  ["akosua", share(0.35), "COF-VOL-250*2 TEA-SOB-100", "part_shipped"],
  ["ibrahim", share(0.45), "MUG-ENA-350*3", "counter"],
  ["naa", share(0.55), "BAG-WAX-RED HON-FOR-S", "paid"],
  ["selorm", share(0.7), "TEE-EVE-M-BLK SHE-BUT-100", "unpaid"],
  ["yaw", share(0.85), "BAS-BOL-M THR-BAT-OCH", "paid"],
  ["kwame", minutesAgo(25), "SOA-BLK-1*3", "pending"],
  ["dzifa", minutesAgo(18), "BRA-KRO-SUN TEE-EVE-S-WHT", "cart_checkout", "code"],
  ["adwoa", minutesAgo(12), "LAN-SOL-2", "new"],
  ["abena", minutesAgo(6), "COF-VOL-250 MUG-ENA-350*2", "cart_active"],
];
