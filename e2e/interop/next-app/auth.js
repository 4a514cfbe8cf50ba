import GitLabProvider from "next-auth/providers/gitlab";

const { GATEHOUSE_URL = "http://localhost:3000", CLIENT_ID = "", CLIENT_SECRET = "" } = process.env;

/** next-auth's own GitLab provider, with the URLs of Gatehouse instead of gitlab.com. */
export const authOptions = {
  providers: [
    GitLabProvider({
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      authorization: { url: `${GATEHOUSE_URL}/oauth/authorize`, params: { scope: "read_user" } },
      token: `${GATEHOUSE_URL}/oauth/token`,
      userinfo: `${GATEHOUSE_URL}/api/v4/user`,
    }),
  ],
};
