import { createHash } from "node:crypto";
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Told to the hooks: `yes` for who may rewrite the default branch. */
export const FORCE_VARIABLE = "GATEHOUSE_MAY_FORCE";

const UPDATE = `#!/bin/sh
# Runs before each reference of a push changes: the default branch is not rewritten. Git itself never removes it.
ref=$1 old=$2 new=$3
if [ "\${${FORCE_VARIABLE}:-no}" = yes ] || [ "$ref" != "$(git symbolic-ref HEAD)" ]; then exit 0; fi
case "$old" in *[!0]*) ;; *) exit 0 ;; esac
git merge-base --is-ancestor "$old" "$new" && exit 0
echo "The default branch is protected: you may not force-push to it." >&2
exit 1
`;

const POST_RECEIVE = `#!/bin/sh
# Runs after a push: the first branch that there is becomes the default one.
git rev-parse --quiet --verify HEAD >/dev/null && exit 0
ref=$(git for-each-ref --count=1 --format='%(refname)' refs/heads)
[ -n "$ref" ] && git symbolic-ref HEAD "$ref"
exit 0
`;

const HOOKS = { update: UPDATE, "post-receive": POST_RECEIVE };

/** Its name tells what is in it, so that instances of different versions never see each other's half-written ones. */
const NAME = `git-hooks-${createHash("sha256").update(JSON.stringify(HOOKS)).digest("hex").slice(0, 12)}`;

/** The folder of the hooks of all repositories, written where it is missing. */
export function hooksFolder(dataDir: string): string {
  const folder = join(dataDir, NAME);
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  for (const [name, text] of Object.entries(HOOKS))
    writeFileSync(join(unfinished, name), text, { mode: 0o755 });
  try {
    renameSync(unfinished, folder);
  } catch (cause) {
    // Another process was faster.
    if (!existsSync(folder)) throw cause;
  }
  return folder;
}
