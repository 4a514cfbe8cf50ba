import { z } from "zod";
import { isRole, type Role } from "@/access/roles";

const text = z
  .string()
  .max(1_000)
  .transform((value) => value.replaceAll("\0", "").trim())
  .catch("");

/** The values of the member form. Missing and invalid values are empty. */
export type MemberDraft = Readonly<{ username: string; role: Role; expiresAt: string }>;

const form = z.object({
  username: text.transform((typed) => typed.replace(/^@/, "")),
  role: text.transform((word): Role => (isRole(word) ? word : "guest")),
  expiresAt: text,
});

/** Parses the member form. */
export const readMemberForm = (formData: FormData): MemberDraft =>
  form.parse({
    username: formData.get("username"),
    role: formData.get("role"),
    expiresAt: formData.get("expires_at"),
  });

/** Returns the start of the selected day in UTC; null if the date field is empty. */
export function dayIn(typed: string): Date | null | "malformed" {
  if (typed === "") return null;
  const day = z.iso.date().safeParse(typed);
  return day.success ? new Date(`${day.data}T00:00:00.000Z`) : "malformed";
}

/** Returns whether the member form belongs to a project or to a group. */
export const readResourceKind = (formData: FormData): "project" | "group" =>
  formData.get("kind") === "group" ? "group" : "project";
