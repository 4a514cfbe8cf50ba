import { GET } from "@app/-/search/route.ts";
import { beforeAll, describe, expect, it } from "vitest";
import type { User } from "@/access/principal.ts";
import { ORIGIN, registeredClient, type SignedInUser, signedInUser } from "@/testing/authorization.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { groupOf, memberOf, projectOf } from "@/testing/projects.ts";
import { searchEverything } from "./service.ts";

const deps = await openTestDeps();
let ann: SignedInUser;
let ben: SignedInUser;
let root: User;

beforeAll(async () => {
  ann = await signedInUser(deps, "ann");
  ben = await signedInUser(deps, "ben");
  root = { ...(await signedInUser(deps, "boss")).user, admin: true };
  await projectOf(deps, ann.user, "zulu-secret");
  await projectOf(deps, ann.user, "zulu-open", { visibility: "public" });
  await projectOf(deps, ann.user, "zulu-internal", { visibility: "internal" });
  const group = await groupOf(deps, ann.user, "crew", { visibility: "private" });
  await projectOf(deps, ann.user, "the-zulu-tool", { group });
  await memberOf(deps, group, ben.user, "reporter");
  await registeredClient(deps, ann.user, { name: "Zulu Deploy" });
  await registeredClient(deps, ben.user, { name: "My zulu app" });
});

/** Returns the labels of the results of one kind. */
async function labels(user: User | null, search: string, title: string): Promise<readonly string[]> {
  const sections = await searchEverything(deps, user, search, 10);
  return sections.find((section) => section.title === title)?.results.map(({ label }) => label) ?? [];
}

describe("the search for projects", () => {
  it.each([
    ["a visitor", () => null, ["zulu-open"]],
    ["a member of a group", () => ben.user, ["the-zulu-tool", "zulu-internal", "zulu-open"]],
    ["the owner", () => ann.user, ["the-zulu-tool", "zulu-internal", "zulu-open", "zulu-secret"]],
    ["an administrator", () => root, ["zulu-internal", "zulu-open", "zulu-secret"]],
  ])("the search returns only projects that %s can see", async (_who, user, expected) => {
    expect((await labels(user(), "ZULU", "Projects")).toSorted()).toEqual(expected);
  });

  it.each(["ann/zulu-s", "zulu-secret", "zulu-secret "])(
    "the search finds a project by %j",
    async (search) => {
      expect(await labels(ann.user, search, "Projects")).toEqual(["zulu-secret"]);
    },
  );

  it.each(["%", "_", "\\", "zulu%", "zulu\0\0%"])(
    "the search for projects matches %j literally",
    async (search) => {
      expect(await labels(ann.user, search, "Projects")).toEqual([]);
    },
  );

  it("the search reads only the first 200 projects that begin with the search text, even if the visitor cannot see these projects", async () => {
    const times = { createdAt: deps.clock(), lastActivityAt: deps.clock() };
    await deps.db.project.createMany({
      data: Array.from({ length: 202 }, (_, index) => {
        const path = `yard-${String(index).padStart(3, "0")}`;
        const fullPath = `ann/${path}`;
        const visibility = index === 199 || index === 201 ? "public" : "private";
        const lower = { nameLower: path, fullPathLower: fullPath };
        return {
          name: path,
          path,
          fullPath,
          description: "",
          visibility,
          ...lower,
          ...times,
          creatorId: ann.user.id,
        };
      }),
    });
    expect(await labels(null, "yard", "Projects")).toEqual(["yard-199"]);
  });
});

describe("the search for applications and users", () => {
  it("users find their own applications by any part of the name, and administrators find every application by the beginning of its name", async () => {
    expect(await labels(ann.user, "zulu", "Applications")).toEqual(["Zulu Deploy"]);
    expect(await labels(ben.user, "zulu", "Applications")).toEqual(["My zulu app"]);
    expect(await labels(root, "zulu", "Applications")).toEqual(["Zulu Deploy"]);
    expect(await labels(null, "zulu", "Applications")).toEqual([]);
  });

  it("the search returns users only to administrators", async () => {
    for (const search of ["be", "@ben", "BEN@example.com"])
      expect(await labels(root, search, "Users")).toHaveLength(1);
    expect(await labels(ann.user, "ben", "Users")).toEqual([]);
    expect(await labels(null, "ben", "Users")).toEqual([]);
  });
});

describe("GET /-/search", () => {
  const send = async (cookie: string | null, search: string) => {
    const headers = cookie === null ? {} : { cookie };
    const response = await GET(
      new Request(`${ORIGIN}/-/search?search=${encodeURIComponent(search)}`, { headers }),
    );
    expect(response.headers.get("cache-control")).toBe("no-store");
    return JSON.stringify(await response.json());
  };

  it("GET /-/search responds with the results for the user of the session", async () => {
    expect(await send(ann.cookie, "zulu-s")).toContain("ann/zulu-secret");
    expect(await send(ben.cookie, "zulu-s")).not.toContain("zulu-secret");
    expect(await send(null, "zulu-s")).not.toContain("zulu-secret");
  });

  it("GET /-/search responds with public results to a user who must set up a second factor first", async () => {
    await deps.db.setting.create({
      data: { key: "require_two_factor_authentication", value: "true", updatedAt: deps.clock() },
    });
    expect(await send(ann.cookie, "zulu-")).not.toContain("zulu-secret");
    expect(await send(ann.cookie, "zulu-")).toContain("zulu-open");
    await deps.db.setting.deleteMany();
  });
});
