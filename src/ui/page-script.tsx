import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { processWide } from "@/kernel/process/process-wide";

/** The script that all pages load. `scripts/build.mjs` builds the script from `src/server/browser.ts`. */
const FILE = "dist/browser/page.js";

type Script = Readonly<{ name: string; text: Buffer<ArrayBuffer>; packed: Buffer<ArrayBuffer> }>;

/**
 * The script of all pages, which stays in memory. A new build while the server runs therefore does not change
 * the content of a URL. Before the first build, for example under `next dev`, pages have no script.
 */
const pageScript = processWide("page-script", (): Script | null => {
  try {
    const text = readFileSync(resolve(FILE));
    const name = `page-${hash("sha256", text, "hex").slice(0, 16)}.js`;
    return { name, text, packed: gzipSync(text, { level: 9 }) };
  } catch {
    return null;
  }
});

/** The element that loads the script of all pages. Every page works without the script. */
export function PageScript({ nonce }: { readonly nonce: string | undefined }) {
  const script = pageScript();
  return script === null ? null : <script type="module" nonce={nonce} src={`/-/assets/${script.name}`} />;
}

type Context = Readonly<{ params: Promise<Readonly<Record<string, string | string[] | undefined>>> }>;

/**
 * `GET /-/assets/:name`: returns the script of all pages. The file name contains a digest of the content, so
 * browsers may cache the response permanently.
 */
export async function getAsset(request: Request, { params }: Context): Promise<Response> {
  const { name } = await params;
  const script = pageScript();
  if (script === null || script.name !== name)
    return new Response(null, { status: 404, headers: { "cache-control": "no-store" } });
  const packs = /\bgzip\b/.test(request.headers.get("accept-encoding") ?? "");
  return new Response(packs ? script.packed : script.text, {
    headers: {
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
      "cross-origin-resource-policy": "same-origin",
      "x-content-type-options": "nosniff",
      vary: "accept-encoding",
      ...(packs && { "content-encoding": "gzip" }),
    },
  });
}
