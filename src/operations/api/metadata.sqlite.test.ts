import * as unknownVersion from "@app/api/[...path]/route.ts";
import * as goneRoute from "@app/api/v3/[[...path]]/route.ts";
import * as metadataRoute from "@app/api/v4/metadata/route.ts";
import * as versionRoute from "@app/api/v4/version/route.ts";
import { expect, it } from "vitest";
import { changeSettings } from "@/instance/settings/service.ts";
import { apiUser, callApi, tokenWith } from "@/testing/api.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { serveRoutes } from "@/testing/mounted-routes.ts";
import packageFile from "../../../package.json";

const deps = await openTestDeps();
const VERSION = {
  version: "17.2.0",
  revision: expect.any(String),
  gatehouse_version: packageFile.version,
};

it(
  conformance("SC-27", "the metadata API returns the supported GitLab version and the version of Gatehouse"),
  async () => {
    const { user, token } = await apiUser(deps, "ann");
    expect((await callApi(versionRoute.GET, "GET", { token })).body).toEqual(VERSION);
    const reader = await tokenWith(deps, user, ["read_user"]);
    const { status, body } = await callApi(metadataRoute.GET, "GET", { token: reader });
    expect(status).toBe(200);
    expect(body).toMatchObject({ ...VERSION, enterprise: false, kas: { enabled: false } });
    for (const { GET } of [versionRoute, metadataRoute]) expect((await callApi(GET, "GET")).status).toBe(401);
  },
);

it(
  conformance(
    "SC-27",
    "the metadata API returns the GitLab version that the setting reported_version contains",
  ),
  async () => {
    const { token } = await apiUser(deps, "bob");
    expect(await changeSettings(deps, { reported_version: "16.11.4-ee" })).toEqual([]);
    for (const { GET } of [versionRoute, metadataRoute])
      expect((await callApi(GET, "GET", { token })).body).toMatchObject({
        ...{ version: "16.11.4-ee", gatehouse_version: packageFile.version },
      });
    for (const wrong of ["17", "latest", "17.2.0 <b>", ""])
      expect(await changeSettings(deps, { reported_version: wrong })).toHaveLength(1);
    await changeSettings(deps, { reported_version: "17.2.0" });
  },
);

it("API v3 responds with 410 at any path and for any method", async () => {
  const origin = await serveRoutes({ "/api/v3/[[...path]]": goneRoute });
  for (const [method, path] of [
    ["GET", "/api/v3"],
    ["GET", "/api/v3/"],
    ["GET", "/api/v3/user"],
    ["POST", "/api/v3/projects/1/members"],
    ["DELETE", "/api/v3/projects/1"],
  ] as const) {
    const response = await fetch(`${origin}${path}`, { method });
    expect(response.status).toBe(410);
    expect(await response.json()).toEqual({
      error: "API V3 is no longer supported. Use API V4 instead.",
    });
  }
});

it("a path with an unknown version of the API gets the JSON 404 response of the API for any method", async () => {
  const origin = await serveRoutes({ "/api/[...path]": unknownVersion, "/api/v3/[[...path]]": goneRoute });
  for (const [method, path] of [
    ["GET", "/api/v6/user"],
    ["POST", "/api/v6/projects"],
    ["DELETE", "/api/v10/projects/1"],
    ["GET", "/api/v6"],
    ["GET", "/api/user"],
  ] as const) {
    const response = await fetch(`${origin}${path}`, { method });
    expect([path, response.status, await response.json()]).toEqual([path, 404, { error: "404 Not Found" }]);
  }
  expect((await fetch(`${origin}/api/v3/user`)).status).toBe(410);
  for (const path of ["/api/auth/session", "/api/V5/user"])
    expect(await (await fetch(`${origin}${path}`)).text()).toContain("page");
});
