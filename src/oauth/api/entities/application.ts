import { z } from "zod";
import { defineEntity } from "@/http-api/entity";
import type { ShownApplication } from "@/oauth/applications/rules";

const fields = {
  id: z.int(),
  application_id: z.string(),
  application_name: z.string(),
  callback_url: z.string(),
  confidential: z.boolean(),
  owner: z.object({
    kind: z
      .enum(["instance", "user", "group", "nobody"])
      .describe("The kind `instance` is an administrator; `nobody` owns clients without a registration."),
    id: z.int().describe("The id of the user or of the group; 0 for `nobody`."),
    path: z.string().describe("The username, or the full path of the group."),
  }),
};

type Shown = Pick<ShownApplication, "id" | "uid" | "name" | "redirectUris" | "confidential" | "owner">;

const presented = ({ id, uid, name, redirectUris, confidential, owner }: Shown) => ({
  id,
  application_id: uid,
  application_name: name,
  callback_url: redirectUris.join("\n"),
  confidential,
  owner: { kind: owner.kind, id: owner.id, path: owner.path },
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
