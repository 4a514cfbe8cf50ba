import { z } from "zod";
import type { ErrorComment } from "@/error-tracking/comments/service";
import { defineEntity, moment } from "@/http-api/entity";
import { basicUserFields, basicUserOf } from "@/identity/api/entities/user";
import type { AuthorizedProject } from "@/workspace/projects/rules";

/** A comment, with the project to which its tracked error belongs. */
export type ShownComment = Readonly<{ project: AuthorizedProject; comment: ErrorComment }>;

/** The response for a comment on a tracked error, with the fields of a GitLab note. */
export const errorNote = defineEntity(
  "error_note",
  {
    id: z.int(),
    type: z.null(),
    body: z.string(),
    author: z.object(basicUserFields),
    created_at: moment,
    updated_at: moment,
    system: z.boolean(),
    noteable_id: z.int(),
    noteable_type: z.string(),
    project_id: z.int(),
    resolvable: z.boolean(),
    confidential: z.boolean(),
    internal: z.boolean(),
  },
  ({ project, comment }: ShownComment, { config }) => ({
    id: comment.id,
    type: null,
    body: comment.body,
    author: basicUserOf(comment.author, config.issuer),
    created_at: comment.createdAt.toISOString(),
    updated_at: comment.createdAt.toISOString(),
    system: false,
    noteable_id: comment.errorId,
    noteable_type: "TrackedError",
    project_id: project.id,
    resolvable: false,
    confidential: false,
    internal: false,
  }),
);
