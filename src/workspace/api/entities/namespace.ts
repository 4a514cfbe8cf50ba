import { z } from "zod";
import { defineEntity } from "@/http-api/entity";
import type { PathAvailability } from "@/workspace/projects/namespaces";
import { type Namespace, namespaceIdOf } from "@/workspace/projects/rules";

/** The fields of the namespace to which a project belongs. */
export const namespaceFields = {
  id: z.int(),
  name: z.string(),
  path: z.string(),
  kind: z.enum(["group", "user"]),
  full_path: z.string(),
  parent_id: z.int().nullable(),
  avatar_url: z.null(),
  web_url: z.url(),
};

export const namespaceOf = (namespace: Namespace, issuer: string) =>
  namespace.kind === "group"
    ? {
        id: namespaceIdOf(namespace),
        name: namespace.group.name,
        path: namespace.group.path,
        kind: "group" as const,
        full_path: namespace.group.fullPath,
        parent_id: namespace.group.parentId,
        avatar_url: null,
        web_url: `${issuer}/groups/${namespace.group.fullPath}`,
      }
    : {
        id: namespaceIdOf(namespace),
        name: namespace.name,
        path: namespace.username,
        kind: "user" as const,
        full_path: namespace.username,
        parent_id: null,
        avatar_url: null,
        web_url: `${issuer}/${namespace.username}`,
      };

export const namespace = defineEntity("namespace", namespaceFields, (value: Namespace, { config }) =>
  namespaceOf(value, config.issuer),
);

export const namespaceExistence = defineEntity(
  "namespace_existence",
  { exists: z.boolean(), suggests: z.array(z.string()) },
  ({ exists, suggests }: PathAvailability) => ({ exists, suggests: [...suggests] }),
);
