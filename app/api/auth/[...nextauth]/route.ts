import type { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { hasBrokenJson } from "@/identity/sign-in/broken-json";
import { authOptions } from "@/identity/sign-in/next-auth";
import { jsonResponse } from "@/kernel/http/json";

type Context = { readonly params: Promise<{ readonly nextauth: string[] }> };

const BROKEN_JSON = { error: "invalid_request", error_description: "The body is not a JSON object." };

/**
 * The endpoints of next-auth (session, csrf, sign-out). Only Next serves these endpoints: the HTTP server of
 * Gatehouse has no handler for them.
 */
const handle = async (request: NextRequest, context: Context): Promise<Response> =>
  (await hasBrokenJson(request))
    ? jsonResponse(BROKEN_JSON, { status: 400, headers: { "cache-control": "no-store" } })
    : NextAuth(request, { params: await context.params }, authOptions());

export { handle as GET, handle as POST };
