import type { ShownApplication } from "@/oauth/applications/rules";
import * as applications from "@/oauth/applications/service";
import { defineCommand, required, UsageError } from "./command";
import { requireUser } from "./user";

const applicationCreate = defineCommand({
  name: "application create",
  usage:
    '--name N --redirect-uri URI … --scopes "S …" --owner U [--public] [--trusted] [--require-pkce] [--no-password-grant] [--client-credentials "S …"] [--backchannel-logout-uri URI] [--backchannel-logout-session-required]',
  about: "Register an application and print its secret once.",
  options: {
    name: "text",
    "redirect-uri": "list",
    scopes: "text",
    owner: "text",
    public: "flag",
    "require-pkce": "flag",
    "no-password-grant": "flag",
    trusted: "flag",
    "client-credentials": "text",
    "backchannel-logout-uri": "text",
    "backchannel-logout-session-required": "flag",
  },
  run: async ({ open }, options) => {
    const draft = {
      name: required(options.name, "name"),
      redirectUris: options["redirect-uri"].join("\n"),
      scopes: wordsOf(required(options.scopes, "scopes")),
      confidential: !options.public,
      requiresPkce: options["require-pkce"],
      allowsPassword: !options["no-password-grant"],
      clientCredentialsScopes: wordsOf(options["client-credentials"] ?? ""),
      backchannelLogout: {
        uri: options["backchannel-logout-uri"] ?? null,
        sessionRequired: options["backchannel-logout-session-required"],
      },
    };
    const owner = required(options.owner, "owner");
    const { deps } = await open();
    const outcome = await applications.register(deps, await requireUser(deps, owner), draft, options.trusted);
    if ("problems" in outcome) throw new UsageError(Object.values(outcome.problems).flat().join("\n"));
    const { application, secret } = outcome;
    const json = { ...entity(application), ...(secret === null ? {} : { client_secret: secret }) };
    const lines = [`client_id      ${application.uid}`];
    if (secret !== null)
      lines.push(`client_secret  ${secret}`, "Copy the secret now. The secret cannot be shown again.");
    return { text: lines.join("\n"), json };
  },
});

const wordsOf = (text: string): readonly string[] => text.split(/[\s,]+/).filter((word) => word !== "");

const applicationList = defineCommand({
  name: "application list",
  usage: "",
  about: "List every application of the instance.",
  options: {},
  run: async ({ open }) => {
    const { deps } = await open();
    const all = await applications.listAll(deps);
    const text = all.map(({ uid, name, owner }) => `${uid}  ${name} (${owner.path})`).join("\n");
    return { text: text || "There are no applications yet.", json: { applications: all.map(entity) } };
  },
});

const entity = (application: ShownApplication) => ({
  client_id: application.uid,
  name: application.name,
  redirect_uris: application.redirectUris,
  scopes: application.scopes,
  confidential: application.confidential,
  trusted: application.trusted,
  client_credentials_scopes: application.clientCredentialsScopes,
  owner: application.owner.path,
  backchannel_logout_uri: application.backchannelLogout.uri,
});

export const commands = [applicationCreate, applicationList];
