import { graphql } from "@/fleet/graphql/at-first-use";
import { apiPreflight } from "@/oauth/api/cors";

export const GET = graphql;
export const POST = graphql;
export const OPTIONS = apiPreflight;
