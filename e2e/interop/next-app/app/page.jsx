import { getServerSession } from "next-auth";
import { authOptions } from "../auth.js";

export default async function Page() {
  const session = await getServerSession(authOptions);
  if (session === null) return <a href="/api/auth/signin">Sign in</a>;
  return <h1>{`Hello, ${session.user.name} (${session.user.email})`}</h1>;
}
