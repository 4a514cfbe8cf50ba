import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import { chainsToNext, routesPlugin } from "../../scripts/build-routes.mjs";

const FILES: Readonly<Record<string, string>> = {
  "app/plain/[id]/route.ts": 'import { encode } from "next-auth/jwt";\nexport const GET = () => encode;',
  "app/(group)/grouped/route.ts": "export const POST = () => new Response();",
  "app/_private/route.ts": "export const GET = () => new Response();",
  "app/api/auth/[...nextauth]/route.ts": 'export { GET } from "next-auth";',
  "app/types/route.ts":
    'import type { NextRequest } from "next/server";\nexport const GET = (_: NextRequest) => 1;',
  "app/strays/route.ts": 'import { session } from "../../src/session.ts";\nexport const GET = session;',
  "src/session.ts": 'import { cookies } from "next/headers";\nexport const session = cookies;',
};

let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-routes-"));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("the build includes each route file of the folder app in the server, and reports a route file that imports Next", async () => {
  const { metafile, outputFiles } = await build({
    absWorkingDir: folder,
    stdin: { contents: 'export { routeFiles } from "virtual:routes";', resolveDir: folder },
    bundle: true,
    format: "esm",
    packages: "external",
    metafile: true,
    write: false,
    plugins: [routesPlugin(join(folder, "app"))],
  });
  const text = outputFiles[0]?.text ?? "";
  const mounted = [...text.matchAll(/segments: (\[.*?\]), module/g)].map(([, segments = ""]) =>
    JSON.parse(segments),
  );
  expect(mounted.sort()).toEqual([["grouped"], ["plain", "[id]"], ["strays"], ["types"]]);
  expect(chainsToNext(metafile)).toEqual(["app/strays/route.ts → src/session.ts → next/headers"]);
});
