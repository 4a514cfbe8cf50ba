import { z } from "zod";
import { defineEntity } from "@/http-api/entity";
import type { Application } from "@/oauth/applications/rules";

const fields = {
  id: z.int(),
  application_id: z.string(),
  application_name: z.string(),
  callback_url: z.string(),
  confidential: z.boolean(),
};

type Shown = Pick<Application, "id" | "uid" | "name" | "redirectUris" | "confidential">;

const presented = ({ id, uid, name, redirectUris, confidential }: Shown) => ({
  id,
  application_id: uid,
  application_name: name,
  callback_url: redirectUris.join("\n"),
  confidential,
});

/** A registered application, without its secret. */
export const application = defineEntity("application", fields, presented);

/**
 * An application with its new secret, which is shown once. The secret is null for an application without a
 * secret.
 */
export const applicationWithSecret = defineEntity(
  "application_with_secret",
  { ...fields, secret: z.string().nullable() },
  ({ application: registered, secret }: Readonly<{ application: Shown; secret: string | null }>) => ({
    ...presented(registered),
    secret,
  }),
);
