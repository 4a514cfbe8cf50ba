import { GET as getDevice } from "@app/oauth/device/route.ts";
import { POST } from "@app/users/theme/route.ts";
import { describe, expect, it } from "vitest";
import { formPost, ORIGIN } from "@/testing/authorization.ts";
import { openTestDeps } from "@/testing/deps.ts";

await openTestDeps();

const choose = (form: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  POST(formPost("/users/theme", form, headers));

describe("the choice of a theme", () => {
  it("the chosen theme is stored for a year, and the browser returns to the page with the form", async () => {
    const response = await choose("theme=dark", { referer: `${ORIGIN}/help/connect?client_id=1` });
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe(`${ORIGIN}/help/connect?client_id=1`);
    const [cookie] = response.headers.getSetCookie();
    expect(cookie).toMatch(/^gatehouse_theme=dark; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax/);
  });

  it.each(["https://evil.example/", `${ORIGIN}.evil.example/`])(
    "the form for the theme redirects to the home page when the previous page was %s",
    async (referer) => {
      const response = await choose("theme=light", { referer });
      expect(response.headers.get("location")).toBe(`${ORIGIN}/`);
    },
  );

  it("the form for the theme is refused if another site sends it, or if it names an unknown theme", async () => {
    expect((await choose("theme=dark", { "sec-fetch-site": "cross-site" })).status).toBe(403);
    for (const form of ["theme=pink", "", `theme=${"x".repeat(70_000)}`]) {
      const response = await choose(form);
      expect(response.status, form.slice(0, 30)).toBe(403);
      expect(response.headers.getSetCookie()).toEqual([]);
    }
  });

  it.each([
    ["dark", 'data-theme="dark"'],
    ["light", 'data-theme="light"'],
  ])("the theme %s also applies to pages that are rendered without Next.js", async (theme, expected) => {
    const headers = { cookie: `gatehouse_theme=${theme}` };
    const response = await getDevice(new Request(`${ORIGIN}/oauth/device`, { headers }));
    expect(await response.text()).toContain(expected);
  });

  it("a cookie with an unknown theme is ignored", async () => {
    const headers = { cookie: 'gatehouse_theme="><script>' };
    const response = await getDevice(new Request(`${ORIGIN}/oauth/device`, { headers }));
    expect(await response.text()).not.toContain("data-theme");
  });
});
