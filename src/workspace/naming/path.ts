import { shownNameProblem } from "@/identity/users/rules";
import { isReservedPath } from "@/instance/names/reserved-names";

export const PATH_CHARACTERS_MAX = 255;

/** One segment of an address, as a group or a project is named in it. Null: it can be used. */
export function pathProblem(path: string, topLevel: boolean): string | null {
  if (path === "") return "can't be blank";
  if (path.length > PATH_CHARACTERS_MAX) return `is too long (maximum is ${PATH_CHARACTERS_MAX} characters)`;
  if (!/^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(path) || /(?:\.|\.git|\.atom)$/i.test(path))
    return "can contain only letters, digits, '_', '-' and '.'. Cannot start with '-' or '.', end with '.', '.git' or '.atom'.";
  return topLevel && isReservedPath(path) ? "is a reserved name" : null;
}

const NAME_CHARACTERS_MAX = 255;

/** What people call it. Null: it can be used. */
export function nameProblem(name: string): string | null {
  if (name === "") return "can't be blank";
  if (name.length > NAME_CHARACTERS_MAX) return `is too long (maximum is ${NAME_CHARACTERS_MAX} characters)`;
  return shownNameProblem(name);
}

const DESCRIPTION_CHARACTERS_MAX = 2_000;

export const descriptionProblem = (description = ""): string | null =>
  description.length > DESCRIPTION_CHARACTERS_MAX
    ? `is too long (maximum is ${DESCRIPTION_CHARACTERS_MAX} characters)`
    : null;

/** A path from a name, for who gives none: `My Project!` becomes `my-project`. */
export const pathFromName = (name: string): string =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9_.]+/g, "-")
    .replace(/^[-.]+|[-.]+$/g, "")
    .slice(0, PATH_CHARACTERS_MAX);

/** What is wrong, field by field. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** Gathers problems. Null: there are none. */
export function fieldErrorsOf(found: Readonly<Record<string, string | null>>): FieldErrors | null {
  const wrong = Object.entries(found).flatMap(([field, text]) => (text === null ? [] : [[field, [text]]]));
  return wrong.length === 0 ? null : Object.fromEntries(wrong);
}
