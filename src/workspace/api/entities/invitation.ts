import { z } from "zod";
import { ROLES } from "@/access/roles";
import { day, defineEntity, moment } from "@/http-api/entity";
import type { Invitation } from "@/workspace/invitations/rules";

/** A pending invitation to a project or a group. */
export const invitation = defineEntity(
  "invitation",
  {
    id: z.int(),
    invite_email: z.string(),
    created_at: moment,
    access_level: z.int(),
    expires_at: day.nullable().describe("The expiry date of the membership."),
    user_name: z
      .null()
      .describe("Always null: the response does not reveal whether a user with this e-mail address exists."),
    created_by_name: z.string(),
  },
  ({ id, email, createdAt, role, membershipExpiresAt, invitedByName }: Invitation) => ({
    id,
    invite_email: email,
    created_at: createdAt.toISOString(),
    access_level: role === null ? 0 : ROLES[role].level,
    expires_at: membershipExpiresAt?.toISOString().slice(0, 10) ?? null,
    user_name: null,
    created_by_name: invitedByName,
  }),
);

export type InvitationResult = Readonly<{
  status: "success" | "error";
  /** The error texts, with the e-mail addresses and the usernames as keys. */
  problems: Readonly<Record<string, string>>;
}>;

/**
 * The result of a request that invites several people. Some invitations can fail while other invitations
 * succeed.
 */
export const invitationResult = defineEntity(
  "invitation_result",
  {
    status: z.enum(["success", "error"]),
    message: z
      .record(z.string(), z.string())
      .optional()
      .describe("The error texts, by the e-mail address or the username."),
  },
  ({ status, problems }: InvitationResult) =>
    status === "success" ? { status } : { status, message: problems },
);
