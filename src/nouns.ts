// The kinds of ids of all nouns, defined by their tables. What makes or reads ids loads this file before its own, so
// that no kind depends on which other file was loaded first.

import "#alerts/tables.ts";
import "#catalog/rows/tables.ts";
import "#customers/tables.ts";
import "#emails/tables.ts";
import "#messaging/webhooks/deliveries/tables.ts";
import "#messaging/webhooks/endpoints/tables.ts";
import "#payments/rows/tables.ts";
import "#platform/database/tables.ts";
import "#pricing/discounts/tables.ts";
import "#pricing/shipping/tables.ts";
import "#sales/rows/tables.ts";
import "#shop/audit/tables.ts";
import "#shop/connections/tables.ts";
import "#shop/keys/tables.ts";
import "#shop/people/credentials/tables.ts";
import "#shop/people/sessions/tables.ts";
import "#shop/people/tables.ts";
import "#shop/store/tables.ts";
import "#shop/taxes/tables.ts";
