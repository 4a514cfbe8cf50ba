import * as goneRoute from "@app/api/v3/[[...path]]/route.ts";
import * as metadataRoute from "@app/api/v4/metadata/route.ts";
import * as versionRoute from "@app/api/v4/version/route.ts";
import { expect, it } from "vitest";
import { apiPerson, callApi, tokenWith } from "@/testing/api.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { serveRoutes } from "@/testing/mounted-routes.ts";
import packageFile from "../../package.json";

const deps = await openTestDeps();
const VERSION = { version: packageFile.version, revision: expect.any(String) };

it("tells clients its version, whoever they act for", async () => {
  const { user, token } = await apiPerson(deps, "ann");
  expect((await callApi(versionRoute.GET, "GET", { token })).body).toEqual(VERSION);
  const reader = await tokenWith(deps, user, ["read_user"]);
  const { status, body } = await callApi(metadataRoute.GET, "GET", { token: reader });
  expect(status).toBe(200);
  expect(body).toMatchObject({ ...VERSION, enterprise: false, kas: { enabled: false } });
  for (const { GET } of [versionRoute, metadataRoute]) expect((await callApi(GET, "GET")).status).toBe(401);
});

it("says that the version before is gone, at any path and by any method", async () => {
  const address = await serveRoutes({ "/api/v3/[[...path]]": goneRoute });
  for (const [method, path] of [
    ["GET", "/api/v3"],
    ["GET", "/api/v3/"],
    ["GET", "/api/v3/user"],
    ["POST", "/api/v3/projects/1/members"],
    ["DELETE", "/api/v3/projects/1"],
  ] as const) {
    const response = await fetch(`${address}${path}`, { method });
    expect(response.status).toBe(410);
    expect(await response.json()).toEqual({
      error: "API V3 is no longer supported. Use API V4 instead.",
    });
  }
});
