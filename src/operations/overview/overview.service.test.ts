import { expect, it } from "vitest";
import { registeredClient, signedInUser } from "@/testing/authorization.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { projectOf } from "@/testing/projects.ts";
import { grantedTokens } from "@/testing/tokens.ts";
import { readOverview } from "./service.ts";

const deps = await openTestDeps();

it("the overview contains the users, the received error events and the most used applications of the period", async () => {
  const ann = await signedInUser(deps, "ann");
  const client = await registeredClient(deps, ann.user, { name: "Acme Deploy" });
  await grantedTokens(deps, ann, client);
  const { id: projectId } = await projectOf(deps, ann.user, "shop");
  const received = { projectId, hour: deps.clock(), category: "error" } as const;
  await deps.db.errorIngest.createMany({
    data: [
      { ...received, outcome: "accepted", count: 3 },
      { ...received, outcome: "rate_limit", count: 2 },
      { ...received, outcome: "accepted", category: "transaction", count: 5 },
    ],
  });
  const numbers = async () => {
    const { activeUsers, applications, events } = await readOverview(deps, "24h");
    const sum = (bars: typeof events.accepted) => bars.reduce((total, { count }) => total + count, 0);
    return { activeUsers, applications, accepted: sum(events.accepted), dropped: sum(events.dropped) };
  };
  const { id, uid } = client.application;
  expect(await numbers()).toEqual({
    activeUsers: 1,
    applications: [{ uid, id, name: "Acme Deploy", count: 1 }],
    accepted: 3,
    dropped: 2,
  });
  deps.advance(2 * 86_400);
  expect(await numbers()).toEqual({ activeUsers: 0, applications: [], accepted: 0, dropped: 0 });
});
