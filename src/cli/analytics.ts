// `duka analytics`: what the operator does with the figures of both modes.

import { rebuildAnalytics } from "#analytics/projection/rebuild-analytics.ts";
import { modes } from "#open-shops.ts";
import type { Commands } from "#platform/socket/serve-administration.ts";

import { administer } from "./administer.ts";
import type { Stores } from "./key-commands.ts";
import { numberOrNull } from "./members.ts";
import { readSettings, type SettingOptions } from "./settings.ts";
