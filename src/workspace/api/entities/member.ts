import { z } from "zod";
import { ROLES } from "@/access/roles";
import { day, defineEntity, moment } from "@/http-api/entity";
import { basicUserFields, basicUserOf } from "@/identity/api/entities/user";
import type { Member } from "@/workspace/members/rules";

export const member = defineEntity(
  "member",
  {
    ...basicUserFields,
    access_level: z.int(),
    created_at: moment,
    expires_at: day.nullable(),
    membership_state: z.literal("active"),
  },
  ({ user, role, createdAt, expiresAt }: Member, { config }) =>
    Object.assign(basicUserOf(user, config.issuer), {
      access_level: ROLES[role].level,
      created_at: createdAt.toISOString(),
      expires_at: expiresAt?.toISOString().slice(0, 10) ?? null,
      membership_state: "active" as const,
    }),
);
