import { createHash } from "node:crypto";
import { existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import { createFolderDurably, replaceDurably, syncFolder } from "@/kernel/disk/durable-file";
import { REFERENCE_NAME_BYTES_MAX } from "./rules";

/**
 * The branch protection rules that apply to a push by a user. The server reads these rules before the push
 * begins.
 */
export type PushRules = Readonly<{
  /** The default branch (the branch that HEAD names) at the time when the rules were read. */
  head: string;
  /** Whether the user may create the first branch of a repository that has no default branch yet. */
  mayBegin: boolean;
  /** The branch protection rules. In the name of a rule, `*` matches any characters. */
  rules: readonly Readonly<{ name: string; mayPush: boolean; allowForcePush: boolean }>[];
}>;

const yesOrNo = (is: boolean): string => (is ? "yes" : "no");

/** Returns the environment variables that pass the branch protection rules to the update hook. */
export const hookVariables = ({ head, mayBegin, rules }: PushRules): Readonly<Record<string, string>> => ({
  GATEHOUSE_HEAD: head,
  GATEHOUSE_MAY_BEGIN: yesOrNo(mayBegin),
  GATEHOUSE_PROTECTED_BRANCHES: rules
    .map(({ name, mayPush, allowForcePush }) => `${yesOrNo(mayPush)} ${yesOrNo(allowForcePush)} ${name}`)
    .join("\n"),
});

/** The environment variable that makes the hooks write their report to file descriptor 3; see `readPushReport`. */
export const REPORT_VARIABLE = "GATEHOUSE_REPORT";

const UPDATE = `#!/bin/sh
# Runs before each reference of a push changes (githooks, "update"). Refuses references other than branches and tags, and
# changes that the branch protection forbids.
ref=$1 old=$2 new=$3
refuse() { echo "$1" >&2; exit 1; }
# Reports the reference before it changes, so that the server records the push even when the client disconnects.
accept() {
  if [ "\${${REPORT_VARIABLE}:-no}" = yes ]; then echo "update $old $new $ref" >&3 || exit 1; fi
  exit 0
}
case "$ref" in
  refs/heads/*|refs/tags/*) ;;
  *) refuse "Only branches and tags can be pushed. $ref is neither." ;;
esac
name=\${ref#refs/*/}
case "$new" in
  *[!0]*)
    # The length in bytes: the server starts Git with LC_ALL=C.
    [ \${#name} -le ${REFERENCE_NAME_BYTES_MAX} ] ||
      refuse "The name of a branch or a tag can have at most ${REFERENCE_NAME_BYTES_MAX} bytes. Choose a shorter name."
    case "$name" in
      HEAD|refs/*|-*) refuse "$name cannot be the name of a branch or a tag. Choose another name." ;;
      *[!0-9a-fA-F]*) ;;
      *) case \${#name} in 40|64) refuse "$name looks like an object id. Choose another name." ;; esac ;;
    esac ;;
esac

case "$ref" in refs/heads/*) branch=\${ref#refs/heads/} ;; *) accept ;; esac

# The rules are valid only for the default branch at the time when they were read.
read -r _ head < "\${GIT_DIR:-.}/HEAD"
[ "$head" = "refs/heads/$GATEHOUSE_HEAD" ] || refuse "The default branch has just changed. Push again."
# Git itself refuses this only when the client sends the old object id of the branch.
case "$new" in
  *[!0]*) ;;
  *) [ "$ref" = "$head" ] && refuse "The default branch cannot be deleted." ;;
esac

protected=no may_push=no may_force=no
while read -r push force pattern; do
  # Without quotes, the shell matches the wildcards.
  case "$branch" in $pattern)
    protected=yes
    [ "$push" = yes ] && may_push=yes
    [ "$force" = yes ] && may_force=yes ;;
  esac
done <<RULES
$GATEHOUSE_PROTECTED_BRANCHES
RULES

case "$old" in *[!0]*) created=no ;; *) created=yes ;; esac
if [ $created = yes ] && [ $may_push = no ] && ! git rev-parse --quiet --verify HEAD >/dev/null; then
  # The first branch of a repository becomes the default branch.
  [ "$GATEHOUSE_MAY_BEGIN" = yes ] && accept
  refuse "You are not allowed to push code to protected branches on this project."
fi
[ $protected = yes ] || accept
case "$new" in
  *[!0]*) ;;
  *) refuse "A push cannot delete a protected branch. Maintainers can unprotect it or delete it through the API." ;;
esac
[ $may_push = yes ] || refuse "You are not allowed to push code to protected branches on this project."
[ $created = yes ] && accept
[ $may_force = yes ] && accept
git merge-base --is-ancestor "$old" "$new" && accept
refuse "You are not allowed to force push code to a protected branch on this project."
`;

const POST_RECEIVE = `#!/bin/sh
# Runs after a push. Reports the changed references and the push options.
if [ "\${${REPORT_VARIABLE}:-no}" = yes ]; then
  {
    # The empty line marks the report as complete.
    cat && echo || exit 1
    at=0
    while [ $at -lt "\${GIT_PUSH_OPTION_COUNT:-0}" ]; do
      eval "printf '%s\\\\n' \\"\\$GIT_PUSH_OPTION_$at\\""
      at=$((at + 1))
    done
  } >&3
fi
# The first branch becomes the default branch.
git rev-parse --quiet --verify HEAD >/dev/null && exit 0
ref=$(git for-each-ref --count=1 --format='%(refname)' refs/heads)
[ -n "$ref" ] && git symbolic-ref HEAD "$ref"
exit 0
`;

const PACK_OBJECTS = `#!/bin/sh
# Runs instead of "git pack-objects" during a fetch. Protocol version 2 accepts any object id. This hook refuses commits
# that are no longer reachable from a branch or a tag, for example after a force push.
revisions=$(cat)
wanted=$(printf '%s\\n' "$revisions" | sed -e '/^--not$/,$d' -e '/^--/d')
unreachable=$(printf '%s\\n' "$wanted" |
  git rev-list --stdin --max-count=1 --not --exclude='refs/gatehouse/*' --exclude='refs/replace/*' --all --) || exit 1
if [ -n "$unreachable" ]; then
  echo "A requested commit is not reachable from any branch or tag: $unreachable" >&2
  exit 1
fi
printf '%s\\n' "$revisions" | "$@"
`;

const FETCH_HOOK = "pack-objects";

const HOOKS = { update: UPDATE, "post-receive": POST_RECEIVE, [FETCH_HOOK]: PACK_OBJECTS };

/**
 * The name of the folder that contains the hooks. The folder name contains a digest of the hooks, so that
 * different versions of the server use different folders.
 */
const NAME = `git-hooks-${createHash("sha256").update(JSON.stringify(HOOKS)).digest("hex").slice(0, 12)}`;

/**
 * Returns the path of the folder with the Git hooks for all repositories. Creates the folder if it is
 * missing.
 */
export function hooksFolder(dataDir: string): string {
  const folder = join(dataDir, NAME);
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}.${process.pid}`;
  createFolderDurably(unfinished);
  // Git would also run an empty or incomplete hook file, and such a hook would allow every push. The folder
  // with the hooks therefore gets its final name only after all files have been written.
  for (const [name, text] of Object.entries(HOOKS)) replaceDurably(join(unfinished, name), text, 0o755);
  try {
    renameSync(unfinished, folder);
    syncFolder(dataDir);
  } catch (cause) {
    // Another server process may have simultaneously created the folder.
    if (!existsSync(folder)) throw cause;
  }
  return folder;
}

/** Returns the Git settings that enable the hooks in a folder. */
export const hookSettings = (folder: string): readonly (readonly [key: string, value: string])[] => [
  ["core.hooksPath", folder],
  // The path of the hook is quoted, because Git passes the value of `uploadpack.packObjectsHook` to a shell.
  ["uploadpack.packObjectsHook", `'${join(folder, FETCH_HOOK).replaceAll("'", "'\\''")}'`],
];
