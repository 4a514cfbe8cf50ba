/** Returns a form field as text, or an empty string for a missing field or a file. */
export function fieldOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value.slice(0, 1024) : "";
}
