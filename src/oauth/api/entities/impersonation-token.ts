import { z } from "zod";
import { defineEntity } from "@/http-api/entity";
import { personalTokenFields, presentedPersonalToken } from "@/oauth/api/entities/personal-access-token";
import type { PersonalToken } from "@/oauth/personal-access-tokens/rules";
import type { CreatedPersonalToken } from "@/oauth/personal-access-tokens/service";

const fields = { ...personalTokenFields, impersonation: z.literal(true) };

/** An impersonation token without its value. */
export const impersonationToken = defineEntity(
  "impersonation_token",
  fields,
  (token: PersonalToken, deps) => ({
    ...presentedPersonalToken(token, deps),
    impersonation: true as const,
  }),
);

/** A new impersonation token with its value, which is shown once. */
export const newImpersonationToken = defineEntity(
  "new_impersonation_token",
  { ...fields, token: z.string() },
  ({ token, value }: CreatedPersonalToken, deps) => ({
    ...presentedPersonalToken(token, deps),
    impersonation: true as const,
    token: value,
  }),
);
