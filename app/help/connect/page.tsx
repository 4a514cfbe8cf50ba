import type { Metadata } from "next";
import { connectGuide } from "@/oauth/connect/connect";
import { loadIssuer } from "@/oauth/connect/loaders";
import { Card } from "@/ui/card";
import { CodeBlock } from "@/ui/code-block";
import { PageHead } from "@/ui/page-shell";
import { SectionNav } from "@/ui/section-nav";
import { StaticMarkup } from "@/ui/static-markup";
import { Frame } from "../../frame";

export const metadata: Metadata = { title: "Connect a client" };

type Props = { readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>> };

export default async function ConnectPage({ searchParams }: Props) {
  const { client_id } = await searchParams;
  const isClientId = typeof client_id === "string" && /^[0-9a-f]{64}$/.test(client_id);
  const clientId = isClientId ? client_id : "APPLICATION_ID";
  const issuer = loadIssuer();
  const guide = connectGuide({ issuer, clientId });
  return (
    <Frame>
      <StaticMarkup>
        <PageHead
          title="Connect a client"
          about={
            isClientId ? undefined : (
              <>
                Replace APPLICATION_ID with the ID of your application, which is listed under{" "}
                <a href="/user_settings/applications">Applications</a>.
              </>
            )
          }
        />
        <SectionNav
          sections={[
            ...guide.map(({ id, title }) => ({ id, label: title })),
            { id: "section-urls", label: "URLs" },
          ]}
        />
        {guide.map(({ id, title, about, snippets }) => (
          <Card key={id} id={id} title={title} about={about}>
            {snippets.map((snippet) => (
              <CodeBlock key={snippet.label} {...snippet} />
            ))}
          </Card>
        ))}
        <Card
          id="section-urls"
          title="URLs"
          about="The URL of each endpoint, for clients that cannot discover the endpoints."
        >
          <CodeBlock label="Discovery" code={`${issuer}/.well-known/openid-configuration`} />
          <p>
            The <a href="/help/api">REST API reference</a> describes all endpoints and the scopes that they
            require.
          </p>
        </Card>
      </StaticMarkup>
    </Frame>
  );
}
