import { z } from "zod";

const text = z.string().max(1_000).catch("");

const userForm = z.object({
  username: text,
  name: text,
  email: text,
  password: text,
  admin: z.literal("true").nullable().catch(null),
});

/**
 * The values that an administrator enters for a new user. A missing or malformed field is returned as an
 * empty string.
 */
export type UserDraft = Readonly<{ username: string; name: string; email: string; admin: boolean }>;

/**
 * Parses the form for a new user. The password is returned separately from the values that the form shows
 * again.
 */
export function readUserForm(form: FormData): Readonly<{ draft: UserDraft; password: string }> {
  const fields = userForm.parse(
    Object.fromEntries(Object.keys(userForm.shape).map((name) => [name, form.get(name)])),
  );
  const { username, name, email, password, admin } = fields;
  const draft = { username: username.trim(), name: name.trim(), email: email.trim(), admin: admin !== null };
  return { draft, password };
}
