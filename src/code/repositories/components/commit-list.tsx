import { visibleName } from "@/kernel/text/visible";
import { OneLine } from "@/ui/one-line";
import { Row, Rows } from "@/ui/rows";
import { Ago } from "@/ui/time";
import { commitPageUrl } from "../code-url";
import type { Commit } from "../commit";

type OfCommit = Readonly<{ project: number; commit: Commit; now: Date }>;

/** Returns the title of a commit: the first line of its message. */
export const titleOf = ({ message }: Commit): string =>
  visibleName(message.trimStart().split("\n")[0]?.slice(0, 300) ?? "") || "(no message)";

/** A commit on one or two lines: its title, its author, and its date. */
export function CommitLine({ project, commit, now }: OfCommit) {
  const { hash, author } = commit;
  return (
    <div className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-4 gap-y-1">
      <div className="grid min-w-50 flex-1 grid-cols-[minmax(0,1fr)] gap-0.5 md:gap-0">
        <a href={commitPageUrl(project, hash)} className="font-semibold">
          <OneLine text={titleOf(commit)} className="max-md:line-clamp-3" />
        </a>
        <p className="text-muted text-small">
          <OneLine text={visibleName(author.name)} className="md:max-w-3/4" />,{" "}
          <Ago at={author.at} now={now} />
        </p>
      </div>
      <code className="text-muted text-small">{hash.slice(0, 8)}</code>
    </div>
  );
}

/** A list of commits, newest first. */
export function CommitList(props: Omit<OfCommit, "commit"> & { readonly commits: readonly Commit[] }) {
  const { commits, ...rest } = props;
  return (
    <Rows label="Commits">
      {commits.map((commit) => (
        <Row key={commit.hash}>
          <CommitLine commit={commit} {...rest} />
        </Row>
      ))}
    </Rows>
  );
}
