import { systemDeps } from "@/kernel/deps/deps";
import { pictureResponse } from "@/kernel/picture/uploaded-picture";
import * as logoStore from "./logo-store";
import { idFrom } from "./schema";

type Context = Readonly<{ params: Promise<Readonly<Record<string, string | string[] | undefined>>> }>;

/**
 * `GET /-/application_logos/:id/:digest`: returns a logo. A new logo has a new URL, so browsers may cache the
 * response permanently.
 */
export async function getLogo(_request: Request, { params }: Context): Promise<Response> {
  const { id, digest } = await params;
  const png = await logoStore.findLogo(systemDeps().db, idFrom(id), String(digest));
  return pictureResponse(png, "same-origin");
}
