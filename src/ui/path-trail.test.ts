import { expect, it } from "vitest";
import { stepsAbove } from "./path-trail.tsx";

const PAGES = {
  "/settings": "Settings",
  "/settings/webhooks": "Webhooks",
  "/users": "Users",
  "/users/:id": "User",
};

it.each<[string, readonly string[]]>([
  ["", []],
  ["settings", []],
  ["settings/webhooks", ["Settings /settings"]],
  ["settings/webhooks/3", ["Settings /settings", "Webhooks /settings/webhooks"]],
  ["settings/rules/3", ["Settings /settings"]],
  ["users/2/tokens/new", ["Users /users", "User /users/2"]],
])("stepsAbove returns the ancestors of the path %j that have a label", (path, steps) => {
  const above = stepsAbove(path.split("/"), PAGES);
  expect(above.map(({ label, below }) => `${label} ${below}`)).toEqual(steps);
});
