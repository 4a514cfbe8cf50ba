import { cookies, headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import { systemDeps } from "@/platform/deps";
import { type Session, sessionFormToken, sessionOf } from "./service";
import { LOGIN_COOKIE } from "./session-form";

/** The session of this request, looked up once however many components ask. */
export const currentSession = cache(
  async (): Promise<Session | null> => sessionOf(systemDeps(), (await headers()).get("cookie")),
);

/** The session of this request; without one the person goes to sign in and comes back to `path`. */
export async function requireSession(path: string): Promise<Session> {
  const session = await currentSession();
  if (session === null) redirect(`/users/sign_in?return_to=${encodeURIComponent(path)}`);
  return session;
}

/** The session of an administrator; for anybody else who is signed in there is no such page. */
export async function requireAdmin(path: string): Promise<Session> {
  const session = await requireSession(path);
  return session.user.admin ? session : notFound();
}

/** The token of a form that is bound to this session and this purpose. */
export const formTokenFor = (session: Session, purpose: string): string =>
  sessionFormToken(systemDeps(), session, purpose);

/** What was typed into a sign-in form that was just refused; empty otherwise. */
export async function refusedLogin(): Promise<string> {
  const value = (await cookies()).get(LOGIN_COOKIE)?.value ?? "";
  try {
    return decodeURIComponent(value);
  } catch {
    return "";
  }
}
