import type { Metadata } from "next";
import { connectGuide } from "@/oauth/connect/connect";
import { loadIssuer } from "@/oauth/connect/loaders";
import { Card } from "@/ui/card";
import { CodeBlock } from "@/ui/code-block";
import { PageHead } from "@/ui/page-shell";
import { Frame } from "../../frame";

export const metadata: Metadata = { title: "Connect a client" };

type Props = { readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>> };

export default async function ConnectPage({ searchParams }: Props) {
  const { client_id } = await searchParams;
  const isClientId = typeof client_id === "string" && /^[0-9a-f]{64}$/.test(client_id);
  const clientId = isClientId ? client_id : "APPLICATION_ID";
  const issuer = loadIssuer();
  return (
    <Frame>
      <PageHead
        title="Connect a client"
        about={
          isClientId ? undefined : (
            <>
              Put the ID of your application where it says APPLICATION_ID. You find it under{" "}
              <a href="/user_settings/applications">Applications</a>.
            </>
          )
        }
      />
      {connectGuide({ issuer, clientId }).map(({ title, about, snippets }) => (
        <Card key={title} title={title} about={about}>
          {snippets.map((snippet) => (
            <CodeBlock key={snippet.label} {...snippet} />
          ))}
        </Card>
      ))}
      <Card title="Addresses" about="For clients that want each of them.">
        <CodeBlock label="Discovery" code={`${issuer}/.well-known/openid-configuration`} />
        <p>
          What a token can do then is in the <a href="/help/api">reference of the REST API</a>.
        </p>
      </Card>
    </Frame>
  );
}
