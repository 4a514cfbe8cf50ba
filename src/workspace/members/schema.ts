import { z } from "zod";
import { isRole, type Role } from "@/access/roles";

const text = z
  .string()
  .max(1_000)
  .transform((sent) => sent.replaceAll("\0", "").trim())
  .catch("");

/** What somebody typed about a member; what is missing or malformed comes out empty. */
export type MemberDraft = Readonly<{ username: string; role: Role; expiresAt: string }>;

const form = z.object({
  username: text.transform((typed) => typed.replace(/^@/, "")),
  role: text.transform((word): Role => (isRole(word) ? word : "guest")),
  expiresAt: text,
});

/** Reads the form for a member. */
export const readMemberForm = (sent: FormData): MemberDraft =>
  form.parse({
    username: sent.get("username"),
    role: sent.get("role"),
    expiresAt: sent.get("expires_at"),
  });

/** A day of a date field as the moment at which it begins in UTC; null for none, "malformed" for what is no day. */
export function dayIn(typed: string): Date | null | "malformed" {
  if (typed === "") return null;
  const day = z.iso.date().safeParse(typed);
  return day.success ? new Date(`${day.data}T00:00:00.000Z`) : "malformed";
}

/** Where the form's member is: what kind of place, and which. */
export const readPlaceKind = (sent: FormData): "project" | "group" =>
  sent.get("kind") === "group" ? "group" : "project";
