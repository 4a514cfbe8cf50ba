import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isSettingKey } from "@/instance/settings/catalog";

const MODELS = "prisma/models";
const document = readFileSync("docs/data.md", "utf8");

it("docs/data.md states the lifetime of the rows for exactly the tables that the database contains", () => {
  const models = readdirSync(MODELS).map((file) => readFileSync(join(MODELS, file), "utf8"));
  const tables = models.flatMap((text) => [...text.matchAll(/^model (\w+)/gm)].map(([, name]) => name));
  const documented = [...document.matchAll(/`([A-Z][a-z]\w+)`/g)].map(([, name]) => name);
  expect(new Set(documented)).toEqual(new Set(tables));
});

it("docs/data.md names only settings that exist", () => {
  const named = [...document.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(([, name = ""]) => name);
  expect(named.length).toBeGreaterThan(9);
  const others = ["expired_token", "initial_root_password"];
  expect(named.filter((name) => !isSettingKey(name) && !others.includes(name))).toEqual([]);
});
