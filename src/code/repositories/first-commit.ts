import type { User } from "@/access/principal";
import type { Deps } from "@/kernel/deps/deps";
import { writeIn } from "./revision";
import { FIRST_BRANCH } from "./rules";
import { prepareRepository } from "./service";
import { signatureOf } from "./signature";

type NewRepository = Readonly<{ id: number; name: string; description: string }>;

/**
 * Creates the repository of a new project, and the first commit if the user requested a README. If the first
 * commit cannot be created, the error is only logged and the repository remains empty, because the project
 * already exists.
 */
export async function beginRepository(
  deps: Deps,
  project: NewRepository,
  { creator, readme }: Readonly<{ creator: User; readme: boolean }>,
): Promise<void> {
  await prepareRepository(deps, project);
  if (!readme) return;
  try {
    await writeFirstCommit(deps, project, creator);
  } catch (cause) {
    deps.log.warn({ event: "repository.not_begun", project_id: project.id }, cause);
  }
}

/**
 * Writes the first commit of a project: a README.md with the name and description of the project.
 * @throws GitFailed, GitBusy, or the system's error if Git is not installed.
 */
async function writeFirstCommit(
  deps: Pick<Deps, "config" | "clock">,
  project: NewRepository,
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

const readmeOf = ({ name, description }: NewRepository): string =>
  description.trim() === "" ? `# ${name}\n` : `# ${name}\n\n${description.trim()}\n`;
