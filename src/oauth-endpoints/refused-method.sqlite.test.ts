import { readdirSync } from "node:fs";
import { dirname } from "node:path";
import * as authorizeDevice from "@app/oauth/authorize_device/route.ts";
import * as keys from "@app/oauth/discovery/keys/route.ts";
import * as introspect from "@app/oauth/introspect/route.ts";
import * as par from "@app/oauth/par/route.ts";
import * as registration from "@app/oauth/register/[client_id]/route.ts";
import * as register from "@app/oauth/register/route.ts";
import * as revoke from "@app/oauth/revoke/route.ts";
import * as tokenInfo from "@app/oauth/token/info/route.ts";
import * as token from "@app/oauth/token/route.ts";
import * as userinfo from "@app/oauth/userinfo/route.ts";
import { expect, it } from "vitest";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { serveRoutes } from "@/testing/mounted-routes.ts";

await openTestDeps();

/** The route files of the endpoints that programs call, by their folders in `app/oauth`. */
const PROGRAMS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  authorize_device: authorizeDevice,
  "discovery/keys": keys,
  introspect,
  par,
  register,
  "register/[client_id]": registration,
  revoke,
  token,
  "token/info": tokenInfo,
  userinfo,
};
/** The folders in `app/oauth` of the pages that users open in a browser, and of the forms of these pages. */
const PAGES = [
  "authorize",
  "authorize/redirect_uri",
  "consent",
  "device",
  "device/decision",
  "end_session",
] as const;
const WITHOUT_CORS = ["authorize_device", "introspect"];

const url = await serveRoutes(
  Object.fromEntries(Object.entries(PROGRAMS).map(([folder, route]) => [`/oauth/${folder}`, route])),
);

it("every route file under app/oauth belongs to an endpoint of programs or to a page", () => {
  const folders = readdirSync("app/oauth", { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith("route.ts"))
    .map(dirname);
  expect(folders.toSorted()).toEqual([...Object.keys(PROGRAMS), ...PAGES].toSorted());
});

it.each(Object.entries(PROGRAMS))(
  conformance(
    "XC-01",
    "XC-03",
    "the response to an unsupported method is an OAuth error that names the supported methods: /oauth/%s",
  ),
  async (folder, route) => {
    const methods = ["OPTIONS", ...Object.keys(route), ...("GET" in route ? ["HEAD"] : [])];
    const allow = [...new Set(methods)].sort().join(", ");
    for (const path of [folder, `${folder}/`])
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]) {
        if (methods.includes(method)) continue;
        const { status, headers, text } = await send(method, path.replace("[client_id]", "unknown"));
        expect([method, status, headers.get("allow")]).toEqual([method, 405, allow]);
        expect(headers.get("cache-control")).toBe("no-store");
        expect(headers.get("pragma")).toBe("no-cache");
        expect(headers.get("access-control-allow-origin")).toBe(WITHOUT_CORS.includes(folder) ? null : "*");
        if (method === "HEAD") continue;
        expect(headers.get("content-type")).toBe("application/json");
        expect(JSON.parse(text)).toEqual({
          error: "invalid_request",
          error_description: `The endpoint does not support this method. Supported methods: ${allow}.`,
        });
      }
  },
);

async function send(method: string, path: string) {
  const response = await fetch(`${url}/oauth/${path}`, { method });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
