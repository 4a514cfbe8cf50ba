// A web site that signs users in by next-auth's GitLab provider: `node next-auth-site.mjs ORIGIN`.
// The environment variables GATEHOUSE_URL, CLIENT_ID and CLIENT_SECRET configure the provider.
import { createServer } from "node:http";
import gitlabModule from "next-auth/providers/gitlab";
import { mountNextAuth } from "./next-auth-mount.mjs";

const [origin = ""] = process.argv.slice(2);
const { GATEHOUSE_URL = "", CLIENT_ID = "", CLIENT_SECRET = "" } = process.env;
process.env.NEXTAUTH_URL = origin;

/** next-auth 4 is CommonJS. @type {typeof gitlabModule & { default?: typeof gitlabModule }} */
const commonJs = gitlabModule;
const gitLabProvider = commonJs.default ?? commonJs;

const { handler, sessionOf } = mountNextAuth(
  {
    secret: "a secret of this site for the duration of a test",
    // The original GitLab provider of next-auth, with the URLs of Gatehouse instead of gitlab.com.
    providers: [
      gitLabProvider({
        clientId: CLIENT_ID,
        clientSecret: CLIENT_SECRET,
        authorization: { url: `${GATEHOUSE_URL}/oauth/authorize`, params: { scope: "read_user" } },
        token: `${GATEHOUSE_URL}/oauth/token`,
        userinfo: `${GATEHOUSE_URL}/api/v4/user`,
        // The default of 3.5 seconds is too short for a busy machine.
        httpOptions: { timeout: 60_000 },
      }),
    ],
  },
  origin,
);

createServer(async (request, response) => {
  if (request.url?.startsWith("/api/auth/")) return handler(request, response);
  const session = await sessionOf(request, response);
  response.setHeader("content-type", "text/html; charset=utf-8");
  response.end(
    session === null
      ? '<a href="/api/auth/signin">Sign in</a>'
      : `<h1>Hello, ${session.user?.name} (${session.user?.email})</h1>`,
  );
}).listen(Number(new URL(origin).port), new URL(origin).hostname);
