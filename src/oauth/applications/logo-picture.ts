import { systemDeps } from "@/kernel/deps/deps";
import { idFrom } from "./schema";
import * as store from "./store";

type Context = Readonly<{ params: Promise<Readonly<Record<string, string | string[] | undefined>>> }>;

/**
 * `GET /-/application_logos/:id/:digest`: returns a logo. A new logo has a new URL, so browsers may cache the
 * response permanently.
 */
export async function getLogo(_request: Request, { params }: Context): Promise<Response> {
  const { id, digest } = await params;
  const png = await store.findLogo(systemDeps().db, idFrom(id), String(digest));
  if (png === null) return new Response(null, { status: 404, headers: { "cache-control": "no-store" } });
  return new Response(png, {
    headers: {
      "content-type": "image/png",
      "content-length": String(png.byteLength),
      "cache-control": "public, max-age=31536000, immutable",
      "content-security-policy": "default-src 'none'",
      "cross-origin-resource-policy": "same-origin",
      "x-content-type-options": "nosniff",
    },
  });
}
