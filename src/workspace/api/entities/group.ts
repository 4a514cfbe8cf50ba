import { z } from "zod";
import { VISIBILITIES } from "@/access/visibility";
import { defineEntity, moment } from "@/http-api/entity";
import type { Group } from "@/workspace/groups/rules";

export const group = defineEntity(
  "group",
  {
    id: z.int(),
    web_url: z.url(),
    name: z.string(),
    path: z.string(),
    description: z.string(),
    visibility: z.enum(VISIBILITIES),
    avatar_url: z.null(),
    full_name: z.string(),
    full_path: z.string(),
    created_at: moment,
    parent_id: z.int().nullable(),
  },
  (one: Group, { config }) => ({
    id: one.id,
    web_url: `${config.issuer}/groups/${one.fullPath}`,
    name: one.name,
    path: one.path,
    description: one.description,
    visibility: one.visibility,
    avatar_url: null,
    full_name: one.fullPath.split("/").slice(0, -1).concat(one.name).join(" / "),
    full_path: one.fullPath,
    created_at: one.createdAt.toISOString(),
    parent_id: one.parentId,
  }),
);
