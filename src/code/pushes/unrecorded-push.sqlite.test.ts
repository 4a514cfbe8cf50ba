import { expect, it } from "vitest";
import { apiUser } from "@/testing/api.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { projectOf } from "@/testing/projects.ts";
import { isPushing } from "./in-flight.ts";
import { changeAsPush } from "./service.ts";

const deps = await openTestDeps();
const owner = await apiUser(deps, "owner");
const project = await projectOf(deps, owner.user, "shop");
const pusher = { project, user: owner.user };
const change = { branch: "topic", before: null, after: "1".repeat(40) };
const update = { run: () => Promise.resolve(true), isChanged: () => true };

it(
  conformance(
    "SC-13",
    "if the server cannot record a change of a branch, the push of the user stays in flight, so the user cannot approve the change",
  ),
  async () => {
    await changeAsPush(deps, pusher, change, update);
    expect(isPushing(project.id, owner.user.id)).toBe(false);
    const failing = { ...deps, transaction: () => Promise.reject(new Error("The disk is full.")) };
    await expect(changeAsPush(failing, pusher, change, update)).rejects.toThrow("The disk is full.");
    // Without a recorded push, only the push in flight prevents an approval by the user.
    expect(isPushing(project.id, owner.user.id)).toBe(true);
  },
);
