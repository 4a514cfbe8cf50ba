import type { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { authOptions } from "@/features/sign-in/next-auth";

type Context = { readonly params: Promise<{ readonly nextauth: string[] }> };

/** next-auth's own endpoints (session, csrf, sign-out). A page-framework route: the server does not mount it. */
const handle = async (request: NextRequest, context: Context): Promise<Response> =>
  NextAuth(request, { params: await context.params }, authOptions());

export { handle as GET, handle as POST };
