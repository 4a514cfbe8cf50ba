import { z } from "zod";
import { defineEntity, moment } from "@/http-api/entity";
import type { UserEmail } from "@/identity/users/email-list";

/** An e-mail address of a user. */
export const email = defineEntity(
  "email",
  {
    id: z.int(),
    email: z.string(),
    confirmed_at: moment.nullable().describe("Null for an e-mail address that is not confirmed yet."),
  },
  (row: UserEmail) => ({
    id: row.id,
    email: row.email,
    confirmed_at: row.confirmedAt?.toISOString() ?? null,
  }),
);
