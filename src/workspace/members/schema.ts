import { z } from "zod";
import { isRole, type Role } from "@/access/roles";

const text = z
  .string()
  .max(1_000)
  .transform((value) => value.replaceAll("\0", "").trim())
  .catch("");

/** The fields of the form of a member. Missing and malformed values are empty. */
export type MemberDraft = Readonly<{ username: string; role: Role; expiresAt: string }>;

const form = z.object({
  username: text.transform((typed) => typed.replace(/^@/, "")),
  role: text.transform((word): Role => (isRole(word) ? word : "guest")),
  expiresAt: text,
});

/** Reads the form of a member. */
export const readMemberForm = (formData: FormData): MemberDraft =>
  form.parse({
    username: formData.get("username"),
    role: formData.get("role"),
    expiresAt: formData.get("expires_at"),
  });

/** Returns the start of the day of a date field in UTC; null for an empty field. */
export function dayIn(typed: string): Date | null | "malformed" {
  if (typed === "") return null;
  const day = z.iso.date().safeParse(typed);
  return day.success ? new Date(`${day.data}T00:00:00.000Z`) : "malformed";
}

/** Returns whether the form is about a project or a group. */
export const readPlaceKind = (formData: FormData): "project" | "group" =>
  formData.get("kind") === "group" ? "group" : "project";
