import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import sharp from "sharp";
import { test } from "../../e2e/fixtures.ts";
import type { Instance } from "../../e2e/instance.ts";
import { register } from "../../e2e/oauth/fixtures.ts";
import { become, PLACES, type Place } from "../../e2e/pages/places.ts";
import { makeWorld, type World } from "../../e2e/pages/places-world.ts";
import { apiOf, dsnOf, report } from "../../e2e/pages/project-world.ts";

/** The folder of the contact sheets. */
const FOLDER = process.env["SHEETS"] ?? "";
const APPLICATIONS = 500;
const LONG = `${"Überlanger-Name-ohne-Pause".repeat(4)} 123456789 1234`;
const RTL = "مرحبا بالعالم ".repeat(8);
const CALLBACK = "https://client.example/callback";
const SCOPES =
  "openid profile email read_user read_repository read_registry read_api mcp write_repository write_registry create_runner manage_runner api";

/** The two screenshots of each page: one on a desktop in one theme, and one on a phone in the other theme. */
const SHOTS = [
  { width: 1280, factor: 0.5 },
  { width: 390, factor: 0.5 },
] as const;
const SHEET = { width: 1710, height: 1500 };
const GAP = 10;

type Picture = Readonly<{ input: Buffer; width: number; height: number }>;

/** Creates 500 applications, applications with all options, comments, and users with long names. */
async function makeAwkward(instance: Instance): Promise<string> {
  const call = await apiOf(instance, "root");
  for (let index = 0; index < APPLICATIONS; index += 1)
    await call("POST", "/applications", {
      name: index % 50 === 0 ? `${index} ${LONG}` : `Application ${index}`,
      redirect_uri: CALLBACK,
      scopes: "read_user",
    });
  for (const [username, name] of [
    ["lena", LONG],
    ["rashid", RTL.slice(0, 120)],
  ] as const)
    await call("POST", "/users", {
      username,
      name,
      email: `${username}@example.com`,
      password: "a long password",
    });
  const ann = await apiOf(instance, "ann");
  await report(await dsnOf(ann, "/projects/1"), { message: RTL, level: "error" });
  const all = await register(
    instance,
    "--name",
    RTL.trim(),
    "--redirect-uri",
    CALLBACK,
    "--owner",
    "ann",
    "--scopes",
    SCOPES,
    "--backchannel-logout-uri",
    "https://client.example/logout",
  );
  return all.client_id;
}

const requestOf = (clientId: string, parameters: Readonly<Record<string, string>>): string =>
  `/oauth/authorize?${new URLSearchParams({ client_id: clientId, redirect_uri: CALLBACK, response_type: "code", ...parameters })}`;

/** Signs a user in to the application and out again, so that the application has a logout token that was not delivered. */
async function signInAndOut(page: Page, world: World, clientId: string): Promise<void> {
  const browser = page.context().browser();
  if (browser === null) throw new Error("The page has no browser.");
  const other = await browser.newPage({ baseURL: world.instance.baseUrl });
  other.setDefaultTimeout(10_000);
  await other.route("https://client.example/**", (route) =>
    route.fulfill({ body: "The client", contentType: "text/html" }),
  );
  await become(other, world, "mia");
  await other.goto(requestOf(clientId, { scope: "openid" }));
  // In the second variant of the contact sheets, the user has already allowed the application.
  if (other.url().includes("/oauth/consent")) await other.getByRole("button", { name: "Allow" }).click();
  await other.waitForURL(/client\.example/);
  await other.goto("/oauth/end_session");
  await other.getByRole("button", { name: "Sign out" }).click();
  await other.waitForURL((url) => !url.pathname.includes("end_session"));
  await other.close();
}

/** The pages that the accessibility tests do not open. */
const more = (clientId: string): readonly Place[] => [
  {
    name: "consent-13-scopes",
    as: "mia",
    go: requestOf(clientId, { scope: SCOPES }),
  },
  { name: "project-awkward-settings", as: "ann", go: "/projects/2/settings" },
  { name: "group-awkward", as: "ann", go: "/groups/2" },
  { name: "admin-users-500", as: "root", go: "/admin/users" },
  { name: "admin-applications-500", as: "root", go: "/admin/applications?page=2" },
  { name: "admin-user-long", as: "root", go: "/admin/users/4" },
  { name: "admin-user-rtl", as: "root", go: "/admin/users/5" },
  { name: "admin-user-ann-deletion", as: "root", go: "/admin/users/2" },
  {
    name: "application-edit-advanced",
    as: "ann",
    go: async (page) => {
      await openApplication(page);
      await page.getByRole("link", { name: "Edit", exact: true }).click();
      await page.locator("summary").first().click();
    },
  },
  { name: "application-rtl", as: "ann", go: openApplication },
  {
    name: "application-edit-wrong",
    as: "ann",
    go: async (page) => {
      await openApplication(page);
      await page.getByRole("link", { name: "Edit", exact: true }).click();
      await page.locator("summary").first().click();
      await page.getByLabel("Redirect URIs").fill("https://client.example/*");
      await page.getByLabel("Back-channel logout URI").fill("ftp://wrong");
      await page.getByLabel("With its own private key").check();
      await page.getByRole("button", { name: "Save", exact: true }).last().click();
      await page.getByText("Your changes were not saved").waitFor();
    },
  },
  {
    name: "link-too-long",
    as: "nobody",
    go: requestOf(clientId, { scope: "openid", state: "x".repeat(15_900) }),
  },
  {
    name: "step-up",
    as: "mia",
    go: requestOf(clientId, { scope: "openid", max_age: "0", prompt: "login" }),
  },
  { name: "step-up-factor", as: "ann", go: requestOf(clientId, { scope: "openid", acr_values: "phr" }) },
  {
    name: "logout-deliveries",
    as: "ann",
    go: async (page, world) => {
      await signInAndOut(page, world, clientId);
      await openApplication(page);
    },
  },
  {
    name: "application-delete-dialog",
    as: "ann",
    go: async (page) => {
      await openApplication(page);
      await page.getByRole("button", { name: "Delete this application…" }).click();
      await page.getByRole("dialog").waitFor();
    },
  },
  {
    name: "resource-identifiers",
    as: "root",
    go: async (page) => {
      await page.goto("/admin/applications/1");
      const field = page.getByLabel("Resource identifiers");
      if ((await field.count()) === 0) {
        await page.getByRole("button", { name: "Allow introspection…" }).click();
        await page.getByRole("button", { name: "Allow introspection", exact: true }).click();
        await field.fill(`https://api.client.example/${"path".repeat(40)}\nurn:example:wiki`);
        await page.getByRole("button", { name: "Save identifiers" }).click();
      }
      await field.waitFor();
    },
  },
  {
    name: "error-comments",
    as: "mia",
    go: async (page) => {
      await page.goto("/projects/1/errors/1");
      if ((await page.getByText("Fixed by").count()) > 0) return;
      await page
        .getByLabel("Add a comment")
        .fill(`Fixed by **${LONG}**\n\n- ${RTL}\n\n\`\`\`js\n${"x".repeat(200)}\n\`\`\``);
      await page.getByRole("button", { name: "Add comment" }).click();
      await page.getByText("Fixed by").first().waitFor();
    },
  },
];

