import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { GET } from "@app/users/sign_in/route.ts";
import { expect, it } from "vitest";
import { ORIGIN, PASSWORD, signedInCookie } from "@/testing/authorization.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { create } from "../users/service.ts";
import { INITIAL_PASSWORD } from "./first-sign-in.ts";

const deps = await openTestDeps();
const shown = async () => (await GET(new Request(`${ORIGIN}/users/sign_in`))).text();

it("the sign-in page of a new instance names the place of the password of root until the first sign-in", async () => {
  await create(deps, { username: "root", email: "root@localhost", password: PASSWORD, admin: true });
  expect(await shown()).toContain("in the output of the first start");
  writeFileSync(join(deps.config.dataDir, INITIAL_PASSWORD), PASSWORD);
  const html = await shown();
  expect(html).toContain(`in the file <code>${INITIAL_PASSWORD}</code>`);
  expect(html).not.toContain(deps.config.dataDir);
  await signedInCookie("root");
  expect(await shown()).not.toContain("This server is new");
});
