import { z } from "zod";

const text = z.string().max(1_000).catch("");

const personForm = z.object({
  username: text,
  name: text,
  email: text,
  password: text,
  admin: z.literal("true").nullable().catch(null),
});

/** What an administrator typed about a new person; what is missing or malformed comes out empty. */
export type PersonDraft = Readonly<{ username: string; name: string; email: string; admin: boolean }>;

/** Reads the form for a new person. The password is apart, for it is never shown again. */
export function readPersonForm(form: FormData): Readonly<{ draft: PersonDraft; password: string }> {
  const sent = personForm.parse(
    Object.fromEntries(Object.keys(personForm.shape).map((name) => [name, form.get(name)])),
  );
  const { username, name, email, password, admin } = sent;
  const draft = { username: username.trim(), name: name.trim(), email: email.trim(), admin: admin !== null };
  return { draft, password };
}
