import { z } from "zod";
import { VISIBILITIES } from "@/access/visibility";
import { defineEntity, moment } from "@/http-api/entity";
import { fullNameOf, type Group } from "@/workspace/groups/rules";

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
  (group: Group, { config }) => ({
    id: group.id,
    web_url: `${config.issuer}/groups/${group.fullPath}`,
    name: group.name,
    path: group.path,
    description: group.description,
    visibility: group.visibility,
    avatar_url: null,
    full_name: fullNameOf(group),
    full_path: group.fullPath,
    created_at: group.createdAt.toISOString(),
    parent_id: group.parentId,
  }),
);
