import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { apiUser, tokenWith } from "@/testing/api.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { type GitClient, openGitClient } from "@/testing/git-server.ts";
import { memberOf, projectOf } from "@/testing/projects.ts";
import { commitAll, GIT, gitIsHere } from "@/testing/repository.ts";
import type { AuthorizedProject } from "@/workspace/projects/rules.ts";

const deps = await openTestDeps();
const owner = await apiUser(deps, "owner");
const other = await apiUser(deps, "other");

let client: GitClient;
let project: AuthorizedProject;
let [token, otherToken] = ["", ""];
const open: ClientRequest[] = [];

beforeAll(async () => {
  if (!gitIsHere) return;
  client = await openGitClient();
  project = await projectOf(deps, owner.user, "shop");
  await memberOf(deps, project, other.user, "developer");
  await commitAll(deps, project, [{ branch: "main", message: "Begin", files: { "a.txt": "a" } }]);
  token = await tokenWith(deps, owner.user, ["write_repository"]);
  otherToken = await tokenWith(deps, other.user, ["write_repository"]);
});

afterEach(async () => {
  for (const call of open.splice(0)) call.destroy();
  await expect.poll(() => status(token)).toBe(200);
  // The server releases the slot of a request when the Git process has ended, which is shortly after the
  // response has ended.
  await pause(1_000);
});

/** Begins a push by sending only the beginning of the request body. */
function beginPush(body: string): ClientRequest {
  const call = httpRequest(`${client.origin}/${project.fullPath}.git/git-receive-pack`, {
    method: "POST",
    headers: {
      authorization: `Basic ${Buffer.from(`x:${token}`).toString("base64")}`,
      "content-type": "application/x-git-receive-pack-request",
      "transfer-encoding": "chunked",
    },
  });
  call.on("error", () => undefined);
  call.write(body);
  open.push(call);
  return call;
}

/**
 * Returns the packets of a push with this number of references, without the packet that ends the list of
 * references.
 */
const commands = (count: number): string =>
  Array.from({ length: count }, (_, index) => {
    const line = `${"0".repeat(40)} ${"1".repeat(40)} refs/heads/${String(index).padStart(100, "x")}`;
    return `${(line.length + 4).toString(16).padStart(4, "0")}${line}`;
  }).join("");

const status = async (secret: string): Promise<number> => {
  const response = await fetch(`${client.origin}/${project.fullPath}.git/info/refs?service=git-upload-pack`, {
    headers: { authorization: `Basic ${Buffer.from(`x:${secret}`).toString("base64")}` },
  });
  await response.arrayBuffer();
  return response.status;
};

describe("slow pushes", GIT, () => {
  it(
    conformance("SC-42", "a push occupies no slot before the beginning of the request body has arrived"),
    async () => {
      for (let count = 0; count < 14; count += 1) beginPush("00");
      await pause(500);
      expect([await status(token), await status(otherToken)]).toEqual([200, 200]);
    },
  );

  /**
   * Sends the request bodies of these pushes in the background.
   * @returns a function that stops the background transfers.
   */
  function keepMoving(calls: readonly ClientRequest[]): () => void {
    const timer = setInterval(() => {
      for (const call of calls) call.write(commands(40));
    }, 500);
    return () => clearInterval(timer);
  }

  it(
    conformance("SC-42", "a push that has stalled for a few seconds releases its slot to other requests"),
    async () => {
      const calls = Array.from({ length: 6 }, () => beginPush(commands(400)));
      const stop = keepMoving(calls);
      const fillSlots = async () => {
        const code = await status(token);
        // The test's request for the branches also occupied a slot for a moment. The server may therefore
        // have refused one of the pushes, so the test sends another push.
        if (code === 200) calls.push(beginPush(commands(400)));
        return code;
      };
      await expect.poll(fillSlots, { interval: 500 }).toBe(503);
      expect(await status(otherToken)).toBe(200);
      stop();
      await expect.poll(() => status(token), { interval: 500 }).toBe(200);
    },
  );

  it(
    conformance(
      "SC-42",
      "pushes that make progress keep their slots, and the pushes of one user occupy at most half of all slots",
    ),
    async () => {
      const calls = Array.from({ length: 7 }, () => beginPush(commands(400)));
      let refused = 0;
      for (const call of calls)
        call.on("response", ({ statusCode }: IncomingMessage) => {
          if (statusCode === 503) refused += 1;
        });
      const stop = keepMoving(calls);
      await expect.poll(() => refused).toBe(1);
      await pause(8_000);
      expect([await status(token), await status(otherToken)]).toEqual([503, 200]);
      stop();
    },
  );
});
