import { z } from "zod";

const text = z.string().max(1_000).catch("");

const userForm = z.object({
  username: text,
  name: text,
  email: text,
  password: text,
  admin: z.literal("true").nullable().catch(null),
});

/** What an administrator typed about a new person; what is missing or malformed comes out empty. */
export type UserDraft = Readonly<{ username: string; name: string; email: string; admin: boolean }>;

/** Reads the form for a new person. The password is apart, for it is never shown again. */
export function readUserForm(form: FormData): Readonly<{ draft: UserDraft; password: string }> {
  const sent = userForm.parse(
    Object.fromEntries(Object.keys(userForm.shape).map((name) => [name, form.get(name)])),
  );
  const { username, name, email, password, admin } = sent;
  const draft = { username: username.trim(), name: name.trim(), email: email.trim(), admin: admin !== null };
  return { draft, password };
}
