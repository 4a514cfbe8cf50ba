import type { User } from "@/access/principal";
import type { Deps } from "@/kernel/deps/deps";
import { writeIn } from "./revision";
import { FIRST_BRANCH } from "./rules";
import { signatureOf } from "./signature";

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
  const { name, email, date } = signatureOf(author, deps.config.baseUrl.hostname, deps.clock());
  const signed = `${name} <${email}> ${date}`;
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
  await writeIn(deps, project, ["fast-import", "--quiet", "--done"], { input: commit.join("\n") });
}

const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}`;

const readmeOf = ({ name, description }: Named): string =>
  description.trim() === "" ? `# ${name}\n` : `# ${name}\n\n${description.trim()}\n`;
