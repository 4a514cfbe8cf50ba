import { isUnavailable } from "@/platform/db/errors";
import { BodyTooLarge, readBody } from "@/platform/http/body";
import { Malformed } from "@/platform/http/parameters";
import { problemPage } from "./authorize-pages";

const BYTES_MAX = 65_536;

/** The text of a form that a browser posts. @throws Malformed for a body that is none, in whatever encoding. */
export async function formText(request: Request): Promise<string> {
  const type = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded") throw new Malformed("content_type");
  return new TextDecoder("utf-8", { fatal: true }).decode(await readBody(request, BYTES_MAX));
}

/** Answers text that cannot be read, and a database that does not answer, with an error page. */
export async function refusingMalformed(run: () => Promise<Response>): Promise<Response> {
  try {
    return await run();
  } catch (cause) {
    if (cause instanceof BodyTooLarge) return problemPage("malformed", { status: 413 });
    if (isUnavailable(cause)) return problemPage("unavailable", { status: 503 });
    if (cause instanceof Malformed || cause instanceof TypeError) return problemPage("malformed");
    throw cause;
  }
}
