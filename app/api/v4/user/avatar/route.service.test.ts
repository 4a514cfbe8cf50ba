import { GET } from "@app/uploads/-/system/user/avatar/[id]/[file]/route.ts";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { findById } from "@/identity/users/service.ts";
import { claimsOf } from "@/oauth-endpoints/user-claims.ts";
import { type ApiUser, apiUser } from "@/testing/api.ts";
import { ORIGIN } from "@/testing/authorization.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { GET as getUser } from "../route.ts";
import { PUT } from "./route.ts";

const deps = await openTestDeps();
let ann: ApiUser;
let headers: Readonly<Record<string, string>>;

beforeAll(async () => {
  ann = await apiUser(deps, "ann");
  headers = { "private-token": ann.token };
});

const picture = (width: number, height: number, red = 200) =>
  sharp({ create: { width, height, channels: 3, background: { r: red, g: 30, b: 30 } } })
    .png()
    .toBuffer();

async function putAvatar(file: Uint8Array<ArrayBuffer> | Buffer | ""): Promise<Response> {
  const body = new FormData();
  body.set("avatar", file === "" ? "" : new File([new Uint8Array(file)], "me.png"));
  return PUT(new Request(`${ORIGIN}/api/v4/user/avatar`, { method: "PUT", headers, body }));
}

const avatarUrl = async (): Promise<string | null> =>
  (await (await getUser(new Request(`${ORIGIN}/api/v4/user`, { headers }))).json()).avatar_url;

const fetchAvatar = (url: string): Promise<Response> => {
  const [id = "", file = ""] = new URL(url).pathname.split("/").slice(-2);
  return GET(new Request(url), { params: Promise.resolve({ id, file }) });
};

describe("the avatar of a user", () => {
  it("the server converts an avatar to a small square image, and returns the URL of the image in the API and in the `picture` claim", async () => {
    const response = await putAvatar(await picture(600, 300));
    expect(response.status).toBe(200);
    const { avatar_url } = await response.json();
    expect(avatar_url).toMatch(/^https?:\/\/[^/]+\/uploads\/-\/system\/user\/avatar\/\d+\/[\da-f]{32}\.png$/);
    expect(await avatarUrl()).toBe(avatar_url);
    const user = await findById(deps, ann.user.id);
    expect(user && claimsOf(deps, user, ["openid"])).toMatchObject({ picture: avatar_url });
    const served = await fetchAvatar(avatar_url);
    expect(Object.fromEntries(served.headers)).toMatchObject({
      "content-type": "image/png",
      "cache-control": "public, max-age=31536000, immutable",
      "content-security-policy": "default-src 'none'",
      "cross-origin-resource-policy": "cross-origin",
    });
    const { format, width, height } = await sharp(Buffer.from(await served.arrayBuffer())).metadata();
    expect({ format, width, height }).toEqual({ format: "png", width: 192, height: 192 });
  });

  it("an avatar gets a new URL with each change, and an empty `avatar` parameter removes the avatar", async () => {
    await putAvatar(await picture(20, 20));
    const before = (await avatarUrl()) ?? "";
    await putAvatar(await picture(20, 20, 100));
    expect(await avatarUrl()).not.toBe(before);
    expect((await fetchAvatar(before)).status).toBe(404);
    const removed = await putAvatar("");
    expect([removed.status, await removed.json()]).toEqual([200, { avatar_url: null }]);
    expect(await avatarUrl()).toBeNull();
    const user = await findById(deps, ann.user.id);
    expect(user && claimsOf(deps, user, ["openid"])).not.toHaveProperty("picture");
    const events = await deps.db.auditEvent.findMany({ where: { name: "profile.changed" } });
    expect(JSON.parse(events.at(-1)?.details ?? "{}")).toEqual({ fields: ["avatar"] });
  });

  it.each<[string, () => Promise<Uint8Array<ArrayBuffer> | Buffer>, RegExp]>([
    ["an SVG file", async () => Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"/>`), /not a PNG/],
    ["an empty file", async () => Buffer.alloc(0), /Select a picture/],
    ["the beginning of a PNG", async () => (await picture(500, 500)).subarray(0, 60), /damaged/],
  ])(
    "a request with %s as the avatar is refused with 400, and the avatar does not change",
    async (_what, file, problem) => {
      await putAvatar(await picture(20, 20));
      const before = await avatarUrl();
      const response = await putAvatar(await file());
      expect(response.status).toBe(400);
      expect((await response.json()).message.avatar[0]).toMatch(problem);
      expect(await avatarUrl()).toBe(before);
    },
  );

  it("a request for an avatar with a malformed id or file name is answered with 404", async () => {
    for (const path of ["1/x.png", "x/0123456789abcdef0123456789abcdef.png", "0/..", "1/%2e%2e"])
      expect((await fetchAvatar(`${ORIGIN}/uploads/-/system/user/avatar/${path}`)).status).toBe(404);
  });
});
