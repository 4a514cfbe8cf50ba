import { expect, it } from "vitest";
import type { User } from "@/access/principal.ts";
import { openSessionFor } from "@/identity/sessions/service.ts";
import { apiUser } from "@/testing/api.ts";
import { ORIGIN } from "@/testing/authorization.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { memberOf, projectOf } from "@/testing/projects.ts";
import { commitAll, GIT } from "@/testing/repository.ts";
import { getRawFile } from "./raw-file.ts";
import { FILE_BYTES_MAX } from "./tree.ts";

const deps = await openTestDeps();
const { user: ann } = await apiUser(deps, "ann");
const { user: gwen } = await apiUser(deps, "gwen");
const { user: bob } = await apiUser(deps, "bob");

const cookies = new Map<User, string>();
for (const user of [ann, gwen, bob]) {
  const { cookie } = await openSessionFor(deps, user, { ipAddress: "192.0.2.1", userAgent: null }, [
    "password",
  ]);
  cookies.set(user, cookie.split(";")[0] ?? "");
}

async function raw(id: number | string, query: string, user: User | null = ann, headers = {}) {
  const url = `${ORIGIN}/projects/${id}/raw?${query}`;
  const cookie = user === null ? {} : { cookie: cookies.get(user) ?? "" };
  return getRawFile(new Request(url, { headers: { ...cookie, ...headers } }), {
    params: Promise.resolve({ id: String(id) }),
  });
}

const FILES = { "a b.html": "<script>alert(1)</script>", "img/logo.png": "\x89PNG\0", "big.bin": "" };

it(
  "a raw file of a private project is sent only to users who may read the source code of the project",
  GIT,
  async () => {
    const project = await projectOf(deps, ann, "closed");
    await commitAll(deps, project, [{ branch: "main", message: "Begin", files: FILES }]);
    await memberOf(deps, project, gwen, "guest");
    const path = "path=a%20b.html";
    const response = await raw(project.id, path);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(FILES["a b.html"]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/plain; charset=utf-8",
      "content-security-policy": expect.stringContaining("sandbox"),
      "cache-control": "private, no-cache",
    });
    for (const user of [gwen, bob]) expect((await raw(project.id, path, user)).status).toBe(404);
    // The responses for a project that the user cannot see and for an unknown project are the same.
    for (const id of [project.id, 4711]) {
      const refused = await raw(id, path, null);
      expect(refused.status).toBe(303);
      expect(refused.headers.get("location")).toBe(
        `${ORIGIN}/users/sign_in?return_to=${encodeURIComponent(`/projects/${id}/raw?${path}`)}`,
      );
    }
  },
);

it("every user can read the raw files of a public project, at each revision", GIT, async () => {
  const project = await projectOf(deps, ann, "open", { visibility: "public" });
  await commitAll(deps, project, [
    { branch: "main", message: "Begin", files: FILES },
    { branch: "feature/x", message: "Change", files: { "img/logo.png": "\x89PNG\0changed" } },
  ]);
  const first = await raw(project.id, "path=img/logo.png", null);
  expect(first.headers.get("content-type")).toBe("image/png");
  const etag = first.headers.get("etag") ?? "";
  const repeated = await raw(project.id, "path=img/logo.png&ref=main", null, { "if-none-match": etag });
  expect([repeated.status, await repeated.text()]).toEqual([304, ""]);
  const other = await raw(project.id, "path=img/logo.png&ref=feature/x", null, { "if-none-match": etag });
  expect([other.status, await other.text()]).toEqual([200, "\x89PNG\0changed"]);
  for (const absent of [
    "",
    "path=img",
    "path=../x",
    "path=absent",
    "path=%00",
    "path=img/logo.png&ref=absent",
  ])
    expect((await raw(project.id, absent, null)).status, absent).toBe(404);
});

it("a request for a raw file that exceeds the maximum size is refused", GIT, async () => {
  const project = await projectOf(deps, ann, "large");
  const content = new Uint8Array(FILE_BYTES_MAX + 1);
  await commitAll(deps, project, [{ branch: "main", message: "Begin", files: { "big.bin": content } }]);
  expect((await raw(project.id, "path=big.bin")).status).toBe(413);
});
