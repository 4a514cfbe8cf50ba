import type { User } from "@/access/principal";
import type { Deps } from "@/platform/deps";
import { gitIn } from "./revision";
import { FIRST_BRANCH } from "./rules";

type Named = Readonly<{ id: number; name: string; description: string }>;

/**
 * Begins the repository of a new project: a commit with a README.md that says what the project is called.
 * @throws GitFailed, GitBusy, or the system's error where Git is not installed.
 */
export async function writeFirstCommit(
  deps: Pick<Deps, "config" | "clock">,
  project: Named,
  author: User,
): Promise<void> {
  const signed = `${personOf(author, deps.config.baseUrl.hostname)} ${Math.floor(deps.clock().getTime() / 1000)} +0000`;
  const commit = [
    `commit refs/heads/${FIRST_BRANCH}`,
    `author ${signed}`,
    `committer ${signed}`,
    data("Initial commit"),
    "M 100644 inline README.md",
    data(readmeOf(project)),
    "done",
    "",
  ];
  await gitIn(deps, project, ["fast-import", "--quiet", "--done"], { input: commit.join("\n") });
}

const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}`;

/** Nothing that ends a name in a commit. The address is none that mail reaches: nobody asked to have theirs published. */
function personOf({ name, username }: User, host: string): string {
  const plain = name.replace(/[<>\p{Cc}]/gu, "").trim();
  return `${plain === "" ? username : plain} <${username}@users.noreply.${host}>`;
}

const readmeOf = ({ name, description }: Named): string =>
  description.trim() === "" ? `# ${name}\n` : `# ${name}\n\n${description.trim()}\n`;
