import { z } from "zod";
import { defineEntity } from "@/http-api/entity";
import { FLAGS, type Flag } from "@/instance/flags/catalog";
import type { FlagState } from "@/instance/flags/service";

const definitionFields = {
  name: z.string(),
  introduced_by_url: z.null(),
  rollout_issue_url: z.null(),
  milestone: z.string(),
  type: z.literal("development"),
  group: z.null(),
  default_enabled: z.boolean(),
};

const definitionOf = (name: Flag) => ({
  name,
  introduced_by_url: null,
  rollout_issue_url: null,
  milestone: FLAGS[name].since,
  type: "development" as const,
  group: null,
  default_enabled: FLAGS[name].default,
});

/** The response for the definition of a feature, without its state. */
export const featureDefinition = defineEntity("feature_definition", definitionFields, definitionOf);

/** The response for a feature with its current state. */
export const feature = defineEntity(
  "feature",
  {
    name: z.string(),
    state: z.enum(["on", "off"]),
    gates: z.array(z.object({ key: z.literal("boolean"), value: z.boolean() })),
    definition: z.object(definitionFields),
  },
  ({ name, enabled }: FlagState) => ({
    name,
    state: enabled ? ("on" as const) : ("off" as const),
    gates: [{ key: "boolean" as const, value: enabled }],
    definition: definitionOf(name),
  }),
);
