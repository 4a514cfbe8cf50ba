import { join } from "node:path";
import { expect } from "vitest";
import { openDesk } from "../git/git.ts";
import { Unavailable } from "./client.ts";

/** A Git client that pushes commits to one branch, and checks that the branch contains the acknowledged commits. */
export type BranchWriter = Readonly<{
  /** Pushes a new commit. @throws Unavailable, or an Error with the output of Git. */
  push: () => Promise<void>;
  /** Checks the commit to which the branch points. */
  verify: (commitId: string) => void;
  close: () => void;
}>;

/** Creates a repository with the branch `main` on the computer of a user. */
export async function openBranchWriter(remote: string): Promise<BranchWriter> {
  const desk = openDesk();
  const copy = join(desk.folder, "copy");
  await desk.ok(["init", "-q", "-b", "main", copy]);
  /**
   * The commits to which the branch may point, oldest first. The first entry is the last commit whose push
   * the server acknowledged, or the last commit that `verify` received. The entries after the first entry are
   * the commits of later pushes that got no response. Git may have stored the commits of the pushes that got
   * no response.
   */
  let heads: readonly string[] = [];

  return {
    push: async () => {
      await desk.ok(["commit", "-q", "--allow-empty", "-m", "Change"], copy);
      const commit = await desk.ok(["rev-parse", "HEAD"], copy);
      heads = [...heads, commit];
      const { code, out, err } = await desk.git(["push", "-q", remote, "main"], copy);
      if (code !== 0)
        throw /\b503\b/.test(err)
          ? new Unavailable(err)
          : new Error(`The push ended with ${code}: ${err || out || "no output"}`);
      heads = [commit];
    },
    verify: (commitId) => {
      expect(heads, "the commits that the branch may contain").toContain(commitId);
      heads = heads.slice(heads.indexOf(commitId));
    },
    close: desk.remove,
  };
}
