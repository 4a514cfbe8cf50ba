import { shownNameProblem } from "@/identity/users/rules";
import { isReservedPath } from "@/instance/names/reserved-names";

export const PATH_CHARACTERS_MAX = 255;

/** Returns an error text for the path of a group or a project, or null. The path is one segment of the full path. */
export function pathProblem(path: string, topLevel: boolean): string | null {
  if (path === "") return "can't be blank";
  if (path.length > PATH_CHARACTERS_MAX) return `is too long (maximum is ${PATH_CHARACTERS_MAX} characters)`;
  if (!/^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(path) || /(?:\.|\.git|\.atom)$/i.test(path))
    return "can contain only letters, digits, '_', '-' and '.'. Cannot start with '-' or '.', end with '.', '.git' or '.atom'.";
  return topLevel && isReservedPath(path) ? "is a reserved name" : null;
}

const NAME_CHARACTERS_MAX = 255;

/** Returns an error text for the name of a group or a project, or null. */
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

/** Derives a path from a name: `My Project!` becomes `my-project`. */
export const pathFromName = (name: string): string =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9_.]+/g, "-")
    .replace(/^[-.]+|[-.]+$/g, "")
    .slice(0, PATH_CHARACTERS_MAX);

/** Error texts, with the names of the fields as keys. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** Returns the error texts, with the names of the fields as keys. @returns null if there are no errors. */
export function fieldErrorsOf(problems: Readonly<Record<string, string | null>>): FieldErrors | null {
  const errors = Object.entries(problems).flatMap(([field, text]) =>
    text === null ? [] : [[field, [text]]],
  );
  return errors.length === 0 ? null : Object.fromEntries(errors);
}
