import { Card } from "@/ui/card";
import { CodeBlock } from "@/ui/code-block";
import type { Snippet } from "../../applications/snippet";

const CARD = { id: "section-connect", title: "Connect a client" };

/** Shows collapsed code snippets for common clients. The list of snippets works without JavaScript. */
export function Snippets(props: { readonly snippets: readonly Snippet[]; readonly about?: string }) {
  const { snippets, about: introduction } = props;
  if (snippets.length === 0)
    return (
      <Card
        {...CARD}
        about="This application requires signed assertions, pushed authorization requests or DPoP, so there are no code snippets for this application."
      />
    );
  return (
    <Card
      {...CARD}
      about={
        introduction ??
        "Code snippets for common clients, with the URLs of this server and the Application ID. You must add the client secret."
      }
    >
      <div className="divide-y divide-line rounded-group border border-line">
        {snippets.map(({ id, title, about, code }, index) => (
          <details key={id} id={`snippet-${id}`} open={index === 0} className="group min-w-0">
            <summary className="cursor-pointer px-4 py-3 font-semibold hover:bg-ground">{title}</summary>
            <div className="px-4 pb-4">
              <CodeBlock label={about} code={code} />
            </div>
          </details>
        ))}
      </div>
    </Card>
  );
}
