import { apiPreflight } from "@/api/cors";
import { graphql } from "@/api/graphql/endpoint";

export const GET = graphql;
export const POST = graphql;
export const OPTIONS = apiPreflight;
