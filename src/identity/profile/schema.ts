/** A field of a form as text; what is missing or is a file comes out empty, for the rules to name. */
export function fieldOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value.slice(0, 1024) : "";
}
