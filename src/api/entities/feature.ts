import { FLAGS, type Flag } from "@/features/flags/catalog";
import type { FlagState } from "@/features/flags/service";

/** What a feature is, whatever its state. */
export const featureDefinition = (name: Flag): object => ({
  name,
  introduced_by_url: null,
  rollout_issue_url: null,
  milestone: FLAGS[name].since,
  type: "development",
  group: null,
  default_enabled: FLAGS[name].default,
});

/** A feature as it is now. */
export const feature = ({ name, enabled }: FlagState): object => ({
  name,
  state: enabled ? "on" : "off",
  gates: [{ key: "boolean", value: enabled }],
  definition: featureDefinition(name),
});
