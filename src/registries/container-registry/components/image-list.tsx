import { Badge } from "@/ui/badge";
import { Card } from "@/ui/card";
import { CodeBlock } from "@/ui/code-block";
import { EmptyState } from "@/ui/empty-state";
import { Notice } from "@/ui/notice";
import type { loadImages } from "../loaders";

type Images = Awaited<ReturnType<typeof loadImages>>;

const TAGS_SHOWN = 30;

/** The container images of a project, each with the command that pulls the image. */
export function ImageList({ host, repositories, mayPush }: Images) {
  if (repositories.length === 0)
    return (
      <EmptyState title="No container images">
        {mayPush
          ? "To share an image, push the image to the path of this project."
          : "No images have been pushed yet."}
      </EmptyState>
    );
  return (
    <>
      {repositories.some(({ tags }) => tags === null) ? (
        <Notice kind="warning">The container registry does not respond. Tags are not shown.</Notice>
      ) : null}
      <ul aria-label="Container images" className="grid gap-4">
        {repositories.map((repository) => (
          <li key={repository.id}>
            <Card
              title={repository.path}
              about={repository.tags === null ? null : counted(repository.tags.length)}
            >
              {repository.tags === null || repository.tags.length === 0 ? null : (
                <Tags tags={repository.tags} />
              )}
              {repository.tags?.length === 0 ? null : (
                <CodeBlock
                  label={`Pull ${repository.path}`}
                  code={`docker pull ${host}/${repository.path}:${pulled(repository)}`}
                />
              )}
            </Card>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Returns the tag for the pull command: `latest` if this tag exists, otherwise the first tag. */
const pulled = ({ tags }: Images["repositories"][number]): string =>
  tags === null || tags.includes("latest") ? "latest" : (tags[0] ?? "latest");

const counted = (count: number): string => (count === 1 ? "1 tag" : `${count.toLocaleString("en")} tags`);

function Tags({ tags }: { readonly tags: readonly string[] }) {
  const more = tags.length - TAGS_SHOWN;
  return (
    <ul aria-label="Tags" className="flex min-w-0 flex-wrap gap-2">
      {tags.slice(0, TAGS_SHOWN).map((tag) => (
        <li key={tag} className="min-w-0 wrap-anywhere">
          <Badge>{tag}</Badge>
        </li>
      ))}
      {more > 0 ? <li className="text-muted text-small">and {more.toLocaleString("en")} more</li> : null}
    </ul>
  );
}

/** The commands that push an image. */
export function PushLines({ host, path }: Pick<Images, "host" | "path">) {
  const code = `docker login ${host}\ndocker build --tag ${host}/${path} .\ndocker push ${host}/${path}`;
  return (
    <Card
      title="Push an image"
      about="Sign in with your username. For the password, enter a personal access token with the scopes read_registry and write_registry."
    >
      <CodeBlock label="In the folder of your Dockerfile" code={code} />
    </Card>
  );
}