async function openApplication(page: Page): Promise<void> {
  await page.goto("/user_settings/applications");
  await page.getByRole("main").getByRole("link").filter({ hasText: "بالعالم" }).first().click();
  await page.waitForURL(/applications\/\d+$/);
}

/**
 * Writes contact sheets of all pages into the folder `SHEETS`, for visual inspection. The environment
 * variable `ONLY` selects pages.
 */
test("sheets", async ({ page, instance }) => {
  test.setTimeout(1_500_000);
  // If a page does not open, the test reports the page and continues with the next page.
  page.setDefaultTimeout(10_000);
  mkdirSync(FOLDER, { recursive: true });
  const only = process.env["ONLY"]?.split(",");
  const world = await makeWorld(instance);
  const clientId = await makeAwkward(instance);
  const places = [...more(clientId), ...PLACES];
  for (const [variant, themes] of [
    ["a", ["light", "dark"]],
    ["b", ["dark", "light"]],
  ] as const) {
    const pictures: (readonly [string, readonly Picture[]])[] = [];
    for (const who of ["nobody", "ann", "mia", "root"] as const) {
      await become(page, world, who);
      for (const { name, go } of places.filter(
        (each) => each.as === who && (only?.includes(each.name) ?? true),
      )) {
        try {
          await page.setViewportSize({ width: 1280, height: 800 });
          await (typeof go === "string" ? page.goto(go) : go(page, world));
          const shots: Picture[] = [];
          for (const [index, { width, factor }] of SHOTS.entries()) {
            await page.emulateMedia({ colorScheme: themes[index] ?? "light" });
            await page.setViewportSize({ width, height: 800 });
            const png = await page.screenshot({ fullPage: true, animations: "disabled" });
            const { data, info } = await sharp(png)
              .resize({ width: Math.round(width * factor) })
              .png()
              .toBuffer({ resolveWithObject: true });
            shots.push({ input: data, width: info.width, height: info.height });
          }
          pictures.push([name, shots]);
        } catch (cause) {
          process.stdout.write(`${name}: ${String(cause).slice(0, 300)}\n`);
        }
      }
    }
    await writeSheets(variant, pictures);
  }
});

/**
 * Places the screenshots on the contact sheets in columns. A screenshot that is taller than a contact sheet
 * continues in the next column.
 */
async function writeSheets(
  variant: string,
  pictures: readonly (readonly [string, readonly Picture[]])[],
): Promise<void> {
  let sheet: { input: Buffer; left: number; top: number }[] = [];
  let names: string[] = [];
  let number = 0;
  const column = 1280 * SHOTS[0].factor + 390 * SHOTS[1].factor + 2 * GAP;
  let [left, top] = [0, 0];
  const flush = async (): Promise<void> => {
    if (sheet.length === 0) return;
    number += 1;
    const file = join(FOLDER, `${variant}${String(number).padStart(2, "0")}.png`);
    await sharp({ create: { ...SHEET, channels: 3, background: "#ff00ff" } })
      .composite(sheet)
      .png({ palette: true })
      .toFile(file);
    process.stdout.write(`${file} ${names.join(" ")}\n`);
    [sheet, names, left, top] = [[], [], 0, 0];
  };
  for (const [name, shots] of pictures) {
    const tall = Math.max(...shots.map(({ height }) => height));
    for (let from = 0; from < tall; from += SHEET.height) {
      const height = Math.min(SHEET.height, tall - from);
      if (top > 0 && top + height > SHEET.height) [left, top] = [left + column, 0];
      if (left + column > SHEET.width) await flush();
      names.push(name);
      let at = left;
      for (const { input, width, height: full } of shots) {
        const part = Math.min(SHEET.height, full - from);
        if (part > 0)
          sheet.push({
            input: await sharp(input).extract({ left: 0, top: from, width, height: part }).toBuffer(),
            left: at,
            top,
          });
        at += width + GAP;
      }
      top += height + GAP;
    }
  }
  await flush();
}
