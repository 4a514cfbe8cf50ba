import { GET } from "@app/-/application_logos/[id]/[digest]/route.ts";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { ORIGIN, registeredClient, type SignedInUser, signedInUser } from "@/testing/authorization.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { removeLogo, setLogo } from "./logo.ts";
import { findOwn, logoOf, logosOf } from "./service.ts";

const deps = await openTestDeps();
let ann: SignedInUser;
let id: number;

beforeAll(async () => {
  ann = await signedInUser(deps, "ann");
  id = (await registeredClient(deps, ann.user)).application.id;
});

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 30, b: 30 } } });

const fetchLogo = (path: string) => {
  const [application = "", digest = ""] = path.split("/").slice(3);
  const params = Promise.resolve({ id: application, digest });
  return GET(new Request(ORIGIN + path), { params });
};

const logoPath = async (): Promise<string> => (await logoOf(deps, id)) ?? "none";

it("logosOf returns the paths of the logos of several applications", async () => {
  const other = (await registeredClient(deps, ann.user)).application.id;
  await setLogo(deps, ann.user, id, await picture(20, 20).png().toBuffer());
  expect([...(await logosOf(deps, [id, other]))]).toEqual([[id, await logoPath()]]);
  expect((await logosOf(deps, [])).size).toBe(0);
});

describe("a logo", () => {
  it.each([
    ["PNG", () => picture(600, 300).png().toBuffer()],
    [
      "JPEG",
      () =>
        picture(50, 50)
          .withExif({ IFD0: { Copyright: "a secret place" } })
          .jpeg()
          .toBuffer(),
    ],
    ["WebP", () => picture(10, 400).webp().toBuffer()],
    ["GIF", () => picture(192, 192).gif().toBuffer()],
  ])("a logo in the format %s is converted to a small square image without metadata", async (_kind, file) => {
    expect(await setLogo(deps, ann.user, id, await file())).toBeNull();
    const response = await fetchLogo(await logoPath());
    const png = Buffer.from(await response.arrayBuffer());
    const { format, width, height, exif } = await sharp(png).metadata();
    expect({ format, width, height, exif }).toEqual({
      format: "png",
      width: 192,
      height: 192,
      exif: undefined,
    });
    expect(png.toString("latin1")).not.toContain("secret place");
  });

  it("the response with a logo can be cached permanently, and has an image content type", async () => {
    await setLogo(deps, ann.user, id, await picture(20, 20).png().toBuffer());
    const { status, headers } = await fetchLogo(await logoPath());
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-type": "image/png",
      "cache-control": "public, max-age=31536000, immutable",
      "content-security-policy": "default-src 'none'",
      "x-content-type-options": "nosniff",
    });
  });

  it("a changed logo has a new URL, and the old URL responds with 404", async () => {
    await setLogo(deps, ann.user, id, await picture(20, 20).png().toBuffer());
    const before = await logoPath();
    await setLogo(deps, ann.user, id, await picture(20, 21).png().toBuffer());
    expect(await logoPath()).not.toBe(before);
    expect((await fetchLogo(before)).status).toBe(404);
    expect((await fetchLogo("/-/application_logos/1x/..")).status).toBe(404);
    expect(await findOwn(deps, ann.user, id)).toMatchObject({ logo: await logoPath() });
  });

  it("only the owner of an application can change or remove its logo", async () => {
    await setLogo(deps, ann.user, id, await picture(20, 20).png().toBuffer());
    const before = await logoPath();
    const bob = await signedInUser(deps, "bob");
    expect(await removeLogo(deps, bob.user, id)).toBe(false);
    await setLogo(deps, bob.user, id, await picture(30, 20).png().toBuffer());
    expect(await logoPath()).toBe(before);
    expect(await removeLogo(deps, ann.user, id)).toBe(true);
    expect(await logoOf(deps, id)).toBeNull();
    expect((await fetchLogo(before)).status).toBe(404);
    const events = await deps.db.auditEvent.findMany({ where: { name: "application.logo_changed" } });
    expect(JSON.parse(events.at(-1)?.details ?? "{}")).toEqual({ removed: true });
  });
});

describe("an invalid logo", () => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>`;

  it.each<[string, () => Uint8Array | Promise<Uint8Array>, RegExp]>([
    ["an empty file", () => new Uint8Array(), /Select a picture/],
    ["an SVG", () => Buffer.from(svg), /not a PNG/],
    ["an SVG with a declaration", () => Buffer.from(`<?xml version="1.0"?>${svg}`), /not a PNG/],
    ["a text file", () => Buffer.from("hello"), /not a PNG/],
    ["a PDF", () => Buffer.from("%PDF-1.7 x"), /not a PNG/],
    ["a TIFF", () => picture(9, 9).tiff().toBuffer(), /not a PNG/],
    [
      "the beginning of a PNG",
      async () => (await picture(500, 500).png().toBuffer()).subarray(0, 60),
      /damaged/,
    ],
    ["an SVG that begins as a PNG", () => Buffer.from(`\x89PNG\r\n\x1a\n${svg}`, "latin1"), /damaged/],
    ["more than 1 MB", () => new Uint8Array(1024 * 1024 + 1), /larger than 1 MB/],
    ["a picture of 25 million pixels", () => picture(5000, 5000).png().toBuffer(), /16 million pixels/],
  ])("%s is refused as a logo, and the current logo stays", async (_what, file, problem) => {
    await setLogo(deps, ann.user, id, await picture(20, 20).png().toBuffer());
    const before = await logoPath();
    expect(await setLogo(deps, ann.user, id, await file())).toMatch(problem);
    expect(await logoPath()).toBe(before);
  });
});
