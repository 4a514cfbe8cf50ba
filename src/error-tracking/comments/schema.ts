import { text } from "../tracked-errors/untrusted";
import { COMMENT_CHARACTERS_MAX } from "./rules";

/**
 * Returns the text of a comment from a form. Browsers count a line break as one character, but submit it as
 * two characters.
 */
export function readComment(form: FormData): string {
  const value = form.get("comment");
  return typeof value === "string" ? value.replaceAll("\r\n", "\n").trim() : "";
}

/** Returns the text of a comment without the characters that PostgreSQL rejects. */
export const storedComment = (body: string): string =>
  text(body.replaceAll("\r\n", "\n"), COMMENT_CHARACTERS_MAX);
