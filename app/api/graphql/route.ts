import { graphql } from "@/fleet/graphql/endpoint";
import { apiPreflight } from "@/oauth/api/cors";

export const GET = graphql;
export const POST = graphql;
export const OPTIONS = apiPreflight;
